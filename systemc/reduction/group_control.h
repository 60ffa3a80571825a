// SPDX-License-Identifier: Apache-2.0
// States of groups and slots, engines of short operations (docs/blocks/reduction-trees.md, States): what the events of a
// cycle make of the state.
#pragma once

#include <vector>

#include "systemc/reduction/group_failures.h"
#include "systemc/reduction/half_rings.h"
#include "systemc/reduction/tree_state.h"

namespace tilefly::systemc {

class GroupControl {
 public:
  explicit GroupControl(TreeState& state) : state_(state), failures_(state) {}

  /// A launch whose word 0 is on the return lane: F of the page. What its packet says is filled in.
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
  /// What comes in a cycle.
  struct Events {
    const Launch* launch = nullptr;  ///< decided in it
    Landing* landing = nullptr;
    std::vector<Report> reports;  ///< that stand in it
    std::vector<Room> rooms;      ///< free again
  };
  /// What the ports are told in the next cycle.
  struct Commands {
    std::array<bool, golden::kRedSlots> bound{};
    std::array<bool, golden::kRedSlots> unbound{};
    int clear = -1;  ///< group whose short entries become invalid, -1: none
  };

  /// Events of cycle `now`.
  Commands Commit(Cycle now, const Events& events);
  /// Event: TREE of the group is written.
  void Forget(int group);
  /// Something changed outside: the next cycle is judged.
  void Disturb() { unsettled_ = true; }
  /// Cells of a launch's packet at its ports: taken, or given back.
  void AddRoom(const Launch& launch, int cells);

  /// What was done may have consequences in the next cycle.
  bool unsettled() const { return unsettled_; }
  /// The cycle from `now` on that is to be visited though nothing comes, kNever without one.
  Cycle Due(Cycle now) const { return unsettled_ ? now : deadline_; }

 private:
  /// What becomes of a group that does not fail.
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
