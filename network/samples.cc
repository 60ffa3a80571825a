// SPDX-License-Identifier: Apache-2.0
#include "network/samples.h"

namespace tilefly::network {
namespace {

/// Two intervals become one; of levels the later one's counts, whatever was told of it so far.
template <typename Sample>
void FoldSeries(std::vector<Sample>* series) {
  std::vector<Sample> folded((series->size() + 1) / 2);
  const Sample none{};
  for (std::size_t i = 0; i < folded.size(); ++i) {
    folded[i] = std::move((*series)[2 * i]);
    folded[i].Join(2 * i + 1 < series->size() ? (*series)[2 * i + 1] : none);
  }
  *series = std::move(folded);
}

/// Exactly so many intervals; what is beyond is of the last one.
template <typename Sample>
void CutSeries(std::vector<Sample>* series, std::size_t intervals) {
  for (; series->size() > intervals; series->pop_back()) (*series)[series->size() - 2].Join(series->back());
  series->resize(intervals);
}

}  // namespace

void FlowSample::Join(const FlowSample& next) {
  created += next.created;
  sent += next.sent;
  sent_packets += next.sent_packets;
  ended += next.ended;
  received += next.received;
  received_packets += next.received_packets;
  received_bytes += next.received_bytes;
  latency += next.latency;
  load = next.load;
  buffered = next.buffered;
  throttled = next.throttled;
  held = next.held;
}

void LinkSample::Join(const LinkSample& next) {
  words += next.words;
  packets += next.packets;
  load = next.load;
  buffered = next.buffered;
}

void Samples::Keep(Cycle begin, Cycle width, int groups, int links) {
  begin_ = begin;
  width_ = width;
  groups_.resize(static_cast<std::size_t>(groups));
  links_.resize(static_cast<std::size_t>(links));
}

void Samples::FindAt(Cycle cycle) {
  while ((cycle - begin_) / width_ >= kMostIntervals) Fold();
  latest_ = static_cast<std::size_t>((cycle - begin_) / width_);
  latest_from_ = begin_ + static_cast<Cycle>(latest_) * width_;
  latest_to_ = latest_from_ + width_;
}

void Samples::Fold() {
  for (auto& series : classes_) FoldSeries(&series);
  for (auto& series : groups_) FoldSeries(&series);
  for (auto& series : links_) FoldSeries(&series);
  width_ *= 2;
  ++doublings_;
  latest_from_ = latest_to_ = 0;
}

void Samples::AddLink(int link, Cycle end, std::int64_t words, std::int64_t packets, int load) {
  LinkSample& own = Of(&links_[static_cast<std::size_t>(link)], At(end - 1));
  own.words += words;
  own.packets += packets;
  if (IsLevelOf(end)) own.load += load;
}

void Samples::AddBuffered(int link, Cycle end, int cells) {
  const std::size_t interval = At(end - 1);
  if (IsLevelOf(end)) Of(&links_[static_cast<std::size_t>(link)], interval).buffered += cells;
}

void Samples::AddLevels(int group, Cycle end, std::int64_t load, std::int64_t buffered) {
  FlowSample& own = OfGroup(group, end - 1);
  if (!IsLevelOf(end)) return;
  own.load += load;
  own.buffered += buffered;
}

void Samples::AddFlowLevels(int group, Cycle end, std::int64_t throttled, std::int64_t held) {
  FlowSample& own = OfGroup(group, end - 1);
  if (!IsLevelOf(end)) return;
  own.throttled += throttled;
  own.held += held;
}

void Samples::End(Cycle end) {
  over_ = std::max(end, begin_ + 1);
  At(over_ - 1);
  intervals_ = static_cast<int>((over_ - 1 - begin_) / width_) + 1;
  const auto count = static_cast<std::size_t>(intervals_);
  for (auto& series : classes_) {
    if (!series.empty()) CutSeries(&series, count);
  }
  for (auto& series : groups_) CutSeries(&series, count);
  for (auto& series : links_) CutSeries(&series, count);
}

}  // namespace tilefly::network
