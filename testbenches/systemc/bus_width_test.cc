// SPDX-License-Identifier: Apache-2.0
// Initiators and memories of any bus width (docs/systemc.md, Bus widths and open ends).
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "testbenches/systemc/kept_reports.h"
#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"

namespace tilefly::systemc {
namespace {

/// Puts by b_transport and gets by phases, so that the backward path is used, too.
template <unsigned W>
class WideInitiator final : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  explicit WideInitiator(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &WideInitiator::Hear);
    sc_core::sc_spawn([this] { Run(); }, sc_core::sc_gen_unique_name("run"));
  }
  tlm_utils::simple_initiator_socket<WideInitiator, W> socket{"socket"};
  bool finished = false;

 private:
  void free(tlm::tlm_generic_payload*) override {}
  void Run() {
    const std::vector<std::uint8_t> sent = Pattern(5001, W);
    std::vector<std::uint8_t> bytes = sent;
    payload_.set_mm(this);
    payload_.set_write();
    payload_.set_address(Nic::AddressOf(NicPair::kRight, 3));
    payload_.set_data_ptr(bytes.data());
    payload_.set_data_length(5001);
    payload_.set_streaming_width(5001);
    sc_core::sc_time delay;
    socket->b_transport(payload_, delay);
    EXPECT_EQ(payload_.get_response_status(), tlm::TLM_OK_RESPONSE);
    sc_core::wait(delay);

    std::fill(bytes.begin(), bytes.end(), 0);
    payload_.set_read();
    payload_.acquire();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(socket->nb_transport_fw(payload_, phase, delay), tlm::TLM_ACCEPTED);
    sc_core::wait(answered_);
    phase = tlm::END_RESP;
    socket->nb_transport_fw(payload_, phase, delay);
    EXPECT_EQ(bytes, sent);
    payload_.release();
    finished = true;
  }
  tlm::tlm_sync_enum Hear(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::BEGIN_RESP) answered_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_ACCEPTED;
  }
  tlm::tlm_generic_payload payload_;
  sc_core::sc_event answered_;
};

template <unsigned W>
class WideMemory final : public sc_core::sc_module {
 public:
  explicit WideMemory(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_b_transport(this, &WideMemory::Access);
  }
  tlm_utils::simple_target_socket<WideMemory, W> socket{"socket"};

 private:
  void Access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    std::uint8_t* const at = bytes_.data() + payload.get_address();
    std::uint8_t* const data = payload.get_data_ptr();
    std::copy_n(payload.is_write() ? data : at, payload.get_data_length(), payload.is_write() ? at : data);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(kMemory);
};

/// `turned`: the NIC's socket binds the other.
template <unsigned W>
void ExpectWidth(bool loosely_timed, bool turned) {
  InChild([=] {
    NicPair nics(loosely_timed, loosely_timed);
    WideInitiator<W> initiator("initiator");
    WideMemory<W> memory("memory");
    if (turned) {
      nics.left.host<W>().bind(initiator.socket);
      memory.socket.bind(nics.right.memory<W>());
    } else {
      initiator.socket.bind(nics.left.host<W>());
      nics.right.memory<W>().bind(memory.socket);
    }
    EXPECT_EQ(nics.left.host<W>().get_bus_width(), W);
    EXPECT_EQ(&nics.left.host<W>(), &nics.left.host<W>());
    sc_core::sc_start();
    EXPECT_TRUE(initiator.finished);
    EXPECT_EQ(nics.left.Waiting() + nics.right.Waiting(), "");
    EXPECT_EQ(nics.pool.held(), 0u);
  });
}

TEST(BusWidth, InitiatorsAndMemoriesOfAnyWidthBind) {
  for (const bool loosely_timed : {false, true}) {
    for (const bool turned : {false, true}) {
      ExpectWidth<8>(loosely_timed, turned);
      ExpectWidth<32>(loosely_timed, turned);
      ExpectWidth<64>(loosely_timed, turned);
      ExpectWidth<1024>(loosely_timed, turned);
    }
  }
}

/// A module of a user's, with NICs in it and sockets of its own.
template <unsigned W>
struct Around final : sc_core::sc_module {
  explicit Around(sc_core::sc_module_name name) : sc_module(name) {
    host.bind(nics.left.host<W>());
    nics.right.memory<W>().bind(memory);
  }
  NicPair nics{false, false};
  tlm::tlm_target_socket<W> host{"host"};
  tlm::tlm_initiator_socket<W> memory{"memory"};
};

TEST(BusWidth, SocketsOfAModuleAroundBind) {
  InChild([] {
    Around<64> around("around");
    WideInitiator<64> initiator("initiator");
    WideMemory<64> memory("memory");
    initiator.socket.bind(around.host);
    around.memory.bind(memory.socket);
    sc_core::sc_start();
    EXPECT_TRUE(initiator.finished);
  });
}

/// The views of all widths are of one socket.
TEST(BusWidth, TwoInitiatorsOfDifferentWidthsAreRefused) {
  InChild([] {
    NicPair nics(false, false);
    WideInitiator<32> first("first");
    WideInitiator<64> second("second");
    first.socket.bind(nics.left.host());
    second.socket.bind(nics.left.host<64>());
    try {
      sc_core::sc_start();
      ADD_FAILURE() << "nothing was said";
    } catch (const sc_core::sc_report& report) {
      EXPECT_NE(std::string(report.what()).find("left.host"), std::string::npos) << report.what();
    }
  });
}

/// Nothing needs a partner but what is used.
TEST(OpenEnds, AMemoryThatIsNotThereIsAnAddressErrorAndIsSaidOnce) {
  for (const bool loosely_timed : {false, true}) {
    InChild([loosely_timed] {
      GoOnAfterErrors();
      NicPair nics(loosely_timed, loosely_timed);
      Cpu cpu("cpu", [](Cpu& cpu) {
        const std::uint64_t there = Nic::AddressOf(NicPair::kRight, 0x100);
        std::vector<std::uint8_t> bytes(10000);
        EXPECT_EQ(cpu.Write(there, bytes), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(cpu.Read(there, &bytes), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(cpu.Write(there, {1}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_GT(sc_core::sc_time_stamp() + cpu.ahead, fabric::TimeOf(3 * 2 * NicPair::kCable));
        tlm::tlm_generic_payload payload;
        payload.set_read();
        payload.set_address(there);
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(1);
        EXPECT_EQ(cpu.socket->transport_dbg(payload), 0u);
        payload.set_streaming_width(1);
        payload.set_gp_option(tlm::TLM_FULL_PAYLOAD);
        EXPECT_EQ(cpu.socket->transport_dbg(payload), 0u);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      });
      cpu.socket.bind(nics.left.host());
      sc_core::sc_start();
      EXPECT_TRUE(cpu.finished);
      EXPECT_EQ(Reports(), std::vector<std::string>{
                               "right.memory: no memory is bound here: a write of 4096 bytes at address 0x100 is answered "
                               "with TLM_ADDRESS_ERROR_RESPONSE, and so are all others (said once)"});
      EXPECT_EQ(nics.left.Waiting() + nics.right.Waiting(), "");
      EXPECT_EQ(nics.pool.held(), 0u);
    });
  }
}

TEST(OpenEnds, ASystemWithoutAnyHostAndMemoryIsQuiet) {
  InChild([] {
    System system("system", topology::Build(SystemBench::kTopology), Checked());
    EXPECT_EQ(RunToEnd(system), 0);
    EXPECT_EQ(system.violations(), 0u);
  });
}

}  // namespace
}  // namespace tilefly::systemc
