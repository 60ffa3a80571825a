// SPDX-License-Identifier: Apache-2.0
#include "network/steadiness.h"

#include <algorithm>
#include <cmath>

namespace tilefly::network {
namespace {

using Bins = std::vector<TrafficBin>;

template <typename Value>
Series SeriesOf(const Bins& bins, std::size_t from, Value&& value) {
  Series series;
  for (std::size_t i = from; i < bins.size(); ++i) series.push_back(value(bins[i]));
  return series;
}

/// The series of a history, from a bin on. Rates are words a cycle.
struct SeriesMaker {
  Series Latency(std::size_t from) const {
    return SeriesOf(bins, from, [](const TrafficBin& bin) {
      return SeriesBin{static_cast<double>(bin.cycles), static_cast<double>(bin.packets)};
    });
  }
  Series Accepted(std::size_t from) const {
    return Rate(from, [](const TrafficBin& bin) { return bin.received; });
  }
  Series Missing(std::size_t from) const {
    return Rate(from, [](const TrafficBin& bin) { return bin.created - bin.received; });
  }
  Series Growth(std::size_t from) const {
    return Rate(from, [](const TrafficBin& bin) { return bin.created - bin.received - bin.lost; });
  }
  template <typename Words>
  Series Rate(std::size_t from, Words&& words) const {
    return SeriesOf(bins, from, [&](const TrafficBin& bin) {
      return SeriesBin{static_cast<double>(words(bin)), width};
    });
  }

  const Bins& bins;
  double width;
};

/// More is created than received, whatever chance does, and what waits grows with it up to the end.
bool IsSaturated(const SeriesMaker& of, std::size_t from) {
  const auto grows = [](const Series& series, double level) {
    const BatchMeans means = BatchMeansOf(series, level);
    return means.known() && means.mean > means.half_width;
  };
  const std::size_t half = from + (of.bins.size() - from) / 2;
  return grows(of.Missing(from), SteadyFrame::kSureLevel) && grows(of.Growth(from), SteadyFrame::kSureLevel) &&
         grows(of.Growth(half), SteadyFrame::kLevel);
}

/// Where a whole series is steady. What of the warm-up lies behind bin `measured` counts for nothing when leaving it
/// out too moves the mean by less than one in a hundred, or by less than is known.
struct SteadyFrom {
  SteadyFrom(const Series& series, std::size_t measured)
      : detected(WarmUpOf(series)), from(std::max(measured, detected.value_or(series.size() / 2))) {
    constexpr double kLeastShare = 0.01;
    const Series rest(series.begin() + static_cast<std::ptrdiff_t>(from), series.end());
    const BatchMeans means = BatchMeansOf(rest, SteadyFrame::kLevel);
    if (std::abs(MeanOf(series, measured) - means.mean) <= std::max(kLeastShare * means.mean, means.half_width))
      from = measured;
  }

