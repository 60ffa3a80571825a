// SPDX-License-Identifier: Apache-2.0
// What a platform sees of a switch besides its traffic: the register bus, journeys, a cable's delay and bit errors.
#include <gtest/gtest.h>

#include <cstring>

#include "systemc/credit/credit_link.h"
#include "systemc/fabric/journey.h"
#include "systemc/switch/no_partner.h"
#include "systemc/switch/switch.h"
#include "testbenches/systemc/peers.h"
#include "testbenches/systemc/platform.h"
#include "testbenches/systemc/simulation.h"

namespace tilefly::systemc {
namespace {

/// Takes what comes, and says when it came.
class Sink final : public Script {
 public:
  explicit Sink(sc_core::sc_module_name name) : Script(name) { in.register_nb_transport_fw(this, &Sink::Receive); }
  tlm_utils::passthrough_target_socket<Sink, 32, fabric::Types> in{"in"};
  std::vector<Cycle> first_words;
  std::vector<bool> bad;

 private:
  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
    const Cycle wire = fabric::CycleOfCall(delay);
    first_words.push_back(wire);
    bad.push_back(packet.bad);
    packet.acquire();
    At(wire, [this, &packet] {
      tlm::tlm_phase phase = fabric::END_PACKET;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      in->nb_transport_bw(packet, phase, delay);
      packet.release();
    });
    return tlm::TLM_ACCEPTED;
  }
};

/// Sends what it is told, and hears when it ended.
class Source final : public Script {
 public:
  Source(sc_core::sc_module_name name, fabric::PacketPool* pool) : Script(name), pool_(pool) {
    out.register_nb_transport_bw(this, &Source::Hear);
  }
  tlm_utils::simple_initiator_socket<Source, 32, fabric::Types> out{"out"};
  std::vector<Cycle> ends;
  std::vector<fabric::Journey::Step> journey;

  /// A packet of 64 bytes to port `destination`, which is followed.
  void Send(Cycle cycle, int destination) {
    At(cycle, [this, destination] {
      fabric::Packet& packet = pool_->Make();
      Header header;
      header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
      header.len = 64;
      header.dst = static_cast<std::uint32_t>(destination);
      packet.header = golden::HeaderBits(header);
      packet.length = header.len;
      packet.set_auto_extension(new fabric::Journey);
      tlm::tlm_phase phase = fabric::BEGIN_PACKET;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      out->nb_transport_fw(packet, phase, delay);
      At(fabric::CycleAt(sc_core::sc_time_stamp()) + 1000, [this, &packet] {
        journey = packet.get_extension<fabric::Journey>()->steps();
        packet.release();
      });
    });
  }

 private:
  tlm::tlm_sync_enum Hear(fabric::Packet&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    EXPECT_EQ(phase, fabric::END_PACKET);
    ends.push_back(fabric::CycleOfCall(delay));
    return tlm::TLM_ACCEPTED;
  }
  fabric::PacketPool* pool_;
};

/// Switch of 8 ports: a source at port 1, a sink at port 6 behind cables of `delay` cycles, a processor at the register bus.
struct Bench {
  Bench(Cycle delay, Cpu::Program program) : cpu("cpu", std::move(program)), to("to", delay), from("from", delay) {
    cpu.socket.bind(device.configure);
    for (int port = 0; port < kTile8.ports; ++port) {
      others.push_back(std::make_unique<NoPartner>(("none" + std::to_string(port)).c_str()));
      if (port == 1) {
        source.out.bind(to.in);
        to.out.bind(device.in(port));
      } else {
        others.back()->out.bind(device.in(port));
      }
      if (port == 6) {
        device.out(port).bind(from.in);
        from.out.bind(sink.in);
      } else {
        device.out(port).bind(others.back()->in);
      }
    }
  }

