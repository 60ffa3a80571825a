// SPDX-License-Identifier: Apache-2.0
// The rule of registers (docs/blocks/reduction-trees.md, Registers): those of a group are written while it is IDLE and
// nothing of it is on its way. The switch does not check that, and its invariants hold only while it is so: a stimulus
// that breaks the rule would let a right switch fail.
#pragma once

#include <array>
#include <string>

#include "generated/registers.h"
#include "golden/reduction/cfu.h"

namespace tilefly::bench {

class RegisterRule {
 public:
  /// Event: word 0 of a packet of the group, whatever the number.
  void Begins(int group) {
    if (group < golden::kRedGroups) ++coming_[At(group)];
  }
  /// Event of cycle `now`: the packet's end.
  void Ends(Cycle now, int group) {
    if (group >= golden::kRedGroups) return;
    --coming_[At(group)];
    last_end_[At(group)] = now;
  }
  /// Whether the access may be an event of cycle `now`, of which all packets are known; `cfu` is as committed before.
  /// What breaks the rule; "": nothing does.
  std::string Judge(Cycle now, const Cfg& access, const golden::Cfu& cfu) const {
    const int group = GroupIndex::FromBits(access.index).group;
    const bool writes = access.valid && !access.read && access.space == static_cast<int>(CfgSpace::kRed);
    if (!writes || group >= golden::kRedGroups) return "";
    const std::string who = "the stimulus writes registers of group " + std::to_string(group);
    if (coming_[At(group)] > 0) return who + " while a packet of it comes";
    if (now <= last_end_[At(group)] + 1) return who + " before the report of its last packet is over";
    return cfu.IsSilent(now, group) ? "" : who + " while it is not IDLE, or launches";
  }

 private:
  static std::size_t At(int group) { return static_cast<std::size_t>(group); }

  std::array<int, golden::kRedGroups> coming_{};  ///< packets between word 0 and end
  std::array<Cycle, golden::kRedGroups> last_end_ = {-2, -2, -2, -2, -2, -2, -2, -2};
};

}  // namespace tilefly::bench
