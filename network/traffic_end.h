// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic that ends when it is judged to be steady, or never to become steady (docs/steady-state.md).
#pragma once

#include <functional>

#include "network/contexts.h"
#include "network/nodes.h"
#include "network/processes.h"
#include "network/wiring.h"

namespace tilefly::network {

/// When a round begins in cycle `begins`, all words that come to NICs before the returned cycle are known.
Cycle KnownBefore(const Wiring& wiring, const Profile& profile, Cycle begins);

class TrafficEnd {
 public:
  using Judge = std::function<bool(const TrafficHistory& history, Cycle end)>;

  /// For traffic of at most `cycles` cycles with a warm-up. Until a judge is set, traffic ends when `nics` says. All
  /// arguments must outlive it.
  TrafficEnd(Cycle warmup, Cycle cycles, const Profile& profile, const Nodes& nodes, NicSetup* nics,
             Contexts* contexts, Processes* processes)
      : warmup_(warmup),
        cycles_(cycles),
        profile_(profile),
        nodes_(nodes),
        nics_(*nics),
        contexts_(*contexts),
        processes_(*processes) {}

  /// From now on `judge` ends the traffic. It is called on the first process.
  void Set(Judge judge);
  /// Called when a round begins in cycle `begins`. Collective: all processes call it before the same round.
  void JudgeWhenDue(Cycle begins);
  /// The cycle up to which the judge had judged when it ended the traffic; kNever: it has not ended it.
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
  Cycle next_judgement_ = 0;  ///< kNever: there are no more judgements
  Cycle judged_to_ = kNever;  ///< cycle of the judgement that has ended traffic
};

}  // namespace tilefly::network
