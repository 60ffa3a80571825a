// SPDX-License-Identifier: Apache-2.0
// The NIC of an endpoint: injection queues, credits of its link, packets that wait for their acks, a sink that never
// holds back (docs/network.md, Cycles, Queues of a NIC, Outstanding packets).
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "golden/credit/credit_sender.h"
#include "network/channels.h"
#include "network/host.h"
#include "network/message_routing.h"
#include "network/messages.h"
#include "network/ring.h"
#include "network/sample_frame.h"
#include "network/statistics.h"
#include "network/traffic.h"
#include "traffic/stream_queues.h"

namespace tilefly::network {

/// What all NICs of a run have in common.
struct NicSetup {
  const Traffic* traffic;
  const HostSetup* hosts;
  bool background;  ///< beside jobs, endpoints without a rank send synthetic traffic
  const std::vector<ReductionJob>* reductions;  ///< by job; none: nobody reduces in switches
  int clock_khz;
  golden::CreditTable credits;                           ///< of the switch's input buffer
  std::array<std::uint8_t, golden::kMaxClasses> lane{};   ///< of each class, on the NIC's link
  std::array<std::uint8_t, golden::kMaxClasses> queue{};  ///< of each class
  std::vector<std::uint32_t> addresses;          ///< of all endpoints
  RouteMode mode;
  std::uint64_t flows;                         ///< that the packets of a source belong to, in turn
  int window;                                  ///< packets outstanding, 0: no limit
  ChannelSetup channels;                       ///< none: an ack is anybody's
  const workload::AppAwareOptions* app_aware;  ///< of the choice for each message, null: all packets have `mode`
  int mtu_cells;
  int lanes;    ///< of the NICs' links
  Cycle begin;  ///< of traffic
  Cycle end;    ///< no packet is sent for the first time from here on
  Measured measured;
  HistoryCut history;   ///< of synthetic traffic
  const SampleFrame* samples;  ///< null: no time series are kept
  bool ends_with_loss;  ///< a packet that is dropped has ended: nothing is sent again
};

class Nic {
 public:
  struct Counters {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(packets, words, measured_words, stalled_cycles, measured_stalled, window_cycles, measured_window,
              measured_busy, acks, late_acks, acked_cycles, resends, given_up, duplicates, messages, message_bytes,
              biased_messages, biased_bytes);
    }

    std::int64_t packets = 0;           ///< request packets, copies too
    std::int64_t words = 0;             ///< request flits
    std::int64_t measured_words = 0;    ///< put on the link in the measured cycles
    std::int64_t stalled_cycles = 0;    ///< a packet was ready and its lane had no credit
    std::int64_t measured_stalled = 0;  ///< of these, in the measured cycles
    std::int64_t window_cycles = 0;     ///< a packet was ready and the window was full, or no channel was free for it
    std::int64_t measured_window = 0;   ///< of these, in the measured cycles
    std::int64_t measured_busy = 0;     ///< measured cycles in which the link was sending
    std::int64_t acks = 0;              ///< that came back for packets
    std::int64_t late_acks = 0;         ///< of copies, when the packet was outstanding no longer
    Cycle acked_cycles = 0;  ///< sum of the acks' cycles on the link, less those in which the packets were sent
    std::int64_t resends = 0;
    std::int64_t given_up = 0;    ///< packets that were not acknowledged after the last of their resends
    std::int64_t duplicates = 0;  ///< received: copies of packets that had come
    std::int64_t messages = 0;    ///< whose mode was chosen
    std::int64_t message_bytes = 0;
    std::int64_t biased_messages = 0;  ///< of these, with high bias
    std::int64_t biased_bytes = 0;
  };

  /// What starts on the link.
  struct Start {
    PacketRecord record;
    golden::HeaderBits header;
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
  void TakeAck(const LinkAck& ack);
  /// A packet comes in; its last word is there in cycle `last`. Returns the credits for it, as they leave.
  LinkCredit Sink(Cycle last, int vl, int cells);
  /// Whether it is the first of its copies; all that come are asked for.
  bool IsNew(const PacketRecord& record);
  /// It is one of a message for the endpoint's host.
  void TakeMessage(const PacketRecord& record, Cycle last, Statistics* statistics);
  /// It is a reduction packet for it.
  void TakeReduction(const RedPacket& packet, Cycle last);
  /// The reduction packet that has just started.
  RedPacket TakeStarted();

  /// What was created before the end of traffic and never sent; the packets of a plan later ones too.
  struct Queue {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(packets, words, measured_words, background_words);
    }

    std::int64_t packets = 0;
    std::int64_t words = 0;
    std::int64_t measured_words = 0;    ///< of packets created in the measured cycles
    std::int64_t background_words = 0;  ///< of these, those of a background
  };
  Queue Remaining() const;
  /// Packets of a plan are left that are created when traffic is over.
  bool late() const { return IsPlan() && FirstReady() != kNever && FirstReady() >= setup_->end; }
  /// Adds what waits to be sent for the first time and was created before `end` to what was created.
  void AddWaiting(Cycle end, TrafficHistory* history) const;
  /// The same of all that was created before the end of traffic.
  void AddWaiting(Samples* samples) const;
  /// What was on its link before cycle `end`, which is behind all that it has started.
  struct Sent {
    std::int64_t words;
    std::int64_t packets;
  };
  Sent SentBefore(Cycle end) const;

