// RunMeter: what one run of an actor did.
//
// It compares the worker's counters before and after, so that a message costs nothing more. A measured actor's own
// figures are written before it is given up, because somebody else may own it then.
#pragma once

#include <cstdint>

#include <troupe/core/side.hpp>
#include <troupe/core/worker.hpp>

namespace troupe::turns {

class RunMeter {
 public:
  RunMeter(Worker& worker, Cell& cell) noexcept : worker_(worker), began_(worker.counters.handled.value()) {
    worker.counters.runs.add();
    const Stamp waited = count_wait(cell, worker.now, worker.counters);
    Side* side = cell.side.load(order::relaxed);
    if (side == nullptr || !side->measured.load(order::relaxed)) return;
    measured_ = side;
    written_ = began_;
    side->runs.add();
    side->waited.add(waited);
  }
  RunMeter(const RunMeter&) = delete;
  RunMeter& operator=(const RunMeter&) = delete;
  ~RunMeter() { worker_.counters.longest_run.raise_to(worker_.counters.handled.value() - began_); }

  // Before each attempt to give the actor up.
  void write() noexcept {
    if (measured_ == nullptr) [[likely]]
      return;
    const std::uint64_t handled = worker_.counters.handled.value();
    measured_->processed.add(handled - written_);
    written_ = handled;
  }

 private:
  Worker& worker_;
  std::uint64_t began_;
  std::uint64_t written_ = 0;
  Side* measured_ = nullptr;
};

}  // namespace troupe::turns
