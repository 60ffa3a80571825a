// SPDX-License-Identifier: Apache-2.0
// Journeys of packets on links that repeat: of those in replay buffers, until the far end has accepted them
// (docs/network.md, Journeys).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "network/journey.h"

namespace tilefly::network {

/// A direction of a link, by its receiving end: a port of a switch, or the NIC at the port.
struct LinkDirection {
  std::int32_t node;
  std::uint8_t port;
  bool to_nic;
};

/// Of a process. A direction's packets are used by the thread that has its sender, what the far end has accepted by the
/// thread that has the receiver.
class HeldJourneys {
 public:
  HeldJourneys(int nodes, int ports)
      : ports_(static_cast<std::size_t>(ports)), senders_(2 * nodes * ports_), receivers_(senders_.size()) {}

  // Of the sender.

  /// The replay buffer gets packet `seq` since link up.
  void Hold(const LinkDirection& direction, int seq, Journey journey);
  /// An attempt of packet `seq` starts, whose first word is at the far end in cycle `wire`. Returns the packet's
  /// journey, which knows its first attempt; none: nobody follows the packet.
  std::optional<Journey> Start(const LinkDirection& direction, int seq, Cycle wire);
  /// The packets that were taken before packet `first` leave the replay buffer.
  void Release(const LinkDirection& direction, int first);
  /// The replay buffer is empty.
  void ReleaseAll(const LinkDirection& direction) {
    if (Sender* const own = SenderOf(direction)) own->held.clear();
  }
  /// The link is down, and the replay buffer is lost: Lose and Settle tell what becomes of its packets.
  void Drop(const LinkDirection& direction);
  /// The journey of packet `seq` of the lost buffer, which the far end has not accepted; none: nobody follows it.
  std::optional<Journey> Lose(const LinkDirection& direction, int seq);
  /// The far end has accepted all other packets of the lost buffer.
  void Settle(const LinkDirection& direction) {
    if (Sender* const own = SenderOf(direction)) own->dropped.clear();
  }

  // Of the receiver.

  /// An attempt is accepted.
  void Accept(const LinkDirection& direction) { ++receivers_[PlaceOf(direction)].accepted; }
  /// The link is down.
  void End(const LinkDirection& direction) {
    Receiver& own = receivers_[PlaceOf(direction)];
    own.accepted_before = std::exchange(own.accepted, 0);
  }

  /// After the run: calls `visit(journey)` for the packets that are not accepted as far as this process knows.
  template <typename Visit>
  void ForEachMissing(Visit&& visit) const {
    for (std::size_t i = 0; i < senders_.size(); ++i) {
      if (senders_[i] == nullptr) continue;
      for (const One& one : senders_[i]->held) {
        if (IsMissing(one.seq, receivers_[i].accepted)) visit(one.journey);
      }
      for (const One& one : senders_[i]->dropped) {
        if (IsMissing(one.seq, receivers_[i].accepted_before)) visit(one.journey);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNumbers = 1 << 11;

  struct One {
    int seq;
    Journey journey;
  };
  struct Sender {
    std::deque<One> held, dropped;
  };
  struct Receiver {
    std::uint32_t accepted = 0, accepted_before = 0;  ///< since link up; between the link up before and link down
  };

  std::size_t PlaceOf(const LinkDirection& direction) const {
    return 2 * (static_cast<std::size_t>(direction.node) * ports_ + direction.port) + (direction.to_nic ? 1 : 0);
  }
  /// Null: none of its packets was followed.
  Sender* SenderOf(const LinkDirection& direction) { return senders_[PlaceOf(direction)].get(); }
  /// Whether packet `seq` is none of the `accepted` first ones.
  static bool IsMissing(int seq, std::uint32_t accepted) {
    return (static_cast<std::uint32_t>(seq) - accepted) % kNumbers < kNumbers / 2;
  }

  std::size_t ports_;
  std::vector<std::unique_ptr<Sender>> senders_;
  std::vector<Receiver> receivers_;
};

}  // namespace tilefly::network
