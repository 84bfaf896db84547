#include "counter.hpp"

Measured fan_in(const Run& run) { return flood(run, 8); }
