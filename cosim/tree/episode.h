// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/tree/tree.h"
#include "generated/profile.h"
#include "support/random.h"

namespace tilefly::cosim {

/// An operation of all children of a tree. Masks have one bit for each child.
struct TreeOperation {
  RedOp op = RedOp::kSum;
  RedType type = RedType::kInt16;
  RedRnd rnd = RedRnd::kNearest;  ///< of short operations
  bool ftz = false;               ///< of short operations
  std::vector<int> bytes;         ///< bytes of each segment; a short operation has one entry
  std::uint64_t wants = 0;        ///< of streams: children that want the result
  std::uint64_t empty = 0;        ///< children without operands
};

/// What one of the children does wrong in an episode.
enum class Mishap : std::uint8_t {
  kNone,
  kDiffers,     ///< one part ends, or counts, otherwise than the others'
  kSkips,       ///< leaves out the number of a segment
  kGreedy,      ///< sends more segments than it has credit for
  kIllegal,     ///< an operation that the type does not have
  kWrongSide,   ///< a packet that only the other side of the tree sends
  kUnlocked,    ///< a segment before there is a lock
  kOldTag,      ///< a segment of another lock, beside the right ones
  kStranger,    ///< a packet of a group that the port does not know
  kDamaged,     ///< a packet of such a group that ends badly
  kLeaves,      ///< says that it leaves
  kSilent,      ///< sends nothing from some segment on
  kBadSegment,  ///< a segment ends badly: the others wait for it until their time is over. Never drawn by DrawEpisode.
};

/// What the peers of a tree do until all of them are done.
struct Episode {
  bool streams = false;  ///< a lock, streamed operations; else short ones
  int count = 0;         ///< of the lock; 0: without limit, unlocked in the end
  bool eager = false;    ///< segments of the next operation are sent before the result of the one before has come
  bool lazy = false;     ///< nodes tell what they have launched as late as the protocol allows: when all credit is used
  std::vector<TreeOperation> operations;
  Mishap mishap = Mishap::kNone;
  int culprit = -1;  ///< port of the child that does something wrong
  int at = 0;        ///< the segment, or the number of the short operation, with which it does so
};

/// Draws an episode. `mishaps`: share of the episodes with a mishap. `cut_through`: ports whose damaged packets reach
/// the reduction unit.
Episode DrawEpisode(const Profile& profile, const Tree& tree, double mishaps, std::uint64_t cut_through,
                    Stream* random);

}  // namespace tilefly::cosim
