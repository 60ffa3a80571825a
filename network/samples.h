// SPDX-License-Identifier: Apache-2.0
// Time series of a run (docs/time-series.md): what classes, groups and links did in each of equal intervals. Sums only,
// so that no order of events shows, and a bounded number of intervals: when a run is longer, two become one.
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

/// Of packets, in an interval. Words of a packet count whole: when it is created, when its first word is on its NIC's
/// link, when its last word is at the receiver.
struct FlowSample {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(created, sent, sent_packets, ended, received, received_packets, received_bytes, latency, load, buffered);
  }

  /// `next` is the interval after this one.
  void Join(const FlowSample& next);

  std::int64_t created = 0;  ///< words
  std::int64_t sent = 0;     ///< words
  std::int64_t sent_packets = 0;
  std::int64_t ended = 0;     ///< words sent from here that are under way no more: received or lost
  std::int64_t received = 0;  ///< words
  std::int64_t received_packets = 0;
  std::int64_t received_bytes = 0;  ///< of frames
  LatencyBuckets latency;           ///< of the packets received
  std::int64_t load = 0;            ///< cells requested of outputs and not granted, at its end; of classes not known
  std::int64_t buffered = 0;        ///< cells in input buffers, likewise
};

/// Of links, in an interval.
struct LinkSample {
  void Join(const LinkSample& next);

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(words, packets, load, buffered);
  }

  std::int64_t words = 0;     ///< that were on them
  std::int64_t packets = 0;   ///< whose first word was
  std::int64_t load = 0;      ///< cells requested of the outputs that send, and not granted, at its end
  std::int64_t buffered = 0;  ///< cells in the input buffers at the far ends, at its end
};

class Samples {
 public:
  static constexpr int kMostIntervals = 256;

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive.Largest(begin_, width_, doublings_);
    archive(classes_, groups_, links_);
  }

  /// Before anything is counted: intervals of `width` cycles from cycle `begin` on.
  void Keep(Cycle begin, Cycle width, int groups, int links);
  bool kept() const { return width_ > 0; }
  Cycle begin() const { return begin_; }
  /// Cycles of an interval; it doubles when there would be more than kMostIntervals.
  Cycle width() const { return width_; }
  /// How often it has doubled.
  int doublings() const { return doublings_; }
  /// Until it has so often.
  void Double(int times) {
    while (doublings_ < times) Fold();
  }
  /// The first end of an interval after cycle `at`.
  Cycle EndAfter(Cycle at) const { return begin_ + ((at - begin_) / width_ + 1) * width_; }
  /// Makes intervals long enough for all cycles before `now`.
  void Reach(Cycle now) { At(now - 1); }

  /// A packet that was created in cycle `created` begins to be sent in `now`.
  void Start(int tc, int group, Cycle created, Cycle now, int words) {
    Create(tc, group, created, words);
    for (FlowSample* one : {&OfClass(tc, now), &OfGroup(group, now)}) {
      one->sent += words;
      ++one->sent_packets;
    }
  }
  /// Words were created; one that has begun to be sent is told by Start.
  void Create(int tc, int group, Cycle at, std::int64_t words) {
    OfClass(tc, at).created += words;
    OfGroup(group, at).created += words;
  }
  /// A packet's last word is there.
  void Receive(int tc, int from, int to, Cycle at, int words, int bytes, Cycle latency) {
    Lose(tc, from, at, words);
    for (FlowSample* one : {&OfClass(tc, at), &OfGroup(to, at)}) {
      one->received += words;
      ++one->received_packets;
      one->received_bytes += bytes;
      one->latency.Add(latency);
    }
  }
  /// It is lost.
  void Lose(int tc, int from, Cycle at, int words) {
    OfClass(tc, at).ended += words;
    OfGroup(from, at).ended += words;
  }

  /// The interval of a class or group that a cycle is in.
  FlowSample& OfClass(int tc, Cycle at) {
    const std::size_t interval = At(at);
    return Of(&classes_[static_cast<std::size_t>(tc)], interval);
  }
  FlowSample& OfGroup(int group, Cycle at) {
    const std::size_t interval = At(at);
    return Of(&groups_[static_cast<std::size_t>(group)], interval);
  }

  /// What a link did before cycle `end`, since it was told last; `load`: of the output that sends, then.
  void AddLink(int link, Cycle end, std::int64_t words, std::int64_t packets, int load);
  /// Cells in the input buffer at the link's far end, before cycle `end`.
  void AddBuffered(int link, Cycle end, int cells);
  /// The same of some ports of the group.
  void AddLevels(int group, Cycle end, std::int64_t load, std::int64_t buffered);

  /// The run is over: nothing comes from cycle `end` on. Levels of the last interval are those told of this cycle.
  void End(Cycle end);
  /// Intervals of a run that has ended.
  int intervals() const { return intervals_; }

  const std::vector<FlowSample>& of_class(int tc) const { return classes_[static_cast<std::size_t>(tc)]; }
  const std::vector<std::vector<FlowSample>>& groups() const { return groups_; }
  const std::vector<std::vector<LinkSample>>& links() const { return links_; }

 private:
  /// The interval of a cycle; there is room for it then.
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
  Cycle width_ = 0;         ///< 0: nothing is kept
  std::int32_t doublings_ = 0;
  Cycle over_ = kNever;     ///< end of the run, when it is known
  Cycle latest_from_ = 0;   ///< the interval asked for last: its cycles
  Cycle latest_to_ = 0;
  std::size_t latest_ = 0;  ///< and its number
  int intervals_ = 0;
  std::array<std::vector<FlowSample>, golden::kMaxClasses> classes_;
  std::vector<std::vector<FlowSample>> groups_;
  std::vector<std::vector<LinkSample>> links_;
};

}  // namespace tilefly::network
