// SPDX-License-Identifier: Apache-2.0
// A platform as a user builds it from the page (docs/systemc.md, Platform side): a loosely timed processor with a bus of
// 64 bits and an approximately timed DMA engine with one of 32 on a dragonfly of four switches, one of them RTL.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include "systemc/rtl/rtl_node.h"
#include "systemc/system/system.h"
#include "testbenches/bench/settings.h"
#include "testbenches/systemc/kept_reports.h"
#include "testbenches/systemc/platform.h"
#include "testbenches/systemc/simulation.h"
#include "topology/builder.h"

namespace tilefly::systemc {
namespace {

constexpr const char* kFourSwitches = "dragonfly:p=2,a=2,h=1,g=2";
constexpr int kRtlNode = 2;    // has the link between the two groups, and endpoints 4 and 5
constexpr int kBehindRtl = 5;
constexpr int kProcessorAt = 0;
constexpr int kDmaAt = 2;
constexpr std::size_t kMebibyte = 1 << 20;
constexpr std::size_t kRegion = kMebibyte + kMebibyte / 4;  // of the processor's puts, the DMA engine's puts, and its gets
enum Region { kOfProcessor, kOfDmaPuts, kOfDmaGets, kRegions };

/// A transfer, at an odd offset of a region.
struct Transfer {
  int to;
  std::size_t bytes;
  std::size_t offset;
  std::vector<std::uint8_t> Data(int seed) const {
    std::vector<std::uint8_t> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      data[i] = static_cast<std::uint8_t>(i * 13 + bytes + static_cast<std::size_t>(seed * 29 + to) + (i >> 8));
    }
    return data;
  }
};

/// In CI every size once, the longest to the RTL's endpoint; in the full tier every size to every endpoint. Each has a
/// place of its own.
std::vector<Transfer> Transfers(int own, int endpoints) {
  const bool full = bench::TierFromEnvironment() == bench::Tier::kFull;
  std::vector<Transfer> all;
  std::vector<std::size_t> used(static_cast<std::size_t>(endpoints), 1);
  int next = 1;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, std::size_t{8}, std::size_t{63},
                                  std::size_t{64}, std::size_t{65}, std::size_t{1000}, std::size_t{4095}, std::size_t{4096},
                                  std::size_t{4097}, std::size_t{65537}, kMebibyte}) {
    for (int to = 0; to < endpoints; ++to) {
      const int turn = bytes > 4097 ? kBehindRtl : (own + next) % endpoints;
      if (to == own || (!full && to != turn)) continue;
      std::size_t& offset = used[static_cast<std::size_t>(to)];
      all.push_back({to, bytes, offset});
      offset += bytes + 32 - bytes % 2;
    }
    next = next % (endpoints - 1) + 1;
  }
  return all;
}

/// Knows the base protocol, a quantum and addresses.
class Processor64 final : public sc_core::sc_module {
 public:
  Processor64(sc_core::sc_module_name name, System* system, std::vector<Transfer> transfers)
      : sc_module(name), system_(system), transfers_(std::move(transfers)) {
    sc_core::sc_spawn([this] { Run(); }, sc_core::sc_gen_unique_name("run"));
  }
  tlm_utils::simple_initiator_socket<Processor64, 64> socket{"socket"};
  std::size_t right = 0;

 private:
  void Run() {
    keeper_.reset();
    for (const Transfer& transfer : transfers_) {
      const std::vector<std::uint8_t> sent = transfer.Data(1);
      std::vector<std::uint8_t> bytes = sent;
      const bool stored = Access(tlm::TLM_WRITE_COMMAND, transfer, &bytes);
      std::fill(bytes.begin(), bytes.end(), 0);
      const bool loaded = Access(tlm::TLM_READ_COMMAND, transfer, &bytes);
      right += stored && loaded && bytes == sent;
    }
    keeper_.sync();
  }
  bool Access(tlm::tlm_command command, const Transfer& transfer, std::vector<std::uint8_t>* data) {
    keeper_.inc(sc_core::sc_time(333, sc_core::SC_NS));  // what the program takes
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(system_->AddressOf(transfer.to, kOfProcessor * kRegion + transfer.offset));
    payload.set_data_ptr(data->data());
    payload.set_data_length(static_cast<unsigned>(data->size()));
    payload.set_streaming_width(payload.get_data_length());
    sc_core::sc_time delay = keeper_.get_local_time();
    socket->b_transport(payload, delay);
    keeper_.set(delay);
    if (keeper_.need_sync()) keeper_.sync();
    return payload.is_response_ok();
  }
  System* system_;
  const std::vector<Transfer> transfers_;
  tlm_utils::tlm_quantumkeeper keeper_;
};

