// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "cosim/tree/tree_operands.h"

namespace tilefly::cosim {

/// What must come of an episode's parts: operands combined by the arithmetic page in the order of the ring page.
class TreeResults final : public TreeOperands {
 public:
  /// `ports`: of the switch.
  TreeResults(int ports, const Tree& tree, std::uint64_t seed) : TreeOperands(tree, seed), ports_(ports) {}

  void Begin(const Episode& episode);

  /// What the switch makes of all children's.
  RedPacket Combined(int part) const;
  /// What the parent answers; it may be anything of the same kind, and is remembered.
  const RedPacket& ParentsAnswer(int part);
  /// What the children get.
  const RedPacket& Result(int part);
  /// Whether the parts of a short operation do not fit together.
  bool Mismatches(int part) const {
    return episode().mishap == Mishap::kDiffers && !episode().streams && part == episode().at;
  }
  /// The part of a stream that does not fit together, parts(): none. It has no packet, and the group fails; those of parts
  /// that were launched meanwhile come before FAIL does.
  int broken() const { return episode().mishap == Mishap::kDiffers && episode().streams ? episode().at : parts(); }

 private:
  const int ports_;
  std::uint64_t episodes_ = 0;
  std::map<int, RedPacket> results_;
};

}  // namespace tilefly::cosim
