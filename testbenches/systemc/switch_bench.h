// SPDX-License-Identifier: Apache-2.0
// One switch of 8 ports with a packet now and then: a source, a sink, a processor at the register bus.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "systemc/credit/credit_link.h"
#include "systemc/fabric/journey.h"
#include "systemc/switch/no_partner.h"
#include "systemc/switch/switch.h"
#include "testbenches/systemc/peers.h"
#include "testbenches/systemc/platform.h"

namespace tilefly::systemc {

/// Takes what comes, and says when it came.
class Sink final : public Script {
 public:
  explicit Sink(sc_core::sc_module_name name) : Script(name) {
    in.register_nb_transport_fw(this, &Sink::Receive);
    in.register_b_transport(this, &Sink::ReceiveBlocking);
  }
  tlm_utils::passthrough_target_socket<Sink, 32, fabric::Types> in{"in"};
  std::vector<Cycle> first_words;
  std::vector<bool> bad;
  std::vector<int> lanes;

 private:
  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
    const Cycle wire = fabric::CycleOfCall(delay);
    first_words.push_back(wire);
    bad.push_back(packet.bad);
    lanes.push_back(packet.header.vl());
    packet.acquire();
    At(wire, [this, &packet] {
      tlm::tlm_phase phase = fabric::END_PACKET;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      in->nb_transport_bw(packet, phase, delay);
      packet.release();
    });
    return tlm::TLM_ACCEPTED;
  }
  void ReceiveBlocking(fabric::Packet&, sc_core::sc_time& delay) { first_words.push_back(fabric::CycleOfCall(delay)); }
};

/// Sends what it is told, and hears when it ended.
class Source final : public Script {
 public:
  Source(sc_core::sc_module_name name, fabric::PacketPool* pool) : Script(name), pool_(pool) {
    out.register_nb_transport_bw(this, &Source::Hear);
  }
  tlm_utils::simple_initiator_socket<Source, 32, fabric::Types> out{"out"};
  /// Port at which it is.
  static constexpr int kPort = 1;
  bool by_class = false;  ///< its packets say that a class channel counts them
  std::vector<Cycle> ends;
  std::vector<std::pair<Cycle, tilefly::Ack>> acks;
  std::vector<std::pair<Cycle, golden::FlowPause>> pauses;  ///< of flows
  std::vector<fabric::Journey::Step> journey;

  /// A packet of 64 bytes to port `destination`, which is followed. `source`: its source, whose lowest bits are kPort.
  void Send(Cycle cycle, int destination, int source = kPort) {
    At(cycle, [this, destination, source] {
      fabric::Packet& packet = Make(destination, source);
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

  /// The same, loosely timed, and not followed.
  void Block(Cycle cycle, int destination) {
    At(cycle, [this, destination] {
      fabric::Packet& packet = Make(destination, kPort);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      out->b_transport(packet, delay);
      packet.release();
    });
  }

 private:
  fabric::Packet& Make(int destination, int source) {
    fabric::Packet& packet = pool_->Make();
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = 64;
    header.src = static_cast<std::uint32_t>(source);
    header.dst = static_cast<std::uint32_t>(destination);
    header.an = by_class;
    packet.header = golden::HeaderBits(header);
    packet.length = header.len;
    return packet;
  }
  tlm::tlm_sync_enum Hear(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const Cycle cycle = fabric::CycleOfCall(delay);
    if (phase == fabric::ACK) {
      acks.emplace_back(cycle, packet.ack);
    } else if (phase == fabric::FLOW_PAUSE) {
      pauses.emplace_back(cycle, packet.pause);
    } else {
      EXPECT_EQ(phase, fabric::END_PACKET);
      ends.push_back(cycle);
    }
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
      if (port == Source::kPort) {
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

/// PORT.MODE of an enabled port.
inline std::uint64_t Enabled() {
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  return mode.ToBits();
}

inline tlm::tlm_response_status WriteRegister(Cpu* cpu, int port, CfgSpace space, int index, std::uint64_t value) {
  std::vector<std::uint8_t> data(sizeof value);
  std::memcpy(data.data(), &value, sizeof value);
  return cpu->Write(Switch::AddressOf(port, space, index), data);
}

inline constexpr int kMode = static_cast<int>(PortReg::kMode);

}  // namespace tilefly::systemc
