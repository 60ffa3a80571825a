// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "cosim/reduction/red_packet.h"
#include "golden/common/types.h"
#include "support/random.h"

namespace tilefly::cosim {

/// Lanes of what goes up the trees, and of what goes down; no traffic else may be on them.
inline constexpr int kRedUpLane = 14;
inline constexpr int kRedDownLane = 15;

/// A group of the switch as its registers have it (docs/blocks/reduction-trees.md).
struct Tree {
  int group = 0;
  std::uint64_t children = 0;
  std::uint64_t nodes = 0;  ///< of the children
  int parent = -1;          ///< port; -1: root
  bool small = false;
  std::uint32_t timeout = 0;  ///< cycles, 0: none
  std::array<RedAddress, 64> peers{};

  std::uint64_t members() const { return children | (parent < 0 ? 0 : std::uint64_t{1} << parent); }
  /// Registers of the switch.
  std::vector<Cfg> Writes() const;
};

/// Trees over some of `ports`, drawn: group 0 to `count` - 1.
std::vector<Tree> DrawTrees(const SwitchSetup& setup, int count, std::uint64_t ports, std::uint64_t seed);

/// An operation of all children of a tree. Of masks: one bit a child.
struct TreeOperation {
  RedOp op = RedOp::kSum;
  RedType type = RedType::kInt16;
  RedRnd rnd = RedRnd::kNearest;  ///< short ones
  bool ftz = false;               ///< short ones
  std::vector<int> bytes;         ///< of each segment; a short one has one
  std::uint64_t wants = 0;        ///< streamed: who wants the result
  std::uint64_t empty = 0;        ///< who has no operands
};

/// What one of the peers does wrong.
enum class Mishap {
  kNone,
  kDiffers,    ///< one part ends, or counts, otherwise than the others'
  kSkips,      ///< leaves out the number of a segment
  kGreedy,     ///< sends more segments than it has credit for
  kIllegal,    ///< an operation that the type does not have
  kWrongSide,  ///< a packet that only the other side of the tree sends
  kUnlocked,   ///< a segment before there is a lock
  kOldTag,     ///< a segment of another lock, beside the right ones
  kStranger,   ///< a packet of a group that the port does not know
  kDamaged,    ///< a packet of such a group that ends badly
  kLeaves,     ///< says that it leaves
  kSilent,     ///< sends nothing from some segment on
};
inline constexpr int kMishaps = 12;

/// What the peers of a tree do until all are done.
struct Episode {
  bool streams = false;  ///< a lock, streamed operations; else short ones
  int count = 0;         ///< of the lock; 0: without limit, unlocked in the end
  bool eager = false;    ///< segments of the next operation are sent before the result of the one before has come
  bool lazy = false;     ///< nodes tell what they have launched as late as the protocol allows: when all credit is used
  std::vector<TreeOperation> operations;
  Mishap mishap = Mishap::kNone;
  int culprit = -1;  ///< port
  int at = 0;        ///< its segment, or the number of the short operation
};
Episode DrawEpisode(const SwitchSetup& setup, const Tree& tree, double mishaps, Stream* random);

}  // namespace tilefly::cosim
