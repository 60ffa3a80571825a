// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "cosim/reduction/tree_plan.h"

namespace tilefly::cosim {

/// What the parts of an episode are, and what must come of them: operands drawn from the seed, combined by the arithmetic
/// page in the order of the ring page. A part is a segment, numbered since the lock, or a short operation, numbered from 0.
class TreeResults {
 public:
  TreeResults(const SwitchSetup& setup, const Tree& tree, std::uint64_t seed)
      : setup_(setup), tree_(tree), seed_(seed) {}

  void Begin(const Episode& episode);

  int parts() const { return static_cast<int>(parts_.size()); }
  int operation_of(int part) const { return parts_[Index(part)].operation; }
  bool ends(int part) const { return parts_[Index(part)].ends; }
  const TreeOperation& operation(int part) const { return episode_.operations[Index(operation_of(part))]; }
  int bytes(int part) const { return operation(part).bytes[Index(parts_[Index(part)].index)]; }

  /// What the child behind `port` contributes.
  RedPacket Operands(int part, int port) const;
  /// What the switch makes of all children's.
  RedPacket Combined(int part) const;
  /// What the parent answers; it may be anything of the same kind, and is remembered.
  const RedPacket& ParentsAnswer(int part);
  /// What the children get.
  const RedPacket& Result(int part);
  /// The published packets of a small operation: a child's, and the parent's answer.
  Bytes SmallOperands(int part, int port, int seqno) const { return Small(part, port, seqno); }
  Bytes SmallAnswer(int part, int seqno) const { return Small(part, tree_.parent, seqno); }
  /// Whether the parts of a short operation do not fit together.
  bool Mismatches(int part) const { return episode_.mishap == Mishap::kDiffers && !episode_.streams && part == episode_.at; }

  /// The part of a stream that does not fit together, parts(): none. It has no packet, and the group fails; those of parts
  /// that were launched meanwhile come before FAIL does.
  int broken() const { return episode_.mishap == Mishap::kDiffers && episode_.streams ? episode_.at : parts(); }

 private:
  struct Part {
    int operation;
    int index;  ///< in the operation
    bool ends;
  };
  static std::size_t Index(int i) { return static_cast<std::size_t>(i); }
  Bytes Small(int part, int port, int seqno) const;
  Bytes Drawn(int part, int port, int size) const;

  const SwitchSetup& setup_;
  const Tree& tree_;
  const std::uint64_t seed_;
  Episode episode_;
  std::uint64_t episodes_ = 0;
  std::vector<Part> parts_;
  std::map<int, RedPacket> results_;
};

}  // namespace tilefly::cosim
