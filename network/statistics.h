// SPDX-License-Identifier: Apache-2.0
// What a run of a system counts. There are sums and histograms only, so no order of events matters.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "generated/registers.h"
#include "golden/common/types.h"
#include "network/retry_counts.h"
#include "network/samples.h"
#include "network/traffic_history.h"
#include "support/latency.h"
#include "workload/job_statistics.h"

namespace tilefly::network {

/// The latencies of the packets created in one of the equal parts of the measured cycles.
struct LatencyBatch {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(packets, cycles);
  }

  std::int64_t packets = 0;
  std::int64_t cycles = 0;  ///< sum of their latencies
};
inline constexpr int kLatencyBatches = 20;

/// How many words of a packet are on a link before cycle `end`. Its first word is on the link in cycle `first`; the
/// link has `lanes` lanes.
inline int WordsBefore(Cycle end, Cycle first, int words, int lanes) {
  if (end <= first) return 0;
  return end - first >= 4 * Cycle{words} ? words
                                         : std::min(words, golden::CeilDiv(static_cast<int>(end - first) * lanes, 4));
}

/// The measured cycles [from, to): loads and latencies are of these.
struct Measured {
  bool Has(Cycle cycle) const { return cycle >= from && cycle < to; }
  /// How many of the cycles [begin, end) are measured.
  Cycle CyclesOf(Cycle begin, Cycle end) const { return std::max<Cycle>(0, std::min(end, to) - std::max(begin, from)); }
  /// How many words of a packet are on the link in measured cycles. Its first word is on it in cycle `first`.
  int WordsOf(Cycle first, int words, int lanes) const {
    if (first >= from && first + 4 * Cycle{words} <= to) return words;  // nearly always
    return to > from ? WordsBefore(to, first, words, lanes) - WordsBefore(from, first, words, lanes) : 0;
  }
  /// The part of the measured cycles that has `cycle`. The last part may be longer than the others.
  int BatchOf(Cycle cycle) const {
    return static_cast<int>(std::min<Cycle>(kLatencyBatches - 1, (cycle - from) / batch_cycles));
  }

  Cycle from = 0;
  Cycle to = kNever;
  Cycle batch_cycles = 1;
};

/// Statistics of a traffic class. Latencies are of packets created in the measured cycles.
struct ClassStatistics {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(sent, delivered, words, latency, network);
  }

  std::int64_t sent = 0;  ///< packets put on the NICs' links, without resent copies
  std::int64_t delivered = 0;
  std::int64_t words = 0;    ///< words received in the measured cycles
  LatencyHistogram latency;  ///< from creation to last word, cycles
  LatencyHistogram network;  ///< from the first word on the NIC's link to the last word, cycles
};

struct Statistics {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(classes, background, batches, drops, lost, resent, duplicates, hops, flit_hops, offered_words,
            accepted_words, background_words, background_inside, jobs, history, samples, counters,
            retry, acks_on_links);
  }

  std::int64_t sent() const;
  std::int64_t delivered() const;
  std::int64_t dropped() const;
  std::int64_t in_flight() const { return sent() + resent - delivered() - duplicates - dropped() - lost; }

  std::array<ClassStatistics, golden::kMaxClasses> classes;
  ClassStatistics background;  ///< synthetic traffic beside jobs; counted in its class, too
  std::array<LatencyBatch, kLatencyBatches> batches;
  std::array<std::int64_t, 16> drops{};  ///< packets, by drop reason
  std::int64_t lost = 0;                 ///< packets on links that went down, or cut there
  std::int64_t resent = 0;               ///< copies put on the NICs' links
  std::int64_t duplicates = 0;           ///< copies that came after another copy of their packet
  std::int64_t hops = 0;                 ///< switches that the delivered packets passed
  std::int64_t flit_hops = 0;            ///< words taken by links of switches
  std::int64_t offered_words = 0;        ///< words of packets created in the measured cycles
  std::int64_t accepted_words = 0;       ///< words received in the measured cycles
  std::int64_t background_words = 0;     ///< words of background packets created in the measured cycles
  std::int64_t background_inside = 0;    ///< packets beside the jobs under way, copies included
  std::vector<workload::JobStatistics> jobs;
  TrafficHistory history;  ///< of synthetic traffic; empty for other traffic
  Samples samples;         ///< time series, when they are kept
  std::vector<std::vector<std::int64_t>> counters;  ///< sums of a user's counters, in the order of Counters()
  RetryCounts retry;                                ///< of links that repeat what is damaged
  std::int64_t acks_on_links = 0;                   ///< acks, once for each link that carries them
};

// Whoever adds a member adds it to Serialize.
static_assert(sizeof(ClassStatistics) == 3 * sizeof(std::int64_t) + 2 * sizeof(LatencyHistogram));
static_assert(sizeof(LatencyBatch) == 2 * sizeof(std::int64_t));
static_assert(sizeof(Statistics) == (golden::kMaxClasses + 1) * sizeof(ClassStatistics) +
                                        kLatencyBatches * sizeof(LatencyBatch) + (16 + 10) * sizeof(std::int64_t) +
                                        sizeof(std::vector<workload::JobStatistics>) + sizeof(TrafficHistory) + sizeof(Samples) +
                                        sizeof(std::vector<std::vector<std::int64_t>>) + sizeof(RetryCounts));

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
