// SPDX-License-Identifier: Apache-2.0
// Time series of a run (docs/time-series.md): what classes, groups and links did in each of equal intervals. They are
// sums only, so no order of events matters. Their number is bounded: when a run is longer, two intervals become one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "generated/registers.h"
#include "golden/common/types.h"
#include "support/latency_buckets.h"

namespace tilefly::network {

/// What happened to packets in an interval. All words of a packet count at once: when it is created, when its first
/// word is on its NIC's link, when its last word is at the receiver.
struct FlowSample {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(created, sent, sent_packets, ended, received, received_packets, received_bytes, latency, load, buffered,
            throttled, held);
  }

  /// Adds the next interval to this one.
  void Join(const FlowSample& next);

  std::int64_t created = 0;  ///< words created
  std::int64_t sent = 0;     ///< words sent
  std::int64_t sent_packets = 0;
  std::int64_t ended = 0;     ///< words sent from here that are no longer under way: received or lost
  std::int64_t received = 0;  ///< words received
  std::int64_t received_packets = 0;
  std::int64_t received_bytes = 0;  ///< bytes of the frames received
  LatencyBuckets latency;           ///< of the packets received
  std::int64_t load = 0;            ///< cells requested of outputs and not granted, at the end; not known for a class
  std::int64_t buffered = 0;        ///< cells in input buffers at the end; not known for a class
  std::int64_t throttled = 0;       ///< flow channels that are throttled at the end; not known for a class
  std::int64_t held = 0;            ///< cells that flow channels hold at the end; not known for a class
};

/// What links did in an interval.
struct LinkSample {
  void Join(const LinkSample& next);

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(words, packets, load, buffered);
  }

  std::int64_t words = 0;     ///< words that were on the links
  std::int64_t packets = 0;   ///< packets whose first word was on the links
  std::int64_t load = 0;      ///< cells requested of the sending outputs and not granted, at the end
  std::int64_t buffered = 0;  ///< cells in the input buffers at the far ends, at the end
};

class Samples {
 public:
  static constexpr int kMostIntervals = 256;

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive.Largest(begin_, width_, doublings_);
    archive(classes_, groups_, links_);
  }

  /// Begins to keep intervals of `width` cycles from cycle `begin` on. Called before anything is counted.
  void Keep(Cycle begin, Cycle width, int groups, int links);
  bool kept() const { return width_ > 0; }
  Cycle begin() const { return begin_; }
  /// The cycles of an interval. They double when there would be more than kMostIntervals.
  Cycle width() const { return width_; }
  /// How often the width has doubled.
  int doublings() const { return doublings_; }
  /// Doubles the width until it has doubled `times` times.
  void Double(int times) {
    while (doublings_ < times) Fold();
  }
  /// The first end of an interval after cycle `at`.
  Cycle EndAfter(Cycle at) const { return begin_ + ((at - begin_) / width_ + 1) * width_; }
  /// Makes intervals long enough for all cycles before `now`.
  void Reach(Cycle now) { At(now - 1); }

  /// A packet that was created in cycle `created` has its first word on the link in `now`.
  void Start(int tc, int group, Cycle created, Cycle now, int words) {
    Create(tc, group, created, words);
    for (FlowSample* one : {&OfClass(tc, now), &OfGroup(group, now)}) {
      one->sent += words;
      ++one->sent_packets;
    }
  }
  /// Words were created in cycle `at` that have not been sent. Start also counts the creation of what it tells.
  void Create(int tc, int group, Cycle at, std::int64_t words) {
    OfClass(tc, at).created += words;
    OfGroup(group, at).created += words;
  }
  /// A packet's last word is at its receiver.
  void Receive(int tc, int from, int to, Cycle at, int words, int bytes, Cycle latency) {
    Lose(tc, from, at, words);
    for (FlowSample* one : {&OfClass(tc, at), &OfGroup(to, at)}) {
      one->received += words;
      ++one->received_packets;
      one->received_bytes += bytes;
      one->latency.Add(latency);
    }
  }
  /// A packet is lost.
  void Lose(int tc, int from, Cycle at, int words) {
    OfClass(tc, at).ended += words;
    OfGroup(from, at).ended += words;
  }

  /// The interval of a class (or group) that has cycle `at`.
  FlowSample& OfClass(int tc, Cycle at) {
    const std::size_t interval = At(at);
    return Of(&classes_[static_cast<std::size_t>(tc)], interval);
  }
  FlowSample& OfGroup(int group, Cycle at) {
    const std::size_t interval = At(at);
    return Of(&groups_[static_cast<std::size_t>(group)], interval);
  }

  /// Adds what a link did since the last call, up to cycle `end`. `load`: cells requested of the output that sends, at
  /// the end.
  void AddLink(int link, Cycle end, std::int64_t words, std::int64_t packets, int load);
  /// Adds the cells in the input buffer at the link's far end, before cycle `end`.
  void AddBuffered(int link, Cycle end, int cells);
  /// Adds the levels of some ports of the group, before cycle `end`.
  void AddLevels(int group, Cycle end, std::int64_t load, std::int64_t buffered);
  /// The same of their flow channels.
  void AddFlowLevels(int group, Cycle end, std::int64_t throttled, std::int64_t held);

  /// Ends the series in cycle `end`. The levels of the last interval are those told for this cycle.
  void End(Cycle end);
  /// The number of intervals, after the run has ended.
  int intervals() const { return intervals_; }

  const std::vector<FlowSample>& of_class(int tc) const { return classes_[static_cast<std::size_t>(tc)]; }
  const std::vector<std::vector<FlowSample>>& groups() const { return groups_; }
  const std::vector<std::vector<LinkSample>>& links() const { return links_; }

 private:
  /// The number of the interval that has the cycle. Makes room for it.
  std::size_t At(Cycle cycle) {
    if (cycle < latest_from_ || cycle >= latest_to_) FindAt(cycle);
    return latest_;
  }
  template <typename Sample>
  static Sample& Of(std::vector<Sample>* series, std::size_t interval) {
    if (interval >= series->size()) series->resize(interval + 1);
    return (*series)[interval];
  }
  void FindAt(Cycle cycle);
  bool IsLevelOf(Cycle end) const { return end == over_ || (end - begin_) % width_ == 0; }
  void Fold();

  Cycle begin_ = 0;
  Cycle width_ = 0;         ///< 0: no series are kept
  std::int32_t doublings_ = 0;
  Cycle over_ = kNever;     ///< end of the run; kNever: not known
  Cycle latest_from_ = 0;   ///< first cycle of the interval that was asked for last
  Cycle latest_to_ = 0;
  std::size_t latest_ = 0;  ///< number of that interval
  int intervals_ = 0;
  std::array<std::vector<FlowSample>, golden::kMaxClasses> classes_;
  std::vector<std::vector<FlowSample>> groups_;
  std::vector<std::vector<LinkSample>> links_;
};

}  // namespace tilefly::network
