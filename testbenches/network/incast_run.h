// SPDX-License-Identifier: Apache-2.0
// Endpoints that all send to one, and a victim that shares their links and not their destination.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "testbenches/network/congestion_run.h"

namespace tilefly::network {

/// Words that come to hosts, by source and destination, in windows of cycles of traffic.
class WordsProbe final : public NodeProbe {
 public:
  static constexpr Cycle kWindow = 1000;

  explicit WordsProbe(const Network& network) : begin_(network.nics().begin) {}
  void Stepped(int, Cycle, const golden::Switch&) override {}
  void ToldCredit(int, int, const LinkCredit&) override {}
  bool NeedsSteps() const override { return false; }
  void HandsOver(const PacketRecord& record, Cycle last) override {
    words_[{record.source, record.destination}][(last - begin_) / kWindow] += record.words;
    last_[record.source] = last - begin_;
    to_[record.destination][(last - begin_) / kWindow] += record.words;
  }

  /// The share of the destination's word slots that packets of `source` took in the cycles of traffic [from, to); -1: of
  /// all sources.
  double Share(int source, int destination, Cycle from, Cycle to) {
    const std::map<Cycle, std::int64_t>& all = source < 0 ? to_[destination] : words_[{source, destination}];
    std::int64_t sum = 0;
    const auto end = all.lower_bound(to / kWindow);
    for (auto one = all.lower_bound(from / kWindow); one != end; ++one) sum += one->second;
    return static_cast<double>(sum) / static_cast<double>(to - from);
  }

  /// The cycle of traffic in which the last word of a source came.
  Cycle LastOf(int source) { return last_[source]; }

 private:
  const Cycle begin_;
  std::map<int, Cycle> last_;
  std::map<std::pair<int, int>, std::map<Cycle, std::int64_t>> words_;
  std::map<int, std::map<Cycle, std::int64_t>> to_;
};

/// Who sends in an incast, and how long.
struct Incast {
  int destination = 0;
  std::vector<int> contributors;
  int victim = -1, victim_to = -1;  ///< -1: there is none
  int length = 4096 + 62;           ///< of a frame
  Cycle stop = 80'000;              ///< contributors make packets before this cycle of traffic, at load 1
  int on = 0;                       ///< so many of them do so to the end
  Cycle end = 80'000;
  Cycle settled = 30'000;           ///< cycle of traffic from which on shares are measured
};

/// Packets from `source` that take `load` of its link, in the cycles of traffic [from, to).
inline void FillLink(int source, int destination, int length, double load, Cycle from, Cycle to,
                     TrafficOptions* traffic) {
  const double gap = SlotCyclesOf(WordsOf(length), 4) / load;
  for (int i = 0; from + static_cast<Cycle>(i * gap) < to; ++i)
    traffic->plan.push_back({from + static_cast<Cycle>(i * gap), source, destination, length});
}

inline NetworkOptions OptionsOf(const Incast& incast, bool on) {
  NetworkOptions options = WithAcks();
  options.cycles = incast.end;
  options.congestion.on = on;
  for (std::size_t i = 0; i < incast.contributors.size(); ++i) {
    const Cycle to = static_cast<int>(i) < incast.on ? incast.end : incast.stop;
    FillLink(incast.contributors[i], incast.destination, incast.length, 1, 0, to, &options.traffic);
  }
  if (incast.victim >= 0)
    FillLink(incast.victim, incast.victim_to, incast.length, 0.5, 0, incast.end, &options.traffic);
  return options;
}

/// Of `dragonfly:p=4,a=4,h=2`: endpoint 0 gets packets of a switch of each of `count` other groups; the victim is beside
/// the first contributor, and sends to the destination's switch.
inline Incast IntoOneGroup(int count) {
  Incast incast;
  for (int i = 0; i < count; ++i) {
    const int group = 1 + i % 8, at = 4 * group + (i + i / 8) % 4;
    incast.contributors.push_back(4 * at + i / 8);
  }
  incast.victim = incast.contributors[0] + 3;
  incast.victim_to = 1;
  return incast;
}

}  // namespace tilefly::network
