#include <troupe/runtime/event_record.hpp>

#include <chrono>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace troupe {
namespace {

using namespace std::chrono_literals;

static_assert(std::is_nothrow_move_constructible_v<EventRecord>);

TEST(EventRecord, FR_016_each_kind_of_event_reads_as_a_line_that_says_who_and_what) {
  const std::pair<EventKind, const char*> lines[] = {
      {EventKind::dead_letter, "AddItem for cart:7 was not handled (full)"},
      {EventKind::failed, "cart:7 failed on AddItem"},
      {EventKind::restarted, "cart:7 restarted (incarnation 3)"},
      {EventKind::resumed, "cart:7 goes on after a failure"},
      {EventKind::stopped, "cart:7 stopped (shutdown)"},
      {EventKind::start_failed, "cart:7 could not start (attempt 3)"},
      {EventKind::unstarted, "cart:7 gave up starting until start_again"},
      {EventKind::suspended, "cart:7 is suspended"},
      {EventKind::unsuspended, "cart:7 goes on after 1500ms of suspension"},
      {EventKind::mailbox_grown, "the mailbox of cart:7 grew to 3"},
      {EventKind::reserve_exhausted, "cart:7 has no slot left for a high-priority message, of 3"},
      {EventKind::back_pressure, "cart:7 fell behind with AddItem: its mailbox is full"},
      {EventKind::stash_full, "cart:7 could not stash AddItem: its stash is full"},
      {EventKind::slow_handler, "cart:7 handles AddItem for 1500ms already"},
      {EventKind::late_reply, "a reply came after cart:7 stopped waiting for it"},
      {EventKind::memory_exhausted, "there is no memory for what cart:7 needs (AddItem): raise the system's limits"},
      {EventKind::reference_escaped, "AddItem was sent to cart:7 after its system ended"},
      {EventKind::stop_hook_failed, "the stop hook of cart:7 failed"},
      {EventKind::not_drained, "shutdown left 3 messages unhandled"},
  };
  EXPECT_EQ(std::size(lines), event_kinds);
  for (const auto& [kind, line] : lines) {
    EventRecord record{.kind = kind, .address = "cart:7", .message = "AddItem"};
    record.actor = AnyRef(CellRef{reinterpret_cast<Cell*>(64), 1});
    record.reason = DeadReason::full;
    record.stop_reason = StopReason::shutdown;
    record.number = 3;
    record.duration = 1500ms;
    EXPECT_EQ(to_string(record), line);
  }
}

TEST(EventRecord, FR_016_a_line_says_why_and_who_sent_the_message) {
  EventRecord record{.kind = EventKind::failed, .address = "cart:7", .message = "AddItem"};
  record.error = Error{Code::failed, "no such item"};
  record.sender_address = "shop:1";
  EXPECT_EQ(to_string(record), "cart:7 failed on AddItem: no such item (failed); sender shop:1");
  record.error = Error{Code::exhausted};
  EXPECT_EQ(to_string(record), "cart:7 failed on AddItem: exhausted; sender shop:1");
}

TEST(EventRecord, FR_016_an_actor_without_an_address_is_named_by_its_class) {
  EXPECT_EQ(to_string(EventRecord{.kind = EventKind::suspended, .actor_type = "Cart"}), "Cart is suspended");
  EXPECT_EQ(to_string(EventRecord{.kind = EventKind::suspended}), "nobody is suspended");
  EXPECT_EQ(to_string(EventRecord{.kind = EventKind::memory_exhausted, .actor_type = "Cart"}),
            "there is no memory for what Cart needs: raise the system's limits");
  EXPECT_EQ(to_string(EventRecord{.kind = EventKind::back_pressure, .number = 8}),
            "a subscriber fell behind: its room for 8 events is full");
}

TEST(EventRecord, FR_016_a_record_owns_its_words) {
  std::string type = "a class with a name that is long enough";
  std::string message = "a message with a name that is long enough";
  const auto address_of = [](CellRef cell) { return "cart:" + std::to_string(cell.generation); };
  Cell cell;
  const EventRecord record = record_of(
      {.kind = EventKind::failed, .actor = {&cell, 7}, .actor_type = type.c_str(), .message = message.c_str()}, 9,
      address_of);
  type.assign(type.size(), '#');
  message.assign(message.size(), '#');
  EXPECT_EQ(record.actor_type, "a class with a name that is long enough");
  EXPECT_EQ(record.message, "a message with a name that is long enough");
  EXPECT_EQ(record.address, "cart:7");
  EXPECT_EQ(record.sender_address, "");
  EXPECT_EQ(record.actor, AnyRef(CellRef{&cell, 7}));
  EXPECT_FALSE(record.sender);
  EXPECT_EQ(record.at, 9u);
}

}  // namespace
}  // namespace troupe
