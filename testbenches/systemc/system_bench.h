// SPDX-License-Identifier: Apache-2.0
// A dragonfly with a processor and a memory at each endpoint.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "systemc/system/system.h"
#include "testbenches/systemc/platform.h"
#include "topology/builder.h"

namespace tilefly::systemc {

inline constexpr std::size_t kMemory = 1 << 20;

inline SystemOptions Checked(const std::string& routing = "adaptive_0") {
  SystemOptions options;
  options.routing = network::RoutingOptions::Named(routing);
  options.checked = true;
  return options;
}

inline SystemOptions Loosely(SystemOptions options) {
  options.loosely_timed = true;
  return options;
}

/// `size` bytes that tell where they come from.
inline std::vector<std::uint8_t> Pattern(std::size_t size, int seed) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + static_cast<std::size_t>(seed) * 31 + (i >> 8));
  return bytes;
}

/// A (2,4,2) dragonfly of 72 endpoints, each with a memory of some latency.
struct SystemBench {
  static constexpr const char* kTopology = "dragonfly:p=2,a=4,h=2";

  explicit SystemBench(const SystemOptions& options, const std::string& name = "system",
                       const sc_core::sc_time& latency = sc_core::sc_time(50, sc_core::SC_NS))
      : system(name.c_str(), topology::Build(kTopology), options), name(name) {
    for (int e = 0; e < system.endpoints(); ++e) {
      memories.push_back(std::make_unique<Memory>((name + "_memory" + std::to_string(e)).c_str(), kMemory, latency));
      system.nic(e).memory().bind(memories.back()->socket);
    }
  }
  /// A program at endpoint `e`; the others idle.
  void Run(int e, Cpu::Program program) { programs[e] = std::move(program); }
  void Bind() {
    for (int e = 0; e < system.endpoints(); ++e) {
      if (dma != nullptr && e == dma_at) {
        dma->socket.bind(system.nic(e).host());
        continue;
      }
      cpus.push_back(std::make_unique<Cpu>((name + "_cpu" + std::to_string(e)).c_str(),
                                           programs[e] ? programs[e] : [](Cpu&) {}));
      cpus.back()->socket.bind(system.nic(e).host());
    }
  }
  void Simulate() {
    Bind();
    sc_core::sc_start();
  }
  /// All programs came to their end, and nothing is left.
  void ExpectQuiet() {
    for (const auto& cpu : cpus) EXPECT_TRUE(cpu->finished) << cpu->name();
    EXPECT_EQ(system.Waiting(), "");
    EXPECT_EQ(system.violations(), 0u);
    EXPECT_EQ(system.held(), 0u);
    for (int node = 0; node < system.nodes(); ++node) EXPECT_TRUE(system.node(node).Drained()) << node;
  }

  System system;
  std::string name;
  std::vector<std::unique_ptr<Memory>> memories;
  std::map<int, Cpu::Program> programs;
  std::vector<std::unique_ptr<Cpu>> cpus;
  std::unique_ptr<Dma> dma;
  int dma_at = -1;
};

}  // namespace tilefly::systemc
