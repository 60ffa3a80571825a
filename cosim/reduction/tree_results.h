// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "cosim/tree/tree_operands.h"

namespace tilefly::cosim {

/// What the parts of an episode must give: operands combined by the rules of the arithmetic page, in the order of the
/// reduction page.
class TreeResults final : public TreeOperands {
 public:
  /// `ports`: number of ports of the switch.
  TreeResults(int ports, const Tree& tree, std::uint64_t seed) : TreeOperands(tree, seed), ports_(ports) {}

  void Begin(const Episode& episode);

  /// What the switch makes of the operands of all children.
  RedPacket Combined(int part) const;
  /// The parent's answer. It may be anything of the same kind, and is remembered.
  const RedPacket& ParentsAnswer(int part);
  /// The result that the children get.
  const RedPacket& Result(int part);
  /// Whether the parts of a short operation do not fit together.
  bool Mismatches(int part) const {
    return episode().mishap == Mishap::kDiffers && !episode().streams && part == episode().at;
  }
  /// The part of a stream whose operands do not fit together; parts(): there is none. This part has no packet, and the
  /// group fails. Results of parts that were launched meanwhile come before FAIL does.
  int broken() const { return episode().mishap == Mishap::kDiffers && episode().streams ? episode().at : parts(); }

 private:
  const int ports_;
  std::uint64_t episodes_ = 0;
  std::map<int, RedPacket> results_;
};

}  // namespace tilefly::cosim
