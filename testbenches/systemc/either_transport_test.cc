// SPDX-License-Identifier: Apache-2.0
// Either transport of the base protocol at a NIC of either timing (docs/systemc.md, Either transport).
#include <gtest/gtest.h>

#include <tlm_utils/tlm_quantumkeeper.h>

#include <memory>
#include <vector>

#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"
#include "testbenches/systemc/wrong_initiator.h"

namespace tilefly::systemc {
namespace {

const std::uint64_t kRightMemory = Nic::AddressOf(NicPair::kRight, 0);

/// A request of `bytes` bytes of `data`, which it puts or gets.
struct Block final {
  Block(std::uint64_t address, std::vector<std::uint8_t> bytes, bool put) : request(address) {
    request.data = std::move(bytes);
    request.payload.set_command(put ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    request.payload.set_data_ptr(request.data.data());
    request.payload.set_data_length(static_cast<unsigned>(request.data.size()));
    request.payload.set_streaming_width(request.payload.get_data_length());
  }
  WrongInitiator::Request request;
};

struct PhasesBench {
  PhasesBench(const char* name, bool loosely_timed, WrongInitiator::Program program, int window = 64)
      : scope(name, loosely_timed, std::move(program), window) {}
  struct Scope final : sc_core::sc_module {
    Scope(sc_core::sc_module_name name, bool loosely_timed, WrongInitiator::Program program, int window)
        : sc_module(name), nics(loosely_timed, loosely_timed, window), initiator("initiator", std::move(program)) {
      initiator.socket.bind(nics.left.host());
      nics.right.memory().bind(memory.socket);
    }
    NicPair nics;
    WrongInitiator initiator;
    Memory memory{"memory", kMemory, fabric::TimeOf(50)};
  } scope;
};

/// Puts and gets of several sizes one after the other, and when their phases were told.
WrongInitiator::Program OneByOne(std::vector<sc_core::sc_time>* times) {
  return [times](WrongInitiator& initiator) {
    for (const std::size_t bytes : {1, 64, 1000, 4096, 20000}) {
      const std::vector<std::uint8_t> sent = Pattern(bytes, 1);
      for (const bool put : {true, false}) {
        Block block(kRightMemory + 5, put ? sent : std::vector<std::uint8_t>(bytes), put);
        EXPECT_EQ(initiator.Call(&block.request, tlm::BEGIN_REQ), tlm::TLM_ACCEPTED);
        sc_core::wait(sc_core::SC_ZERO_TIME);
        sc_core::wait(sc_core::SC_ZERO_TIME);
        EXPECT_EQ(block.request.phases, std::vector<tlm::tlm_phase>{tlm::END_REQ});
        initiator.AwaitResponse(block.request);
        times->push_back(sc_core::sc_time_stamp());
        initiator.End(&block.request);
        EXPECT_EQ(block.request.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(block.request.references, 0);
        EXPECT_EQ(block.request.data, sent);
        sc_core::wait(fabric::TimeOf(100));
      }
    }
  };
}

/// In a quiet system phases have the times of an approximately timed NIC.
TEST(EitherTransport, PhasesAtALooselyTimedNicHaveTheSameTimes) {
  InChild([] {
    std::vector<sc_core::sc_time> exact, loosely;
    PhasesBench exact_bench("exact", false, OneByOne(&exact));
    PhasesBench loosely_bench("loosely", true, OneByOne(&loosely));
    sc_core::sc_start();
    ASSERT_EQ(exact.size(), 10u);
    EXPECT_EQ(loosely, exact);
    for (const PhasesBench* const bench : {&exact_bench, &loosely_bench}) {
      EXPECT_EQ(bench->scope.nics.left.Waiting() + bench->scope.nics.right.Waiting(), "");
      EXPECT_EQ(bench->scope.nics.pool.held(), 0u);
    }
  });
}

/// The annotation of BEGIN_REQ is its time.
TEST(EitherTransport, ARequestMayBeAnnotated) {
  InChild([] {
    sc_core::sc_time now, later;
    const auto ask = [](WrongInitiator& initiator, Cycle ahead, sc_core::sc_time* took) {
      Block block(kRightMemory, Pattern(100, 1), true);
      const sc_core::sc_time begin = sc_core::sc_time_stamp() + fabric::TimeOf(ahead);
      initiator.Call(&block.request, tlm::BEGIN_REQ, fabric::TimeOf(ahead));
      initiator.AwaitResponse(block.request);
      *took = sc_core::sc_time_stamp() - begin;
      initiator.End(&block.request);
    };
    PhasesBench bench("bench", true, [&](WrongInitiator& initiator) {
      ask(initiator, 0, &now);
      ask(initiator, 777, &later);
    });
    sc_core::sc_start();
    EXPECT_GT(now, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(later, now);
  });
}

/// A transaction keeps its place of the window until its response's time.
TEST(EitherTransport, TheWindowHoldsRequestsBack) {
  for (const bool loosely_timed : {false, true}) {
    for (const bool waits : {false, true}) {
      InChild([=] {
        constexpr int kRequests = 5;
        PhasesBench bench("bench", loosely_timed, [](WrongInitiator& initiator) {
          std::vector<std::unique_ptr<Block>> blocks;
          for (int i = 0; i < kRequests; ++i) {
            blocks.push_back(std::make_unique<Block>(kRightMemory + static_cast<std::uint64_t>(i) * 500, Pattern(500, i), true));
            WrongInitiator::Request& request = blocks.back()->request;
            initiator.Call(&request, tlm::BEGIN_REQ);
            while (request.phases.empty()) sc_core::wait(initiator.told());
            if (i >= 2) {
              const WrongInitiator::Request& before = blocks[static_cast<std::size_t>(i - 2)]->request;
              EXPECT_EQ(before.phases.back(), tlm::BEGIN_RESP) << i;
              initiator.Call(&blocks[static_cast<std::size_t>(i - 2)]->request, tlm::END_RESP);
            } else {
              EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
            }
          }
          for (int i = kRequests - 2; i < kRequests; ++i) initiator.End(&blocks[static_cast<std::size_t>(i)]->request);
          for (const auto& block : blocks) {
            EXPECT_EQ(block->request.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(block->request.references, 0);
          }
        }, 2);
        bench.scope.memory.waits = waits;
        sc_core::sc_start();
        EXPECT_EQ(bench.scope.memory.accesses, static_cast<std::uint64_t>(kRequests));
        EXPECT_EQ(bench.scope.nics.left.Waiting() + bench.scope.nics.right.Waiting(), "");
      });
    }
  }
}

/// A window of one, which a request is told that it has when a call comes in the same moment.
TEST(EitherTransport, ACallAndARequestShareTheWindow) {
  for (const bool loosely_timed : {false, true}) {
    InChild([loosely_timed] {
      bool called = false;
      PhasesBench bench("bench", loosely_timed, [&called](WrongInitiator& initiator) {
        sc_core::sc_spawn([&] {
          sc_core::wait(sc_core::SC_ZERO_TIME);
          Block block(kRightMemory + 1000, Pattern(500, 1), true);
          sc_core::sc_time delay;
          initiator.socket->b_transport(block.request.payload, delay);
          EXPECT_EQ(block.request.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
          called = true;
        });
        Block block(kRightMemory, Pattern(500, 2), true);
        initiator.Put(&block.request);
        EXPECT_EQ(block.request.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        while (!called) sc_core::wait(fabric::TimeOf(100));
      }, 1);
      bench.scope.memory.waits = true;
      sc_core::sc_start();
      EXPECT_TRUE(called);
      EXPECT_EQ(bench.scope.memory.accesses, 2u);
      EXPECT_EQ(bench.scope.nics.left.Waiting() + bench.scope.nics.right.Waiting(), "");
    });
  }
}

TEST(EitherTransport, PhasesOfALostTransactionEndWithAnError) {
  InChild([] {
    PhasesBench* rig = nullptr;
    PhasesBench bench("bench", true, [&rig](WrongInitiator& initiator) {
      rig->scope.nics.to_right.set_damage([seen = 0](const fabric::Packet&) mutable { return ++seen == 2; });
      Block lost(kRightMemory, Pattern(10000, 1), true);
      initiator.Put(&lost.request);
      EXPECT_EQ(lost.request.payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
      Block good(kRightMemory, Pattern(10000, 1), true);
      initiator.Put(&good.request);
      EXPECT_EQ(good.request.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    });
    rig = &bench;
    sc_core::sc_start();
    EXPECT_EQ(bench.scope.nics.right.fabric.lost(), 1u);
    EXPECT_EQ(bench.scope.nics.left.Waiting() + bench.scope.nics.right.Waiting(), "");
  });
}

/// A processor that runs ahead and a DMA engine by phases in one system, of either timing.
TEST(EitherTransport, AProcessorAndADmaEngineShareASystem) {
  for (const bool loosely_timed : {false, true}) {
    for (const int quantum : {0, 1000}) {
      InChild([=] {
        tlm_utils::tlm_quantumkeeper::set_global_quantum(fabric::TimeOf(quantum));
        SystemOptions options = loosely_timed ? Loosely(Checked()) : Checked();
        options.window = 5;
        SystemBench bench(options);
        bench.dma = std::make_unique<Dma>("dma");
        bench.dma_at = 3;
        for (int i = 0; i < 40; ++i) {
          bench.dma->Ask(tlm::TLM_WRITE_COMMAND, bench.system.AddressOf(10 + i, 64), Pattern(3000, i));
        }
        bench.Run(5, [&](Cpu& cpu) {
          tlm_utils::tlm_quantumkeeper keeper;
          keeper.reset();
          for (int i = 0; i < 40; ++i) {
            const std::vector<std::uint8_t> sent = Pattern(2000, i);
            const std::uint64_t there = bench.system.AddressOf(10 + i, 10000);
            std::vector<std::uint8_t> got(2000);
            keeper.inc(fabric::TimeOf(37));
            cpu.ahead = keeper.get_local_time();
            EXPECT_EQ(cpu.Write(there, sent), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(cpu.Read(there, &got), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(got, sent) << i;
            keeper.set(cpu.ahead);
            if (keeper.need_sync()) keeper.sync();
          }
        });
        bench.Simulate();
        bench.ExpectQuiet();
        for (std::size_t i = 0; i < bench.dma->jobs.size(); ++i) {
          const Dma::Job& job = bench.dma->jobs[i];
          EXPECT_TRUE(job.ended) << i;
          EXPECT_EQ(job.payload.get_response_status(), tlm::TLM_OK_RESPONSE) << i;
          EXPECT_EQ(job.payload.get_ref_count(), 0) << i;
          const std::vector<std::uint8_t>& memory = bench.memories[10 + i]->bytes;
          EXPECT_TRUE(std::equal(job.data.begin(), job.data.end(), memory.begin() + 64)) << i;
        }
        EXPECT_EQ(bench.dma->most_outstanding, 5);
      });
    }
  }
}

}  // namespace
}  // namespace tilefly::systemc
