// Attendant: a system's own thread, for what workers cannot do for themselves.
//
// Every ten milliseconds it looks at what each worker is handling. It names a handler that exceeds its time, and has
// others do what waits behind a handler that does not end. It prints warnings, so that no worker ever waits for a
// terminal. While all workers sleep it sleeps too.
#pragma once

#include <cstdint>
#include <thread>
#include <vector>

#include <troupe/core/kernel.hpp>
#include <troupe/runtime/event_stream.hpp>
#include <troupe/runtime/executor.hpp>

namespace troupe {

class Attendant {
 public:
  struct Options {
    Duration slow_after;
    bool print_warnings;
  };
  Attendant(SystemExecutor& executor, Kernel& kernel, EventStream& events, Options options);
  Attendant(const Attendant&) = delete;
  Attendant& operator=(const Attendant&) = delete;
  ~Attendant();

  // A worker leaves its sleep.
  void rouse() noexcept;
  // What is being handled right now, one line a worker.
  [[nodiscard]] std::vector<std::string> being_handled();

 private:
  struct Watched {
    Worker* worker;
    std::uint64_t turn = 0;
    std::uint64_t batches = 0;
    Instant since = 0;
    bool reported = false;
  };

  void loop();
  void name_slow_handler(Watched& watched, Instant now) noexcept;
  void relieve(Watched& watched) noexcept;
  void print_warnings();

  SystemExecutor& executor_;
  Kernel& kernel_;
  Options options_;
  std::vector<Watched> watched_;
  Subscription warnings_;
  Atomic<std::uint32_t> asleep_{0};
  Atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace troupe
