// SPDX-License-Identifier: Apache-2.0
#include "network/contexts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "golden/common/archive.h"

namespace tilefly::network {

Contexts::Contexts(const Wiring* wiring, const NicSetup* nics, int threads) : reds_(&store_) {
  for (int t = 0; t < threads; ++t)
    contexts_.push_back(std::make_unique<NodeContext>(NodeContext{wiring, nics, PacketRecords(&store_), reds_}));
}

void Contexts::Begin(std::function<Statistics()> zeros) {
  zeros_ = std::move(zeros);
  for (int t = 1; t < threads(); ++t) {
    NodeContext& own = (*this)[t];
    own.statistics = zeros_();
    own.counters = first().counters;
    own.faults = first().faults;
    if (first().journeys == nullptr) continue;
    journeys_.push_back(std::make_unique<Journeys>(first().journeys));
    own.journeys = journeys_.back().get();
  }
}

void Contexts::Fold() {
  if (threads() == 1) return;
  Samples& samples = first().statistics.samples;
  const bool sampled = samples.kept();
  int doublings = 0;
  for (const auto& one : contexts_) doublings = std::max(doublings, one->statistics.samples.doublings());
  if (sampled) samples.Double(doublings);
  for (int t = 1; t < threads(); ++t) {
    Statistics& own = (*this)[t].statistics;
    if (sampled) own.samples.Double(doublings);
    AddTo(&first().statistics, own);
    own = zeros_();
    if (sampled) own.samples.Double(doublings);
  }
}

void Contexts::CutAt(Cycle until) {
  for (const auto& one : contexts_) one->until = until;
}

void Contexts::SetProbe(NodeProbe* probe) {
  for (const auto& one : contexts_) one->probe = probe;
}

std::size_t Contexts::records() const {
  std::size_t free = reds_.free();
  for (const auto& one : contexts_) free += one->records.free();
  return store_.lent() - free;
}

void Contexts::KeepEnded(bool keep) {
  for (const auto& one : contexts_) one->journeys->KeepEnded(keep);
}

void Contexts::TellEnded(const Journeys::Listener& listener) {
  std::vector<Journeys::Ended> all;
  for (const auto& one : contexts_) {
    std::vector<Journeys::Ended> own = one->journeys->TakeEnded();
    all.insert(all.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  }
  Journeys::Tell(std::move(all), listener);
}

Journeys::Kept Contexts::KeptJourneys() const {
  Journeys::Kept kept;
  if (first().journeys == nullptr) return kept;
  for (const auto& one : contexts_) kept.Append(one->journeys->kept());
  kept.Append(first().journeys->KeptInside());
  return kept;
}

}  // namespace tilefly::network
