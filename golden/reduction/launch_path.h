// SPDX-License-Identifier: Apache-2.0
// The way of a launch up to the collect lanes (docs/blocks/reduction.md, CFU: launches; reduction-trees.md, Short
// operations): the candidates, and the choice among them, in turn and as lanes are free.
#pragma once

#include <array>
#include <optional>

#include "golden/reduction/red_groups.h"
#include "golden/reduction/result_room.h"

namespace tilefly::golden {

class LaunchPath {
 public:
  LaunchPath(const Profile& profile, const RedRegisters& registers, const TreeSlots& slots, const RedGroups& groups,
             const RedEngines& engines, const ResultRoom& room)
      : profile_(profile), registers_(registers), slots_(slots), groups_(groups), engines_(engines), room_(room) {}

  /// Chooses the launch of cycle `now`. `live`: ports that are enabled and whose links work. `*look_at` becomes the
  /// next cycle in which a lane goes free for which a candidate before the chosen one waits; kNever: no candidate waits
  /// for a lane.
  std::optional<RedLaunch> Choose(Cycle now, PortMask live, Cycle* look_at) const;
  /// Event of cycle `now`: the launch takes its lanes, and the turn of other candidates comes.
  void Launched(Cycle now, const RedLaunch& launch);

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(next_, first_, short_first_, notice_first_);
  }

 private:
  enum Lane { kUp, kDown, kU, kD, kS, kLanes };

  std::optional<RedLaunch> Candidate(Cycle now, PortMask live, RedCandidate candidate) const;
  std::optional<RedLaunch> Up(int slot) const;
  std::optional<RedLaunch> Down(int slot) const;
  std::optional<RedLaunch> ShortUp(Cycle now) const;
  std::optional<RedLaunch> ShortDown() const;
  std::optional<RedLaunch> Notice(PortMask live) const;
  RedLaunch Begin(RedCandidate candidate, int group) const;
  static unsigned LanesOf(const RedLaunch& launch);

  const Profile& profile_;
  const RedRegisters& registers_;
  const TreeSlots& slots_;
  const RedGroups& groups_;
  const RedEngines& engines_;
  const ResultRoom& room_;
  std::array<Cycle, kLanes> next_{};  ///< when each lane is free
  std::uint8_t first_ = 0;            ///< candidate that is looked at first
  std::array<std::uint8_t, 2> short_first_{};
  std::uint8_t notice_first_ = 0;
};

}  // namespace tilefly::golden