  std::optional<std::size_t> detected;
  std::size_t from;
};

/// Packets have hardly come through: a steady state cannot be told from a system that fills. Of one that is saturated
/// from the start the first half's mean latency is a quarter of the time at most.
bool IsTooShort(const SeriesMaker& of) {
  constexpr double kLeastLatencies = 3.5;
  constexpr std::int64_t kLeastPackets = 30;
  const std::size_t half = of.bins.size() / 2;
  std::int64_t packets = 0;
  for (std::size_t i = 0; i < half; ++i) packets += of.bins[i].packets;
  if (packets < kLeastPackets) return true;
  const Series latency = of.Latency(0);
  const double early = MeanOf(Series(latency.begin(), latency.begin() + static_cast<std::ptrdiff_t>(half)));
  return !(static_cast<double>(latency.size()) * of.width >= kLeastLatencies * early);
}

/// What is in the way of convergence.
void Doubt(const SeriesMaker& of, std::size_t measured, SteadyPart* part) {
  const auto doubt = [&](SteadyDoubt which, bool latency = false) {
    part->doubt = which;
    part->doubt_is_latency = latency;
  };
  if (of.bins.size() < measured + BatchMeans::kLeastBatches) return doubt(SteadyDoubt::kTooShort);
  if (part->latency.batches == 0) return doubt(SteadyDoubt::kNothingReceived);
  if (IsTooShort(of)) return doubt(SteadyDoubt::kTooShort);
  const SteadyFrom latency(of.Latency(0), measured);
  const SteadyFrom accepted(of.Accepted(0), measured);
  if (latency.detected && accepted.detected)
    part->warm_up = static_cast<Cycle>(static_cast<double>(std::max(*latency.detected, *accepted.detected)) * of.width);
  if (std::max(latency.from, accepted.from) > measured)
    return doubt(part->warm_up ? SteadyDoubt::kLongWarmUp : SteadyDoubt::kNoSteadyPart);
  // A batch that is shorter than a packet's way shows little of how much neighbours depend on one another.
  const double way = static_cast<double>(of.bins.size() - measured) * of.width / BatchMeans::kLeastBatches;
  for (const bool is_latency : {true, false}) {
    const BatchMeans& means = is_latency ? part->latency : part->accepted;
    if (!means.settled() && !(means.known() && way >= part->latency.mean))
      return doubt(SteadyDoubt::kCorrelated, is_latency);
  }
  for (const bool is_latency : {true, false}) {
    const BatchMeans& means = is_latency ? part->latency : part->accepted;
    if (means.half_width > SteadyFrame::kMostWidth * means.mean) return doubt(SteadyDoubt::kWide, is_latency);
  }
  const BatchMeans growth = BatchMeansOf(of.Growth(measured), SteadyFrame::kSureLevel);
  if (growth.mean > growth.half_width) doubt(SteadyDoubt::kGrowing);
}

/// What waits has grown by more than a network near its bound still fills after the warm-up.
bool HasGrown(const SteadyPart& part) {
  constexpr double kLeastGrowth = 0.2;
  const double before = part.sources_before + part.network_before;
  return part.sources_after + part.network_after >= (1 + kLeastGrowth) * before;
}

/// There is too little for any verdict.
bool IsUnknown(SteadyDoubt doubt) { return doubt == SteadyDoubt::kTooShort || doubt == SteadyDoubt::kNothingReceived; }

SteadyPart JudgePart(int tc, const Bins& bins, const HistoryCut& cut, std::size_t measured) {
  SteadyPart part;
  part.tc = tc;
  const SeriesMaker of{bins, static_cast<double>(cut.width())};
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const auto at_sources = static_cast<double>(bins[i].created - bins[i].sent);
    const auto in_network = static_cast<double>(bins[i].sent - bins[i].received - bins[i].lost);
    if (i < measured) part.sources_before += at_sources, part.network_before += in_network;
    part.sources_after += at_sources, part.network_after += in_network;
  }
  part.offered = MeanOf(of.Rate(measured, [](const TrafficBin& bin) { return bin.created; }));
  part.latency = BatchMeansOf(of.Latency(measured), SteadyFrame::kLevel);
  part.accepted = BatchMeansOf(of.Accepted(measured), SteadyFrame::kLevel);
  part.missing = BatchMeansOf(of.Missing(measured), SteadyFrame::kLevel);
  const std::size_t there = bins.size() - static_cast<std::size_t>(part.missing.batches) * part.missing.bins;
  part.created_there = MeanOf(of.Rate(there, [](const TrafficBin& bin) { return bin.created; }));
  part.received_there = MeanOf(of.Accepted(there));
  part.cycles_there = static_cast<Cycle>(bins.size() - there) * cut.width();
  Doubt(of, measured, &part);
  if (!IsUnknown(part.doubt) && HasGrown(part) && IsSaturated(of, SteadyFrom(of.Accepted(0), measured).from)) {
    part.verdict = SteadyVerdict::kSaturated;
    part.doubt = SteadyDoubt::kNone;
  } else if (part.doubt == SteadyDoubt::kNone) {
    part.verdict = SteadyVerdict::kConverged;
  }
  return part;
}

/// Endpoints of which more and more waits: one part in twenty and more of what one of them offers, and twice as much as
/// is on its way in the mean; by means of the bins after the warm-up at a level that is shared among all of them.
std::vector<int> StarvedSources(const TrafficHistory& history, const HistoryCut& cut, const SteadyFrame& frame,
                                double offered, double latency) {
  constexpr double kLeastShare = 0.05;
  constexpr double kLeastLatencies = 2;
  constexpr double kChance = 0.01;
  constexpr int kLeastBins = 6;
  const Cycle width = Cycle{1} << cut.source_shift;
  const auto from = static_cast<std::size_t>((frame.warmup + width - 1) / width);
  const auto to = std::min<std::size_t>(HistoryCut::kSourceBins, static_cast<std::size_t>(frame.cycles / width));
  std::vector<int> starved;
  if (to < from + kLeastBins) return starved;
  const auto count = static_cast<double>(to - from);
  const double endpoints = static_cast<double>(history.sources().size());
  const double factor = StudentFactor(static_cast<int>(to - from), 1 - kChance / endpoints);
  const double least = kLeastShare * offered / endpoints * static_cast<double>(width);
  for (std::size_t source = 0; source < history.sources().size(); ++source) {
    const TrafficHistory::SourceBins& bins = history.sources()[source];
    double sum = 0, late = 0, squares = 0;
    for (std::size_t i = from; i < to; ++i) {
      sum += bins[i];
      if (2 * i >= from + to) late += bins[i];
    }
    const double mean = sum / count;
    if (sum < kLeastLatencies * latency * offered / endpoints) continue;
    if (mean <= least || late <= least * count / 2) continue;
    for (std::size_t i = from; i < to; ++i) squares += (bins[i] - mean) * (bins[i] - mean);
    if (mean > factor * std::sqrt(squares / (count - 1) / count)) starved.push_back(static_cast<int>(source));
  }
  return starved;
}

}  // namespace

