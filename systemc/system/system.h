// SPDX-License-Identifier: Apache-2.0
// A system of switches and NICs, built from a topology (docs/systemc.md): platforms bind to the NICs' host and memory.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/wiring.h"
#include "systemc/credit/credit_link.h"
#include "systemc/fabric/protocol_checker.h"
#include "systemc/link/retry_link.h"
#include "systemc/nic/nic.h"
#include "systemc/switch/no_partner.h"
#include "systemc/switch/switch.h"
#include "systemc/system/system_options.h"

namespace tilefly::systemc {

class System final : public sc_core::sc_module {
 public:
  /// Throws UsageError for options that are not possible, for links that are to go down and do not exist, when the
  /// topology cannot be wired or routed with the options, or when a switch cannot be used loosely timed. An endpoint's
  /// `host` and `memory` have to be bound only where they are used.
  System(sc_core::sc_module_name name, const topology::Topology& topology, const SystemOptions& options);

  int endpoints() const { return static_cast<int>(nics_.size()); }
  int nodes() const { return static_cast<int>(switches_.size()); }
  /// These functions throw UsageError for an endpoint, a switch or a byte that does not exist.
  Nic& nic(int endpoint) { return NicOf(endpoint); }
  SwitchNode& node(int number);
  /// The link with retry that leaves the switch by the port, for RetryLink::Down and Up. Throws UsageError when the
  /// system has none there.
  RetryLink& link(int node, int port);
  /// Address of byte `offset` in the memory of an endpoint, for the host of another endpoint.
  std::uint64_t AddressOf(int endpoint, std::uint64_t offset) const;

  /// Violations of the protocol on all links, if the links are checked.
  std::size_t violations() const;
  /// Who waits for what, in words; empty: nobody waits.
  std::string Waiting() const;
  /// To be called when nothing is due any more: reports a warning for each NIC that waits, and an error for packets on
  /// checked links that have not ended.
  void ReportEnd() const;
  /// What the links with retry have done, all together. `downs`: links, both directions of which were down.
  LinkCounts retry() const;
  /// Packets to which somebody refers.
  std::size_t held() const { return pool_.held(); }

 private:
  Nic& NicOf(int endpoint) const;
  void AddNic(const topology::Topology& topology, std::size_t endpoint, int lane, const SystemOptions& options);
  template <typename From, typename To>
  void Begin(const std::string& name, From* from, To* to, int lanes, Cycle taken, const golden::CreditTable& credit);
  void Repeat(const std::string& name, int node, int port);
  void JoinDirections(const std::vector<PlannedDown>& downs);
  template <typename From, typename To>
  void Join(const std::string& name, From* from, To* to, int lanes, Cycle delay, Cycle taken,
            const golden::CreditTable& credit);
  void Wire(int node, int nic_lanes, const golden::Registers& registers);

  const Profile profile_;
  network::Wiring wiring_;
  const bool repeats_;               ///< links between switches have retry
  const RetryLinkOptions link_;      ///< of these links, but for delay and direction
  bool checked_;
  fabric::PacketPool pool_;
  NicDirectory directory_;
  std::vector<std::unique_ptr<SwitchNode>> switches_;
  std::vector<std::unique_ptr<Nic>> nics_;
  std::vector<std::unique_ptr<CreditLink>> links_;
  std::map<std::pair<int, int>, std::unique_ptr<RetryLink>> retry_links_;  ///< by switch and port that they leave
  std::vector<std::unique_ptr<fabric::ProtocolChecker>> checkers_;
  std::vector<std::unique_ptr<NoPartner>> no_partners_;
};

/// Simulates until nothing is due any more, and reports who waits. Returns the exit code: kPassed, or kStuck when
/// somebody waits. The kernel is not stopped: the program may make further transactions and call this function again;
/// end_of_simulation comes with sc_stop.
int RunToEnd(const System& system);

}  // namespace tilefly::systemc
