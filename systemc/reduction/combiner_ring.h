// SPDX-License-Identifier: Apache-2.0
// In-network reduction of a switch (docs/systemc.md, Reductions): reduction ports, half rings, CFU, row R. It has
// kernel events only in cycles in which something of a reduction happens.
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "golden/common/agenda.h"
#include "systemc/common/timed_module.h"
#include "systemc/reduction/group_control.h"
#include "systemc/reduction/lane_ledger.h"
#include "systemc/reduction/launch_unit.h"
#include "systemc/reduction/result_frame.h"
#include "systemc/reduction/result_row.h"

namespace tilefly::systemc {

class CombinerRing final : public TimedModule {
 public:
  CombinerRing(sc_core::sc_module_name name, Context& context);

  using Taken = tlm_utils::passthrough_target_socket_tagged<CombinerRing, 32, fabric::Types>;
  using Result = tlm_utils::simple_initiator_socket_tagged<CombinerRing, 32, CrossingTypes>;
  sc_core::sc_vector<Taken> taken;    ///< by port: of the input
  sc_core::sc_vector<Result> result;  ///< by port: to the output

  /// Event of `cycle`: a write of space RED.
  void Write(Cycle cycle, const Cfg& write);
  /// Other registers changed in `cycle`: ports may be enabled.
  void Look(Cycle cycle) { WakeAfter(cycle); }
  /// STATUS of the group.
  GroupStatus Status(int group) const { return state_.Status(group); }

  /// Nothing is under way, all results have left, all room is free.
  bool Idle() const;

 private:
  static constexpr int kMostStored = 16;  ///< RED_STORE of any profile

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

  /// Loosely timed use (docs/systemc.md): when the parts came, and which turns of the lanes are taken. Lanes: collect
  /// lanes up and down, return lanes U, D, S.
  struct Loose {
    using OfPort = std::array<Cycle, golden::kRedSlots * kMostStored + golden::kRedGroups * golden::kRedEngines>;
    explicit Loose(int ports) : came(static_cast<std::size_t>(ports)) {}
    std::vector<OfPort> came;  ///< cycle from which on each entry may be launched
    std::array<LaneLedger, 2 + kResultLanes> lanes;
    Cycle clock = 0;  ///< of the state: the latest that anybody came to
  };

  /// A packet that leaves in loosely timed use.
  struct Leaving {
    Cycle granted;
    Crossing* crossing;
  };

  tlm::tlm_sync_enum Receive(int port, fabric::Packet& packet, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Granted(int port, Crossing& crossing, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Step(Cycle now) override;
  void Blocking(int port, fabric::Packet& packet, sc_core::sc_time& delay);
  Cycle& CameOf(int port, bool streams, int slot_or_group, int number);
  void Advance(Cycle cycle);
  void LaunchAll(Cycle trigger);
  Cycle StartOf(const Launch& launch, Cycle trigger);
  std::vector<Leaving> Make(const Launch& launch);
  void Deliver(const Leaving& leaving);
  void Obey(Cycle cycle, const GroupControl::Commands& told);
  void TakeEnd(Cycle cycle, const End& end);
  void Commit(Cycle cycle);
  void Decide(Cycle now);
  void Ask(Cycle now);
  void LetCross(Cycle cycle, Crossing* crossing);
  Collection Collect(const Launch& launch);
  void Send(Cycle cycle, const Flight& flight, const GroupControl::Landing& landing);
  Crossing* MakeCredit(int port, int slot);
  Crossing* MakeResult(int port, int input, int group, const FramePointer& frame);
  void Plan(Cycle now);

  Context& context_;
  TreeState state_;
  GroupControl control_;
  LaunchUnit launches_;
  std::vector<ReductionPort> ports_;
  std::vector<ResultRow> rows_;
  golden::Agenda<Begin> begins_;
  golden::Agenda<End> ends_;
  golden::Agenda<Report> reports_;  ///< by the cycle in which they stand
  golden::Agenda<GroupControl::Room> rooms_;
  golden::Agenda<Arriving> arriving_;
  golden::Agenda<Crossing*> granted_;
  golden::Agenda<Command> commands_;  ///< by the cycle in which they stand
  golden::Agenda<Cfg> writes_;
  std::deque<Flight> flights_;
  std::optional<Launch> decided_;
  PortMask enabled_ = 0;  ///< ports, as the last decision saw it
  PortMask asking_ = 0;   ///< ports whose row R may have something to ask for
  Loose loose_;
  Cycle planned_ = kNever;  ///< step that is asked for and may be late
};

}  // namespace tilefly::systemc
