// SPDX-License-Identifier: Apache-2.0
// Checker of FLOW-1 to FLOW-13 of docs/blocks/flow_channel.md, where they speak of packets over time. It keeps books of
// its own of what is sent, held, acknowledged and lost; of golden's state it takes the throttle alone.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "golden/flows/flow_channels.h"

namespace tilefly::golden {

/// Watches a port from its reset on. Call its events in the order of the steps.
class FlowChecker {
 public:
  FlowChecker(const FlowChannels& channels, int port) : channels_(channels), port_(port) {}

  /// A counted packet came, which took the way `instead` or, without it, the way that it was routed.
  void Arrived(Cycle now, const FlowArrival& arrival, const FlowVerdict& verdict, const std::optional<FlowWay>& instead,
               Audit* audit);
  void Released(Cycle now, const FlowRelease& release, Audit* audit);
  void Acknowledged(Cycle now, const Ack& ack, const FlowAcked& acked, Audit* audit);
  /// The cycle is over, with the registers as it began.
  void EndCycle(Cycle now, const FlowEnd& end, Audit* audit);
  /// All channels against the books, after a cycle.
  void Check(Cycle now, Audit* audit) const;
  /// FLOW-1 of a port that is drained and lost nothing.
  void CheckDrained(Audit* audit) const;

 private:
  struct Packet {
    Index packet;
    int cells;
    std::uint32_t key;
  };
  /// A generation's packets in flight.
  struct Generation {
    std::int64_t cells = 0;
    Cycle oldest = 0, newest = 0;  ///< when they were sent
  };
  struct Book {
    std::array<Generation, 2> sent;
    std::deque<Packet> held;
    std::int64_t held_cells = 0;
    std::uint32_t key = 0;
    bool throttled = false;
    bool begins = false;  ///< no ack has come
    bool fresh = false;   ///< nothing was in flight or held before the packet of this cycle
    int window = 0;
    Cycle taken = 0;  ///< when an ack has last taken cells of the generation before the present one
    bool marked = false;         ///< in this cycle, with cells in flight
    std::optional<FlowWay> way;  ///< of the ordered packets while it is busy

    std::int64_t in_flight() const { return sent[0].cells + sent[1].cells; }
    bool busy() const { return in_flight() > 0 || !held.empty(); }
    bool may_send() const { return !(throttled || begins) || in_flight() == 0 || in_flight() < window; }
  };

  bool IsClass(int number) const { return number >= 1 << channels_.parameters().sweep_bits; }
  const FlowState* StateOf(int number, const Book& book) const;
  void Send(Cycle now, Book* book, int number, bool gen, int cells, Audit* audit);
  void Follow(int number, Audit* audit);
  void Way(Book* book, const FlowWay& way, Audit* audit);

  const FlowChannels& channels_;
  int port_;
  std::map<int, Book> books_;                         ///< by number of the channel
  std::map<std::uint32_t, std::deque<Index>> waits_;  ///< packets held, by key, as they came
  std::set<int> touched_;                             ///< in this cycle
  int deadline_ = 0;                                  ///< L
  Cycle steady_since_ = 0;                            ///< L is what it is since then
};

}  // namespace tilefly::golden
