// SPDX-License-Identifier: Apache-2.0
// The flow account of a switch's edge ports (docs/blocks/acks.md): cells that each of a port's 1024 flow channels has
// in the network, and the path that its ordered packets keep meanwhile. Cells whose packet or ack was lost are forgotten
// by the port's deadline (docs/blocks/link_retry.md, Receiver).
//
// Only channels with cells in flight are kept, in one table for all ports of the switch: a port without traffic costs
// nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "golden/common/audit.h"
#include "golden/common/prefetch.h"
#include "golden/common/types.h"

namespace tilefly::golden {

/// A way that was chosen for a packet.
struct FlowPath {
  std::uint32_t destination;  ///< fabric address
  std::uint16_t via;          ///< as the header has it
  std::uint8_t port;
  bool via_valid;
};

/// A channel with cells in flight.
struct FlowChannel {
  std::uint32_t cells;
  FlowPath path;    ///< valid when path_valid
  bool path_valid;  ///< the packet that found no cells in flight was ordered, and decided
  bool used;        ///< the place of the table is in use
  std::uint16_t key;
  Cycle heard;        ///< cycle of its latest packet or ack
};

class FlowAccount {
 public:
  static constexpr int kFlowBits = 10;
  /// Largest number of cells that a channel counts.
  static constexpr std::uint32_t kMostCells = (1u << 20) - 1;
  /// Cycles of a sweep: in each cycle a port looks at one flow.
  static constexpr Cycle kSweep = Cycle{1} << kFlowBits;

  /// What is called from here on are events of cycle `now`, or reads of the state that earlier events left. Cells whose
  /// deadline was in an earlier cycle are forgotten.
  void Advance(Cycle now) {
    now_ = now;
    if (next_due_ < now) Forget(now - 1);
  }
  /// Cells of a flow of the port are forgotten after so many sweeps without packet and ack, 0: never. Call it after all
  /// other events of the cycle.
  void SetDeadline(int port, int sweeps);
  int sweeps(int port) const { return deadlines_.empty() ? 0 : deadlines_[static_cast<std::size_t>(port)].sweeps; }

  /// The channel, or null when it has no cells in flight.
  const FlowChannel* Find(int port, int flow) const {
    if (places_.empty()) return nullptr;
    const FlowChannel& place = places_[PlaceOf(KeyOf(port, flow))];
    return place.used ? &place : nullptr;
  }
  /// A packet of `cells` cells enters. When its flow has no cells in flight, the flow keeps `path`; null: it keeps no
  /// path.
  void Enter(int port, int flow, int cells, const FlowPath* path);
  /// An ack of `cells` cells arrives: these cells are no longer in flight.
  void Acknowledge(int port, int flow, int cells);
  /// A packet of `cells` cells that entered was broken off: these cells were never in flight. The flow is as idle as it
  /// was.
  void Uncount(int port, int flow, int cells);

  /// How often the port has looked at the flow since its latest packet or ack.
  Cycle IdleSweeps(const FlowChannel& channel) const {
    return LooksBefore(now_, channel) - LooksBefore(channel.heard + 1, channel);
  }

  /// Channels with cells in flight.
  std::size_t size() const { return used_; }
  /// Cells that the flow has in flight.
  std::uint32_t cells(int port, int flow) const {
    const FlowChannel* channel = Find(port, flow);
    return channel == nullptr ? 0 : channel->cells;
  }
  /// Calls `visit(port, flow, channel)` for every channel with cells in flight.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (const FlowChannel& place : places_) {
      if (place.used) visit(place.key >> kFlowBits, place.key & ((1 << kFlowBits) - 1), place);
    }
  }
  void Prefetch() const { golden::Prefetch(places_); }
  /// Checks ACK-2, as far as the account alone shows it.
  void Check(Audit* audit) const;

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(places_, used_, shift_, deadlines_, now_, next_due_);
  }

 private:
  struct Deadline {
    Cycle since = 0;  ///< cycle in which `sweeps` was written
    int sweeps = 0;
  };

  static std::uint16_t KeyOf(int port, int flow) { return static_cast<std::uint16_t>(port << kFlowBits | flow); }
  std::size_t Home(std::uint16_t key) const { return (key * 0x9E3779B1u) >> shift_; }
  /// Place of the key in the table, or the free place where the key would be.
  std::size_t PlaceOf(std::uint16_t key) const {
    std::size_t at = Home(key);
    while (places_[at].used && places_[at].key != key) at = (at + 1) & (places_.size() - 1);
    return at;
  }
  /// Looks at the channel's flow in cycles before `end`.
  static Cycle LooksBefore(Cycle end, const FlowChannel& channel) {
    return (end - 1 - (channel.key & (kSweep - 1)) + kSweep) / kSweep;
  }
  Cycle DueOf(const FlowChannel& channel) const;
  void Forget(Cycle last);
  FlowChannel* Take(int port, int flow, int cells);
  void Grow();
  void Remove(std::size_t at);

  std::vector<FlowChannel> places_;  ///< open addressing, a power of two, at most half in use
  std::size_t used_ = 0;
  int shift_ = 32;
  std::vector<Deadline> deadlines_;  ///< by port; empty: no port has one
  Cycle now_ = 0;
  Cycle next_due_ = kNever;  ///< no cells are forgotten before this cycle
};

}  // namespace tilefly::golden
