// SPDX-License-Identifier: Apache-2.0
// What became of the flows of a port, for the results of a run (docs/blocks/flow_channel.md, Results). The books of a flow
// begin with its first marked ack, or with its first packet that is held: so there are none of flows without congestion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "golden/flows/flow_channels.h"

namespace tilefly::golden {

/// A pair and class. Counts begin with the flow's books.
struct FlowBook {
  std::int64_t packets = 0;        ///< packets that came from the NIC
  std::int64_t bytes = 0;          ///< of their frames
  std::int64_t acked_packets = 0;  ///< acks that found cells in flight
  std::int64_t marked = 0;         ///< of these acks, those with a mark
  std::int64_t held = 0;           ///< packets that were held
  std::int64_t held_cycles = 0;    ///< sum over these packets, from event a + 18 to the release
  std::int64_t throttled_cycles = 0;   ///< cycles in which the flow's entry was throttled
  Cycle throttled_since = -1;          ///< -1: it is not
  std::int32_t held_cells = 0;         ///< cells that are held now
  std::int32_t most_held_cells = 0;
  std::int32_t least_window_cells = -1;  ///< of the flow's entry while it was throttled; -1: it never was
};

class FlowBooks {
 public:
  /// Step 1.
  void Packet(Cycle now, const FlowArrival& arrival, const FlowVerdict& verdict) {
    const std::uint32_t key = FlowTable::KeyOf(arrival.tc, arrival.destination);
    const auto found = books_.find(key);
    if (found == books_.end() && !verdict.held) return;
    FlowBook& own = found == books_.end() ? books_[key] : found->second;
    ++own.packets;
    own.bytes += arrival.bytes;
    if (!verdict.held) return;
    ++own.held;
    own.held_cells += arrival.cells;
    own.most_held_cells = std::max(own.most_held_cells, own.held_cells);
    held_[arrival.packet] = {key, now};
  }
  /// Step 2.
  void Released(Cycle now, const FlowRelease& release) {
    const auto held = held_.find(release.packet);
    FlowBook& own = books_[held->second.key];
    own.held_cells -= release.cells;
    own.held_cycles += now - held->second.since;
    held_.erase(held);
  }
  /// Step 3. `entry`: of the flow, null when it has none.
  void Acknowledged(Cycle now, const Ack& ack, const FlowAcked& acked, const FlowState* entry) {
    if (acked.stray) return;
    const std::uint32_t key = FlowTable::KeyOf(ack.tc, ack.dst);
    const auto found = books_.find(key);
    if (found == books_.end() && !ack.mark) return;
    FlowBook& own = found == books_.end() ? books_[key] : found->second;
    ++own.acked_packets;
    own.marked += ack.mark;
    if (ack.by_class || entry == nullptr || !entry->throttled) return;
    const int window = entry->window;
    own.least_window_cells = own.least_window_cells < 0 ? window : std::min(own.least_window_cells, window);
    if (own.throttled_since >= 0) return;
    own.throttled_since = now;
    throttled_.push_back(key);
  }
  /// Behind step 6: throttles that have ended in cycle `now`.
  void EndCycle(Cycle now, const FlowChannels& channels) {
    const auto over = [&](std::uint32_t key) {
      const FlowState* const entry = channels.EntryOf(key);
      if (entry != nullptr && entry->throttled) return false;
      FlowBook& own = books_[key];
      own.throttled_cycles += now - own.throttled_since;
      own.throttled_since = -1;
      return true;
    };
    throttled_.erase(std::remove_if(throttled_.begin(), throttled_.end(), over), throttled_.end());
  }
  /// Calls `visit(tc, destination, book)` for each flow, with what is held and throttled up to cycle `end`, in the order of
  /// classes and destinations.
  template <typename Visit>
  void ForEach(Cycle end, Visit&& visit) const {
    std::map<std::uint32_t, std::int64_t> waits;
    for (const auto& [packet, held] : held_) waits[held.key] += std::max<Cycle>(0, end - held.since);
    for (const auto& [key, book] : books_) {
      FlowBook own = book;
      if (const auto wait = waits.find(key); wait != waits.end()) own.held_cycles += wait->second;
      if (own.throttled_since >= 0) own.throttled_cycles += std::max<Cycle>(0, end - own.throttled_since);
      visit(FlowTable::ClassOf(key), FlowTable::DestinationOf(key), own);
    }
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(books_, held_, throttled_);
  }

 private:
  struct Held {
    std::uint32_t key = 0;
    Cycle since = 0;
  };

  std::map<std::uint32_t, FlowBook> books_;
  std::map<Index, Held> held_;            ///< by packet
  std::vector<std::uint32_t> throttled_;  ///< flows whose entries are throttled
};

}  // namespace tilefly::golden
