// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "cosim/reduction/packet_judge.h"
#include "cosim/reduction/tree_results.h"
#include "cosim/tree/tree_parent.h"

namespace tilefly::cosim {

/// A parent that compares the packets that come to it with those that should come, and answers as the results say.
class CheckedParent final : public TreeParent {
 public:
  CheckedParent(const Profile& profile, const Tree& tree, int port, const Options& options, TreeResults* results)
      : TreeParent(profile, tree, port, options), results_(*results), judge_{tree.group, port} {}

  void Begin(Cycle now, int first) override;
  /// Takes a packet. Throws CheckFailure when it is wrong.
  Cycle Received(Cycle now, const RedPacket& packet) override;

 protected:
  std::optional<Bytes> Answer(const RedPacket& packet) override;
  Bytes SmallAnswer(const SmallPublished& last) override;
  bool lazy() const override { return results_.episode().lazy; }

 private:
  int PartOf(const RedPacket& packet) const { return static_cast<std::uint16_t>(packet.red.seq - first_); }
  int SmallPartOf(int seqno) const { return SmallPublished::Since(first_, seqno); }
  void JudgeSegment(Cycle now, const RedPacket& packet);
  void JudgeShort(Cycle now, const RedPacket& packet) const;
  void JudgeSmall(Cycle now, const RedPacket& packet);

  TreeResults& results_;
  const PacketJudge judge_;
  int segments_ = 0;           ///< segments that have come since the lock, or never will
  std::map<int, int> counts_;  ///< contributions to small operations, by part
};

}  // namespace tilefly::cosim
