// SPDX-License-Identifier: Apache-2.0
// Options of systems and NICs that cannot be are refused, with what can (docs/systemc.md, Platform side).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "support/exit_code.h"
#include "systemc/report/report_log.h"
#include "systemc/system/system.h"
#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/platform.h"
#include "testbenches/systemc/simulation.h"
#include "topology/builder.h"

namespace tilefly::systemc {
namespace {

using ::testing::ElementsAre;

constexpr const char* kFourHosts = "dragonfly:p=1,a=2,h=1,g=2";

/// `body` ends with `line` and exit code 2, in a simulation of its own.
void ExpectRefused(const std::function<void()>& body, const std::string& line) {
  InChild([&] {
    std::vector<std::string> log;
    const auto run = [&body] {
      body();
      return 0;
    };
    EXPECT_EQ(RunProgram(run, [&log](const std::string& said) { log.push_back(said); }), kUsage);
    EXPECT_THAT(log, ElementsAre(line));
  });
}

void ExpectSystemRefused(const std::function<void(SystemOptions*)>& set, const std::string& line) {
  ExpectRefused(
      [&set] {
        SystemOptions options;
        set(&options);
        System system("system", topology::Build(kFourHosts), options);
      },
      line);
}

void ExpectNicRefused(const std::function<void(NicOptions*)>& set, const std::string& line) {
  ExpectRefused(
      [&set] {
        fabric::PacketPool pool;
        NicDirectory directory;
        NicOptions options = NicPair::Options(NicPair::kLeft, false, 64);
        set(&options);
        Nic nic("nic", options, &pool, &directory);
      },
      line);
}

TEST(SystemOptions, ATrafficClassThatThereIsNot) {
  for (const int tc : {-1, 8, 100}) {
    ExpectSystemRefused([tc](SystemOptions* options) { options->tc = tc; },
                        "system: tc " + std::to_string(tc) +
                            ": messages are of a traffic class from 0 to 7 (SystemOptions::tc, parameter system.tc of CCI)");
  }
}

TEST(SystemOptions, LanesThatALinkOfANicHasNot) {
  for (const int lanes : {-1, 0, 1, 3, 8}) {
    ExpectSystemRefused([lanes](SystemOptions* options) { options->nic_lanes = lanes; },
                        "system: nic_lanes " + std::to_string(lanes) +
                            ": a NIC's link has 2 lanes (100 Gb/s) or 4 (200 Gb/s) (SystemOptions::nic_lanes, parameter "
                            "system.nic_lanes of CCI)");
  }
}

TEST(SystemOptions, ARoutingWhoseModeIsOfEachMessage) {
  ExpectSystemRefused(
      [](SystemOptions* options) { options->routing = network::RoutingOptions::Named("app_aware"); },
      "system: routing app_aware: the NICs of a System send all messages in one mode: take adaptive_0 or adaptive_3, "
      "between which it chooses (SystemOptions::routing, parameter system.routing of CCI)");
}

TEST(SystemOptions, ABiasThatItsRegisterHasNoBitsFor) {
  for (const int bias : {-1, 4096}) {
    ExpectSystemRefused([bias](SystemOptions* options) { options->routing.biases[2] = bias; },
                        "system: bias " + std::to_string(bias) +
                            " of adaptive_2: a bias is 0 to 4095 (RoutingOptions::biases of SystemOptions::routing)");
  }
}

TEST(SystemOptions, ErrorsThatNoLinkHas) {
  ExpectSystemRefused([](SystemOptions* options) { options->word_ber = 0.5; },
                      "system: word_ber 0.5: a bit error rate is 0, or 1e-15 to 1e-3 (SystemOptions::word_ber, parameter "
                      "system.word_ber of CCI)");
  ExpectSystemRefused(
      [](SystemOptions* options) {
        options->word_ber = 1e-6;
        options->loosely_timed = true;
      },
      "system: word_ber 1e-06: loosely timed links send nothing again: leave it 0, or loosely_timed off "
      "(SystemOptions::word_ber, parameter system.word_ber of CCI)");
}

TEST(SystemOptions, LinksThatGoDownAndAreNotThere) {
  ExpectSystemRefused(
      [](SystemOptions* options) {
        options->downs = {{0, 0, 1000, 10}};
        options->loosely_timed = true;
      },
      "system: downs: loosely timed links do not go down: leave downs empty, or loosely_timed off (SystemOptions::downs)");
  ExpectSystemRefused([](SystemOptions* options) { options->retrain = 10; },
                      "system: retry, retrain: no link has retry: give word_ber or downs, or leave them as they are "
                      "(SystemOptions::retry, retrain)");
  ExpectSystemRefused([](SystemOptions* options) { options->downs = {{0, 0, 1000, 10}}; },
                      "system: no link with retry at port 0 of switch 0: links between two switches have it; `tilefly topo` "
                      "lists them");
}

/// All that is allowed can be built, and puts go through it.
TEST(SystemOptions, EveryClassWithEitherLink) {
  for (const int lanes : {2, 4}) {
    for (const int tc : {0, 7}) {
      InChild([lanes, tc] {
        SystemOptions options;
        options.tc = tc;
        options.nic_lanes = lanes;
        options.checked = true;
        System system("system", topology::Build(kFourHosts), options);
        Memory memory("memory", 10000, sc_core::SC_ZERO_TIME);
        Cpu cpu("cpu", [&system](Cpu& own) {
          EXPECT_EQ(own.Write(system.AddressOf(3, 0), std::vector<std::uint8_t>(9000, 1)), tlm::TLM_OK_RESPONSE);
        });
        cpu.socket.bind(system.nic(0).host());
        system.nic(3).memory().bind(memory.socket);
        EXPECT_EQ(RunToEnd(system), kPassed);
        EXPECT_TRUE(cpu.finished);
        EXPECT_EQ(system.violations(), 0u);
      });
    }
  }
}

TEST(System, HasNoOtherEndpointsSwitchesAndBytes) {
  const auto expect = [](const std::function<void(System*)>& ask, const std::string& line) {
    ExpectRefused(
        [&ask] {
          System system("system", topology::Build(kFourHosts), {});
          ask(&system);
        },
        line);
  };
  for (const int number : {-1, 4, 77}) {
    const std::string endpoint = "system: no endpoint " + std::to_string(number) + ": it has 4, counted from 0";
    expect([number](System* system) { system->AddressOf(number, 0); }, endpoint);
    expect([number](System* system) { system->nic(number); }, endpoint);
    expect([number](System* system) { system->node(number); },
           "system: no switch " + std::to_string(number) + ": it has 4, counted from 0");
  }
  expect([](System* system) { system->AddressOf(1, std::uint64_t{1} << 40); },
         "AddressOf: byte 1099511627776 of a NIC's memory: its addresses have 40 bits, so the last byte is 2^40 - 1");
}

TEST(NicOptions, WhatANicCannotHave) {
  ExpectNicRefused([](NicOptions* options) { options->window = 0; },
                   "nic: window 0: a NIC has 1 to 65536 transactions outstanding (SystemOptions::window, NicOptions::window)");
  ExpectNicRefused([](NicOptions* options) { options->fabric.address = 1 << 20; },
                   "nic: address 1048576: fabric addresses have 20 bits (FabricPortOptions::address)");
  for (const int lanes : {0, 3}) {
    ExpectNicRefused([lanes](NicOptions* options) { options->fabric.lanes = lanes; },
                     "nic: lanes " + std::to_string(lanes) + ": a NIC's link has 2 or 4 (FabricPortOptions::lanes)");
  }
  for (const int tc : {-1, 8}) {
    ExpectNicRefused([tc](NicOptions* options) { options->fabric.tc = tc; },
                     "nic: tc " + std::to_string(tc) + ": traffic classes are 0 to 7 (FabricPortOptions::tc)");
  }
  for (const int vl : {-1, 16}) {
    ExpectNicRefused([vl](NicOptions* options) { options->fabric.vl = vl; },
                     "nic: vl " + std::to_string(vl) + ": virtual lanes are 0 to 15 (FabricPortOptions::vl)");
  }
}

/// Without room for the cells of a packet none would ever leave.
TEST(NicOptions, CreditsThatHaveNoRoomForAPacket) {
  for (const int cells : {-1, 0, 86}) {
    ExpectNicRefused([cells](NicOptions* options) { options->fabric.mtu_cells = cells; },
                     "nic: mtu_cells " + std::to_string(cells) +
                         ": packets of messages have up to 87 cells: take Profile::mtu_cells of the switch "
                         "(FabricPortOptions::mtu_cells)");
  }
  ExpectNicRefused([](NicOptions* options) { options->fabric.credit = {}; },
                   "nic: credit of lane 0: it has never room for the " + std::to_string(kTile8.mtu_cells) +
                       " cells of a packet: take golden::CreditTable(profile) of the switch (FabricPortOptions::credit)");
  InChild([] {  // which loosely timed none needs
    fabric::PacketPool pool;
    NicDirectory directory;
    NicOptions options = NicPair::Options(NicPair::kLeft, true, 64);
    options.fabric.credit = {};
    options.fabric.mtu_cells = 0;
    Nic nic("nic", options, &pool, &directory);
    EXPECT_EQ(directory.count(NicPair::kLeft), 1u);
  });
}

TEST(NicOptions, AddressesOfNoNic) {
  EXPECT_EQ(Nic::AddressOf(3, 5), (std::uint64_t{3} << 40) + 5);
  ExpectRefused([] { Nic::AddressOf(1 << 20, 0); }, "AddressOf: NIC 1048576: fabric addresses have 20 bits");
}

}  // namespace
}  // namespace tilefly::systemc
