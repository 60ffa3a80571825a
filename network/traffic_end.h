// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic that ends when it is judged to be steady, or never to become so (docs/steady-state.md).
#pragma once

#include <functional>

#include "network/contexts.h"
#include "network/nodes.h"
#include "network/processes.h"
#include "network/wiring.h"

namespace tilefly::network {

/// What is known to come to NICs when a round begins in cycle `begins` comes before this cycle.
Cycle KnownBefore(const Wiring& wiring, const Profile& profile, Cycle begins);

class TrafficEnd {
 public:
  using Judge = std::function<bool(const TrafficHistory& history, Cycle end)>;

  /// Of traffic of at most `cycles`, with a warm-up. It keeps to the end that `nics` has until a judge is set. All must
  /// outlive it.
  TrafficEnd(Cycle warmup, Cycle cycles, const Profile& profile, const Nodes& nodes, NicSetup* nics,
             Contexts* contexts, Processes* processes)
      : warmup_(warmup),
        cycles_(cycles),
        profile_(profile),
        nodes_(nodes),
        nics_(*nics),
        contexts_(*contexts),
        processes_(*processes) {}

  /// From now on `judge` ends it, on the first process.
  void Set(Judge judge);
  /// A round begins in cycle `begins`. Collective: all processes come to it before the same round.
  void JudgeWhenDue(Cycle begins);
  /// What the judge was asked when he ended it, kNever: he did not.
  Cycle judged_to() const { return judged_to_; }

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(next_judgement_, judged_to_);
  }

 private:
  static Cycle NextJudgement(Cycle last);
  HistoryCut CutTo(Cycle judgement) const;

  const Cycle warmup_;
  const Cycle cycles_;
  const Profile& profile_;
  const Nodes& nodes_;
  NicSetup& nics_;
  Contexts& contexts_;
  Processes& processes_;
  Judge judge_;               ///< null: traffic has a fixed end
  Cycle next_judgement_ = 0;  ///< kNever: there is none any more
  Cycle judged_to_ = kNever;  ///< the judgement that has ended traffic
};

}  // namespace tilefly::network
