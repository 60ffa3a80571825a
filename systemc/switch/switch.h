// SPDX-License-Identifier: Apache-2.0
// The switch as a transaction model (docs/systemc.md): R x C tiles, wired as on the tile page, and the register bus.
#pragma once

#include <tlm_utils/passthrough_target_socket.h>

#include "golden/common/agenda.h"
#include "golden/common/register_write.h"
#include "systemc/reduction/combiner_ring.h"
#include "systemc/switch/register_access.h"
#include "systemc/switch/switch_node.h"
#include "systemc/tile/tile.h"

namespace tilefly::systemc {

class Switch final : public SwitchNode {
 public:
  /// Types of the sockets of a port.
  using In = tlm_utils::passthrough_target_socket<InputPort, 32, fabric::Types>;
  using Out = tlm_utils::simple_initiator_socket<OutputPort, 32, fabric::Types>;

  Switch(sc_core::sc_module_name name, const Profile& profile, const golden::SchedulerChoice& scheduler = {});

  /// Sockets of a port's link, in and out. All of them must be bound.
  In& in(int port) override { return tiles_[port / Tile::kPorts].inputs[port % Tile::kPorts].in; }
  Out& out(int port) override { return tiles_[port / Tile::kPorts].outputs[port % Tile::kPorts].out; }

  /// The register bus, base protocol: a WRITE of the eight bytes of a register at the address `AddressOf`, or a READ of
  /// a counter (space COUNTER) or of a group's STATUS (space RED). A write is on the bus in the cycle of the call, so
  /// it is an event seven cycles later.
  tlm_utils::passthrough_target_socket_optional<Switch, 32> configure{"configure"};
  static constexpr std::uint64_t AddressOf(int port, CfgSpace space, int index) {
    return RegisterAccess::AddressOf(port, space, index);
  }
  /// Writes a register: on the register bus in the cycle of the call; before the simulation, at once.
  void Write(const Cfg& write) override;
  /// The link may also go down.
  LinkUser* Repeat(int port, LinkRoom* link) override {
    output(port).set_link(link);
    return &output(port);
  }

  /// The reduction ring; null when the profile does not reduce.
  const CombinerRing* ring() const { return ring_.get(); }
  const golden::Registers& registers() const { return context_.registers; }
  /// Counter `index` of the port: a counter_e, or a drop reason.
  std::uint64_t ReadCounter(int port, int index) const { return context_.counters.Read(port, index); }
  /// Packets and copies that links took; and kernel events of all modules. Their quotient is the number of events for a
  /// packet and hop.
  std::uint64_t taken() const { return context_.taken; }
  std::uint64_t kernel_events() const;

  /// For checks of conservation: whether nothing is inside, all room is free, and all credits are home.
  bool Drained() override;

 private:
  void Wire();
  void Transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Access(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void WriteIn(Cycle bus, const Cfg& write);
  void ApplyWrites();
  void Apply(Cycle cycle, const Cfg& write);
  std::uint64_t Read(const Cfg& read) const;
  OutputPort& output(int port) { return tiles_[port / Tile::kPorts].outputs[port % Tile::kPorts]; }
  InputPort& input(int port) { return tiles_[port / Tile::kPorts].inputs[port % Tile::kPorts]; }

  Context context_;
  sc_core::sc_vector<Tile> tiles_;
  std::unique_ptr<CombinerRing> ring_;  ///< null: the profile does not reduce
  golden::Agenda<Cfg> writes_;
  sc_core::sc_event written_;
};

}  // namespace tilefly::systemc
