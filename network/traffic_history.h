// SPDX-License-Identifier: Apache-2.0
// What synthetic traffic did over time, to judge whether it has become steady (docs/steady-state.md). It has bins of
// equal length for each class, and the words of every source that wait. There are sums only, so no order of events
// matters.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "generated/registers.h"
#include "golden/common/types.h"

namespace tilefly::network {

/// The counts of a class in a bin: words, except the last two.
struct TrafficBin {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(created, sent, received, lost, packets, cycles);
  }

  void operator+=(const TrafficBin& other);

  std::int64_t created = 0;
  std::int64_t sent = 0;  ///< of packets whose first word was on their NIC's link
  std::int64_t received = 0;
  std::int64_t lost = 0;     ///< dropped, or lost on a link that went down, where no packet is sent again
  std::int64_t packets = 0;  ///< packets received
  std::int64_t cycles = 0;   ///< sum of their latencies, cycles
};
static_assert(sizeof(TrafficBin) == 6 * sizeof(std::int64_t));  // Whoever adds a member adds it to Serialize.

/// How time is cut into bins: the cycles [begin, end), 2^shift cycles in a bin. All processes of a run cut alike.
struct HistoryCut {
  static constexpr int kMostBins = 1024;
  static constexpr int kSourceBins = 32;  ///< most bins of each source
  static constexpr int kLeastShift = 5;

  /// The cut for `cycles` cycles from `begin` on.
  static HistoryCut For(Cycle begin, Cycle cycles);

  bool kept() const { return shift > 0; }
  bool Has(Cycle cycle) const { return kept() && cycle < end; }
  std::size_t BinOf(Cycle cycle) const { return static_cast<std::size_t>((cycle - begin) >> shift); }
  Cycle width() const { return Cycle{1} << shift; }

  Cycle begin = 0;
  Cycle end = kNever;
  std::int32_t shift = 0;  ///< 0: no history is kept
  std::int32_t source_shift = 0;
};

class TrafficHistory {
 public:
  /// Words of a source that were created, less those that have ended, by time.
  using SourceBins = std::array<std::int32_t, HistoryCut::kSourceBins>;

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(classes_, sources_);
  }

  /// Called before anything is counted.
  void KeepSources(std::size_t count) { sources_.resize(count); }

  void Create(const HistoryCut& cut, int tc, int source, Cycle at, int words) {
    if (!cut.Has(at)) return;
    Bin(cut, tc, at).created += words;
    Source(cut, source, at) += words;
  }
  void Send(const HistoryCut& cut, int tc, Cycle at, int words) {
    if (cut.Has(at)) Bin(cut, tc, at).sent += words;
  }
  /// The last word of a packet has come.
  void Receive(const HistoryCut& cut, int tc, int source, Cycle at, int words, Cycle latency) {
    if (!cut.Has(at)) return;
    TrafficBin& bin = Bin(cut, tc, at);
    bin.received += words;
    ++bin.packets;
    bin.cycles += latency;
    Source(cut, source, at) -= words;
  }
  void Lose(const HistoryCut& cut, int tc, int source, Cycle at, int words) {
    if (!cut.Has(at)) return;
    Bin(cut, tc, at).lost += words;
    Source(cut, source, at) -= words;
  }
  /// Joins the bins of one cut to the longer bins of another.
  void Fold(const HistoryCut& from, const HistoryCut& to);

  const std::vector<TrafficBin>& of_class(int tc) const { return classes_[static_cast<std::size_t>(tc)]; }
  const std::vector<SourceBins>& sources() const { return sources_; }

 private:
  TrafficBin& Bin(const HistoryCut& cut, int tc, Cycle at) {
    std::vector<TrafficBin>& bins = classes_[static_cast<std::size_t>(tc)];
    const std::size_t bin = cut.BinOf(at);
    if (bin >= bins.size()) bins.resize(bin + 1);
    return bins[bin];
  }
  std::int32_t& Source(const HistoryCut& cut, int source, Cycle at) {
    const auto bin = static_cast<std::size_t>((at - cut.begin) >> cut.source_shift);
    return sources_[static_cast<std::size_t>(source)]
                   [bin < HistoryCut::kSourceBins ? bin : HistoryCut::kSourceBins - 1];
  }

  std::array<std::vector<TrafficBin>, golden::kMaxClasses> classes_;
  std::vector<SourceBins> sources_;  ///< by endpoint
};

}  // namespace tilefly::network
