// SPDX-License-Identifier: Apache-2.0
// A dragonfly whose hosts run ahead of the simulated time (docs/systemc.md, Loosely timed).
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include <systemc>
#include <tlm_utils/tlm_quantumkeeper.h>

#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"

namespace tilefly::systemc {
namespace {

std::vector<std::uint8_t> RandomBytes(std::size_t size, std::mt19937* random) {
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>((*random)());
  return bytes;
}

/// The host synchronises when it is a quantum ahead; without a quantum after each access.
void Synchronise(Cpu* cpu, tlm_utils::tlm_quantumkeeper* keeper) {
  keeper->set(cpu->ahead);
  if (keeper->need_sync()) keeper->sync();
  cpu->ahead = keeper->get_local_time();
}

/// Each endpoint puts blocks of random bytes into the memories of three others, and gets them back; all count what they
/// compared.
void RunPutsAndGets(SystemBench* bench, int* compared) {
  const int endpoints = bench->system.endpoints();
  for (int e = 0; e < endpoints; ++e) {
    bench->Run(e, [=](Cpu& cpu) {
      std::mt19937 random(static_cast<unsigned>(e));
      tlm_utils::tlm_quantumkeeper keeper;
      keeper.reset();
      for (const int step : {1, 9, 35}) {
        const int to = (e + step) % endpoints;
        const std::vector<std::uint8_t> sent = RandomBytes(1 + random() % 20000, &random);
        const std::uint64_t at = static_cast<std::uint64_t>(step) * 20000;
        const sc_core::sc_time before = sc_core::sc_time_stamp() + cpu.ahead;
        EXPECT_EQ(cpu.Write(bench->system.AddressOf(to, at), sent), tlm::TLM_OK_RESPONSE);
        EXPECT_GT(sc_core::sc_time_stamp() + cpu.ahead, before);
        Synchronise(&cpu, &keeper);
        std::vector<std::uint8_t> got(sent.size());
        EXPECT_EQ(cpu.Read(bench->system.AddressOf(to, at), &got), tlm::TLM_OK_RESPONSE);
        Synchronise(&cpu, &keeper);
        EXPECT_EQ(got, sent) << e << " to " << to;
        const std::vector<std::uint8_t>& memory = bench->memories[static_cast<std::size_t>(to)]->bytes;
        EXPECT_TRUE(std::equal(sent.begin(), sent.end(), memory.begin() + static_cast<std::ptrdiff_t>(at)));
        ++*compared;
      }
    });
  }
}

/// Of all switches and NICs.
std::uint64_t KernelEvents(System* system) {
  std::uint64_t events = 0;
  for (int node = 0; node < system->nodes(); ++node) events += dynamic_cast<Switch&>(system->node(node)).kernel_events();
  for (int e = 0; e < system->endpoints(); ++e) events += system->nic(e).fabric.kernel_events();
  return events;
}

/// Rings look at the registers that were written before; nobody else has an event.
void ExpectNoneOfPackets(System* system) { EXPECT_LE(KernelEvents(system), 3u * static_cast<unsigned>(system->nodes())); }

void ExpectDataIntact(Cycle quantum, bool memories_wait) {
  InChild([=] {
    tlm_utils::tlm_quantumkeeper::set_global_quantum(fabric::TimeOf(quantum));
    SystemBench bench(Loosely(Checked()));
    for (const auto& memory : bench.memories) memory->waits = memories_wait;
    int compared = 0;
    RunPutsAndGets(&bench, &compared);
    bench.Simulate();
    EXPECT_EQ(compared, 3 * bench.system.endpoints());
    bench.ExpectQuiet();
    ExpectNoneOfPackets(&bench.system);
  });
}

TEST(LooselySystem, PutsAndGetsKeepTheirDataWithAQuantum) { ExpectDataIntact(1000, false); }
TEST(LooselySystem, PutsAndGetsKeepTheirDataWithAQuantumOfOneCycle) { ExpectDataIntact(1, false); }
/// Calls of all hosts are in the switches at the same time.
TEST(LooselySystem, PutsAndGetsKeepTheirDataWithMemoriesThatWait) { ExpectDataIntact(1000, true); }

/// The same run in both timings, side by side.
TEST(LooselySystem, TakesFarFewerKernelEvents) {
  InChild([] {
    tlm_utils::tlm_quantumkeeper::set_global_quantum(fabric::TimeOf(1000));
    SystemBench loose(Loosely(Checked()), "loose");
    SystemBench exact(Checked(), "exact");
    int compared = 0;
    RunPutsAndGets(&loose, &compared);
    RunPutsAndGets(&exact, &compared);
    loose.Bind();
    exact.Simulate();
    EXPECT_EQ(compared, 6 * exact.system.endpoints());
    loose.ExpectQuiet();
    exact.ExpectQuiet();
    ExpectNoneOfPackets(&loose.system);
    EXPECT_GT(KernelEvents(&exact.system), 20000u);
  });
}

/// A transaction when nothing else is under way.
struct Quiet {
  bool put;
  int from;
  int to;
  std::size_t bytes;
};

/// When the responses of `all` are there, in steps of the time resolution from the call on: one call every 100,000 cycles, not
/// at a cycle's beginning. Loosely timed no call takes kernel time.
void Record(SystemBench* bench, const std::vector<Quiet>& all, bool loosely_timed, std::vector<std::uint64_t>* took) {
  took->resize(all.size());
  std::map<int, std::vector<std::size_t>> of;
  for (std::size_t i = 0; i < all.size(); ++i) of[all[i].from].push_back(i);
  for (const auto& [from, mine] : of) {
    bench->Run(from, [=, mine = mine](Cpu& cpu) {
      for (const std::size_t i : mine) {
        const sc_core::sc_time start = fabric::TimeOf(100000 * static_cast<Cycle>(i + 1)) + sc_core::sc_time(330, sc_core::SC_PS);
        cpu.ahead = start - sc_core::sc_time_stamp();
        const sc_dt::uint64 deltas = sc_core::sc_delta_count();
        std::vector<std::uint8_t> data(all[i].bytes);
        const std::uint64_t address = bench->system.AddressOf(all[i].to, 128);
        EXPECT_EQ(all[i].put ? cpu.Write(address, data) : cpu.Read(address, &data), tlm::TLM_OK_RESPONSE);
        if (loosely_timed) {
          EXPECT_EQ(sc_core::sc_delta_count(), deltas);
        }
        (*took)[i] = (sc_core::sc_time_stamp() + cpu.ahead - start).value();
      }
    });
  }
}

std::vector<Quiet> InAllDirections(const std::vector<std::size_t>& sizes) {
  std::vector<Quiet> all;
  for (const int to : {1, 6, 20, 70}) {  // on the same switch, in the group, in other groups
    for (const std::size_t bytes : sizes) {
      for (const bool put : {true, false}) all.push_back({put, to == 20 ? 3 : 0, to, bytes});
    }
  }
  return all;
}

void ExpectSameTimes(SystemOptions options, int lanes, Cycle latency, const std::vector<Quiet>& all) {
  InChild([&] {
    options.nic_lanes = lanes;
    SystemBench loose(Loosely(options), "loose", fabric::TimeOf(latency));
    SystemBench exact(options, "exact", fabric::TimeOf(latency));
    std::vector<std::uint64_t> loosely, exactly;
    Record(&loose, all, true, &loosely);
    Record(&exact, all, false, &exactly);
    loose.Bind();
    exact.Simulate();
    loose.ExpectQuiet();
    exact.ExpectQuiet();
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_GT(exactly[i], 0u);
      EXPECT_EQ(loosely[i], exactly[i]) << (all[i].put ? "put of " : "get of ") << all[i].bytes << " from " << all[i].from << " to "
                                        << all[i].to;
    }
  });
}

TEST(LooselySystem, QuietTransactionsTakeTheSameTimeAsApproximatelyTimed) {
  const std::vector<Quiet> all = InAllDirections({1, 64, 1000, 4095, 4096, 4097, 5000, 20000, 100000});
  ExpectSameTimes(Checked("min"), 4, 0, all);
  ExpectSameTimes(Checked("min"), 2, 0, all);
}

/// The last parts come when the memory has ended with those before.
TEST(LooselySystem, SoTheyDoWithMemoriesThatTakeTime) {
  ExpectSameTimes(Checked("min"), 4, 40, InAllDirections({1, 64, 1000, 4095, 4096, 20000, 100000}));
}

TEST(LooselySystem, QuietPacketsThatChooseTheirWayTakeTheSameTime) {
  ExpectSameTimes(Checked("adaptive_0"), 4, 40, InAllDirections({1, 500, 4096}));
}

/// What a switch drops ends the transaction, and what is sent later arrives.
TEST(LooselySystem, ADroppedPacketIsAnError) {
  InChild([] {
    SystemBench bench(Loosely(Checked("min")));
    const auto write_mode = [&bench](int node, bool enable) {
      PortMode mode = dynamic_cast<Switch&>(bench.system.node(node)).registers().port(0).mode;
      mode.enable = enable;
      bench.system.node(node).Write(golden::WriteRegister(0, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
    };
    // Endpoint 0 is at port 0 of switch 0.
    bench.Run(0, [&](Cpu& cpu) {
      const std::uint64_t address = bench.system.AddressOf(9, 0);
      std::vector<std::uint8_t> got(5000);
      EXPECT_EQ(cpu.Write(address, Pattern(5000, 1)), tlm::TLM_OK_RESPONSE);
      write_mode(0, false);
      sc_core::wait(fabric::TimeOf(1000));
      cpu.ahead = fabric::TimeOf(50);
      EXPECT_EQ(cpu.Write(address, Pattern(5000, 2)), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(address, &got), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_GE(cpu.ahead, fabric::TimeOf(50));
      EXPECT_EQ(bench.system.nic(0).fabric.lost(), 3u);  // two of the put, one of the get
      write_mode(0, true);
      sc_core::wait(fabric::TimeOf(1000));
      EXPECT_EQ(cpu.Read(address, &got), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(got, Pattern(5000, 1));
    });
    bench.Simulate();
    bench.ExpectQuiet();
  });
}

}  // namespace
}  // namespace tilefly::systemc