struct UsersPlatform {
  /// With `rtl` it is approximately timed.
  explicit UsersPlatform(bool rtl)
      : system("system", topology::Build(kFourSwitches), Options(rtl)),
        to_processor(Transfers(kProcessorAt, system.endpoints())),
        to_dma(Transfers(kDmaAt, system.endpoints())),
        processor("processor", &system, to_processor) {
    processor.socket.bind(system.nic(kProcessorAt).host<64>());
    dma.socket.bind(system.nic(kDmaAt).host());
    for (int e = 0; e < system.endpoints(); ++e) {
      memories.push_back(std::make_unique<Memory>(("memory" + std::to_string(e)).c_str(), kRegions * kRegion,
                                                  sc_core::sc_time(50, sc_core::SC_NS)));
      system.nic(e).memory().bind(memories.back()->socket);
    }
    for (const Transfer& transfer : to_dma) {
      dma.Ask(tlm::TLM_WRITE_COMMAND, Address(transfer, kOfDmaPuts), transfer.Data(2));
      const std::vector<std::uint8_t> there = transfer.Data(3);
      std::copy(there.begin(), there.end(), Place(transfer, kOfDmaGets));
      dma.Ask(tlm::TLM_READ_COMMAND, Address(transfer, kOfDmaGets), std::vector<std::uint8_t>(transfer.bytes));
    }
  }
  static SystemOptions Options(bool rtl) {
    SystemOptions options;
    options.checked = true;
    options.loosely_timed = !rtl;
    options.make_switch = [rtl](const char* name, int node, const Profile& profile,
                                fabric::PacketPool* pool) -> std::unique_ptr<SwitchNode> {
      return rtl && node == kRtlNode ? std::make_unique<RtlNode>(name, profile, pool) : nullptr;
    };
    return options;
  }
  std::uint64_t Address(const Transfer& transfer, Region region) const {
    return system.AddressOf(transfer.to, region * kRegion + transfer.offset);
  }
  std::vector<std::uint8_t>::iterator Place(const Transfer& transfer, Region region) {
    std::vector<std::uint8_t>& bytes = memories[static_cast<std::size_t>(transfer.to)]->bytes;
    return bytes.begin() + static_cast<std::ptrdiff_t>(region * kRegion + transfer.offset);
  }
  void ExpectDataIntact() {
    EXPECT_EQ(processor.right, to_processor.size());
    for (std::size_t i = 0; i < to_dma.size(); ++i) {
      const Transfer& transfer = to_dma[i];
      const std::vector<std::uint8_t> put = transfer.Data(2);
      EXPECT_TRUE(std::equal(put.begin(), put.end(), Place(transfer, kOfDmaPuts))) << transfer.bytes << " to " << transfer.to;
      for (const bool put : {true, false}) {
        const Dma::Job& job = dma.jobs[2 * i + (put ? 0 : 1)];
        EXPECT_TRUE(job.ended && job.payload.is_response_ok()) << transfer.bytes << " to " << transfer.to;
        EXPECT_TRUE(job.data == transfer.Data(put ? 2 : 3)) << transfer.bytes << " to " << transfer.to;
      }
    }
  }
  System system;
  std::vector<Transfer> to_processor;
  std::vector<Transfer> to_dma;
  Processor64 processor;
  Dma dma{"dma"};
  std::vector<std::unique_ptr<Memory>> memories;
};

