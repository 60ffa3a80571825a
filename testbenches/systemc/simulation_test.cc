// SPDX-License-Identifier: Apache-2.0
// A simulation that fails, throws or dies fails its test.
#include "testbenches/systemc/simulation.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "systemc/fabric/packet_pool.h"

namespace tilefly::systemc {
namespace {

TEST(InChild, FailsWhenTheSimulationDoes) {
  EXPECT_NONFATAL_FAILURE(InChild([] { _exit(1); }), "see above");
  EXPECT_NONFATAL_FAILURE(InChild([] { throw std::runtime_error("on purpose"); }), "see above");
  EXPECT_FATAL_FAILURE(InChild([] { std::raise(SIGKILL); }), "signal 9");
}

/// A reference that is not given back: the pool counts it in every build, and the sanitizer finds the packet.
TEST(InChild, FailsWhenAPayloadIsLeaked) {
  const auto forget = [] {
    fabric::PacketPool pool;
    fabric::Packet& packet = pool.Make();
    packet.frame = std::make_shared<const fabric::Frame>(64);
    if (pool.held() != 1) throw std::runtime_error("not counted");
  };
  if (LeaksAreFound()) {
    EXPECT_NONFATAL_FAILURE(InChild(forget), "see above");
  } else {
    InChild(forget);
  }
  InChild([] { fabric::PacketPool().Make().release(); });
}

}  // namespace
}  // namespace tilefly::systemc
