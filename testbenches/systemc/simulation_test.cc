// SPDX-License-Identifier: Apache-2.0
// A simulation that fails, throws or dies fails its test.
#include "testbenches/systemc/simulation.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace tilefly::systemc {
namespace {

TEST(InChild, FailsWhenTheSimulationDoes) {
  EXPECT_NONFATAL_FAILURE(InChild([] { _exit(1); }), "see above");
  EXPECT_NONFATAL_FAILURE(InChild([] { throw std::runtime_error("on purpose"); }), "see above");
  EXPECT_FATAL_FAILURE(InChild([] { std::raise(SIGKILL); }), "signal 9");
}

}  // namespace
}  // namespace tilefly::systemc
