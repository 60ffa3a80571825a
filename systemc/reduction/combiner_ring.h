// SPDX-License-Identifier: Apache-2.0
// In-network reduction of a switch (docs/systemc.md, Reductions): reduction ports, half rings, CFU and row R,
// approximately timed. Loosely timed calls go to a LooseRing. The module has kernel events only in cycles in which
// something of a reduction happens.
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "golden/common/agenda.h"
#include "systemc/common/timed_module.h"
#include "systemc/reduction/loose_ring.h"
#include "systemc/reduction/result_frame.h"
#include "systemc/reduction/result_row.h"
#include "systemc/reduction/ring_core.h"

namespace tilefly::systemc {

class CombinerRing final : public TimedModule {
 public:
  CombinerRing(sc_core::sc_module_name name, Context& context);

  using Taken = tlm_utils::passthrough_target_socket_tagged<CombinerRing, 32, fabric::Types>;
  using Result = tlm_utils::simple_initiator_socket_tagged<CombinerRing, 32, CrossingTypes>;
  sc_core::sc_vector<Taken> taken;    ///< by port: from the input
  sc_core::sc_vector<Result> result;  ///< by port: to the output

  /// Event of `cycle`: a register of space RED is written.
  void Write(Cycle cycle, const Cfg& write);
  /// Event of `cycle`: other registers changed, or a link goes down or comes up, so ports may be enabled, or work no
  /// more.
  void Look(Cycle cycle) { WakeAfter(cycle); }
  /// STATUS register of the group.
  GroupStatus Status(int group) const { return core_.state.Status(group); }

  /// Whether nothing is under way, all results have left and all room is free.
  bool Idle() const;

 private:
  struct Begin {
    int port;
    int group;
  };
  struct End {
    int port;
    fabric::Packet* packet;
  };
  /// A launch whose word 0 is not yet on the return lane.
  struct Flight {
    Launch launch;
    Collection collected;
  };
  /// A result whose last word a port will get.
  struct Arriving {
    int port;
    ResultLane lane;
    int group;
    FramePointer frame;
  };
  struct Command {
    int slot;
    bool down;
  };

  tlm::tlm_sync_enum Receive(int port, fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Granted(int port, Crossing& crossing, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Step(Cycle now) override;
  void Blocking(int port, fabric::Packet& packet, sc_core::sc_time& delay);
  void TakeEnd(Cycle cycle, const End& end);
  void Commit(Cycle cycle);
  void Decide(Cycle now);
  void Ask(Cycle now);
  void LetCross(Cycle cycle, Crossing* crossing);
  void Send(Cycle cycle, const Flight& flight, const GroupControl::Landing& landing);
  void Plan(Cycle now);

  Context& context_;
  RingCore core_;
  LooseRing loose_;
  std::vector<ResultRow> rows_;
  golden::Agenda<Begin> begins_;
  golden::Agenda<End> ends_;
  golden::Agenda<Report> reports_;  ///< by the cycle in which the reports stand
  golden::Agenda<GroupControl::Room> rooms_;
  golden::Agenda<Arriving> arriving_;
  golden::Agenda<Crossing*> granted_;
  golden::Agenda<Command> commands_;  ///< by the cycle in which the commands stand
  golden::Agenda<Cfg> writes_;
  std::deque<Flight> flights_;
  std::optional<Launch> decided_;
  PortMask enabled_ = 0;  ///< ports that were enabled, and whose links worked, at the last decision
  PortMask asking_ = 0;   ///< ports whose row R may have something to ask for
  Cycle planned_ = kNever;  ///< step that was asked for; it may be late
};

}  // namespace tilefly::systemc
