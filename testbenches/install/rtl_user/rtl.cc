// SPDX-License-Identifier: Apache-2.0
// A packet through a switch of RTL.
#include <cstdio>
#include <memory>
#include <vector>

#include "golden/common/register_write.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/fabric/time.h"
#include "systemc/rtl/rtl_node.h"
#include "systemc/switch/no_partner.h"

using namespace tilefly;

namespace {

constexpr int kFrom = 1;
constexpr int kTo = 5;
constexpr Cycle kArrives = 100;
constexpr Cycle kCable = 210;

/// Sends one packet, and takes one.
struct Partner final : sc_core::sc_module {
  explicit Partner(sc_core::sc_module_name name) : sc_module(name) {
    out.register_nb_transport_bw(this, &Partner::Hear);
    in.register_nb_transport_fw(this, &Partner::Receive);
    sc_core::sc_spawn([this] { Send(); });
  }

  tlm_utils::simple_initiator_socket<Partner, 32, fabric::Types> out{"out"};
  tlm_utils::passthrough_target_socket<Partner, 32, fabric::Types> in{"in"};
  fabric::PacketPool pool;
  Cycle came = 0;

 private:
  void Send() {
    sc_core::wait(fabric::TimeOf(kArrives));
    fabric::Packet& packet = pool.Make();
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = 64;
    header.src = golden::FabricAddress(0, 0, kFrom);
    header.dst = golden::FabricAddress(0, 0, kTo);
    packet.header = golden::HeaderBits(header);
    packet.length = header.len;
    tlm::tlm_phase phase = fabric::BEGIN_PACKET;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    out->nb_transport_fw(packet, phase, delay);
    packet.release();
  }
  tlm::tlm_sync_enum Hear(fabric::Packet&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_ACCEPTED; }
  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase&, sc_core::sc_time& delay) {
    came = fabric::CycleOfCall(delay);
    tlm::tlm_phase phase = fabric::END_PACKET;
    sc_core::sc_time end = delay;
    in->nb_transport_bw(packet, phase, end);
    return tlm::TLM_ACCEPTED;
  }
};

}  // namespace

int sc_main(int, char**) {
  fabric::SetResolution();
  fabric::PacketPool pool;
  systemc::RtlNode node("node", kTile8, &pool);
  Partner partner("partner");
  std::vector<std::unique_ptr<systemc::NoPartner>> others;
  for (int port = 0; port < kTile8.ports; ++port) {
    others.push_back(std::make_unique<systemc::NoPartner>(sc_core::sc_gen_unique_name("none")));
    if (port == kFrom) partner.out.bind(node.in(port)); else others.back()->out.bind(node.in(port));
    if (port == kTo) node.out(port).bind(partner.in); else node.out(port).bind(others.back()->in);
  }
  node.TakeCable(kTo, kCable);
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  node.Write(golden::WriteRegister(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
  sc_core::sc_start();
  const Cycle cycles = partner.came - kCable - kArrives;
  std::printf("out of port %d after %ld cycles\n", kTo, static_cast<long>(cycles));
  return cycles == 63 && node.Drained() && pool.held() == 0 ? 0 : 1;
}
