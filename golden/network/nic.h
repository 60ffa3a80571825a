// SPDX-License-Identifier: Apache-2.0
// The NIC of an endpoint: injection queue, credits of its link, a sink that never holds back (docs/network.md, Cycles).
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "golden/credit/credit_sender.h"
#include "golden/network/host.h"
#include "golden/network/messages.h"
#include "golden/network/ring.h"
#include "golden/network/statistics.h"
#include "golden/network/traffic.h"

namespace tilefly::golden {

/// What all NICs of a run have in common.
struct NicSetup {
  const Traffic* traffic;
  const HostSetup* hosts;
  int clock_khz;
  CreditTable credits;                           ///< of the switch's input buffer
  std::array<std::uint8_t, kMaxClasses> lane{};  ///< of each class, on the NIC's link
  std::vector<std::uint32_t> addresses;          ///< of all endpoints
  RouteMode mode;
  std::uint64_t flows;  ///< that the packets of a source belong to, in turn
  int mtu_cells;
  int lanes;    ///< of the NICs' links
  Cycle begin;  ///< of traffic
  Cycle end;    ///< nothing is sent from here on
  Measured measured;
};

class Nic {
 public:
  struct Counters {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(packets, words, measured_words, stalled_cycles, measured_stalled, measured_busy, acks, acked_cycles);
    }

    std::int64_t packets = 0;           ///< request packets
    std::int64_t words = 0;             ///< request flits
    std::int64_t measured_words = 0;    ///< put on the link in the measured cycles
    std::int64_t stalled_cycles = 0;    ///< a packet was ready and its lane had no credit
    std::int64_t measured_stalled = 0;  ///< of these, in the measured cycles
    std::int64_t measured_busy = 0;     ///< measured cycles in which the link was sending
    std::int64_t acks = 0;              ///< that came back
    Cycle acked_cycles = 0;             ///< sum of their cycles on the link, less those in which packets were sent
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
  /// An ack that is on the link in a later cycle.
  void TakeAck(const LinkAck& ack) {
    ++counters_.acks;
    counters_.acked_cycles += ack.wire;
  }
  /// A packet comes in; its last word is there in cycle `last`. Returns the credits for it, as they leave.
  LinkCredit Sink(Cycle last, int vl, int cells);
  /// It is one of a message for the endpoint's host.
  void TakeMessage(const PacketRecord& record, Cycle last, Statistics* statistics);

  /// What was created before the end of traffic and never sent.
  struct Queue {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(packets, words, measured_words, early_words);
    }

    std::int64_t packets = 0;
    std::int64_t words = 0;
    std::int64_t measured_words = 0;  ///< of packets created in the measured cycles
    std::int64_t early_words = 0;     ///< of packets created before
  };
  Queue Remaining() const;

  int endpoint() const { return endpoint_; }
  const Counters& counters() const { return counters_; }
  const CreditSender& credits() const { return credits_; }
  /// The host, null when there is none.
  const Host* host() const { return host_.get(); }
  /// After the last cycle: takes the credits that are still under way on its link, and counts a stall that did not end.
  void Settle();
  /// A packet waits for a credit of this lane, -1: none does.
  int blocked_lane() const { return blocked_since_ == kNever ? -1 : setup_->lane[packet_.tc]; }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(due_, send_due_, link_since_, link_free_, blocked_since_, source_, packet_, counters_, returning_, credits_,
            freed_);
    if (host_) archive(*host_);
  }

 private:
  void Fetch();
  void FetchFrom(const Host& host);
  void SetDue(Cycle ready);
  std::optional<Start> ActWithHost(Cycle now, Statistics* statistics);
  std::optional<Start> Send(Cycle now, Statistics* statistics);
  HeaderBits HeaderOf() const;
  void EndStall(Cycle now);

  const NicSetup* setup_;
  int endpoint_;
  Cycle due_ = kNever;
  Cycle send_due_ = kNever;  ///< the part of `due_` that is the injection queue's
  Cycle link_since_ = 0;     ///< the last packet's first word is on the link
  Cycle link_free_ = 0;      ///< and its words are gone
  Cycle blocked_since_ = kNever;
  Traffic::Source source_;
  Traffic::NewPacket packet_{};  ///< head of the injection queue
  std::unique_ptr<Host> host_;   ///< whose messages it sends, null: synthetic traffic
  Counters counters_;
  Ring<LinkCredit> returning_;
  CreditSender credits_;
  std::array<std::uint16_t, kMaxLanes> freed_{};
};

// Whoever adds a member adds it to Serialize.
static_assert(sizeof(Nic::Counters) == 8 * sizeof(std::int64_t));
static_assert(sizeof(Nic::Queue) == 4 * sizeof(std::int64_t));

}  // namespace tilefly::golden
