// SPDX-License-Identifier: Apache-2.0
// The peers of cosim/reduction behind a reduction ring: they keep the protocol and compare every result with what it
// must be. Among their trees are all kinds.
#pragma once

#include <vector>

#include "cosim/errors.h"
#include "cosim/reduction/reduction_peers.h"
#include "cosim/reduction/tree_plan.h"
#include "testbenches/bench/comparison.h"
#include "testbenches/reduction/ring_peers.h"

namespace tilefly::bench {

class TreePeers final : public RingPeers {
 public:
  TreePeers(Comparison* run, const Profile& profile, const cosim::ReductionOptions& options)
      : run_(*run),
        setup_(profile, std::vector<cosim::PortKind>(static_cast<std::size_t>(profile.ports), cosim::PortKind::kFabric),
               4),
        peers_(setup_, options, SeedOfAllKinds(setup_, options.groups, run->seed()), &nobody_) {}

  /// Registers of the ports and of the groups.
  std::vector<Cfg> Writes() const {
    std::vector<Cfg> writes;
    for (const Cfg& write : setup_.Writes()) {
      const auto space = static_cast<CfgSpace>(write.space);
      const bool mode = space == CfgSpace::kPort && write.index == static_cast<int>(PortReg::kMode);
      if (mode || space == CfgSpace::kSwitch) writes.push_back(write);
    }
    for (const Cfg& write : peers_.Writes()) writes.push_back(write);
    return writes;
  }
  /// Registers to be written again.
  std::vector<Cfg> TakeRewrites() { return peers_.TakeRewrites(); }
  /// The ring is ready for packets.
  void Begin() { ready_ = true; }

  void Step(Cycle now, const golden::GoldenRing::Outputs&) override {
    if (ready_) Try([&] { peers_.Step(now); });
  }
  std::optional<RedArrival> NextPacket(Cycle now, int port) override {
    const cosim::FramePtr frame = peers_.NextFrame(port, now, 0);
    if (frame == nullptr) return std::nullopt;
    return RedArrival{frame->header, frame->bytes, frame->err_on_last};
  }
  void Received(Cycle now, const golden::GoldenRing::Outputs::Leaving& packet) override {
    Try([&] {
      peers_.Received({packet.port, now, now, true, packet.header, packet.frame, cosim::CheckOf(packet.frame)});
    });
  }

 private:
  /// The first seed from `seed` on that draws small groups, roots and inner nodes with parents, children that are
  /// nodes, and groups that time out.
  static std::uint64_t SeedOfAllKinds(const cosim::SwitchSetup& setup, int groups, std::uint64_t seed) {
    for (;; ++seed) {
      int small = 0, roots = 0, inner = 0, nodes = 0, timeouts = 0;
      for (const cosim::Tree& tree : cosim::DrawTrees(setup, groups, setup.all_ports(), seed)) {
        const bool several = (tree.children & (tree.children - 1)) != 0;
        small += tree.small && several;
        if (tree.small || !several) continue;
        roots += tree.parent < 0;
        inner += tree.parent >= 0;
        nodes += tree.nodes != 0;
        timeouts += tree.timeout != 0 && tree.timeout < 10'000;
      }
      if (small >= 2 && roots >= 2 && inner >= 1 && nodes >= 2 && timeouts >= 2) return seed;
    }
  }
  /// No other traffic.
  class Nobody final : public cosim::FrameSource {
   public:
    cosim::FramePtr NextFrame(int, Cycle, cosim::LaneMask) override { return nullptr; }
  };
  template <typename Do>
  void Try(Do&& act) {
    try {
      act();
    } catch (const cosim::CheckFailure& failure) {
      run_.Fail(failure.what());
    }
  }

  Comparison& run_;
  cosim::SwitchSetup setup_;
  Nobody nobody_;
  cosim::ReductionPeers peers_;
  bool ready_ = false;
};

}  // namespace tilefly::bench
