// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "cosim/reduction/tree_results.h"
#include "cosim/setup/frame_sink.h"
#include "cosim/setup/frame_source.h"
#include "cosim/setup/switch_setup.h"
#include "cosim/tree/tree_peer.h"

namespace tilefly::cosim {

struct ReductionOptions {
  int groups = 0;      ///< groups that are in use; 0: no reductions
  double mishaps = 0;  ///< share of episodes in which a peer does something wrong
  Cycle settled = 20'000;  ///< cycles after a failure until nothing of the group is under way any more
  std::function<bool(int group)> idle;  ///< whether the switch is done with a failed group; empty: it is by then
};

/// Peers of a switch that is an aggregation node. Their trees are drawn from a seed; in each tree, children and parent
/// lock, stream, combine short vectors, and fail, in one episode after another. They compare every result with what it
/// must be. Their packets go before the other traffic of their port.
class ReductionPeers final : public FrameSource {
 public:
  /// `others`: the other traffic of the ports. Throws UsageError.
  ReductionPeers(const SwitchSetup& setup, const ReductionOptions& options, std::uint64_t seed, FrameSource* others);

  /// Register writes that set up the trees.
  std::vector<Cfg> Writes() const;
  /// Register writes to be made again now. A group that failed may keep a short operation's packet whose sender was not
  /// told yet; the write of TREE makes the packet invalid.
  std::vector<Cfg> TakeRewrites() { return std::exchange(rewrites_, {}); }
  FramePtr NextFrame(int port, Cycle now, LaneMask held) override;
  /// A reduction packet came out of the switch. Throws CheckFailure when it is wrong.
  void Received(const Reception& reception);
  /// Starts episodes when it is their time. Throws CheckFailure when an episode stands still.
  void Step(Cycle now);
  /// The link of `port` does not work in this cycle, so the switch may not tell the peer there of a failure.
  void LinkIsDown(int port);
  /// From now on no episode starts.
  void Close() { closed_ = true; }
  /// Whether all episodes are over.
  bool Quiet() const;

  std::int64_t episodes() const { return episodes_; }
  std::int64_t failures() const { return failures_; }
  /// Failures that came of a link that went down.
  std::int64_t link_failures() const { return link_failures_; }
  std::int64_t received() const { return received_; }
  /// Ports of the trees that have company (tree_plan.h), one bit each.
  std::uint64_t AccompaniedPorts() const;

 private:
  struct Group {
    Group(const SwitchSetup& setup, const Tree& drawn, std::uint64_t seed);
    TreePeer* PeerAt(int port);

    Tree tree;
    TreeResults results;
    std::vector<std::unique_ptr<TreePeer>> peers;
    Stream random;
    bool busy = false;    ///< an episode is under way
    bool failed = false;  ///< somebody was told that the group failed
    int next_short = 0;
    Cycle moved = 0;                 ///< a packet came or went
    Cycle begins = 0;                ///< no episode begins before
    std::vector<int> told;           ///< FAIL packets, by port
    std::uint64_t unheard = 0;       ///< ports whose link was down since the last episode, or is
  };
  void Begin(Cycle now, Group* group);
  void EndFailure(Cycle now, Group* group);
  FramePtr TakeOwn(int port, Cycle now, LaneMask held);
  [[noreturn]] void StandsStill(Cycle now, const Group& group) const;

  const SwitchSetup& setup_;
  const ReductionOptions options_;
  FrameSource* const others_;
  std::uint64_t cut_through_ = 0;  ///< ports
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<int> turn_;           ///< by port: the group that is looked at first
  std::vector<Cfg> rewrites_;
  bool closed_ = false;
  std::int64_t episodes_ = 0;
  std::int64_t failures_ = 0;
  std::int64_t link_failures_ = 0;
  std::int64_t received_ = 0;
};

}  // namespace tilefly::cosim
