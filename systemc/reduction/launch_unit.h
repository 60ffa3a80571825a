// SPDX-License-Identifier: Apache-2.0
// Which launch goes next (docs/blocks/reduction.md, CFU: launches; reduction-trees.md, Short operations): at most one
// in a cycle, of seven candidates that are tried cyclically.
#pragma once

#include <optional>

#include "systemc/reduction/tree_state.h"

namespace tilefly::systemc {

class LaunchUnit {
 public:
  explicit LaunchUnit(const TreeState& state) : state_(state) {}

  /// Decision of `now`: the launch, if there is one.
  std::optional<Launch> Decide(Cycle now);
  /// The cycle in which the next decision may differ because a lane goes free, kNever when there is none.
  Cycle again() const { return again_; }
  /// Event: the launch that was decided takes its lanes.
  void Launched(const Launch& launch);

 private:
  enum Lane { kCollectUp, kCollectDown, kReturnU, kReturnD, kReturnS, kLanes };
  static unsigned LanesOf(const Launch& launch);

  std::optional<Launch> Of(Cycle now, RedCandidate candidate) const;
  std::optional<Launch> Up(RedCandidate candidate) const;
  std::optional<Launch> Down(RedCandidate candidate) const;
  std::optional<Launch> ShortUp(Cycle now) const;
  std::optional<Launch> ShortDown() const;
  std::optional<Launch> Notice() const;
  Launch Make(RedCandidate candidate, int group) const;
  bool IsReady(Cycle now, int group, const TreeState::Engine& engine) const;
  bool HasRoom(PortMask ports, ResultLane lane, int cells) const;
  bool HasCredit(const TreeState::Slot& slot, PortMask nodes, int segment) const;
  Cycle WhenFree(unsigned lanes) const;

  const TreeState& state_;
  std::array<Cycle, kLanes> free_from_{};
  std::uint8_t first_ = 0;                     ///< number of the candidate that is looked at first
  std::array<std::uint8_t, 2> short_first_{};  ///< engine, of up and of down
  std::uint8_t notice_first_ = 0;              ///< group
  Cycle again_ = kNever;
};

}  // namespace tilefly::systemc