  int endpoint() const { return endpoint_; }
  const Counters& counters() const { return counters_; }
  const golden::CreditSender& credits() const { return credits_; }
  /// The host, null when there is none.
  const Host* host() const { return host_.get(); }
  /// After the last cycle: takes the credits that are still under way on its link, and counts a wait that did not end.
  void Settle();
  /// The host, or the NIC for it, does something at a time that is known.
  bool working() const { return host_ != nullptr && std::min(host_->due(), send_due_) < setup_->end; }
  /// There are packets, and none of them can start for want of credit.
  bool without_credit() const { return (wait_ & kCredit) != 0; }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(due_, send_due_, link_since_, link_free_, wait_since_, wait_, outstanding_, stream_, heads_, queued_, turn_,
            counters_, returning_, acks_, credits_, freed_);
    if (host_) archive(*host_);
    if (channels_) archive(*channels_);
    if (sequences_) archive(*sequences_, *arrivals_);
    if (message_routing_) archive(*message_routing_, mode_);
  }

 private:
  template <typename Visit>
  void ForEachToCome(Cycle end, Visit&& visit) const;

  using Queues = StreamQueues<Traffic::Source, golden::kMaxClasses>;
  /// What packets that are ready wait for while none starts, a bit each.
  using Waits = std::uint8_t;
  static constexpr Waits kCredit = 1, kWindow = 2;
  /// First packet of an injection queue.
  struct Head {
    Traffic::NewPacket packet;
    Cycle ready;  ///< it may be sent from here on
  };
  /// What may start, or what holds back all that is ready.
  struct Choice {
    int again = -1;  ///< channel of a packet that is sent again
    int queue = -1;  ///< of a new packet
    int flow = -1;   ///< which it gets
    Waits waits = 0;
  };
  struct AckDue {
    Cycle wire;
    std::int32_t flow;
  };

  void Count(Cycle now);
  void CountAck(const AckDue& ack);
  void FetchFromHost();
  void Open(const Traffic::Source& source);
  void Fill(Cycle now);
  void SetHead(int queue);
  void Pop(int queue, Cycle now);
  void ChooseMode();
  Cycle FirstReady() const;
  Cycle NextTry(Cycle now) const;
  Cycle NextChance(Cycle now) const;
  Cycle NextArrival(Cycle now) const;
  std::optional<Start> Send(Cycle now, Statistics* statistics);
  Choice Choose(Cycle now) const;
  void ChooseNew(Cycle now, Queues::Mask held, Choice* choice) const;
  void WaitFor(Waits waits, Cycle now);
  void CountWait(Cycle now);
  Start StartNew(int queue, int flow, Cycle now, Statistics* statistics);
  Start StartAgain(int channel, Cycle now, Statistics* statistics);
  /// It sends synthetic traffic or a capture's.
  bool IsSynthetic() const { return host_ == nullptr && (setup_->background || !setup_->hosts->used()); }
  bool IsPlan() const { return !setup_->hosts->used() && setup_->traffic->IsPlan(); }
  static bool IsReduction(const Traffic::NewPacket& packet) { return packet.destination == kNobody; }
  bool LaneOk(int lane) const { return credits_.LaneOk(lane, setup_->credits, setup_->mtu_cells); }
  /// A host's packets are of one class.
  int QueueOf(int tc) const { return host_ != nullptr ? 0 : setup_->queue[tc]; }
  /// Words of the packet that was put on the link last.
  int LatestWords() const { return static_cast<int>((link_free_ - link_since_) * setup_->lanes / 4); }
  Start StartReduction(Cycle now);
  Start Put(const SentPacket& packet, int flow, Cycle now);
  int Occupy(const Header& header, Cycle now);
  void CountLink();

  const NicSetup* setup_;
  int endpoint_;
  Cycle due_ = kNever;
  Cycle send_due_ = kNever;  ///< the part of `due_` that is the injection queues'
  Cycle link_since_ = 0;     ///< the last packet's first word is on the link
  Cycle link_free_ = 0;      ///< and its words are gone
  Cycle wait_since_ = 0;     ///< packets are ready and none starts, as `wait_` says
  Waits wait_ = 0;
  std::uint8_t turn_ = 0;         ///< queue that is looked at first
  RouteMode mode_;                ///< of the head
  std::int32_t outstanding_ = 0;  ///< packets, when they have no channels
  Queues::Mask used_ = 0;         ///< injection queues that get packets
  Queues::Mask queued_ = 0;       ///< of these, those that have a head
  Queues stream_;                 ///< of synthetic traffic or a capture
  std::array<Head, golden::kMaxClasses> heads_{};
  std::unique_ptr<Host> host_;  ///< whose messages it sends, null: synthetic traffic
  Counters counters_;
  Ring<LinkCredit> returning_;
  Ring<AckDue> acks_;  ///< to be counted
  golden::CreditSender credits_;
  std::array<std::uint16_t, golden::kMaxLanes> freed_{};
  std::unique_ptr<Channels> channels_;               ///< null when packets have none of their own
  std::unique_ptr<Sequences> sequences_;             ///< null when packets are not sent again
  std::unique_ptr<Arrivals> arrivals_;               ///< likewise
  std::unique_ptr<MessageRouting> message_routing_;  ///< null when all packets have one mode
};

// Whoever adds a member adds it to Serialize.
static_assert(sizeof(Nic::Counters) == 18 * sizeof(std::int64_t));
static_assert(sizeof(Nic::Queue) == 4 * sizeof(std::int64_t));

}  // namespace tilefly::network
