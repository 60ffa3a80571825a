// SPDX-License-Identifier: Apache-2.0
// What a run of a system counts. Sums and histograms only, so that no order of events shows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "generated/registers.h"
#include "golden/common/types.h"
#include "network/samples.h"
#include "network/traffic_history.h"
#include "support/latency.h"
#include "workload/job_statistics.h"

namespace tilefly::network {

/// Latencies of the packets created in one of the equal parts of the measured cycles.
struct LatencyBatch {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(packets, cycles);
  }

  std::int64_t packets = 0;
  std::int64_t cycles = 0;  ///< sum of their latencies
};
inline constexpr int kLatencyBatches = 20;

/// How many words of a packet, whose first one is on a link of `lanes` lanes in cycle `first`, are on it before `end`.
inline int WordsBefore(Cycle end, Cycle first, int words, int lanes) {
  if (end <= first) return 0;
  return end - first >= 4 * Cycle{words} ? words
                                         : std::min(words, golden::CeilDiv(static_cast<int>(end - first) * lanes, 4));
}

/// Cycles [from, to) that loads and latencies are of.
struct Measured {
  bool Has(Cycle cycle) const { return cycle >= from && cycle < to; }
  /// How many cycles of [begin, end) they are.
  Cycle CyclesOf(Cycle begin, Cycle end) const { return std::max<Cycle>(0, std::min(end, to) - std::max(begin, from)); }
  /// How many words of a packet whose first one is on a link of `lanes` lanes in cycle `first` are on it in them.
  int WordsOf(Cycle first, int words, int lanes) const {
    return to > from ? WordsBefore(to, first, words, lanes) - WordsBefore(from, first, words, lanes) : 0;
  }
  /// The part of them that a cycle of theirs is in; the last one may be longer than the others.
  int BatchOf(Cycle cycle) const {
    return static_cast<int>(std::min<Cycle>(kLatencyBatches - 1, (cycle - from) / batch_cycles));
  }

  Cycle from = 0;
  Cycle to = kNever;
  Cycle batch_cycles = 1;
};

/// Of a traffic class; latencies are of packets created in the measured cycles.
struct ClassStatistics {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(sent, delivered, words, latency, network);
  }

  std::int64_t sent = 0;  ///< packets put on the NICs' links, without copies
  std::int64_t delivered = 0;
  std::int64_t words = 0;    ///< received in the measured cycles
  LatencyHistogram latency;  ///< from the creation to the last word
  LatencyHistogram network;  ///< from the first word on the NIC's link
};

struct Statistics {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(classes, background, batches, drops, lost, resent, duplicates, hops, flit_hops, offered_words,
            accepted_words, background_words, background_inside, jobs, history, samples, counters);
  }

  std::int64_t sent() const;
  std::int64_t delivered() const;
  std::int64_t dropped() const;
  std::int64_t in_flight() const { return sent() + resent - delivered() - duplicates - dropped() - lost; }

  std::array<ClassStatistics, golden::kMaxClasses> classes;
  ClassStatistics background;  ///< of synthetic traffic beside jobs, which is in its class too
  std::array<LatencyBatch, kLatencyBatches> batches;
  std::array<std::int64_t, 16> drops{};  ///< by reason
  std::int64_t lost = 0;                 ///< on links that went down, or cut there
  std::int64_t resent = 0;               ///< copies put on the NICs' links
  std::int64_t duplicates = 0;           ///< copies that came after their packet was there
  std::int64_t hops = 0;                 ///< switches that the delivered packets passed
  std::int64_t flit_hops = 0;            ///< words taken by links of switches
  std::int64_t offered_words = 0;        ///< of packets created in the measured cycles
  std::int64_t accepted_words = 0;       ///< received in the measured cycles
  std::int64_t background_words = 0;     ///< of packets of the background created in the measured cycles
  std::int64_t background_inside = 0;    ///< packets of the background under way, copies too
  std::vector<workload::JobStatistics> jobs;
  TrafficHistory history;  ///< of synthetic traffic; else empty
  Samples samples;         ///< when they are kept
  std::vector<std::vector<std::int64_t>> counters;  ///< sums of the program's own, in the order of Counters()
};

// Whoever adds a member adds it to Serialize.
static_assert(sizeof(ClassStatistics) == 3 * sizeof(std::int64_t) + 2 * sizeof(LatencyHistogram));
static_assert(sizeof(LatencyBatch) == 2 * sizeof(std::int64_t));
static_assert(sizeof(Statistics) == (golden::kMaxClasses + 1) * sizeof(ClassStatistics) +
                                        kLatencyBatches * sizeof(LatencyBatch) + (16 + 9) * sizeof(std::int64_t) +
                                        sizeof(std::vector<workload::JobStatistics>) + sizeof(TrafficHistory) + sizeof(Samples) +
                                        sizeof(std::vector<std::vector<std::int64_t>>));

inline std::int64_t Statistics::sent() const {
  std::int64_t sum = 0;
  for (const ClassStatistics& one : classes) sum += one.sent;
  return sum;
}
inline std::int64_t Statistics::delivered() const {
  std::int64_t sum = 0;
  for (const ClassStatistics& one : classes) sum += one.delivered;
  return sum;
}
inline std::int64_t Statistics::dropped() const {
  std::int64_t sum = 0;
  for (const std::int64_t count : drops) sum += count;
  return sum;
}

}  // namespace tilefly::network
