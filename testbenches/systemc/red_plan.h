// SPDX-License-Identifier: Apache-2.0
// Trees of a switch that reduces, and what their peers do in a run of the contract.
#pragma once

#include <vector>

#include "generated/wire.h"
#include "testbenches/systemc/offers.h"

namespace tilefly::systemc {

/// What one peer does wrong at a segment.
enum class Mishap : std::uint8_t {
  kNone,
  kDiffers,    ///< its part ends though the others' do not: MISMATCH
  kSkips,      ///< a number too high: ORDER
  kIllegal,    ///< an operation that the type does not have: FORMAT
  kWrongSide,  ///< a packet of a parent's: ROLE
  kOldTag,     ///< a segment of another lock, besides the right one: stale
  kDamaged,    ///< it ends badly: the others wait until TIMEOUT
  kLeaves,     ///< says that it leaves: LEFT
  kSilent,     ///< sends nothing any more: TIMEOUT
  kUnlocked,   ///< a segment before the lock: UNBOUND
};

/// What all children of a tree do together, one step after the other.
struct RedStep {
  enum class Kind : std::uint8_t { kStream, kShort, kSmall } kind = Kind::kStream;
  RedOp op = RedOp::kSum;
  RedType type = RedType::kInt16;
  int operations = 1;
  int segments = 1;            ///< of a streamed operation
  int bytes = 4096;            ///< of a streamed operation's last segment, the others are full; of each short one
  bool limited = true;         ///< the lock is for so many operations; else it is unlocked
  int opcode = 0;              ///< small
  golden::PortMask empty = 0;  ///< children without operands
  golden::PortMask want = ~golden::PortMask{0};  ///< children that want the results
  Mishap mishap = Mishap::kNone;
  int culprit = 0;  ///< its port
  int at = 0;       ///< its segment since the lock
};

/// A group of the switch.
struct RedTreePlan {
  int group = 0;
  golden::PortMask children = 0;
  golden::PortMask nodes = 0;  ///< of the children
  int parent = -1;             ///< port; -1: the switch is the root
  bool small = false;
  std::uint32_t timeout = 0;
  int parent_leaves = -1;  ///< the parent says that it leaves, instead of taking this segment; -1: never
  int pace = 1;            ///< cycles within which a peer sends what it could send now
  std::vector<RedStep> steps;
};

/// Lanes and class of reductions, on which no other traffic is.
inline constexpr int kRedUpLane = 14;
inline constexpr int kRedDownLane = 15;
inline constexpr int kRedClass = 7;
/// Fabric address of the peer behind a port.
constexpr std::uint32_t RedPeerAddress(int port) { return static_cast<std::uint32_t>(1 << 11 | port); }

/// Adds the registers of the trees to those of the switch.
void WriteTrees(const std::vector<RedTreePlan>& trees, ContractSetup* setup);

/// Steps drawn from the seed: all operations and types, streams and short ones, eager locks, children without operands
/// or wishes; `mishaps`: share of the streams in which a child does something wrong.
std::vector<RedStep> DrawSteps(const Profile& profile, const RedTreePlan& tree, int count, double mishaps,
                               std::uint64_t seed);

}  // namespace tilefly::systemc
