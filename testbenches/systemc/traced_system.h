// SPDX-License-Identifier: Apache-2.0
// A system of transaction-level switches whose NICs send what golden's have sent, in the same cycles: links with retry
// between the switches, a checker at both ends of each (docs/systemc.md, Links with retry, Link down).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/network.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/fabric/protocol_checker.h"
#include "systemc/link/retry_link.h"
#include "systemc/switch/no_partner.h"
#include "systemc/switch/switch.h"
#include "systemc/system/system_options.h"

namespace tilefly::systemc {

/// A packet from a NIC: its first word at the switch, and on the link to the NIC that gets it, by golden.
struct Sent {
  int node;
  int port;
  Cycle first;
  golden::HeaderBits header;
  Cycle delivered = -1;  ///< -1: never
};

/// What golden's NICs send and get.
class Trace final : public network::NodeProbe {
 public:
  explicit Trace(const network::Wiring& wiring) : wiring_(wiring) {}
  void Stepped(int, Cycle, const golden::Switch&) override {}
  void ToldCredit(int, int, const network::LinkCredit&) override {}
  bool NeedsSteps() const override { return false; }
  void Carries(const network::LinkEvent& event) override;

  std::vector<Sent> packets;

 private:
  const network::Wiring& wiring_;
  std::map<std::pair<int, Cycle>, std::size_t> places_;
};

/// A NIC that sends what golden's has sent, when it did, and takes what comes as golden's does.
class TraceNic final : public TimedModule {
 public:
  TraceNic(sc_core::sc_module_name name, Cycle delay, fabric::PacketPool* pool, std::vector<Cycle>* delivered)
      : TimedModule(name), delay_(delay), pool_(pool), delivered_(delivered) {
    in.register_nb_transport_fw(this, &TraceNic::Receive);
    out.register_nb_transport_bw(this, &TraceNic::Hear);
  }

  tlm_utils::simple_initiator_socket<TraceNic, 32, fabric::Types> out{"out"};
  tlm_utils::passthrough_target_socket<TraceNic, 32, fabric::Types> in{"in"};

  void Send(std::size_t place, const Sent& packet) {
    sent_.Enter(packet.first, {place, packet.header});
    Wake(packet.first);
  }
  int twice = 0;       ///< packets that came before
  int broken_off = 0;  ///< copies of attempts that broke off

 private:
  struct Due {
    std::size_t place;
    golden::HeaderBits header;
  };
  void Step(Cycle now) override;
  tlm::tlm_sync_enum Receive(fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Hear(fabric::Packet&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_ACCEPTED; }

  const Cycle delay_;
  fabric::PacketPool* pool_;
  std::vector<Cycle>* delivered_;
  golden::Agenda<Due> sent_;
};

/// How the links between switches are.
struct TracedLinks {
  std::string routing = "min";
  RetryLinkOptions link;           ///< but for delay and direction
  std::map<int, double> bers;      ///< by the number of a direction: bit error rates that are not that of `link`
  std::vector<PlannedDown> downs;
};

/// The switches of `topology`, which golden has wired so.
class TracedSystem {
 public:
  TracedSystem(const topology::Topology& topology, const network::Wiring& wiring, const std::vector<Sent>& packets,
               const TracedLinks& links);

  /// After the simulation: what is not as it must be at the end; empty: nothing.
  std::string NotHome();
  /// The sum of a counter, or of a drop reason, over all ports of all switches.
  std::uint64_t Sum(int counter) const;
  LinkCounts counts() const;
  RetryLink& link(int node, int port) { return *links_.at({node, port}); }

  fabric::PacketPool pool;
  std::vector<std::unique_ptr<Switch>> switches;
  std::map<std::pair<int, int>, std::unique_ptr<TraceNic>> nics;
  std::vector<Cycle> delivered;  ///< by packet; -1: never

 private:
  void AddPort(const network::Wiring& wiring, int node, int port, const TracedLinks& links);
  void AddLink(const network::FarEnd& far, const std::string& name, int node, int port, const TracedLinks& links);

  std::map<std::pair<int, int>, std::unique_ptr<RetryLink>> links_;
  std::vector<std::unique_ptr<fabric::ProtocolChecker>> checkers_;
  std::vector<std::unique_ptr<NoPartner>> no_partners_;
};

}  // namespace tilefly::systemc
