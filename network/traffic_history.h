// SPDX-License-Identifier: Apache-2.0
// What synthetic traffic did over time, for who asks whether it has become steady (docs/steady-state.md): bins of equal
// length, each class for itself, and what waits of every source. Sums only, so that no order of events shows.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "generated/registers.h"
#include "golden/common/types.h"

namespace tilefly::network {

/// Of a class. Words but for the last two.
struct TrafficBin {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(created, sent, received, lost, packets, cycles);
  }

  void operator+=(const TrafficBin& other);

  std::int64_t created = 0;
  std::int64_t sent = 0;  ///< of packets whose first word was on their NIC's link
  std::int64_t received = 0;
  std::int64_t lost = 0;     ///< dropped, or gone with a link, where nothing is sent again
  std::int64_t packets = 0;  ///< received
  std::int64_t cycles = 0;   ///< sum of their latencies
};
static_assert(sizeof(TrafficBin) == 6 * sizeof(std::int64_t));  // Whoever adds a member adds it to Serialize.

/// How time is cut into bins: cycles [begin, end), 2^shift to a bin. All processes of a run have the same.
struct HistoryCut {
  static constexpr int kMostBins = 1024;
  static constexpr int kSourceBins = 32;  ///< at most; of each source
  static constexpr int kLeastShift = 5;

  /// For so many cycles from `begin` on.
  static HistoryCut For(Cycle begin, Cycle cycles);

  bool kept() const { return shift > 0; }
  bool Has(Cycle cycle) const { return kept() && cycle < end; }
  std::size_t BinOf(Cycle cycle) const { return static_cast<std::size_t>((cycle - begin) >> shift); }
  Cycle width() const { return Cycle{1} << shift; }

  Cycle begin = 0;
  Cycle end = kNever;
  std::int32_t shift = 0;  ///< 0: nothing is kept
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

  /// Before anything is counted.
  void KeepSources(std::size_t count) { sources_.resize(count); }

  void Create(const HistoryCut& cut, int tc, int source, Cycle at, int words) {
    if (!cut.Has(at)) return;
    Bin(cut, tc, at).created += words;
    Source(cut, source, at) += words;
  }
  void Send(const HistoryCut& cut, int tc, Cycle at, int words) {
    if (cut.Has(at)) Bin(cut, tc, at).sent += words;
  }
  /// The last word is there.
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
  /// From bins of one cut to longer ones of another.
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
