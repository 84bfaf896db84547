// Neighbours: how much of the machine other programs had, so that a measurement knows when it was disturbed.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

namespace troupe {

class Neighbours {
 public:
  // Since this was made. Zero where the system does not tell.
  [[nodiscard]] double share_of_machine() const {
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    const double others = (everybody() - everybody_) - (own() - own_);
    return std::max(0.0, others / (elapsed * std::thread::hardware_concurrency()));
  }

 private:
  // Seconds of processor time, of all processors.
  static double everybody() {
    std::ifstream file("/proc/stat");
    std::string cpu;
    double user = 0;
    double nice = 0;
    double system = 0;
    double idle = 0;
    double waiting = 0;
    double interrupts = 0;
    double soft_interrupts = 0;
    double stolen = 0;
    file >> cpu >> user >> nice >> system >> idle >> waiting >> interrupts >> soft_interrupts >> stolen;
    constexpr double ticks_per_s = 100;
    return (user + nice + system + interrupts + soft_interrupts + stolen) / ticks_per_s;
  }
  static double own() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  }

  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  double everybody_ = everybody();
  double own_ = own();
};

}  // namespace troupe
