// SPDX-License-Identifier: Apache-2.0
// What a NIC tells when data came in (docs/systemc.md, Doorbell).
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"

namespace tilefly::systemc {
namespace {

const std::uint64_t kBell = Nic::AddressOf(NicPair::kRight, 0);
constexpr Cycle kTakes = 50;  // of the memory

struct BellBench {
  explicit BellBench(bool loosely_timed, Cpu::Program program)
      : nics(loosely_timed, loosely_timed), cpu("cpu", std::move(program)) {
    cpu.socket.bind(nics.left.host());
    nics.right.memory().bind(memory.socket);
    nics.right.doorbell().set_on_arrival([this](const Arrival& arrival) {
      arrivals.push_back(arrival);
      times.push_back(sc_core::sc_time_stamp());
      EXPECT_EQ(memory.bytes[arrival.offset], 1);  // it is there
    });
  }
  NicPair nics;
  Memory memory{"memory", kMemory, fabric::TimeOf(kTakes)};
  Cpu cpu;
  std::vector<Arrival> arrivals;
  std::vector<sc_core::sc_time> times;
};

std::vector<std::uint8_t> Ones(std::size_t bytes) { return std::vector<std::uint8_t>(bytes, 1); }

/// Both timings ring for the same puts at the same times, though loosely timed the processor has run ahead of them all.
TEST(Doorbell, RingsWhenAPutHasBeenWritten) {
  InChild([] {
    const auto run = [](bool loosely_timed) {
      return [loosely_timed](Cpu& cpu) {
        for (const std::size_t bytes : {100, 10000}) {
          EXPECT_EQ(cpu.Write(kBell + bytes, Ones(bytes)), tlm::TLM_OK_RESPONSE);
          EXPECT_EQ(loosely_timed, sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME);
        }
        std::vector<std::uint8_t> got(10);
        EXPECT_EQ(cpu.Read(kBell, &got), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(cpu.Write(kBell + kMemory - 5000, Ones(10000)), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // a part of it is written
        EXPECT_EQ(cpu.Write(kBell + kMemory, Ones(1)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      };
    };
    struct Scope final : sc_core::sc_module {
      Scope(sc_core::sc_module_name name, bool loosely_timed, Cpu::Program program)
          : sc_module(name), bench(loosely_timed, std::move(program)) {}
      BellBench bench;
    };
    Scope exact("exact", false, run(false));
    Scope loosely("loosely", true, run(true));
    sc_core::sc_start();
    for (const Scope* const scope : {&exact, &loosely}) {
      EXPECT_TRUE(scope->bench.cpu.finished);
      ASSERT_EQ(scope->bench.arrivals.size(), 2u) << scope->name();
      for (std::size_t i = 0; i < 2; ++i) {
        const Arrival& arrival = scope->bench.arrivals[i];
        EXPECT_EQ(arrival.source, NicPair::kLeft);
        EXPECT_EQ(arrival.bytes, i == 0 ? 100u : 10000u);
        EXPECT_EQ(arrival.offset, arrival.bytes);
      }
      EXPECT_GT(scope->bench.times[0], fabric::TimeOf(NicPair::kCable + kTakes));
    }
    EXPECT_EQ(loosely.bench.times, exact.bench.times);
  });
}

/// A level: it stays until all arrivals are taken, and the next one raises it again.
TEST(Doorbell, TheInterruptIsHighWhileArrivalsWait) {
  for (const bool loosely_timed : {false, true}) {
    InChild([loosely_timed] {
      sc_core::sc_signal<bool> interrupt("interrupt");
      BellBench bench(loosely_timed, [](Cpu& cpu) {
        for (int i = 0; i < 3; ++i) EXPECT_EQ(cpu.Write(kBell + static_cast<std::uint64_t>(i), Ones(1)), tlm::TLM_OK_RESPONSE);
        sc_core::wait(fabric::TimeOf(100000));
        EXPECT_EQ(cpu.Write(kBell + 3, Ones(1)), tlm::TLM_OK_RESPONSE);
      });
      Doorbell& bell = bench.nics.right.doorbell();
      bell.interrupt.bind(interrupt);
      std::vector<std::uint64_t> taken;
      Cpu handler("handler", [&](Cpu&) {
        EXPECT_FALSE(bell.Take());
        for (int round = 0; round < 2; ++round) {
          sc_core::wait(interrupt.posedge_event());
          EXPECT_EQ(bench.arrivals.size(), round == 0 ? 1u : 4u);
          sc_core::wait(fabric::TimeOf(50000));
          EXPECT_TRUE(interrupt.read());
          while (const std::optional<Arrival> arrival = bell.Take()) taken.push_back(arrival->offset);
          EXPECT_TRUE(interrupt.read());
          sc_core::wait(interrupt.negedge_event());
        }
      });
      handler.socket.bind(bench.nics.right.host());
      sc_core::sc_start();
      EXPECT_TRUE(handler.finished && bench.cpu.finished);
      EXPECT_EQ(taken, (std::vector<std::uint64_t>{0, 1, 2, 3}));
      EXPECT_FALSE(interrupt.read());
    });
  }
}

/// A thread may wait for it; without a bound interrupt nothing is kept.
TEST(Doorbell, AThreadMayWaitForIt) {
  InChild([] {
    BellBench bench(true, [](Cpu& cpu) { EXPECT_EQ(cpu.Write(kBell, Ones(1)), tlm::TLM_OK_RESPONSE); });
    bool rung = false;
    Cpu waits("waits", [&](Cpu&) {
      sc_core::wait(bench.nics.right.doorbell().rung());
      rung = true;
      EXPECT_EQ(bench.arrivals.size(), 1u);
      EXPECT_FALSE(bench.nics.right.doorbell().Take());
    });
    waits.socket.bind(bench.nics.right.host());
    sc_core::sc_start();
    EXPECT_TRUE(rung);
  });
}

}  // namespace
}  // namespace tilefly::systemc
