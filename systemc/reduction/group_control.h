// SPDX-License-Identifier: Apache-2.0
// States of groups and slots, and engines of short operations (docs/blocks/reduction-trees.md, States): how the events
// of a cycle change them.
#pragma once

#include <vector>

#include "systemc/reduction/group_failures.h"
#include "systemc/reduction/half_rings.h"
#include "systemc/reduction/tree_state.h"

namespace tilefly::systemc {

class GroupControl {
 public:
  explicit GroupControl(TreeState& state) : state_(state), failures_(state) {}

  /// A launch whose word 0 is on the return lane: F of the page. Commit fills in what the launch's packet says.
  struct Landing {
    const Launch* launch;
    const RedCollect* word;
    RedCode code = RedCode::kOk;
    std::uint8_t tag = 0;
  };
  struct Room {
    int port;
    ResultLane lane;
    int cells;
  };
  /// What comes to the CFU in a cycle.
  struct Events {
    const Launch* launch = nullptr;  ///< decided in this cycle
    Landing* landing = nullptr;
    std::vector<Report> reports;  ///< reports that stand in this cycle
    std::vector<Room> rooms;      ///< room that is free again
  };
  /// The commands to the ports in the next cycle.
  struct Commands {
    std::array<bool, golden::kRedSlots> bound{};
    std::array<bool, golden::kRedSlots> unbound{};
    int clear = -1;  ///< group whose short entries become invalid, -1: none
  };

  /// Makes the events of cycle `now`, and returns the commands for the next cycle.
  Commands Commit(Cycle now, const Events& events);
  /// Event: the register TREE of the group is written.
  void Forget(int group);
  /// Something outside changed, so the next cycle is judged.
  void Disturb() { unsettled_ = true; }
  /// Takes cells for a launch's packet at its ports, or gives them back.
  void AddRoom(const Launch& launch, int cells);

  /// Whether this cycle's changes may have consequences in the next cycle.
  bool unsettled() const { return unsettled_; }
  /// The cycle from `now` on that must be visited even if nothing comes, kNever when there is none.
  Cycle Due(Cycle now) const { return unsettled_ ? now : deadline_; }

 private:
  /// The change of a group that does not fail.
  struct Turn {
    enum Kind : std::uint8_t { kNone, kActivate, kReserve, kGiveBack, kDrain, kOperation } kind = kNone;
    int group = 0;
    std::uint8_t tag = 0;
    std::uint16_t left = 0;
  };
  using Causes = GroupFailures::Causes;

  bool IsCleared(Cycle now, const Report& report) const { return cleared_in_ == now && cleared_ == report.group; }
  void Land(Landing* landing, Causes* causes, std::vector<Turn>* turns) const;
  RedCode CodeOfUp(const Launch& launch, const RedCollect& word, Turn* turn) const;
  void EndQuiet(Cycle now, std::vector<Turn>* turns) const;
  void Begin(const Launch& launch, std::vector<Turn>* turns);
  void Hear(Cycle now, const Report& report);
  void Change(Cycle now, const Turn& turn);
  void Free(int group);
  Cycle DeadlineOf(Cycle now, int group) const;

  TreeState& state_;
  GroupFailures failures_;
  Commands commands_;
  bool unsettled_ = false;
  Cycle deadline_ = kNever;
  Cycle cleared_in_ = -1;  ///< last cycle with a command to clear, and its group
  int cleared_ = 0;
};

}  // namespace tilefly::systemc
