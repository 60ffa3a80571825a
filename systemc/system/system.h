// SPDX-License-Identifier: Apache-2.0
// A system of switches and NICs, built from a topology (docs/systemc.md): platforms bind to the NICs' host and memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "network/routing_options.h"
#include "network/wiring.h"
#include "systemc/credit/credit_link.h"
#include "systemc/fabric/protocol_checker.h"
#include "systemc/nic/nic.h"
#include "systemc/switch/no_partner.h"
#include "systemc/switch/switch.h"

namespace tilefly::systemc {

/// Makes switch `node` of a system, whose packets are of `pool`.
using SwitchMaker = std::function<std::unique_ptr<SwitchNode>(const char* name, int node, const Profile& profile,
                                                              fabric::PacketPool* pool)>;

struct SystemOptions {
  network::RoutingOptions routing;
  int tc = 0;              ///< traffic class of all messages
  int nic_lanes = 4;       ///< of a NIC's link: 2 (100 Gb/s) or 4
  int window = 64;         ///< transactions that a NIC may have outstanding
  bool checked = false;    ///< a protocol checker on every link
  bool loosely_timed = false;  ///< packets go by `b_transport`: hosts that call it, too, may run ahead
  std::uint64_t seed = 1;  ///< of routing
  SwitchMaker make_switch;  ///< for what it returns null for, and without one: a `Switch`
};

class System final : public sc_core::sc_module {
 public:
  /// Throws UsageError when the topology cannot be wired or routed so, or a switch cannot be used loosely timed. Endpoints'
  /// `host` and `memory` are bound where they are used.
  System(sc_core::sc_module_name name, const topology::Topology& topology, const SystemOptions& options);

  int endpoints() const { return static_cast<int>(nics_.size()); }
  int nodes() const { return static_cast<int>(switches_.size()); }
  Nic& nic(int endpoint) { return *nics_[static_cast<std::size_t>(endpoint)]; }
  SwitchNode& node(int number) { return *switches_[static_cast<std::size_t>(number)]; }
  /// Address of byte `offset` in the memory of an endpoint, for the host of another.
  std::uint64_t AddressOf(int endpoint, std::uint64_t offset) const;

  /// Violations of the protocol on all links, when they are checked.
  std::size_t violations() const;
  /// Who waits for what; empty: nobody.
  std::string Waiting() const;
  /// When nothing is due: a warning of each NIC that waits, an error for packets on checked links that have not ended.
  void ReportEnd() const;
  /// Packets that somebody refers to.
  std::size_t held() const { return pool_.held(); }

 private:
  void AddNic(const topology::Topology& topology, std::size_t endpoint, int lane, const SystemOptions& options);
  template <typename From, typename To>
  void Join(const std::string& name, From* from, To* to, int lanes, Cycle delay, Cycle taken,
            const golden::CreditTable& credit);
  void Wire(int node, int nic_lanes, const golden::Registers& registers);

  const Profile profile_;
  network::Wiring wiring_;
  bool checked_;
  fabric::PacketPool pool_;
  NicDirectory directory_;
  std::vector<std::unique_ptr<SwitchNode>> switches_;
  std::vector<std::unique_ptr<Nic>> nics_;
  std::vector<std::unique_ptr<CreditLink>> links_;
  std::vector<std::unique_ptr<fabric::ProtocolChecker>> checkers_;
  std::vector<std::unique_ptr<NoPartner>> no_partners_;
};

/// Simulates until nothing is due any more, and reports who waits. The exit code: kPassed, or kStuck when somebody does.
/// The kernel is not stopped: the program may ask for more, and call it again; end_of_simulation comes with sc_stop.
int RunToEnd(const System& system);

}  // namespace tilefly::systemc
