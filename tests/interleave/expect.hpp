// Explorations as GoogleTest assertions:
//
//   EXPECT_TRUE(holds(explore({}, scenario)));
//   EXPECT_TRUE(fails(explore({}, broken_scenario), "lost wake-up"));
#pragma once

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <tests/interleave/checker.hpp>

namespace troupe::interleave {

// Every schedule within the bounds was covered, and none failed.
[[nodiscard]] inline testing::AssertionResult holds(const Exploration& result) {
  if (result.passed && result.complete) return testing::AssertionSuccess() << result;
  return testing::AssertionFailure() << result;
}

// Some schedule fails, for a reason that contains the text.
[[nodiscard]] inline testing::AssertionResult fails(const Exploration& result, const std::string& text = "") {
  if (!result.passed && result.failure.find(text) != std::string::npos) return testing::AssertionSuccess() << result;
  return testing::AssertionFailure() << "expected a failure because of \"" << text << "\"\n" << result;
}

}  // namespace troupe::interleave