std::optional<Steadiness> JudgeSteadiness(const TrafficHistory& history, const HistoryCut& cut,
                                          const SteadyFrame& frame) {
  const auto whole = static_cast<std::size_t>(frame.cycles / cut.width());
  const auto measured = static_cast<std::size_t>((frame.warmup + cut.width() - 1) / cut.width());
  Bins all(whole);
  std::vector<std::pair<int, Bins>> classes;
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    Bins bins = history.of_class(tc);
    if (bins.empty()) continue;
    bins.resize(whole);
    for (std::size_t i = 0; i < whole; ++i) all[i] += bins[i];
    classes.emplace_back(tc, std::move(bins));
  }
  if (classes.empty()) return std::nullopt;
  Steadiness result;
  result.parts.push_back(JudgePart(-1, all, cut, std::min(measured, whole)));
  if (classes.size() > 1) {
    for (const auto& [tc, bins] : classes) result.parts.push_back(JudgePart(tc, bins, cut, std::min(measured, whole)));
  }
  for (std::size_t i = 0; i < result.parts.size(); ++i) {
    const SteadyVerdict worst = result.worst().verdict, own = result.parts[i].verdict;
    const bool says_more = own == worst && own != SteadyVerdict::kConverged && result.worst_part == 0;
    if (own > worst || says_more) result.worst_part = i;
  }
  result.verdict = result.worst().verdict;
  const SteadyPart& all_packets = result.parts.front();
  if (!IsUnknown(all_packets.doubt))
    result.starved = StarvedSources(history, cut, frame, all_packets.offered, all_packets.latency.mean);
  if (!result.starved.empty()) result.verdict = SteadyVerdict::kSaturated;
  return result;
}

}  // namespace tilefly::network
