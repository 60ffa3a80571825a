// SPDX-License-Identifier: Apache-2.0
// What a run of a system counts. Sums and histograms only, so that no order of events shows.
#pragma once

#include <array>
#include <cstdint>

#include "golden/common/generated/registers.h"
#include "golden/common/types.h"
#include "support/latency.h"

namespace tilefly::golden {

/// Cycles [from, to) that loads and latencies are of.
struct Measured {
  bool Has(Cycle cycle) const { return cycle >= from && cycle < to; }
  Cycle from = 0;
  Cycle to = kNever;
};

/// Of a traffic class; latencies are of packets created in the measured cycles.
struct ClassStatistics {
  std::int64_t sent = 0;  ///< packets put on the NICs' links
  std::int64_t delivered = 0;
  std::int64_t words = 0;    ///< received in the measured cycles
  LatencyHistogram latency;  ///< from the creation to the last word
  LatencyHistogram network;  ///< from the first word on the NIC's link
};

struct Statistics {
  std::int64_t sent() const;
  std::int64_t delivered() const;
  std::int64_t dropped() const;
  std::int64_t in_flight() const { return sent() - delivered() - dropped(); }

  std::array<ClassStatistics, kMaxClasses> classes;
  std::array<std::int64_t, 16> drops{};  ///< by reason
  std::int64_t hops = 0;                 ///< switches that the delivered packets passed
  std::int64_t flit_hops = 0;            ///< words taken by links of switches
  std::int64_t offered_words = 0;        ///< of packets created in the measured cycles
  std::int64_t accepted_words = 0;       ///< received in the measured cycles
  std::int64_t queued_before = 0;        ///< words that waited in the source queues when measuring began
};

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

}  // namespace tilefly::golden
