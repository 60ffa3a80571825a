// SPDX-License-Identifier: Apache-2.0
#include "network/traffic_history.h"

#include <algorithm>

namespace tilefly::network {

void TrafficBin::operator+=(const TrafficBin& other) {
  created += other.created;
  sent += other.sent;
  received += other.received;
  lost += other.lost;
  packets += other.packets;
  cycles += other.cycles;
}

HistoryCut HistoryCut::For(Cycle begin, Cycle cycles) {
  HistoryCut cut{begin, begin + cycles, kLeastShift, kLeastShift};
  const auto fits = [&](std::int32_t shift, int bins) { return ((cycles - 1) >> shift) < bins; };
  while (!fits(cut.shift, kMostBins)) ++cut.shift;
  while (!fits(cut.source_shift, kSourceBins)) ++cut.source_shift;
  return cut;
}

void TrafficHistory::Fold(const HistoryCut& from, const HistoryCut& to) {
  const auto by = static_cast<unsigned>(to.shift - from.shift);
  for (std::vector<TrafficBin>& bins : classes_) {
    if (bins.empty()) continue;
    std::vector<TrafficBin> folded(((bins.size() - 1) >> by) + 1);
    for (std::size_t i = 0; i < bins.size(); ++i) folded[i >> by] += bins[i];
    bins = std::move(folded);
  }
  const auto sources_by = static_cast<unsigned>(to.source_shift - from.source_shift);
  if (sources_by == 0) return;
  for (SourceBins& bins : sources_) {
    SourceBins folded{};
    for (std::size_t i = 0; i < bins.size(); ++i) folded[i >> sources_by] += bins[i];
    bins = folded;
  }
}

}  // namespace tilefly::network
