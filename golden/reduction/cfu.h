// SPDX-License-Identifier: Apache-2.0
// The CFU of a switch (docs/blocks/reduction.md, CFU: launches; reduction-trees.md): joins slots, groups, engines of
// short operations, room and launch path, and knows in which cycles something of them happens.
//
// A cycle is Decide, which reads what the cycle before left, then Commit with what came in the cycle. Nothing happens
// in the cycles between those that `Next` and `active` name.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "golden/reduction/launch_path.h"

namespace tilefly::golden {

/// What an observer sees of slots and groups.
struct CfuView {
  std::array<int, kRedSlots> group_of{-1, -1};  ///< -1: free
  std::array<bool, kRedSlots> bound{};
  std::array<RedState, kRedGroups> states{};
  std::array<int, kRedGroups> slot_of{-1, -1, -1, -1, -1, -1, -1, -1};
  std::array<std::int64_t, kRedGroups> fails{};
  std::array<bool, kRedGroups> notices_due{};
  std::array<Cycle, kRedGroups> ends{kNever, kNever, kNever, kNever, kNever, kNever, kNever, kNever};  ///< of LOCKING
};

class Cfu {
 public:
  using Commands = RedGroups::Commands;
  using Merged = RedGroups::Merged;
  /// What comes to the CFU in a cycle.
  struct Arrivals {
    std::vector<RedEvent> reports;
    std::vector<RedRoom> rooms;
  };

  Cfu(const Context& context, const RedRegisters& registers);
  Cfu(const Cfu&) = delete;
  Cfu& operator=(const Cfu&) = delete;

  /// Decides the launch of cycle `now`, if there is one.
  std::optional<RedLaunch> Decide(Cycle now);
  /// Makes the events of cycle `now`. `launch` was decided in this cycle. Does step F of the page for `merged`, if it
  /// is not null, and fills in its `code` and `tag`.
  const Commands& Commit(Cycle now, const std::optional<RedLaunch>& launch, const Arrivals& arrivals, Merged* merged);
  /// Event of cycle `now`: the register TREE of the group is written.
  void Forget(int group);
  /// Sets the number of the first segment after a lock, which is 0 else. Tests begin near the wrap of the number with
  /// it.
  void BeginSegments(std::uint16_t first) { slots_.BeginSegments(first); }
  /// Registers changed.
  void Wake() { look_ = unsettled_ = true; }
  /// From the next cycle on these ports show that they are enabled and that their links work.
  void SetLive(PortMask live) {
    if (live != live_) Wake();
    live_ = live;
  }

  /// Room of cycle `now` + K, that the packet of a launch has not used.
  void ReturnRoom(const RedLaunch& launch, int cells);

  bool active() const { return look_ || unsettled_; }
  /// The next cycle that must be visited when nothing comes.
  Cycle Next() const { return std::min(look_at_, deadline_); }

  const RedBinds& binds() const { return binds_; }
  RedState state(int group) const { return groups_[group].state; }
  /// Whether nothing of the group is under way, and nothing starts unless something comes in: then its registers may be
  /// written.
  bool IsSilent(Cycle now, int group) const { return groups_.IsSilent(now, group); }
  RedState state_of_slot(int slot) const {
    return slots_[slot].group < 0 ? RedState::kIdle : groups_[slots_[slot].group].state;
  }
  /// Whether a launch begins an operation, and how many results of the one before have not been launched; both before
  /// its Commit.
  bool BeginsOperation(const RedLaunch& launch) const {
    return launch.is_stream() && !launch.goes_down() && !slots_[launch.slot].in_op;
  }
  int OpenResults(const RedLaunch& launch) const {
    const TreeSlot& slot = slots_[launch.slot];
    return launch.root ? 0 : static_cast<std::uint16_t>(slot.ups - slot.downs);
  }
  CfuView View() const;
  int room(int port, RedLane lane) const { return room_.cells(port, lane); }
  /// STATUS of the group, as the register shows it.
  GroupStatus Status(int group) const { return groups_.Status(group); }
  /// Checks RED-2 and RED-4.
  void Check(Audit* audit) const;

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(slots_, groups_, engines_, room_, binds_, path_, live_, look_, unsettled_, look_at_, deadline_, clears_in_,
            cleared_);
  }

 private:
  bool IsCleared(Cycle now, const RedEvent& report) const {
    return report.ev == RedEv::kShort && clears_in_ == now && cleared_ == report.group;
  }
  RedCauses Judge(Cycle now, const Arrivals& arrivals) const;
  void Launched(Cycle now, const RedLaunch& launch, std::vector<RedGroups::Turn>* turns);
  void Report(Cycle now, const RedEvent& report);
  bool FailGroups(const RedCauses& causes);

  const Profile& profile_;
  const RedRegisters& registers_;
  TreeSlots slots_;
  RedEngines engines_;
  ResultRoom room_;
  RedBinds binds_{};
  RedGroups groups_;
  LaunchPath path_;
  PortMask live_ = 0;
  bool look_ = false;       ///< something may be launched in the next cycle
  bool unsettled_ = false;  ///< what a group does is to be judged in the next cycle
  Cycle look_at_ = kNever;  ///< or in this one, when a lane is free
  Cycle deadline_ = kNever;
  Cycle clears_in_ = -1;  ///< the last cycle in which the command to clear a group's entries stands, and the group
  int cleared_ = 0;
  Commands commands_;
};

}  // namespace tilefly::golden