void ExpectDataIntact(bool rtl, int quantum) {
  InChild([=] {
    GoOnAfterErrors();
    tlm_utils::tlm_quantumkeeper::set_global_quantum(fabric::TimeOf(quantum));
    UsersPlatform platform(rtl);
    ASSERT_EQ(platform.system.nodes(), 4);
    ASSERT_EQ(platform.system.endpoints(), 8);
    EXPECT_EQ(RunToEnd(platform.system), 0);
    platform.ExpectDataIntact();
    EXPECT_EQ(platform.system.violations(), 0u);
    EXPECT_EQ(platform.system.held(), 0u);
    for (int node = 0; node < platform.system.nodes(); ++node) EXPECT_TRUE(platform.system.node(node).Drained()) << node;
    EXPECT_EQ(Reports(), std::vector<std::string>());
    std::printf("%s, quantum %d: %zu and %zu transfers each way, until cycle %lld\n",
                rtl ? "one switch of RTL" : "loosely timed", quantum, platform.to_processor.size(), platform.to_dma.size(),
                static_cast<long long>(fabric::CycleAt(sc_core::sc_time_stamp())));
  });
}

TEST(UsersPlatform, KeepsItsDataWithASwitchOfRtlAndAQuantum) { ExpectDataIntact(true, 1000); }
TEST(UsersPlatform, KeepsItsDataWithASwitchOfRtlWithoutAQuantum) { ExpectDataIntact(true, 0); }
TEST(UsersPlatform, KeepsItsDataLooselyTimedWithAQuantum) { ExpectDataIntact(false, 1000); }
TEST(UsersPlatform, KeepsItsDataLooselyTimedWithoutAQuantum) { ExpectDataIntact(false, 0); }

/// Which part of a program asks.
struct PartOfProgram final : tlm::tlm_extension<PartOfProgram> {
  explicit PartOfProgram(int part) : part(part) {}
  tlm::tlm_extension_base* clone() const override { return new PartOfProgram(part); }
  void copy_from(const tlm::tlm_extension_base& other) override { part = static_cast<const PartOfProgram&>(other).part; }
  int part;
};

/// Adds up what it is told of each operation.
struct Counting final : sc_core::sc_module {
  explicit Counting(sc_core::sc_module_name name) : sc_module(name) { socket.register_b_transport(this, &Counting::Access); }
  void Access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    ++operations;
    const PartOfProgram* const told = payload.get_extension<PartOfProgram>();
    if (told != nullptr) parts += told->part;
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      enabled += payload.get_byte_enable_ptr()[i % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm_utils::simple_target_socket<Counting, 128> socket{"socket"};
  int operations = 0;
  int parts = 0;
  int enabled = 0;
};

TEST(UsersPlatform, ByteEnablesAndExtensionsCrossTheRtl) {
  InChild([] {
    System system("system", topology::Build(kFourSwitches), UsersPlatform::Options(true));
    Counting memory("memory");
    Cpu cpu("cpu", [&](Cpu& cpu) {
      std::vector<std::uint8_t> data(10000);
      std::vector<std::uint8_t> enables = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_DISABLED, TLM_BYTE_DISABLED};
      PartOfProgram part(5);
      tlm::tlm_generic_payload payload;
      payload.set_extension(&part);
      payload.set_write();
      payload.set_address(system.AddressOf(kBehindRtl, 1));
      payload.set_data_ptr(data.data());
      payload.set_data_length(10000);
      payload.set_streaming_width(10000);
      payload.set_byte_enable_ptr(enables.data());
      payload.set_byte_enable_length(4);
      EXPECT_EQ(cpu.Access(&payload), tlm::TLM_OK_RESPONSE);
      payload.clear_extension(&part);
    });
    cpu.socket.bind(system.nic(kProcessorAt).host());
    system.nic(kBehindRtl).memory<128>().bind(memory.socket);
    EXPECT_EQ(RunToEnd(system), 0);
    EXPECT_TRUE(cpu.finished);
    EXPECT_EQ(memory.operations, 3);
    EXPECT_EQ(memory.parts, 3 * 5);
    EXPECT_EQ(memory.enabled, 2500);
    EXPECT_EQ(system.violations(), 0u);
  });
}

}  // namespace
}  // namespace tilefly::systemc
