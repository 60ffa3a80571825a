// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/reduction/packet_judge.h"
#include "cosim/reduction/tree_results.h"
#include "cosim/tree/tree_child.h"

namespace tilefly::cosim {

/// A child that compares the packets that come to it with those that should come. What should come follows from the
/// episode and from what the child has sent; nothing of it is taken from the packet that is judged.
class CheckedChild final : public TreeChild {
 public:
  CheckedChild(const Profile& profile, const Tree& tree, int port, const Options& options, TreeResults* results)
      : TreeChild(profile, tree, port, options, results), results_(*results), judge_{tree.group, port} {}

  void Begin(Cycle now, int first) override;
  /// Takes a packet. Throws CheckFailure when it is wrong.
  Cycle Received(Cycle now, const RedPacket& packet) override;

 private:
  bool wants(int part) const { return is_node() || (results_.operation(part).wants >> port() & 1) != 0; }
  /// The first segment from `part` on whose result comes to this child.
  int NextResult(int part) const;
  void JudgeLock(Cycle now, const RedPacket& packet) const;
  void JudgeResult(Cycle now, const RedPacket& packet);
  void JudgeShort(Cycle now, const RedPacket& packet) const;
  void JudgeSmall(Cycle now, const RedPacket& packet) const;

  TreeResults& results_;
  const PacketJudge judge_;
  int results_due_ = 0;  ///< the segment whose result comes next
};

}  // namespace tilefly::cosim
