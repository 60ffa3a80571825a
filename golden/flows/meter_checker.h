// SPDX-License-Identifier: Apache-2.0
// Checker of METER-2 (docs/blocks/flow_channel.md): it keeps the sources themselves, not bits of them.
#pragma once

#include <array>
#include <set>
#include <vector>

#include "golden/flows/congestion_meter.h"

namespace tilefly::golden {

class MeterChecker {
 public:
  explicit MeterChecker(int epoch_cycles) : epoch_cycles_(epoch_cycles) {}

  /// The meter has advised the ack of a packet of class `tc`.
  void Made(Cycle now, int tc, std::uint32_t source, const FlowAdvice& advice, int full, int port, Audit* audit) {
    const Cycle epoch = now / epoch_cycles_;
    if (epoch != epoch_) {
      before_ = epoch == epoch_ + 1 ? present_ : Sources();
      present_ = Sources();
      epoch_ = epoch;
    }
    std::set<std::uint32_t> known = before_[tc];
    known.insert(present_[tc].begin(), present_[tc].end());
    const auto most = static_cast<std::int64_t>(std::max<std::size_t>(1, known.size()));
    audit->Require("METER-2", advice.share <= full, port, advice.share);
    // With n of at most `most` the share is at least this, unless it is 0 because the queue is far too long.
    audit->Require("METER-2", advice.share == 0 || advice.share >= full / most, port, advice.share);
    present_[tc].insert(source);
  }

 private:
  using Sources = std::array<std::set<std::uint32_t>, kMaxClasses>;

  int epoch_cycles_;
  Cycle epoch_ = 0;
  Sources before_, present_;  ///< of the epochs, by class
};

/// METER-2 of all outputs of a switch.
class MeterCheckers {
 public:
  /// Watches `ports` outputs after cycle `now`. `fresh`: no output has made an ack with a share yet. Otherwise nothing
  /// is judged until the watch knows the sources of two epochs.
  MeterCheckers(int ports, int epoch_cycles, Cycle now, bool fresh)
      : from_(fresh ? 0 : (now / epoch_cycles + 2) * epoch_cycles),
        outputs_(static_cast<std::size_t>(ports), MeterChecker(epoch_cycles)) {}

  /// The meter of `output` has advised the ack of a packet of class `tc`.
  void Made(Cycle now, int output, int tc, std::uint32_t source, const FlowAdvice& advice, int full) {
    Audit unjudged;
    outputs_[output].Made(now, tc, source, advice, full, output, now < from_ ? &unjudged : &found_);
  }
  void Check(Audit* audit) const {
    audit->Require("METER-2", found_.broken().empty(), found_.broken().empty() ? 0 : found_.broken().front().port,
                   found_.broken().empty() ? 0 : found_.broken().front().value);
  }

 private:
  Cycle from_;  ///< the first cycle whose acks are judged
  std::vector<MeterChecker> outputs_;
  Audit found_;
};

}  // namespace tilefly::golden
