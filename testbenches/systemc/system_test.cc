// SPDX-License-Identifier: Apache-2.0
// A platform on a dragonfly: base-protocol models of somebody else's, put together by the fabric (docs/systemc.md,
// Platform side).
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"

namespace tilefly::systemc {
namespace {

TEST(System, PutsAndGetsBetweenManyEndpointsKeepTheirData) {
  InChild([] {
    SystemBench platform(Checked());
    const int endpoints = platform.system.endpoints();
    ASSERT_EQ(endpoints, 72);
    for (int e = 0; e < endpoints; ++e) {
      platform.Run(e, [&platform, e, endpoints](Cpu& cpu) {
        for (const int step : {1, 9, 35}) {
          const int to = (e + step) % endpoints;
          const std::size_t size = 1 + static_cast<std::size_t>(e * step * 97 % 20000);
          const std::uint64_t at = static_cast<std::uint64_t>(step) * 20000;
          const std::vector<std::uint8_t> sent = Pattern(size, e + step);
          EXPECT_EQ(cpu.Write(platform.system.AddressOf(to, at), sent), tlm::TLM_OK_RESPONSE);
          std::vector<std::uint8_t> got(size);
          EXPECT_EQ(cpu.Read(platform.system.AddressOf(to, at), &got), tlm::TLM_OK_RESPONSE);
          EXPECT_EQ(got, sent) << e << " to " << to;
          const std::vector<std::uint8_t>& memory = platform.memories[static_cast<std::size_t>(to)]->bytes;
          EXPECT_TRUE(std::equal(sent.begin(), sent.end(), memory.begin() + static_cast<std::ptrdiff_t>(at)));
        }
      });
    }
    platform.Simulate();
    platform.ExpectQuiet();
  });
}

/// Links that damage words: what comes is what was sent, for they send it again.
TEST(System, KeepsItsDataOverLinksThatDamageWords) {
  InChild([] {
    SystemOptions options = Checked();
    options.word_ber = 1e-5;
    SystemBench platform(options);
    for (int e = 0; e < platform.system.endpoints(); ++e) {
      platform.Run(e, [&platform, e](Cpu& cpu) {
        const int to = (e + 35) % platform.system.endpoints();
        const std::vector<std::uint8_t> sent = Pattern(20000, e);
        EXPECT_EQ(cpu.Write(platform.system.AddressOf(to, 0), sent), tlm::TLM_OK_RESPONSE);
        std::vector<std::uint8_t> got(sent.size());
        EXPECT_EQ(cpu.Read(platform.system.AddressOf(to, 0), &got), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(got, sent) << e << " to " << to;
      });
    }
    platform.Simulate();
    platform.ExpectQuiet();
    const network::RetryCounts counts = platform.system.retry();
    EXPECT_GT(counts.replays, 20);
    EXPECT_GT(counts.broken_copies, 5);
    EXPECT_GT(counts.resent_words, counts.bad_words);
    for (int e = 0; e < platform.system.endpoints(); ++e) EXPECT_EQ(platform.system.nic(e).fabric.lost(), 0u) << e;
  });
}

/// 71 writers to one memory: the links to it are the narrowest place, and credits hold the others back.
TEST(System, AnIncastIsHeldBackByCreditsAndLosesNothing) {
  InChild([] {
    SystemBench platform(Checked("min"));
    constexpr std::size_t kBlock = 12000;
    for (int e = 1; e < platform.system.endpoints(); ++e) {
      platform.Run(e, [&platform, e](Cpu& cpu) {
        EXPECT_EQ(cpu.Write(platform.system.AddressOf(0, static_cast<std::uint64_t>(e) * kBlock), Pattern(kBlock, e)),
                  tlm::TLM_OK_RESPONSE);
      });
    }
    platform.Simulate();
    platform.ExpectQuiet();
    const std::vector<std::uint8_t>& memory = platform.memories[0]->bytes;
    for (int e = 1; e < platform.system.endpoints(); ++e) {
      const std::vector<std::uint8_t> sent = Pattern(kBlock, e);
      ASSERT_TRUE(std::equal(sent.begin(), sent.end(), memory.begin() + e * static_cast<std::ptrdiff_t>(kBlock))) << e;
    }
    // 71 blocks over one link of 32 B a cycle take at least that long.
    EXPECT_GE(fabric::CycleAt(sc_core::sc_time_stamp()), 71 * static_cast<Cycle>(kBlock) / 32);
  });
}

TEST(System, ADmaEngineHasAsManyTransactionsUnderWayAsTheWindow) {
  InChild([] {
    SystemOptions options = Checked();
    options.window = 5;
    SystemBench platform(options);
    platform.dma = std::make_unique<Dma>("dma");
    platform.dma_at = 3;
    for (int i = 0; i < 40; ++i) {
      platform.dma->Ask(tlm::TLM_WRITE_COMMAND, platform.system.AddressOf(10 + i, 64), Pattern(3000, i));
    }
    for (int i = 0; i < 40; ++i) {
      platform.dma->Ask(tlm::TLM_READ_COMMAND, platform.system.AddressOf(10 + i, 64), std::vector<std::uint8_t>(3000));
    }
    platform.Simulate();
    platform.ExpectQuiet();
    for (std::size_t i = 0; i < platform.dma->jobs.size(); ++i) {
      const Dma::Job& job = platform.dma->jobs[i];
      EXPECT_TRUE(job.ended) << i;
      EXPECT_EQ(job.payload.get_response_status(), tlm::TLM_OK_RESPONSE) << i;
      EXPECT_EQ(job.data, Pattern(3000, static_cast<int>(i % 40))) << i;
      EXPECT_EQ(job.payload.get_ref_count(), 0) << i;
    }
    EXPECT_EQ(platform.dma->most_outstanding, 5);
  });
}

void ExpectRefusals(const SystemOptions& options) {
  InChild([&options] {
    SystemBench platform(options);
    platform.Run(4, [&platform](Cpu& cpu) {
      const std::vector<std::uint8_t> data = Pattern(64, 1);
      System& system = platform.system;
      EXPECT_EQ(cpu.Write(system.AddressOf(4, 0), data), tlm::TLM_ADDRESS_ERROR_RESPONSE);           // itself
      EXPECT_EQ(cpu.Write(Nic::AddressOf(0xFFFFF, 0), data), tlm::TLM_ADDRESS_ERROR_RESPONSE);       // nobody
      EXPECT_EQ(cpu.Write(system.AddressOf(5, (std::uint64_t{1} << 40) - 32), data), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Write(system.AddressOf(5, kMemory - 32), data), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // the memory's answer
      std::vector<std::uint8_t> bytes(64);
      EXPECT_EQ(cpu.Read(system.AddressOf(5, kMemory), &bytes), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Write(system.AddressOf(5, 0), {}), tlm::TLM_BURST_ERROR_RESPONSE);

      tlm::tlm_generic_payload payload;
      std::uint8_t enable = 0x0F;
      payload.set_write();
      payload.set_address(system.AddressOf(5, 0));
      payload.set_data_ptr(bytes.data());
      payload.set_data_length(64);
      payload.set_streaming_width(32);
      EXPECT_EQ(cpu.Access(&payload), tlm::TLM_BURST_ERROR_RESPONSE);
      payload.set_streaming_width(64);
      payload.set_byte_enable_ptr(&enable);
      payload.set_byte_enable_length(1);  // neither enabled nor disabled
      EXPECT_EQ(cpu.Access(&payload), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
      enable = TLM_BYTE_ENABLED;
      payload.set_byte_enable_length(0);
      EXPECT_EQ(cpu.Access(&payload), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
      payload.set_byte_enable_ptr(nullptr);
      payload.set_command(tlm::TLM_IGNORE_COMMAND);
      EXPECT_EQ(cpu.Access(&payload), tlm::TLM_COMMAND_ERROR_RESPONSE);
      tlm::tlm_dmi dmi;
      EXPECT_FALSE(cpu.socket->get_direct_mem_ptr(payload, dmi));
    });
    platform.Simulate();
    platform.ExpectQuiet();
  });
}

TEST(System, RefusesWhatItCannotDo) { ExpectRefusals(Checked()); }
TEST(LooselySystem, RefusesWhatItCannotDo) { ExpectRefusals(Loosely(Checked())); }

void ExpectDebugAccess(const SystemOptions& options) {
  InChild([&options] {
    SystemBench platform(options);
    platform.memories[7]->bytes[100] = 42;
    platform.Run(4, [&platform](Cpu& cpu) {
      std::uint8_t byte = 0;
      tlm::tlm_generic_payload payload;
      payload.set_read();
      payload.set_address(platform.system.AddressOf(7, 100));
      payload.set_data_ptr(&byte);
      payload.set_data_length(1);
      EXPECT_EQ(cpu.socket->transport_dbg(payload), 1u);
      EXPECT_EQ(byte, 42);
      EXPECT_EQ(payload.get_address(), platform.system.AddressOf(7, 100));
      EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
    });
    platform.Simulate();
    platform.ExpectQuiet();
    EXPECT_EQ(platform.memories[7]->accesses, 0u);
  });
}

TEST(System, DebugAccessesTakeNoTime) { ExpectDebugAccess(Checked()); }
TEST(LooselySystem, DebugAccessesTakeNoTime) { ExpectDebugAccess(Loosely(Checked())); }

void ExpectWaitingIsSaid(const SystemOptions& options) {
  InChild([&options] {
    System system("system", topology::Build(SystemBench::kTopology), options);
    std::vector<std::unique_ptr<DeadMemory>> memories;
    std::vector<std::unique_ptr<Cpu>> cpus;
    for (int e = 0; e < system.endpoints(); ++e) {
      memories.push_back(std::make_unique<DeadMemory>(("memory" + std::to_string(e)).c_str()));
      system.nic(e).memory().bind(memories.back()->socket);
      Cpu::Program program = [](Cpu&) {};
      if (e == 2) program = [&system](Cpu& cpu) { cpu.Write(system.AddressOf(9, 0), Pattern(100, 1)); };
      cpus.push_back(std::make_unique<Cpu>(("cpu" + std::to_string(e)).c_str(), program));
      cpus.back()->socket.bind(system.nic(e).host());
    }
    sc_core::sc_start();
    EXPECT_FALSE(cpus[2]->finished);
    EXPECT_EQ(system.Waiting(), "system.nic2: a put of 100 bytes waits for system.nic9\n"
                                "system.nic9: 1 operations wait for the memory\n");
  });
}

TEST(System, SaysWhoWaitsForAMemoryThatDoesNotAnswer) { ExpectWaitingIsSaid(Checked()); }
TEST(LooselySystem, SaysWhoWaitsForAMemoryThatDoesNotAnswer) { ExpectWaitingIsSaid(Loosely(Checked())); }

}  // namespace
}  // namespace tilefly::systemc
