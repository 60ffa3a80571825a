// SPDX-License-Identifier: Apache-2.0
// Cycles have their time whatever the program does about SystemC's time resolution, or it is an error
// (docs/systemc.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/errors.h"
#include "support/exit_code.h"
#include "systemc/report/report_log.h"
#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"

namespace tilefly::systemc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A put of 64 bytes from NIC to NIC with cables of ten cycles, and a get, all in a quiet system.
void ExpectTimesOfAPutAndAGet() {
  double put_ns = 0;
  double get_ns = 0;
  NicPair nics(false, false);
  Memory memory("memory", kMemory, sc_core::SC_ZERO_TIME);
  Memory unused("unused", 0, sc_core::SC_ZERO_TIME);
  Cpu idle("idle", [](Cpu&) {});
  Cpu cpu("cpu", [&](Cpu& cpu) {
    const std::uint64_t there = Nic::AddressOf(NicPair::kRight, 0);
    std::vector<std::uint8_t> data = Pattern(64, 1);
    EXPECT_EQ(cpu.Write(there, data), tlm::TLM_OK_RESPONSE);
    put_ns = sc_core::sc_time_stamp().to_seconds() * 1e9;
    EXPECT_EQ(cpu.Read(there, &data), tlm::TLM_OK_RESPONSE);
    get_ns = sc_core::sc_time_stamp().to_seconds() * 1e9 - put_ns;
  });
  cpu.socket.bind(nics.left.host());
  idle.socket.bind(nics.right.host());
  nics.right.memory().bind(memory.socket);
  nics.left.memory().bind(unused.socket);
  sc_core::sc_start();
  EXPECT_TRUE(cpu.finished);
  // A frame of 98 bytes with data has 4 words, one of 34 without 2; each leaves the cycle after it is asked for, and
  // takes the cable.
  EXPECT_NEAR(put_ns, (1 + 10 + 3 + 1 + 10 + 1) * 1.28, 1e-6);
  EXPECT_NEAR(get_ns, put_ns, 1e-6);
}

TEST(TimeResolution, CyclesHaveTheirTimeInEveryOneThatHoldsThem) {
  InChild(KeepResolution, ExpectTimesOfAPutAndAGet);  // a program that does nothing about it
  for (const double fs : {1.0, 10.0, 100.0, 1000.0, 10000.0}) {
    SCOPED_TRACE(fs);
    InChild([fs] { sc_core::sc_set_time_resolution(fs, sc_core::SC_FS); }, ExpectTimesOfAPutAndAGet);
  }
}

/// Of a program with a log that ends it.
void ExpectRefused(const std::string& resolution) {
  std::vector<std::string> log;
  EXPECT_EQ(RunProgram([] { return NicPair(false, false).left.outstanding(); },
                       [&log](const std::string& line) { log.push_back(line); }),
            kUsage);
  EXPECT_THAT(
      log, ElementsAre("a cycle of 1.28 ns is no whole number of ticks of the time resolution in force, " + resolution +
                       ": set one of 10 ps or finer, by fabric::SetResolution() or sc_set_time_resolution, before the "
                       "first module"));
}

TEST(TimeResolution, OneThatCannotHoldACycleIsRefused) {
  InChild([] { sc_core::sc_set_time_resolution(100, sc_core::SC_PS); }, [] { ExpectRefused("100 ps"); });
  InChild([] { sc_core::sc_set_time_resolution(1, sc_core::SC_NS); }, [] { ExpectRefused("1 ns"); });
  InChild([] { sc_core::sc_set_time_resolution(1, sc_core::SC_US); }, [] { ExpectRefused("1 us"); });
}

/// The log says cycles, too; and a line of it does not fix the resolution before the program has set one.
TEST(TimeResolution, TheLogKnowsIt) {
  InChild(KeepResolution, [] {
    std::vector<std::string> log;
    const ReportLog scope([&log](const std::string& line) { log.push_back(line); });
    SC_REPORT_WARNING("tilefly/test", "early");
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    Cpu cpu("cpu", [](Cpu&) {
      sc_core::wait(fabric::TimeOf(20));
      SC_REPORT_WARNING("tilefly/test", "later");
    });
    Memory memory("memory", 0, sc_core::SC_ZERO_TIME);
    cpu.socket.bind(memory.socket);
    sc_core::sc_start();
    EXPECT_THAT(log, ElementsAre("warning: tilefly/test: early (cycle 0)", HasSubstr("later (cycle 20, cpu.")));
  });
}

}  // namespace
}  // namespace tilefly::systemc
