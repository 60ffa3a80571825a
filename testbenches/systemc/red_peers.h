// SPDX-License-Identifier: Apache-2.0
// The peers of the trees of one switch (cosim/tree), behind the ports of either side of the contract: each side has its
// own, since what a peer does follows from what it got.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cosim/tree/tree_peer.h"
#include "golden/common/header_bits.h"
#include "systemc/reduction/result_frame.h"
#include "testbenches/systemc/red_plan.h"

namespace tilefly::systemc {

/// When a port's next packet may go, and on which lane.
struct RedNext {
  Cycle at;
  int lane;
};

/// A packet that a peer sends.
struct RedSend {
  golden::HeaderBits header;
  FramePointer frame;
  bool bad;
};

/// A packet that a peer got.
struct RedArrival {
  int port;
  Cycle first;  ///< cycle of its first word
  Cycle since;  ///< of a result: when the peer's own part was ready; else -1
  golden::HeaderBits header;
  FramePointer frame;
};

class RedPeers {
 public:
  /// `late`: cycles by which CREDITs come too late, a planted fault.
  RedPeers(const Profile& profile, const std::vector<RedTreePlan>& trees, std::uint64_t seed, Cycle late = 0);

  /// Whether a peer of a tree is behind the port.
  bool IsInTree(int port) const { return !peers_[static_cast<std::size_t>(port)].empty(); }
  /// The next packet of the peers behind `port`.
  std::optional<RedNext> Next(int port) const;
  /// Takes it out of its peer's outbox: it is sent.
  RedSend Pop(int port);
  /// Event of `last`, the cycle of a packet's last word; `first`: of its first.
  void Receive(int port, Cycle first, Cycle last, const golden::HeaderBits& header, const FramePointer& frame);
  /// All children have come to the end of their episodes.
  bool done() const;

  std::vector<RedArrival> arrivals;

 private:
  cosim::TreePeer* FirstAt(int port) const;

  const Profile& profile_;
  std::vector<std::vector<std::unique_ptr<cosim::TreePeer>>> peers_;  ///< by port
};

}  // namespace tilefly::systemc
