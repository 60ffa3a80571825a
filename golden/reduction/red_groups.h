// SPDX-License-Identifier: Apache-2.0
// Groups of the CFU (docs/blocks/reduction-trees.md, States, Failure): their states and what changes them, which of
// them has a slot, and why they fail.
//
// Questions are answered as committed in the cycle before; a cycle's changes come after all has been judged.
#pragma once

#include <array>
#include <vector>

#include "golden/reduction/collect.h"
#include "golden/reduction/red_causes.h"
#include "golden/reduction/red_engines.h"
#include "golden/reduction/tree_slots.h"

namespace tilefly::golden {

struct RedGroup {
  RedState state = RedState::kIdle;
  std::int8_t slot = -1;
  RedCode code = RedCode::kOk;
  bool notice = false;
  bool limited = false;  ///< the lock was for `left` operations
  std::uint8_t tag = 0;
  std::uint16_t left = 0;
  std::uint32_t fails = 0;
  Cycle since = 0;
  Cycle last_launch = kLongAgo;
  Cycle last_brief = kLongAgo;  ///< last launch of a short operation
};

class RedGroups {
 public:
  /// What the events of a cycle tell the reduction ports, from the next one on.
  struct Commands {
    std::array<bool, kRedSlots> bound{};    ///< slots that are bound from now on
    std::array<bool, kRedSlots> unbound{};  ///< and that are not any more
    int clear = -1;                         ///< group, -1: none
  };
  /// A launch whose word 0 is on the return lane in this cycle: `word` is what it brought. Its packet's header,
  /// and whether there is a packet.
  struct Merged {
    const RedLaunch* launch = nullptr;
    const RedCollect* word = nullptr;
    RedCode code = RedCode::kOk;  ///< of a short operation's packet
    std::uint8_t tag = 0;
  };
  /// What a group's state becomes, when it does not fail.
  struct Turn {
    enum Kind : std::uint8_t { kNone, kActivate, kReserve, kGiveBack, kDrain, kOperation } kind = kNone;
    int group = 0;
    std::uint8_t tag = 0;
    std::uint16_t left = 0;
  };

  /// `slots` and `binds` are changed with the groups that have them.
  RedGroups(const Profile& profile, const RedRegisters& registers, const RedEngines& engines, TreeSlots* slots,
            RedBinds* binds)
      : profile_(profile), registers_(registers), engines_(engines), slots_(*slots), binds_(*binds) {}

  const RedGroup& operator[](int group) const { return groups_[group]; }
  /// Whether nothing of the group is under way, and nothing starts unless something comes in.
  bool IsSilent(Cycle now, int group) const;
  /// The next cycle in which the group changes by time alone.
  Cycle DeadlineOf(Cycle now, int group) const;
  /// STATUS of the group, as the register shows it.
  GroupStatus Status(int group) const;

  /// Judges a report, which may make its group fail.
  void JudgeReport(Cycle now, const RedEvent& report, RedCauses* causes) const;
  /// Judges deadlines that have come, and links that are down. A group that has failed does not fail again. Call it
  /// when all reports are judged.
  void JudgeTime(Cycle now, PortMask live, RedCauses* causes) const;
  /// Step F of a launch: fills in `code` and `tag` of `merged`.
  void Merge(Merged* merged, RedCauses* causes, std::vector<Turn>* turns) const;
  /// Finds the groups that have drained or are torn down.
  void TimeOut(Cycle now, std::vector<Turn>* turns) const;

  /// Events of cycle `now`.
  void Launched(Cycle now, const RedLaunch& launch);
  void Change(Cycle now, const Turn& turn, Commands* commands);
  void Fail(int group, RedCode code);
  /// Event: the register TREE of the group is written.
  void Forget(int group) { groups_[group].tag = 0; }

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(groups_);
  }

 private:
  bool IsInUse(Cycle now, int group) const;
  void JudgeTime(Cycle now, int group, PortMask live, RedCauses* causes) const;
  RedCode CodeOfUp(const RedLaunch& launch, const RedCollect& word, Turn* turn) const;
  void BeginLock(Cycle now, int group, Commands* commands);
  void Free(int group, Commands* commands);

  const Profile& profile_;
  const RedRegisters& registers_;
  const RedEngines& engines_;
  TreeSlots& slots_;
  RedBinds& binds_;
  std::array<RedGroup, kRedGroups> groups_{};
};

}  // namespace tilefly::golden
