// SPDX-License-Identifier: Apache-2.0
// The congestion meter of an edge output (docs/blocks/flow_channel.md, "Meter at the output"): it marks the acks of a
// class whose queue is long, and says how many cells each contributor may have in flight.
#pragma once

#include <algorithm>
#include <array>

#include "golden/common/audit.h"
#include "golden/flows/flow_state.h"

namespace tilefly::golden {

/// What the meter puts into an ack.
struct FlowAdvice {
  bool mark = false;
  std::uint16_t share = 0;
};

class CongestionMeter {
 public:
  static constexpr int kMostDepth = 4095;

  /// `epoch_cycles`: a power of two.
  explicit CongestionMeter(int epoch_cycles) : epoch_bits_(LowestBit(static_cast<std::uint64_t>(epoch_cycles))) {}

  /// A request arrives, a request is granted: they count from the next cycle on. Call these after Make.
  void Request(int lane, int cells) { waiting_[lane] += static_cast<std::uint32_t>(cells); }
  void Grant(int lane, int cells) { waiting_[lane] -= static_cast<std::uint32_t>(cells); }

  /// Event of cycle `now`: an ack is made for a packet of class `tc`, whose lanes are `lanes`, from `source`. `deep`:
  /// lanes with a deep fifo, as committed.
  FlowAdvice Make(Cycle now, int tc, std::uint16_t lanes, std::uint16_t deep, std::uint32_t source,
                  const FlowMark& registers) {
    Turn(now >> epoch_bits_);
    const int depth = DepthOf(lanes);
    const int share = depth >= registers.hard ? 0 : registers.full / sources(tc);
    seen_[tc] |= std::uint64_t{1} << BitOf(source);
    return {depth >= registers.on || (deep & lanes) != 0, static_cast<std::uint16_t>(share)};
  }

  /// n_c: contributors of the class, at least 1.
  int sources(int tc) const { return std::max({1, int{last_[tc]}, __builtin_popcountll(seen_[tc])}); }
  /// Cells requested on the lanes and not granted, at most 4095.
  int DepthOf(std::uint16_t lanes) const {
    std::uint32_t sum = 0;
    for (unsigned left = lanes; left != 0; left &= left - 1) sum += waiting_[LowestBit(left)];
    return static_cast<int>(std::min<std::uint32_t>(sum, kMostDepth));
  }
  /// METER-1 of `port`: `load` is the cells of its requests, as its request store counts them.
  void Check(std::int64_t load, int port, Audit* audit) const {
    std::int64_t sum = 0;
    for (const std::uint32_t cells : waiting_) sum += cells;
    audit->Require("METER-1", sum == load, port, sum);
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(waiting_, seen_, last_, at_);
  }

 private:
  /// The bit of a source: its address, six bits at a time, exclusive-or.
  static int BitOf(std::uint32_t source) {
    return static_cast<int>((source ^ source >> 6 ^ source >> 12 ^ source >> 18) & 63);
  }
  void Turn(Cycle epoch) {
    if (epoch == at_) return;
    for (int tc = 0; tc < kMaxClasses; ++tc) {
      last_[tc] = epoch == at_ + 1 ? static_cast<std::uint8_t>(__builtin_popcountll(seen_[tc])) : std::uint8_t{0};
    }
    seen_.fill(0);
    at_ = epoch;
  }

  int epoch_bits_;
  std::array<std::uint32_t, kMaxLanes> waiting_{};
  std::array<std::uint64_t, kMaxClasses> seen_{};  ///< in this epoch, a bit a source
  std::array<std::uint8_t, kMaxClasses> last_{};   ///< sources of the epoch before
  Cycle at_ = 0;                                   ///< epoch of the latest ack
};

}  // namespace tilefly::golden