  fabric::PacketPool pool;
  Switch device{"switch", kTile8};
  Cpu cpu;
  Source source{"source", &pool};
  Sink sink{"sink"};
  CreditLink to;
  CreditLink from;
  std::vector<std::unique_ptr<NoPartner>> others;
};

std::uint64_t Enabled() {
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  return mode.ToBits();
}

tlm::tlm_response_status WriteRegister(Cpu* cpu, int port, CfgSpace space, int index, std::uint64_t value) {
  std::vector<std::uint8_t> data(sizeof value);
  std::memcpy(data.data(), &value, sizeof value);
  return cpu->Write(Switch::AddressOf(port, space, index), data);
}

constexpr int kMode = static_cast<int>(PortReg::kMode);

TEST(Switch, AQuietPacketReachesTheStagesOfTheTimingPage) {
  InChild([] {
    Bench bench(10, [](Cpu& cpu) {
      EXPECT_EQ(WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Enabled()), tlm::TLM_OK_RESPONSE);
    });
    bench.source.Send(100, 6);  // on link_i in 110
    sc_core::sc_start();
    ASSERT_EQ(bench.sink.first_words, std::vector<Cycle>{110 + 63 + 10});
    // Cells free in a + 47 (p + 3 + n, two cells), on the wire in seven cycles more, here in ten.
    EXPECT_EQ(bench.source.ends, std::vector<Cycle>{110 + 47 + 7 + 10});
    using golden::Stage;
    const std::vector<std::pair<Stage, Cycle>> expected = {
        {Stage::kQueued, 20}, {Stage::kRequested, 21}, {Stage::kStored, 29}, {Stage::kGranted, 30},
        {Stage::kGrantHere, 41}, {Stage::kPicked, 42}, {Stage::kArrived, 54}};
    ASSERT_EQ(bench.source.journey.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(bench.source.journey[i].stage, expected[i].first) << i;
      EXPECT_EQ(bench.source.journey[i].cycle - 110, expected[i].second) << i;
    }
    EXPECT_EQ(bench.source.journey.front().place, "switch.tile_0.input_1");
    EXPECT_EQ(bench.source.journey.back().place, "switch.tile_3.output_0");
    EXPECT_EQ(bench.pool.held(), 0u);
    EXPECT_TRUE(bench.device.Drained());
  });
}

TEST(Switch, ARegisterWriteIsAnEventSevenCyclesLater) {
  InChild([] {
    Bench bench(0, [](Cpu& cpu) {
      sc_core::wait(fabric::TimeOf(50));
      EXPECT_EQ(WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Enabled()), tlm::TLM_OK_RESPONSE);
    });
    std::vector<golden::PortMask> enabled;
    for (const Cycle cycle : {57, 58}) {
      bench.source.At(cycle, [&] { enabled.push_back(bench.device.registers().enabled()); });
    }
    sc_core::sc_start();
    EXPECT_EQ(enabled, (std::vector<golden::PortMask>{0, 0xFF}));
  });
}

TEST(Switch, TheRegisterBusReadsCountersAndRefusesTheRest) {
  InChild([] {
    Bench bench(0, [](Cpu& cpu) {
      EXPECT_EQ(WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Enabled()), tlm::TLM_OK_RESPONSE);
      sc_core::wait(fabric::TimeOf(500));
      std::vector<std::uint8_t> count(8);
      const auto tx = static_cast<int>(Counter::kTxPackets);
      EXPECT_EQ(cpu.Read(Switch::AddressOf(6, CfgSpace::kCounter, tx), &count), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(count, (std::vector<std::uint8_t>{2, 0, 0, 0, 0, 0, 0, 0}));
      EXPECT_EQ(cpu.Read(Switch::AddressOf(6, CfgSpace::kPort, kMode), &count), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(Switch::AddressOf(9, CfgSpace::kCounter, tx), &count), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(Switch::AddressOf(6, CfgSpace::kCounter, tx) + 4, &count), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(cpu.Read(std::uint64_t{1} << 40, &count), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      std::vector<std::uint8_t> half(4);
      EXPECT_EQ(cpu.Read(Switch::AddressOf(6, CfgSpace::kCounter, tx), &half), tlm::TLM_BURST_ERROR_RESPONSE);
    });
    bench.source.Send(100, 6);
    bench.source.Send(130, 6);
    sc_core::sc_start();
    EXPECT_TRUE(bench.cpu.finished);
    EXPECT_EQ(bench.sink.first_words, (std::vector<Cycle>{163, 193}));
  });
}

TEST(Switch, ABitErrorOfACableLeavesStomped) {
  InChild([] {
    Bench bench(0, [](Cpu& cpu) { WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Enabled()); });
    int seen = 0;
    bench.to.set_damage([&seen](const fabric::Packet&) { return ++seen == 2; });
    for (const Cycle cycle : {100, 130, 160}) bench.source.Send(cycle, 6);
    sc_core::sc_start();
    EXPECT_EQ(bench.sink.bad, (std::vector<bool>{false, true, false}));
    EXPECT_EQ(bench.device.ReadCounter(6, static_cast<int>(Counter::kTxStomped)), 1u);
  });
}

}  // namespace
}  // namespace tilefly::systemc
