// SPDX-License-Identifier: Apache-2.0
// Messages for the crossbar tests: who sends what to whom in a cycle, within the bounds that the pages give the senders.
#pragma once

#include <cstdint>
#include <vector>

#include "golden/common/types.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

/// A message that says where it goes, where it comes from, and which of the pair's it is.
struct Message {
  static constexpr int kSequenceBits = 20;
  static Message Of(std::uint32_t bits) {
    return {static_cast<int>(bits >> 26), static_cast<int>(bits >> 20 & 63), bits & ((1u << kSequenceBits) - 1)};
  }
  std::uint32_t bits() const {
    return static_cast<std::uint32_t>(destination) << 26 | static_cast<std::uint32_t>(source) << 20 | sequence;
  }
  int destination;
  int source;
  std::uint32_t sequence;
};

/// Books of the messages under way in an arbitrated crossbar.
class ColumnTraffic {
 public:
  explicit ColumnTraffic(const Profile& profile)
      : profile_(profile),
        geometry_(profile),
        pair_limit_(profile.request_credits * profile.vls),
        destination_limit_(profile.cells + profile.copy_entries),
        sent_(static_cast<std::size_t>(profile.ports * profile.ports)),
        arrived_(sent_.size()),
        under_way_(static_cast<std::size_t>(profile.ports)) {}

  /// The destination that `source` sends to in this cycle, -1: none. What sources like changes from stretch to stretch:
  /// all ports, the ports of the column, or one that many like.
  int Choose(const Stimulus& random, Cycle cycle, int column, int source) const {
    const auto index = static_cast<std::uint32_t>(source);
    const Cycle stretch = cycle / 400;
    const bool together = random.Chance(64, "together", cycle / 50);  // a short rush of all to one port
    if (!together && !random.Spell("leave", cycle, index)) return -1;
    int destination = static_cast<int>(random.Below(static_cast<std::uint64_t>(profile_.ports), "destination", cycle, index));
    const std::uint64_t taste = together ? 2 : random.Below(4, "taste", stretch, index);
    if (taste >= 1) destination = InColumn(column, destination);
    if (taste >= 2) {
      const std::uint64_t liked = random.Below(static_cast<std::uint64_t>(profile_.ports), "liked", stretch, taste & 1);
      destination = InColumn(column, static_cast<int>(liked));
    }
    return MaySend(source, destination) ? destination : -1;
  }

  /// Whether a further message can be due: it answers one of the pair's requests, and a queue entry of the destination.
  bool MaySend(int source, int destination) const {
    return Outstanding(source, destination) < pair_limit_ &&
           under_way_[static_cast<std::size_t>(destination)] < destination_limit_;
  }
  Message Send(int source, int destination) {
    ++under_way_[static_cast<std::size_t>(destination)];
    return {destination, source, sent_[Pair(source, destination)]++ & ((1u << Message::kSequenceBits) - 1)};
  }
  void Arrive(const Message& message) {
    --under_way_[static_cast<std::size_t>(message.destination)];
    ++arrived_[Pair(message.source, message.destination)];
  }
  int Outstanding(int source, int destination) const {
    return static_cast<int>(sent_[Pair(source, destination)] - arrived_[Pair(source, destination)]);
  }
  int pair_limit() const { return pair_limit_; }
  int destination_limit() const { return destination_limit_; }
  const golden::Geometry& geometry() const { return geometry_; }

 private:
  std::size_t Pair(int source, int destination) const { return static_cast<std::size_t>(source * profile_.ports + destination); }
  /// The port of the column in the same row and lane.
  int InColumn(int column, int port) const {
    return geometry_.port(geometry_.row[static_cast<std::size_t>(port)], 2 * column + geometry_.lane(port));
  }

  const Profile& profile_;
  golden::Geometry geometry_;
  int pair_limit_;
  int destination_limit_;
  std::vector<std::uint32_t> sent_, arrived_;
  std::vector<int> under_way_;
};

}  // namespace tilefly::bench
