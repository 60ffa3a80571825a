// SPDX-License-Identifier: Apache-2.0
// A platform whose packets cross a transaction model, the RTL and a transaction model again (docs/systemc.md, RTL in SystemC):
// puts and gets of models that know the base protocol only.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "support/errors.h"
#include "systemc/rtl/rtl_node.h"
#include "systemc/system/system.h"
#include "testbenches/bench/process_folder.h"
#include "testbenches/systemc/platform.h"
#include "testbenches/systemc/simulation.h"
#include "topology/builder.h"

namespace tilefly::systemc {
namespace {

constexpr std::size_t kMemory = 1 << 21;
constexpr int kRtl = 1;  // the switch in the middle
constexpr int kFromFirst = 5;
constexpr int kToLast = 6;
constexpr std::size_t kLaneFull = 10;  // packets of 4 KiB, 87 cells: the cap of 930 has no room for an MTU more

/// Three switches in a row: two endpoints on the first, one at the middle one, two on the last.
topology::Topology Row() {
  const std::filesystem::path file = bench::ProcessFolder() / "row.yaml";
  std::ofstream(file) << "profile: tile8\n"
                         "switches: 3\n"
                         "links:\n"
                         "- {a: [0, 4], b: [1, 5]}\n"
                         "- {a: [1, 6], b: [2, 7]}\n"
                         "endpoints:\n"
                         "- {at: [0, 0]}\n"
                         "- {at: [0, 1], node: 1}\n"
                         "- {at: [1, 0], node: 2}\n"
                         "- {at: [2, 0], node: 3}\n"
                         "- {at: [2, 1], node: 4}\n";
  topology::Topology topology = topology::Build(file.string());
  std::filesystem::remove(file);
  return topology;
}

std::vector<std::uint8_t> Pattern(std::size_t size, int seed) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 11 + static_cast<std::size_t>(seed) * 37 + (i >> 8));
  return bytes;
}

struct Platform {
  explicit Platform(int nic_lanes) : system("system", Row(), Options(nic_lanes)) {
    for (int e = 0; e < system.endpoints(); ++e) {
      memories.push_back(std::make_unique<Memory>(("memory" + std::to_string(e)).c_str(), kMemory,
                                                  sc_core::sc_time(50, sc_core::SC_NS)));
      system.nic(e).memory().bind(memories.back()->socket);
    }
  }
  static SystemOptions Options(int nic_lanes) {
    SystemOptions options;
    options.routing = network::RoutingOptions::Named("min");
    options.nic_lanes = nic_lanes;
    options.checked = true;
    options.make_switch = [](const char* name, int node, const Profile& profile,
                             fabric::PacketPool* pool) -> std::unique_ptr<SwitchNode> {
      return node == kRtl ? std::make_unique<RtlNode>(name, profile, pool) : nullptr;
    };
    return options;
  }
  /// Programs of the endpoints; those without one idle.
  void Simulate(std::map<int, Cpu::Program> programs) {
    for (int e = 0; e < system.endpoints(); ++e) {
      cpus.push_back(std::make_unique<Cpu>(("cpu" + std::to_string(e)).c_str(), programs[e] ? programs[e] : [](Cpu&) {}));
      cpus.back()->socket.bind(system.nic(e).host());
    }
    sc_core::sc_start();
    for (const auto& cpu : cpus) EXPECT_TRUE(cpu->finished) << cpu->name();
    EXPECT_EQ(system.Waiting(), "");
    EXPECT_EQ(system.violations(), 0u);
    EXPECT_EQ(system.held(), 0u);
    for (int node = 0; node < system.nodes(); ++node) EXPECT_TRUE(system.node(node).Drained()) << node;
  }
  bool Holds(int endpoint, std::size_t at, const std::vector<std::uint8_t>& bytes) const {
    const std::vector<std::uint8_t>& memory = memories[static_cast<std::size_t>(endpoint)]->bytes;
    return std::equal(bytes.begin(), bytes.end(), memory.begin() + static_cast<std::ptrdiff_t>(at));
  }

  System system;
  std::vector<std::unique_ptr<Memory>> memories;
  std::vector<std::unique_ptr<Cpu>> cpus;
};

/// Two that know nothing of each other put and get across the RTL, with every other endpoint.
TEST(MixedPlatform, CarriesPutsAndGetsAcrossTheRtl) {
  InChild([] {
    Platform platform(4);
    const auto program = [&platform](int self) {
      return [&platform, self](Cpu& cpu) {
        for (int round = 0; round < 4; ++round) {
          for (int to = 0; to < platform.system.endpoints(); ++to) {
            if (to == self) continue;
            const std::size_t size = 1 + static_cast<std::size_t>((self + 3) * (round + 1) * (to + 1) * 367 % 15000);
            const std::uint64_t at = static_cast<std::uint64_t>(self * 4 + round) * 15000;
            const std::vector<std::uint8_t> sent = Pattern(size, self * 16 + round);
            EXPECT_EQ(cpu.Write(platform.system.AddressOf(to, at), sent), tlm::TLM_OK_RESPONSE);
            EXPECT_TRUE(platform.Holds(to, at, sent)) << self << " to " << to;
            std::vector<std::uint8_t> got(size);
            EXPECT_EQ(cpu.Read(platform.system.AddressOf(to, at), &got), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(got, sent) << self << " from " << to;
          }
        }
      };
    };
    platform.Simulate({{0, program(0)}, {2, program(2)}, {4, program(4)}});
  });
}

TEST(MixedPlatform, IsRefusedLooselyTimed) {
  InChild([] {
    SystemOptions options = Platform::Options(4);
    options.loosely_timed = true;
    try {
      System system("system", Row(), options);
      ADD_FAILURE() << "nothing was said";
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()),
                "system.switch1: takes no loosely timed packets, for it has every cycle: leave loosely_timed off, or have a "
                "transaction model there");
    }
  });
}

/// Three write to one whose link is the narrowest place: what does not fit behind the RTL waits in it, and before it.
TEST(MixedPlatform, IsHeldBackByCreditsAndLosesNothing) {
  InChild([] {
    constexpr std::size_t kBlock = 300000;
    constexpr int kTo = 3;
    Platform platform(2);
    std::map<int, Cpu::Program> programs;
    for (const int from : {0, 1, 2}) {
      programs[from] = [&platform, from](Cpu& cpu) {
        EXPECT_EQ(cpu.Write(platform.system.AddressOf(kTo, static_cast<std::uint64_t>(from) * kBlock), Pattern(kBlock, from)),
                  tlm::TLM_OK_RESPONSE);
      };
    }
    const auto& rtl = dynamic_cast<RtlNode&>(platform.system.node(kRtl));
    int held_back = 0;  // times at which the lane to the last switch is full, and the one from the first
    programs[4] = [&](Cpu&) {
      for (int i = 0; i < 400; ++i) {
        sc_core::wait(fabric::TimeOf(100));
        held_back += rtl.behind(kToLast) >= kLaneFull && rtl.inside(kFromFirst) >= kLaneFull;
      }
    };
    platform.Simulate(programs);
    for (const int from : {0, 1, 2}) EXPECT_TRUE(platform.Holds(kTo, static_cast<std::size_t>(from) * kBlock, Pattern(kBlock, from)));
    // The link of two lanes takes 16 B a cycle.
    EXPECT_GE(fabric::CycleAt(sc_core::sc_time_stamp()), 3 * static_cast<Cycle>(kBlock) / 16);
    EXPECT_GT(held_back, 100);
  });
}

}  // namespace
}  // namespace tilefly::systemc
