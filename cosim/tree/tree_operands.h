// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/tree/episode.h"
#include "cosim/tree/red_packet.h"

namespace tilefly::cosim {

/// The parts of an episode and their operands, drawn from the seed. A part is a segment, numbered from the lock on, or
/// a short operation, numbered from 0.
class TreeOperands {
 public:
  TreeOperands(const Tree& tree, std::uint64_t seed) : tree_(tree), seed_(seed) {}
  virtual ~TreeOperands() = default;

  /// `number`: the episode's number, unlike that of any other episode of the tree.
  void Begin(const Episode& episode, std::uint64_t number);

  const Episode& episode() const { return episode_; }
  int parts() const { return static_cast<int>(parts_.size()); }
  int operation_of(int part) const { return parts_[Index(part)].operation; }
  bool ends(int part) const { return parts_[Index(part)].ends; }
  const TreeOperation& operation(int part) const { return episode_.operations[Index(operation_of(part))]; }
  int bytes(int part) const { return operation(part).bytes[Index(parts_[Index(part)].index)]; }

  /// What the child behind `port` contributes: group, operation, type, bytes, empty and data.
  virtual RedPacket Operands(int part, int port) const;
  /// The published packet of a small operation, from a child or as the parent's answer.
  Bytes Small(int part, int port, int seqno) const;

 protected:
  static std::size_t Index(int i) { return static_cast<std::size_t>(i); }
  /// Draws numbers of all magnitudes.
  Bytes Drawn(int part, int port, int size) const;

  const Tree& tree_;

 private:
  struct Part {
    int operation;
    int index;  ///< in the operation
    bool ends;
  };

  const std::uint64_t seed_;
  Episode episode_;
  std::uint64_t number_ = 0;
  std::vector<Part> parts_;
};

}  // namespace tilefly::cosim
