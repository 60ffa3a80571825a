// SPDX-License-Identifier: Apache-2.0
// Two loosely timed NICs (docs/systemc.md, Loosely timed): what is lost, memories that wait or refuse, the other transport.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testbenches/systemc/kept_reports.h"
#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"

namespace tilefly::systemc {
namespace {

/// A memory whose latency is annotated, or waited for; from `broken_from` on it answers with an error.
class SlowMemory final : public sc_core::sc_module {
 public:
  SlowMemory(sc_core::sc_module_name name, sc_core::sc_time latency, bool waits)
      : sc_module(name), latency_(latency), waits_(waits) {
    socket.register_b_transport(this, &SlowMemory::Access);
  }
  tlm_utils::simple_target_socket<SlowMemory> socket{"socket"};
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kMemory);
  std::uint64_t broken_from = kMemory;
  sc_core::sc_time first_longer;  ///< what an operation at address 0 takes in addition
  int under_way = 0;
  int most_under_way = 0;

 private:
  void Access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t at = payload.get_address();
    most_under_way = std::max(most_under_way, ++under_way);
    if (at == 0) delay += first_longer;
    if (waits_) {
      sc_core::wait(delay + latency_);
      delay = sc_core::SC_ZERO_TIME;
    } else {
      delay += latency_;
    }
    --under_way;
    if (at >= broken_from) return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    std::uint8_t* const there = bytes.data() + at;
    if (payload.is_write()) {
      std::copy_n(payload.get_data_ptr(), payload.get_data_length(), there);
    } else {
      std::copy_n(there, payload.get_data_length(), payload.get_data_ptr());
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  const sc_core::sc_time latency_;
  const bool waits_;
};

const sc_core::sc_time& Latency() {
  static const sc_core::sc_time latency(64, sc_core::SC_NS);  // 50 cycles
  return latency;
}

struct BenchOptions {
  bool left_loosely = true;
  bool right_loosely = true;
  bool memory_waits = false;
  int window = 64;
};

/// A processor at the left NIC, a memory at the right one.
struct Bench final : sc_core::sc_module {
  Bench(sc_core::sc_module_name name, Cpu::Program program, const BenchOptions& options = {})
      : sc_module(name),
        nics(options.left_loosely, options.right_loosely, options.window),
        memory("memory", Latency(), options.memory_waits),
        cpu("cpu", std::move(program)) {
    cpu.socket.bind(nics.left.host());
    idle.socket.bind(nics.right.host());
    nics.right.memory().bind(memory.socket);
    nics.left.memory().bind(unused.socket);
  }
  void ExpectQuiet() const {
    EXPECT_TRUE(cpu.finished);
    EXPECT_EQ(nics.left.Waiting() + nics.right.Waiting(), "");
    EXPECT_EQ(nics.pool.held(), 0u);
  }
  NicPair nics;
  SlowMemory memory;
  Cpu cpu;
  Cpu idle{"idle", [](Cpu&) {}};
  Memory unused{"unused", 0, sc_core::SC_ZERO_TIME};
};

constexpr std::size_t kThreeParts = 10000;
const std::uint64_t kThere = Nic::AddressOf(NicPair::kRight, 0);

/// Packet `number`, from 1, of those that cross `link` is damaged.
void Damage(CreditLink* link, int number) {
  link->set_damage([seen = 0, number](const fabric::Packet&) mutable { return ++seen == number; });
}

TEST(LooselyNic, ADamagedPacketIsAnErrorAndWhatComesAfterItArrives) {
  InChild([] {
    Bench* rig = nullptr;
    Bench bench("bench", [&rig](Cpu& cpu) {
      const std::vector<std::uint8_t> first = Pattern(kThreeParts, 1);
      const std::vector<std::uint8_t> second = Pattern(kThreeParts, 2);
      std::vector<std::uint8_t> got(kThreeParts);
      EXPECT_EQ(cpu.Write(kThere, first), tlm::TLM_OK_RESPONSE);
      for (const int part : {1, 2, 3}) {  // of a put
        Damage(&rig->nics.to_right, part);
        EXPECT_EQ(cpu.Write(kThere, second), tlm::TLM_GENERIC_ERROR_RESPONSE) << part;
        EXPECT_EQ(cpu.Write(kThere, first), tlm::TLM_OK_RESPONSE) << part;
        EXPECT_EQ(cpu.Read(kThere, &got), tlm::TLM_OK_RESPONSE) << part;
        EXPECT_EQ(got, first) << part;
        EXPECT_EQ(rig->nics.right.fabric.lost(), static_cast<std::uint64_t>(part));
      }
      Damage(&rig->nics.to_right, 1);  // the request of a get
      EXPECT_EQ(cpu.Read(kThere, &got), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_EQ(rig->nics.right.fabric.lost(), 4u);
      for (const int part : {1, 2, 3}) {  // of its answer
        Damage(&rig->nics.to_left, part);
        EXPECT_EQ(cpu.Read(kThere, &got), tlm::TLM_GENERIC_ERROR_RESPONSE) << part;
        got.assign(kThreeParts, 0);
        EXPECT_EQ(cpu.Read(kThere, &got), tlm::TLM_OK_RESPONSE) << part;
        EXPECT_EQ(got, first) << part;
        EXPECT_EQ(rig->nics.left.fabric.lost(), static_cast<std::uint64_t>(part));
      }
      Damage(&rig->nics.to_left, 1);  // the answer to a put
      EXPECT_EQ(cpu.Write(kThere, second), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(kThere, &got), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(got, second);
      EXPECT_EQ(rig->nics.left.outstanding(), 0);
    });
    rig = &bench;
    sc_core::sc_start();
    bench.ExpectQuiet();
  });
}

/// A put, of which the second and third part fail, and gets.
TEST(LooselyNic, WhatTheMemoryAnswersIsTheResponse) {
  InChild([] {
    Bench bench("bench", [](Cpu& cpu) {
      EXPECT_EQ(cpu.Write(kThere, Pattern(Message::kMostData, 1)), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(cpu.Write(kThere, Pattern(kThreeParts, 1)), tlm::TLM_GENERIC_ERROR_RESPONSE);
      std::vector<std::uint8_t> got(kThreeParts);
      EXPECT_EQ(cpu.Read(kThere, &got), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(cpu.Read(kThere + Message::kMostData, &got), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_GT(cpu.ahead, 3 * Latency());
    });
    bench.memory.broken_from = Message::kMostData;
    sc_core::sc_start();
    bench.ExpectQuiet();
    EXPECT_EQ(bench.nics.left.fabric.lost() + bench.nics.right.fabric.lost(), 0u);
  });
}

/// A program that puts and gets `bytes` bytes, each begun 700 cycles after the one before has ended, and says when they end.
Cpu::Program PutAndGet(std::size_t bytes, std::vector<sc_core::sc_time>* ends) {
  return [=](Cpu& cpu) {
    const std::vector<std::uint8_t> sent = Pattern(bytes, 1);
    std::vector<std::uint8_t> got(bytes);
    for (const bool put : {true, false}) {
      cpu.ahead += fabric::TimeOf(700);
      EXPECT_EQ(put ? cpu.Write(kThere, sent) : cpu.Read(kThere, &got), tlm::TLM_OK_RESPONSE);
      ends->push_back(sc_core::sc_time_stamp() + cpu.ahead);
    }
    EXPECT_EQ(got, sent);
  };
}

/// The first part of three takes longer than the others together.
TEST(LooselyNic, APutEndsWhenAllPartsAreWritten) {
  InChild([] {
    std::vector<sc_core::sc_time> ends;
    Bench bench("bench", PutAndGet(kThreeParts, &ends));
    bench.memory.first_longer = fabric::TimeOf(5000);
    sc_core::sc_start();
    bench.ExpectQuiet();
    ASSERT_EQ(ends.size(), 2u);
    EXPECT_GT(ends[0], fabric::TimeOf(700 + 5000));
    EXPECT_LT(ends[0], fabric::TimeOf(700 + 5000 + 700));
  });
}

TEST(LooselyNic, AMemoryMayWait) {
  InChild([] {
    std::vector<sc_core::sc_time> exact, annotated, waited, in_parts;
    BenchOptions exactly;
    exactly.left_loosely = exactly.right_loosely = false;
    BenchOptions waits;
    waits.memory_waits = true;
    Bench exact_bench("exact", PutAndGet(3000, &exact), exactly);
    Bench annotated_bench("annotated", PutAndGet(3000, &annotated));
    Bench waited_bench("waited", PutAndGet(3000, &waited), waits);
    Bench parts_bench("parts", PutAndGet(kThreeParts, &in_parts), waits);
    sc_core::sc_start();
    for (const Bench* bench : {&exact_bench, &annotated_bench, &waited_bench, &parts_bench}) bench->ExpectQuiet();
    ASSERT_EQ(exact.size(), 2u);
    EXPECT_EQ(annotated, exact);
    EXPECT_EQ(waited, exact);
    EXPECT_EQ(in_parts.size(), 2u);
  });
}

/// Calls of several threads, which are there at a time when the memory waits.
TEST(LooselyNic, MoreCallsThanTheWindowWait) {
  InChild([] {
    constexpr int kThreads = 5;
    BenchOptions options;
    options.memory_waits = true;
    options.window = 2;
    int ended = 0;
    Bench bench("bench", [&ended](Cpu& cpu) {
      for (int thread = 0; thread < kThreads; ++thread) {
        sc_core::sc_spawn([&cpu, &ended, thread] {
          const std::vector<std::uint8_t> sent = Pattern(500, thread);
          std::vector<std::uint8_t> bytes = sent;
          for (const bool put : {true, false}) {
            tlm::tlm_generic_payload payload;
            payload.set_command(put ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
            payload.set_address(kThere + static_cast<std::uint64_t>(thread) * 500);
            payload.set_data_ptr(bytes.data());
            payload.set_data_length(500);
            payload.set_streaming_width(500);
            sc_core::sc_time delay = fabric::TimeOf(100);
            const sc_core::sc_time before = sc_core::sc_time_stamp() + delay;
            cpu.socket->b_transport(payload, delay);
            EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
            EXPECT_GE(sc_core::sc_time_stamp() + delay, before + Latency());
            if (put) bytes.assign(500, 0);
          }
          EXPECT_EQ(bytes, sent);
          ++ended;
        });
      }
    }, options);
    sc_core::sc_start();
    bench.ExpectQuiet();
    EXPECT_EQ(ended, kThreads);
    EXPECT_EQ(bench.memory.most_under_way, 2);
  });
}

TEST(LooselyNic, LosesPacketsOfTheOtherTransport) {
  InChild([] {
    GoOnAfterErrors();
    BenchOptions options;
    options.right_loosely = false;
    Bench bench("bench", [](Cpu& cpu) { EXPECT_EQ(cpu.Write(kThere, Pattern(100, 1)), tlm::TLM_GENERIC_ERROR_RESPONSE); }, options);
    sc_core::sc_start();
    bench.ExpectQuiet();
    EXPECT_EQ(bench.nics.right.fabric.lost(), 1u);
    EXPECT_EQ(Reports().back(),
              "bench.right.fabric: a packet by b_transport, but the NIC is approximately timed: set loosely_timed");
  });
  InChild([] {
    GoOnAfterErrors();
    BenchOptions options;
    options.left_loosely = false;
    std::vector<std::uint8_t> data(100);
    tlm::tlm_generic_payload payload;
    payload.set_write();
    payload.set_address(kThere);
    payload.set_data_ptr(data.data());
    payload.set_data_length(100);
    payload.set_streaming_width(100);
    Bench bench("bench", [&payload](Cpu& cpu) { cpu.Access(&payload); }, options);
    sc_core::sc_start();
    EXPECT_FALSE(bench.cpu.finished);
    EXPECT_EQ(bench.nics.left.Waiting(), "bench.left: a put of 100 bytes waits for bench.right\n");
    EXPECT_EQ(bench.nics.right.fabric.lost(), 1u);
    EXPECT_EQ(bench.nics.pool.held(), 0u);
    EXPECT_EQ(Reports().back(),
              "bench.right.fabric: a packet by nb_transport, but the NIC is loosely timed: call b_transport");
  });
}

}  // namespace
}  // namespace tilefly::systemc
