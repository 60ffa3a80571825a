// SPDX-License-Identifier: Apache-2.0
// A processor of 32 bits behind an AddressWindow (docs/systemc.md, Address windows).
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/errors.h"
#include "systemc/nic/address_window.h"
#include "testbenches/systemc/kept_reports.h"
#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"
#include "testbenches/systemc/wrong_initiator.h"

namespace tilefly::systemc {
namespace {

constexpr std::uint64_t kBase = 0x8000'0000;
constexpr std::uint64_t kSize = 0x1'0000;
constexpr std::uint64_t kInto = 0x2'0000;  // where the window is in the remote memory

Window TheWindow() { return {kBase, kSize, Nic::AddressOf(NicPair::kRight, kInto)}; }

/// Two NICs, a memory at the right one, a window at the left one.
struct WindowBench {
  explicit WindowBench(bool loosely_timed, const std::vector<Window>& windows = {TheWindow()})
      : nics(loosely_timed, loosely_timed), window("window", windows) {
    window.out().bind(nics.left.host());
    nics.right.memory().bind(memory.socket);
  }
  NicPair nics;
  AddressWindow window;
  Memory memory{"memory", kMemory, sc_core::sc_time(50, sc_core::SC_NS)};
};

std::vector<std::uint8_t> Bytes(const Memory& memory, std::uint64_t at, std::size_t size) {
  const auto first = memory.bytes.begin() + static_cast<std::ptrdiff_t>(at);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

TEST(AddressWindow, BlockingAndDebugAccessesReachTheRemoteMemory) {
  for (const bool loosely_timed : {false, true}) {
    InChild([loosely_timed] {
      WindowBench bench(loosely_timed);
      Cpu cpu("cpu", [&](Cpu& cpu) {
        const std::vector<std::uint8_t> sent = Pattern(5000, 1);
        EXPECT_EQ(cpu.Write(kBase + 7, sent), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(Bytes(bench.memory, kInto + 7, 5000), sent);
        std::vector<std::uint8_t> got(5000);
        tlm::tlm_generic_payload payload;
        payload.set_read();
        payload.set_address(kBase + 7);
        payload.set_data_ptr(got.data());
        payload.set_data_length(5000);
        payload.set_streaming_width(5000);
        EXPECT_EQ(cpu.Access(&payload), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(got, sent);
        EXPECT_EQ(payload.get_address(), kBase + 7);
        got.assign(5000, 0);
        EXPECT_EQ(cpu.socket->transport_dbg(payload), 5000u);
        EXPECT_EQ(got, sent);
        EXPECT_EQ(payload.get_address(), kBase + 7);
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(cpu.socket->get_direct_mem_ptr(payload, dmi));
        EXPECT_THROW(bench.window.Add(TheWindow()), UsageError);
        EXPECT_TRUE(bench.window.Remove(kBase));
        EXPECT_FALSE(bench.window.Remove(kBase));
        EXPECT_EQ(cpu.Write(kBase + 7, sent), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        bench.window.Add(TheWindow());
        EXPECT_EQ(cpu.Write(kBase + 7, sent), tlm::TLM_OK_RESPONSE);
      });
      cpu.socket.bind(bench.window.in());
      sc_core::sc_start();
      EXPECT_TRUE(cpu.finished);
      EXPECT_EQ(bench.nics.pool.held(), 0u);
    });
  }
}

TEST(AddressWindow, WhatIsNotWithinOneWindowIsAnAddressError) {
  for (const bool loosely_timed : {false, true}) {
    InChild([loosely_timed] {
      // The second begins where the first ends, but it is elsewhere in the memory.
      WindowBench bench(loosely_timed, {TheWindow(), {kBase + kSize, 64, Nic::AddressOf(NicPair::kRight, 0)}});
      Cpu cpu("cpu", [&](Cpu& cpu) {
        for (const std::uint64_t outside : {std::uint64_t{0}, kBase - 1, kBase + kSize - 1, kBase + kSize + 63, ~std::uint64_t{0}}) {
          EXPECT_EQ(cpu.Write(outside, {1, 2}), tlm::TLM_ADDRESS_ERROR_RESPONSE) << std::hex << outside;
          tlm::tlm_generic_payload payload;
          std::uint8_t bytes[2] = {};
          payload.set_read();
          payload.set_address(outside);
          payload.set_data_ptr(bytes);
          payload.set_data_length(2);
          EXPECT_EQ(cpu.socket->transport_dbg(payload), 0u) << std::hex << outside;
        }
        EXPECT_EQ(cpu.ahead + sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
        EXPECT_EQ(cpu.Write(kBase + kSize - 2, {3, 4}), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(cpu.Write(kBase + kSize + 62, {5, 6}), tlm::TLM_OK_RESPONSE);
      });
      cpu.socket.bind(bench.window.in());
      sc_core::sc_start();
      EXPECT_TRUE(cpu.finished);
      EXPECT_EQ(Bytes(bench.memory, kInto + kSize - 2, 2), (std::vector<std::uint8_t>{3, 4}));
      EXPECT_EQ(Bytes(bench.memory, 62, 2), (std::vector<std::uint8_t>{5, 6}));
    });
  }
}

TEST(AddressWindow, PhasesPassBothWays) {
  for (const bool loosely_timed : {false, true}) {
    InChild([loosely_timed] {
      GoOnAfterErrors();
      WindowBench bench(loosely_timed);
      bool finished = false;
      WrongInitiator initiator("initiator", [&](WrongInitiator& initiator) {
        WrongInitiator::Request outside(kBase + kSize - 63);  // of 64 bytes
        EXPECT_EQ(initiator.Call(&outside, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
        EXPECT_EQ(outside.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        WrongInitiator::Request request(kBase + kSize - 64);
        initiator.Call(&request, tlm::BEGIN_REQ);
        sc_core::wait(fabric::TimeOf(5));
        initiator.Call(&request, tlm::BEGIN_REQ);  // again: the NIC's to report
        initiator.AwaitResponse(request);
        EXPECT_EQ(request.payload.get_address(), kBase + kSize - 64);
        initiator.End(&request);
        EXPECT_EQ(request.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(request.references, 0);
        request.phases.clear();
        initiator.Put(&request);
        EXPECT_EQ(request.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        finished = true;
      });
      initiator.socket.bind(bench.window.in());
      sc_core::sc_start();
      EXPECT_TRUE(finished);
      EXPECT_EQ(bench.memory.accesses, 2u);
      EXPECT_EQ(Bytes(bench.memory, kInto + kSize - 64, 64), std::vector<std::uint8_t>(64, 7));
      ASSERT_EQ(Reports().size(), 1u);
      EXPECT_NE(Reports()[0].find("the payload is sent again while its transaction is under way"), std::string::npos);
    });
  }
}

/// What is said of windows that cannot be.
std::string Refusal(const std::vector<Window>& windows) {
  try {
    AddressWindow window(sc_core::sc_gen_unique_name("window"), windows);
  } catch (const UsageError& error) {
    const std::string what = error.what();
    return what.substr(what.find(": ") + 2);
  }
  return "";
}

TEST(AddressWindow, RefusesWindowsThatCannotBe) {
  InChild([] {
    constexpr std::uint64_t kRemote = std::uint64_t{5} << 40;
    EXPECT_EQ(Refusal({{0x1000, 0, kRemote}}), "the window of 0x0 bytes at 0x1000 has no bytes: give it a size");
    EXPECT_EQ(Refusal({{~std::uint64_t{0}, 2, kRemote}}),
              "the window of 0x2 bytes at 0xffffffffffffffff ends behind the last address of 64 bits: make it smaller");
    EXPECT_EQ(Refusal({{0, 2, kRemote + (std::uint64_t{1} << 40) - 1}}),
              "the window of 0x2 bytes at 0x0 ends behind byte 2^40 of the remote memory: make it smaller, or begin it "
              "earlier there");
    EXPECT_EQ(Refusal({{0x1000, 0x100, kRemote}, {0x10ff, 1, kRemote}}),
              "the window of 0x1 bytes at 0x10ff overlaps the window of 0x100 bytes at 0x1000: windows are apart");
    EXPECT_NE(Refusal({{0x1000, 0x100, kRemote}, {0xfff, 2, kRemote}}), "");
    EXPECT_NE(Refusal({{0x1000, 0x100, kRemote}, {0, 0x10000, kRemote}}), "");
    EXPECT_EQ(Refusal({{0x1000, 0x100, kRemote}, {0x1100, 1, kRemote}, {0xfff, 1, kRemote}}), "");
    EXPECT_EQ(Refusal({{~std::uint64_t{0}, 1, kRemote}}), "");
    EXPECT_EQ(Refusal({{0, std::uint64_t{1} << 40, kRemote}}), "");
  });
}

/// Maps a window and writes into it, with buses of 64 bits.
struct Mapper64 final : sc_core::sc_module {
  explicit Mapper64(sc_core::sc_module_name name) : sc_module(name) {
    sc_core::sc_spawn([this] { Run(); }, sc_core::sc_gen_unique_name("run"));
  }
  void Run() {
    std::uint64_t registers[] = {kBase, kSize, TheWindow().remote, 1};
    for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(Put(&configure, 8 * i, &registers[i]), tlm::TLM_OK_RESPONSE);
    std::uint64_t data = 0x0807060504030201;
    EXPECT_EQ(Put(&socket, kBase + 1, &data), tlm::TLM_OK_RESPONSE);
  }
  template <typename Socket>
  tlm::tlm_response_status Put(Socket* at, std::uint64_t address, std::uint64_t* value) {
    tlm::tlm_generic_payload payload;
    payload.set_write();
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(value));
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    sc_core::sc_time delay;
    (*at)->b_transport(payload, delay);
    return payload.get_response_status();
  }
  tlm_utils::simple_initiator_socket<Mapper64, 64> socket{"socket"};
  tlm_utils::simple_initiator_socket<Mapper64, 64> configure{"configure"};
};

TEST(AddressWindow, BusesOfAnyWidthBind) {
  InChild([] {
    WindowBench bench(false, {});
    Mapper64 mapper("mapper");
    mapper.socket.bind(bench.window.in<64>());
    mapper.configure.bind(bench.window.registers().configure<64>());
    sc_core::sc_start();
    EXPECT_EQ(Bytes(bench.memory, kInto + 1, 8), (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  });
}

/// A processor that maps its windows itself, in words of 4 and 8 bytes.
TEST(AddressWindow, RegistersMapWindows) {
  InChild([] {
    GoOnAfterErrors();
    WindowBench bench(true, {});
    Cpu cpu("cpu", [](Cpu& cpu) {
      EXPECT_EQ(cpu.Write(kBase, {1}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      sc_core::wait(fabric::TimeOf(100));
      EXPECT_EQ(cpu.Write(kBase, {1}), tlm::TLM_OK_RESPONSE);
      sc_core::wait(fabric::TimeOf(100000));
      EXPECT_EQ(cpu.Write(kBase, {1}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    });
    const auto words = [](std::uint64_t value, std::size_t bytes) {
      std::vector<std::uint8_t> data(bytes);
      std::memcpy(data.data(), &value, bytes);
      return data;
    };
    Cpu maps("maps", [&](Cpu& cpu) {
      constexpr std::uint64_t kSecond = WindowRegisters::kStride;
      const auto write = [&](std::uint64_t at, std::uint64_t value) { return cpu.Write(at, words(value, 8)); };
      EXPECT_EQ(write(0, kBase), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(write(8, kSize), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(cpu.Write(16, words(kInto, 4)), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(cpu.Write(20, words(TheWindow().remote >> 32, 4)), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(cpu.Write(24, words(1, 4)), tlm::TLM_OK_RESPONSE);
      std::vector<std::uint8_t> got(8);
      EXPECT_EQ(cpu.Read(16, &got), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(got, words(TheWindow().remote, 8));
      // Another that overlaps it is refused, and the first one may not become one that cannot be.
      EXPECT_EQ(write(kSecond, kBase + 1), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(write(kSecond + 8, 1), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(write(kSecond + 24, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(kSecond + 24, &got), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(got, words(0, 8));
      EXPECT_EQ(write(8, 0), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(write(24, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(24, &got), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(got, words(1, 8));
      EXPECT_EQ(Reports().size(), 2u);
      EXPECT_EQ(cpu.Write(3, words(0, 4)), tlm::TLM_BURST_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Write(0, {1}), tlm::TLM_BURST_ERROR_RESPONSE);
      EXPECT_EQ(write(WindowRegisters::kWindows * kSecond, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      sc_core::wait(fabric::TimeOf(50000));
      EXPECT_EQ(write(24, 0), tlm::TLM_OK_RESPONSE);
    });
    cpu.socket.bind(bench.window.in());
    maps.socket.bind(bench.window.registers().configure());
    sc_core::sc_start();
    EXPECT_TRUE(cpu.finished && maps.finished);
    EXPECT_EQ(bench.memory.bytes[kInto], 1);
  });
}

}  // namespace
}  // namespace tilefly::systemc
