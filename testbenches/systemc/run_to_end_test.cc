// SPDX-License-Identifier: Apache-2.0
// How a system's simulation ends, and systems that cannot be (docs/systemc.md, Reports and end).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/exit_code.h"
#include "systemc/report/report_log.h"
#include "systemc/system/system.h"
#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/platform.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/wrong_initiator.h"
#include "topology/builder.h"

namespace tilefly::systemc {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Log = std::vector<std::string>;

int Logged(const std::function<int()>& body, Log* log) {
  return RunProgram(body, [log](const std::string& line) { log->push_back(line); });
}

/// A platform without memories' latency, of which endpoint 2 has the host `socket`.
struct Platform {
  template <typename Host>
  explicit Platform(Host* host, const SystemOptions& options = {})
      : system("system", topology::Build("dragonfly:p=2,a=4,h=2"), options) {
    for (int e = 0; e < system.endpoints(); ++e) {
      memories.push_back(std::make_unique<Memory>(("memory" + std::to_string(e)).c_str(), 1000, sc_core::SC_ZERO_TIME));
      system.nic(e).memory().bind(memories.back()->socket);
      if (e == 2) {
        host->socket.bind(system.nic(e).host());
      } else {
        cpus.push_back(std::make_unique<Cpu>(("cpu" + std::to_string(e)).c_str(), [](Cpu&) {}));
        cpus.back()->socket.bind(system.nic(e).host());
      }
    }
  }
  System system;
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<std::unique_ptr<Cpu>> cpus;
};

/// A response that its initiator does not end holds back all behind it: that is a hang as any other.
TEST(RunToEnd, AResponseWithoutItsEndIsAHang) {
  InChild([] {
    Log log;
    int status = -1;
    Platform* rig = nullptr;
    WrongInitiator::Request first(0);
    WrongInitiator::Request second(0);
    WrongInitiator host("host", [&](WrongInitiator& initiator) {
      for (WrongInitiator::Request* const request : {&first, &second}) {
        request->payload.set_address(rig->system.AddressOf(9, 0));
        initiator.Call(request, tlm::BEGIN_REQ);
        sc_core::wait(fabric::TimeOf(5));
      }
    });
    Platform platform(&host);
    rig = &platform;
    status = Logged([&] { return RunToEnd(platform.system); }, &log);
    EXPECT_EQ(status, kStuck);
    EXPECT_THAT(log,
                ElementsAre(StartsWith(
                    "warning: tilefly/nic: system.nic2: a put of 64 bytes waits for END_RESP of its initiator, and 1 "
                    "responses behind it (cycle ")));
  });
}

/// The program may ask for more when nothing is due.
TEST(RunToEnd, MayBeCalledAgain) {
  InChild([] {
    Log log;
    sc_core::sc_event more;
    int rounds = 0;
    Platform* rig = nullptr;
    Cpu host("host", [&](Cpu& cpu) {
      for (; rounds < 3; ++rounds) {
        EXPECT_EQ(cpu.Write(rig->system.AddressOf(9, 0), {1, 2, 3}), tlm::TLM_OK_RESPONSE);
        sc_core::wait(more);
      }
    });
    SystemOptions options;
    options.checked = true;
    Platform platform(&host, options);
    rig = &platform;
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(Logged([&] { return RunToEnd(platform.system); }, &log), kPassed);
      EXPECT_EQ(rounds, round);
      more.notify(sc_core::SC_ZERO_TIME);
    }
    EXPECT_THAT(log, IsEmpty());
    EXPECT_EQ(platform.system.violations(), 0u);
  });
}

TEST(Window, OneThatCannotBeIsAUsageError) {
  for (const int window : {-1, 0, 65537, 70000}) {
    InChild([window] {
      Log log;
      const int status = Logged(
          [window] {
            SystemOptions options;
            options.window = window;
            System system("system", topology::Build("dragonfly:p=2,a=4,h=2"), options);
            return 0;
          },
          &log);
      EXPECT_EQ(status, kUsage);
      EXPECT_THAT(log, ElementsAre("system.nic0: window " + std::to_string(window) +
                                   ": a NIC has 1 to 65536 transactions outstanding "
                                   "(SystemOptions::window, NicOptions::window)"));
    });
  }
}

TEST(Nic, AnAddressThatAnotherHasIsAUsageError) {
  InChild([] {
    Log log;
    EXPECT_EQ(Logged(
                  [] {
                    NicPair nics(false, false);
                    Nic other("other", NicPair::Options(NicPair::kRight, false, 64), &nics.pool, &nics.directory);
                    return 0;
                  },
                  &log),
              kUsage);
    EXPECT_THAT(log, ElementsAre("other: address 65 is that of right: each NIC of a directory has its own"));
  });
}

}  // namespace
}  // namespace tilefly::systemc
