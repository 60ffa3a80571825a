// SPDX-License-Identifier: Apache-2.0
// Reports of SystemC in the program's log, and the exit codes that they make.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "support/errors.h"
#include "support/exit_code.h"
#include "systemc/report/report_log.h"
#include "systemc/system/system.h"
#include "testbenches/systemc/peers.h"
#include "testbenches/systemc/platform.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/switch_bench.h"
#include "topology/builder.h"

namespace tilefly::systemc {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

using Log = std::vector<std::string>;

int Logged(const std::function<int()>& body, Log* log) {
  return RunProgram(body, [log](const std::string& line) { log->push_back(line); });
}

/// A platform that reports in cycle 20, and would go on until cycle 30.
int RunWith(const std::function<void()>& report, Log* log, bool* went_on) {
  return Logged(
      [&] {
        Script script("script");
        script.At(20, report);
        script.At(30, [&] { *went_on = true; });
        sc_core::sc_start();
        return 0;
      },
      log);
}

TEST(ReportLog, AWarningIsALineAndTheRunGoesOn) {
  InChild([] {
    Log log;
    bool went_on = false;
    EXPECT_EQ(RunWith([] { SC_REPORT_WARNING("tilefly/test", "look\nhere"); }, &log, &went_on), kPassed);
    EXPECT_TRUE(went_on);
    EXPECT_THAT(log, ElementsAre(StartsWith("warning: tilefly/test: look (cycle 20, script."), "warning: tilefly/test: here"));
  });
}

TEST(ReportLog, AnErrorEndsTheRun) {
  InChild([] {
    Log log;
    bool went_on = false;
    EXPECT_EQ(RunWith([] { SC_REPORT_ERROR("tilefly/test", "broken"); }, &log, &went_on), kUsage);
    EXPECT_FALSE(went_on);
    EXPECT_THAT(log, ElementsAre(StartsWith("error: tilefly/test: broken (cycle 20, script.")));
  });
}

TEST(ReportLog, AFatalErrorEndsTheRunWithoutAbort) {
  InChild([] {
    Log log;
    bool went_on = false;
    EXPECT_EQ(RunWith([] { SC_REPORT_FATAL("tilefly/test", "gone"); }, &log, &went_on), kUsage);
    EXPECT_FALSE(went_on);
    EXPECT_THAT(log, ElementsAre(StartsWith("fatal error: tilefly/test: gone (cycle 20, script.")));
  });
}

/// A report of the models themselves.
TEST(ReportLog, APacketAtAPortWithoutALinkEndsTheRun) {
  InChild([] {
    Log log;
    fabric::PacketPool pool;
    fabric::Packet& packet = pool.Make();
    const int status = Logged(
        [&] {
          Source source("source", &pool);
          NoPartner none("none");
          source.out.bind(none.in);
          source.At(100, [&] {
            tlm::tlm_phase phase = fabric::BEGIN_PACKET;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            source.out->nb_transport_fw(packet, phase, delay);
          });
          sc_core::sc_start();
          return 0;
        },
        &log);
    packet.release();
    EXPECT_EQ(status, kUsage);
    EXPECT_THAT(log, ElementsAre(StartsWith("error: tilefly/switch: none: a packet at a port without a link (cycle 100, ")));
  });
}

TEST(ReportLog, ExceptionsHaveTheExitCodesOfTheCommandLine) {
  InChild([] {
    Log log;
    EXPECT_EQ(Logged([]() -> int { throw UsageError("no such thing"); }, &log), kUsage);
    EXPECT_EQ(Logged([]() -> int { throw std::runtime_error("a bug"); }, &log), kInternal);
    EXPECT_EQ(Logged([]() -> int { throw 5; }, &log), kInternal);
    EXPECT_EQ(Logged([] { return 7; }, &log), 7);
    EXPECT_THAT(log, ElementsAre("no such thing", "internal error: a bug",
                                 "internal error: an exception that is no std::exception"));
  });
}

/// What SystemC makes a report of.
TEST(ReportLog, ExceptionsOfAProcessHaveThemToo) {
  const auto expect = [](const std::function<void()>& thrower, int code, const std::string& line) {
    InChild([&] {
      Log log;
      bool went_on = false;
      EXPECT_EQ(RunWith(thrower, &log, &went_on), code);
      EXPECT_FALSE(went_on);
      EXPECT_THAT(log, ElementsAre(StartsWith(line + " (cycle 20, script.")));
    });
  };
  expect([] { throw UsageError("no such thing"); }, kUsage, "no such thing");
  expect([] { throw std::runtime_error("a bug"); }, kInternal, "internal error: a bug");
  expect([] { throw 5; }, kInternal, "internal error: an exception that is no std::exception");
}

/// A host's thread, and a method of a NIC that calls the platform.
TEST(ReportLog, ExceptionsOfAPlatformHaveThemToo) {
  if (LeaksAreFound()) GTEST_SKIP() << "the address sanitizer does not know the stacks of processes, and takes exceptions for errors";
  for (const bool of_host : {true, false}) {
    for (const bool usage : {true, false}) {
      InChild([&] {
        Log log;
        const auto give_up = [usage] { usage ? throw UsageError("not so") : throw std::runtime_error("gave up"); };
        const int status = Logged(
            [&] {
              System system("system", topology::Build("fattree:leaves=2,hosts=1,uplinks=1"), {});
              Cpu host("host", [&](Cpu& cpu) {
                if (of_host) give_up();
                cpu.Write(system.AddressOf(1, 0), {1, 2, 3});
              });
              host.socket.bind(system.nic(0).host());
              system.nic(1).doorbell().set_on_arrival([&](const Arrival&) { give_up(); });
              Memory memory("memory", 1000, sc_core::SC_ZERO_TIME);
              system.nic(1).memory().bind(memory.socket);
              return RunToEnd(system);
            },
            &log);
        EXPECT_EQ(status, usage ? kUsage : kInternal);
        const std::string text = usage ? "not so (" : "internal error: gave up (";
        EXPECT_THAT(log, ElementsAre(StartsWith(text)));
        EXPECT_NE(log.front().find(of_host ? "host." : "system.nic1.doorbell."), std::string::npos) << log.front();
      });
    }
  }
}

/// Of a run that ends by a report, the code is the last report's.
TEST(ReportLog, AnErrorAfterAnExceptionThatAProgramTookIsAnError) {
  InChild([] {
    Log log;
    const int status = Logged(
        [] {
          Script script("script");
          script.At(20, [] { throw std::runtime_error("a bug"); });
          EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
          SC_REPORT_ERROR("tilefly/test", "broken");
          return 0;
        },
        &log);
    EXPECT_EQ(status, kUsage);
    EXPECT_THAT(log, ElementsAre(StartsWith("internal error: a bug (cycle 20, script."), StartsWith("error: tilefly/test: broken")));
  });
}

TEST(ReportLog, ANicThatWaitsAtTheEndSaysForWhat) {
  InChild([] {
    Log log;
    const int status = Logged(
        [] {
          System system("system", topology::Build("dragonfly:p=2,a=4,h=2"), {});
          std::vector<std::unique_ptr<DeadMemory>> memories;
          std::vector<std::unique_ptr<Cpu>> cpus;
          for (int e = 0; e < system.endpoints(); ++e) {
            memories.push_back(std::make_unique<DeadMemory>(("memory" + std::to_string(e)).c_str()));
            system.nic(e).memory().bind(memories.back()->socket);
            Cpu::Program program = [](Cpu&) {};
            if (e == 2) program = [&system](Cpu& cpu) { cpu.Write(system.AddressOf(9, 0), {1, 2, 3}); };
            cpus.push_back(std::make_unique<Cpu>(("cpu" + std::to_string(e)).c_str(), program));
            cpus.back()->socket.bind(system.nic(e).host());
          }
          return RunToEnd(system);
        },
        &log);
    EXPECT_EQ(status, kStuck);
    EXPECT_THAT(log, ElementsAre(StartsWith("warning: tilefly/nic: system.nic2: a put of 3 bytes waits for system.nic9 (cycle "),
                                 StartsWith("warning: tilefly/nic: system.nic9: 1 operations wait for the memory (cycle ")));
  });
}

}  // namespace
}  // namespace tilefly::systemc
