// SPDX-License-Identifier: Apache-2.0
// The NIC of an endpoint: injection queue, credits of its link, a sink that never holds back (docs/network.md, Cycles).
#pragma once

#include <array>
#include <optional>

#include "golden/credit/credit_sender.h"
#include "golden/network/messages.h"
#include "golden/network/ring.h"
#include "golden/network/statistics.h"
#include "golden/network/traffic.h"

namespace tilefly::golden {

/// What all NICs of a run have in common.
struct NicSetup {
  const Traffic* traffic;
  CreditTable credits;                           ///< of the switch's input buffer
  std::array<std::uint8_t, kMaxClasses> lane{};  ///< of each class, on the NIC's link
  std::vector<std::uint32_t> addresses;          ///< of all endpoints
  int mtu_cells;
  int lanes;    ///< of the NICs' links
  Cycle begin;  ///< of traffic
  Cycle end;    ///< nothing is sent from here on
  Measured measured;
};

class Nic {
 public:
  struct Counters {
    std::int64_t packets = 0;         ///< request packets
    std::int64_t words = 0;           ///< request flits
    std::int64_t measured_words = 0;  ///< put on the link in the measured cycles
    std::int64_t stalled_cycles = 0;  ///< a packet was ready and its lane had no credit
  };

  /// What starts on the link.
  struct Start {
    PacketRecord record;
    HeaderBits header;
    int words;
  };

  Nic(const NicSetup& setup, int endpoint);

  /// The cycle in which it is to act, kNever while nothing can happen by itself.
  Cycle due() const { return due_; }
  /// Decisions of cycle `now`: the packet whose first word is on the link in it, if one starts.
  std::optional<Start> Act(Cycle now, Statistics* statistics);
  /// A credit return that is on the link in a later cycle.
  void TakeCredit(const LinkCredit& credit);
  /// A packet comes in; its last word is there in cycle `last`. Returns the credits for it, as they leave.
  LinkCredit Sink(Cycle last, int vl, int cells);

  /// What was created before the end of traffic and never sent.
  struct Queue {
    std::int64_t packets = 0;
    std::int64_t words = 0;
    std::int64_t measured_words = 0;  ///< of packets created in the measured cycles
    std::int64_t early_words = 0;     ///< of packets created before
  };
  Queue Remaining() const;

  int endpoint() const { return endpoint_; }
  const Counters& counters() const { return counters_; }
  const CreditSender& credits() const { return credits_; }
  /// After the last cycle: takes the credits that are still under way on its link, and counts a stall that did not end.
  void Settle();
  /// A packet waits for a credit of this lane, -1: none does.
  int blocked_lane() const { return blocked_since_ == kNever ? -1 : setup_->lane[packet_.tc]; }

 private:
  void Fetch();
  Cycle Ready() const { return std::max(packet_.created, link_free_); }
  HeaderBits HeaderOf() const;

  const NicSetup* setup_;
  int endpoint_;
  Cycle due_ = kNever;
  Cycle link_free_ = 0;
  Cycle blocked_since_ = kNever;
  Traffic::Source source_;
  Traffic::NewPacket packet_{};  ///< head of the injection queue
  Counters counters_;
  Ring<LinkCredit> returning_;
  CreditSender credits_;
  std::array<std::uint16_t, kMaxLanes> freed_{};
};

}  // namespace tilefly::golden
