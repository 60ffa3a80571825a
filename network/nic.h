// SPDX-License-Identifier: Apache-2.0
// The NIC of an endpoint (docs/network.md, Cycles, Queues of a NIC, Outstanding packets). It has injection queues, the
// credits of its link, the packets that wait for their acks, and a sink that takes each packet at once.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "golden/credit/credit_sender.h"
#include "network/channels.h"
#include "network/host.h"
#include "network/message_routing.h"
#include "network/messages.h"
#include "network/nic_repeats.h"
#include "network/pair_numbers.h"
#include "network/paused_flows.h"
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
  bool background;  ///< true: endpoints without a rank send synthetic traffic beside the jobs
  bool ends_with_jobs;  ///< true: something is sent beside the jobs that do not repeat
  const std::vector<ReductionJob>* reductions;  ///< by job; empty: no job reduces in switches
  int clock_khz;                                ///< clock of the switches, in kHz
  golden::CreditTable credits;                  ///< of the switch's input buffer, in cells
  std::array<std::uint8_t, golden::kMaxClasses> lane{};   ///< by class: its lane on the NIC's link
  std::array<std::uint8_t, golden::kMaxClasses> queue{};  ///< by class: its injection queue
  std::vector<std::uint32_t> addresses;  ///< by endpoint
  RouteMode mode;                        ///< routing mode of the packets
  std::uint64_t flows;    ///< flows of a source; its packets belong to them in turn
  int window;             ///< most packets outstanding; 0: no limit
  ChannelSetup channels;  ///< a count of 0: acks do not name their packets; each makes room for one
  NumberSetup numbers;    ///< with a window: packets carry numbers by which receivers know copies
  const workload::AppAwareOptions* app_aware;  ///< how each message chooses its mode; null: all packets have `mode`
  int mtu_cells;               ///< cells of the longest packet
  int lanes;                   ///< SerDes lanes of the NICs' links
  Cycle begin;                 ///< first cycle of traffic
  Cycle end;                   ///< from this cycle on no packet is sent for the first time
  Measured measured;           ///< measured cycles
  HistoryCut history;          ///< intervals of the history of synthetic traffic
  const SampleFrame* samples;  ///< null: no time series are kept
  bool ends_with_loss;         ///< true: a dropped packet has ended, because no packet is sent again
  bool pauses;                 ///< ports send pauses of flows
  int most_aside;              ///< most packets, or messages, of paused flows that a NIC puts aside
};

class Nic {
 public:
  struct Counters {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(packets, words, measured_words, stalled_cycles, measured_stalled, window_cycles, measured_window,
              measured_busy, acks, late_acks, acked_cycles, resends, given_up, duplicates, late_copies, messages,
              message_bytes, biased_messages, biased_bytes, measured_retry, throttled_cycles,
              measured_throttled, pauses);
    }

    std::int64_t packets = 0;           ///< packets put on the link, resent copies included
    std::int64_t words = 0;             ///< words of these packets
    std::int64_t measured_words = 0;    ///< of these words, those put on the link in the measured cycles
    std::int64_t stalled_cycles = 0;    ///< cycles in which a packet was ready and its lane had no credit
    std::int64_t measured_stalled = 0;  ///< of these cycles, the measured ones
    std::int64_t window_cycles = 0;     ///< cycles in which a packet was ready, and the window full or no channel free
    std::int64_t measured_window = 0;   ///< of these cycles, the measured ones
    std::int64_t measured_busy = 0;     ///< measured cycles in which the link was sending
    std::int64_t acks = 0;              ///< acks that came back for packets
    std::int64_t late_acks = 0;         ///< acks of copies whose packet was no longer outstanding
    Cycle acked_cycles = 0;             ///< sum over acks: cycles from first word to ack, on the NIC's link
    std::int64_t resends = 0;           ///< packets sent again
    std::int64_t given_up = 0;          ///< packets without an ack after their last resend
    std::int64_t duplicates = 0;        ///< received copies of packets that had come before
    std::int64_t late_copies = 0;       ///< of these copies, those of packets that never came before
    std::int64_t messages = 0;          ///< messages for which a mode was chosen
    std::int64_t message_bytes = 0;     ///< bytes of these messages
    std::int64_t biased_messages = 0;   ///< of these messages, those with high bias
    std::int64_t biased_bytes = 0;      ///< bytes of the messages with high bias
    std::int64_t measured_retry = 0;    ///< measured cycles in which the link sent words again, or its end held packets
    /// Cycles in which a packet was ready, none waited for credit or the window, and one waited for its paused flow.
    std::int64_t throttled_cycles = 0;
    std::int64_t measured_throttled = 0;  ///< of these cycles, the measured ones
    std::int64_t pauses = 0;              ///< pauses of flows that came
  };

  /// A packet that starts on the link.
  struct Start {
    PacketRecord record;
    golden::HeaderBits header;
    int words;
    Cycle held = 0;  ///< cycles since it was created, and since the packet before, in which the link was held by retry
    Cycle throttled = 0;  ///< of these cycles, those in which ready packets waited for nothing but the end of pauses
  };

  Nic(const NicSetup& setup, int endpoint);

  /// The link sends damaged words again: `repeats` is the NIC's end of it, has the NIC's credits, and must outlive the NIC.
  void UseRepeats(NicRepeats* repeats) { repeats_ = repeats; }
  /// Null when the link damages no words.
  NicRepeats* repeats() const { return repeats_; }
  golden::CreditSender* account() { return &credits_; }
  /// SerDes lanes that the NIC sends on.
  int lanes() const { return repeats_ != nullptr ? repeats_->sender().lanes() : setup_->lanes; }
  /// From cycle `cycle` on other packets may start than before, because of credits that came or of what `repeats` does.
  void TellLink(Cycle cycle);
  /// From cycle `cycle` on `repeats` sends words again, or no longer does.
  void TellRepeats(Cycle cycle, bool again);

  /// The next cycle in which the NIC has to act; kNever while nothing can happen by itself.
  Cycle due() const { return due_; }
  /// Makes the decisions of cycle `now`. Returns the packet whose first word is on the link in `now`, if one starts.
  std::optional<Start> Act(Cycle now, Statistics* statistics);
  /// Takes a credit return that is on the link in a later cycle.
  void TakeCredit(const LinkCredit& credit);
  /// Takes an ack that is on the link in a later cycle.
  void TakeAck(const LinkAck& ack);
  /// The same, of an ack whose control slot came whole, in its cycle at the latest.
  void HearAck(const LinkAck& ack);
  /// Takes a pause of a flow that is on the link in a later cycle.
  void TakePause(const LinkPause& pause);
  /// The same, of a pause whose control slot came whole, in its cycle at the latest.
  void HearPause(const LinkPause& pause);
  /// Takes a packet of `cells` cells whose last word comes in cycle `last`. Returns the credit return that this causes.
  LinkCredit Sink(Cycle last, int vl, int cells);
  /// Whether this copy of a packet is the first that has come. Must be called once for each packet that comes.
  bool IsNew(const PacketRecord& record);
  /// Gives the endpoint's host a packet of a message; its last word came in cycle `last`.
  void TakeMessage(const PacketRecord& record, Cycle last, Statistics* statistics);
  /// Gives the endpoint's host a reduction packet; its last word came in cycle `last`.
  void TakeReduction(const RedPacket& packet, Cycle last);
  /// The reduction packet that `Act` has just started.
  RedPacket TakeStarted();

  /// Packets that were created before the end of traffic and never sent; of a plan also those created later.
  struct Queue {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(packets, words, measured_words, background_words);
    }

    std::int64_t packets = 0;
    std::int64_t words = 0;
    std::int64_t measured_words = 0;    ///< of packets created in the measured cycles
    std::int64_t background_words = 0;  ///< of these words, those of a background
  };
  Queue Remaining() const;
  /// Whether a plan has packets left that are created after the end of traffic.
  bool late() const { return IsPlan() && FirstReady() != kNever && FirstReady() >= setup_->end; }
  /// Adds to the created packets of `history` those that were created before cycle `end` and still wait for their first
  /// sending.
  void AddWaiting(Cycle end, TrafficHistory* history) const;
  /// Does the same for `samples`, with all packets that were created before the end of traffic.
  void AddWaiting(Samples* samples) const;
  /// What was on the NIC's link before a cycle.
  struct Sent {
    std::int64_t words;
    std::int64_t packets;
  };
  /// `end` must be later than the first word of the packet that the NIC started last.
  Sent SentBefore(Cycle end) const;

  int endpoint() const { return endpoint_; }
  const Counters& counters() const { return counters_; }
  const golden::CreditSender& credits() const { return credits_; }
  /// The host of the endpoint; null when it has none.
  const Host* host() const { return host_.get(); }
  /// Whether the run lasts until the endpoint's host is over: it has one, whose job does not repeat.
  bool IsOfJob() const { return host_ != nullptr && !host_->repeats(); }
  /// After the last cycle: takes the credits that are still on the NIC's link, and counts a wait that has not ended.
  void Settle();
  /// Whether the host of a job that does not repeat, or the NIC for the host, has to act in a cycle that is known.
  bool working() const { return IsOfJob() && std::min(host_->due(), send_due_) < setup_->end; }
  /// Whether a packet is outstanding that will time out.
  bool times_out() const { return channels_ && channels_->due() != kNever; }
  /// Packets that timed out, and have not been sent again.
  int to_send_again() const { return channels_ ? static_cast<int>(channels_->waiting().size()) : 0; }
  bool sends_again() const { return to_send_again() > 0; }
  /// Whether the NIC acts in a cycle that is known, whatever its link brings: not one that waits for the link.
  bool acts_alone() const { return times_out() || OpensChannel() || (!is_short() && !wants_link_ && due_ != kNever); }
  /// Whether there are packets that cannot start because their lanes have no credit.
  bool without_credit() const { return (wait_ & kCredit) != 0; }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(due_, send_due_, link_since_, link_free_, link_lanes_, wants_link_, wait_since_, wait_, outstanding_,
            stream_, heads_, queued_, turn_, counters_, returning_, acks_, credits_, freed_, held_,
            throttled_);
    if (host_) archive(*host_);
    if (channels_) archive(*channels_);
    if (sequences_) archive(*sequences_, *arrivals_);
    if (numbers_) archive(*numbers_, *arrivals_);
    if (message_routing_) archive(*message_routing_, mode_);
    if (pauses_) archive(*pauses_);
  }

 private:
  template <typename Visit>
  void ForEachToCome(Cycle end, Visit&& visit) const;

  using Queues = StreamQueues<Traffic::Source, golden::kMaxClasses>;
  /// What the ready packets wait for while no packet starts, one bit for each reason.
  using Waits = std::uint8_t;
  static constexpr Waits kCredit = 1, kWindow = 2;
  /// Beside them: the end of a link that repeats lets no ready packet start, or it sends words again.
  static constexpr Waits kHeld = 4, kAgain = 8;
  /// A ready packet's flow is paused.
  static constexpr Waits kPaused = 16;
  /// Cycles in which retry held the link, or packets waited for the end of pauses.
  struct Span {
    Cycle from, to;
  };
  /// First packet of an injection queue.
  struct Head {
    Traffic::NewPacket packet;
    Cycle ready;  ///< first cycle in which it may be sent
  };
  static constexpr PausedFlows::Key kNotAside = UINT32_MAX;
  /// The new packet that comes next in an injection queue.
  struct Next {
    std::optional<Traffic::NewPacket> packet{};  ///< empty: none may start
    PausedFlows::Key aside = kNotAside;          ///< flow of a packet that was put aside
    int message = Host::kCurrent;                ///< of a host: which of its messages the packet is of
  };
  /// The packet that may start, or what the ready packets wait for.
  struct Choice {
    int again = -1;  ///< channel of a packet to be sent again; -1: none
    int queue = -1;  ///< injection queue of a new packet; -1: none
    int flow = -1;   ///< flow that the new packet gets; with channels its channel
    Waits waits = 0;
    Next next{};     ///< the new packet
  };
  struct AckDue {
    Cycle wire;
    std::int32_t flow;
  };

  void Count(Cycle now);
  void CountAck(const AckDue& ack);
  void GiveUp(const SentPacket& packet);
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
  bool LinkIsFree(Cycle now);
  Choice Choose(Cycle now) const;
  void ChooseNew(Cycle now, Queues::Mask held, Choice* choice) const;
  Next NextOf(int queue, Cycle now, Waits* waits) const;
  Next NextOfHost(Cycle now, Waits* waits) const;
  void PutAside(Cycle now);
  void PutMessagesAside(Cycle now);
  bool HasMessageAside(int destination) const;
  Queues::Mask WithPackets() const;
  Cycle NextPauseChance(Cycle now) const;
  void WaitFor(Waits waits, Cycle now);
  void CountWait(Cycle now);
  static Cycle SumSince(Cycle created, const std::vector<Span>& spans);
  /// Whether packets wait for credit or the window.
  bool is_short() const { return (wait_ & (kCredit | kWindow)) != 0; }
  Start StartNew(const Choice& choice, Cycle now, Statistics* statistics);
  Start StartAgain(int channel, Cycle now, Statistics* statistics);
  /// Whether the NIC sends synthetic traffic or the packets of a capture.
  bool IsSynthetic() const { return host_ == nullptr && (setup_->background || !setup_->hosts->used()); }
  bool IsPlan() const { return !setup_->hosts->used() && setup_->traffic->IsPlan(); }
  static bool IsReduction(const Traffic::NewPacket& packet) { return packet.destination == kNobody; }
  PausedFlows::Key FlowTo(int tc, int destination) const {
    return PausedFlows::KeyOf(tc, setup_->addresses[destination]);
  }
  /// Whether a pause lets packets of the class to the destination start.
  bool PauseOk(int tc, int destination, Cycle now) const {
    return !pauses_ || pauses_->MayStart(FlowTo(tc, destination), now);
  }
  /// Whether the packet's pair may have one more number.
  bool NumberOk(const Traffic::NewPacket& packet) const {
    return !numbers_ || numbers_->MaySend(packet.destination);
  }
  bool LaneOk(int lane) const {
    return (repeats_ == nullptr || repeats_->all_known()) && credits_.LaneOk(lane, setup_->credits, setup_->mtu_cells);
  }
  /// Whether packets wait for a channel that will be open.
  bool OpensChannel() const { return channels_ && (wait_ & kWindow) != 0 && channels_->opens() != kNever; }
  /// A host's packets are of one class.
  int QueueOf(int tc) const { return host_ != nullptr ? 0 : setup_->queue[tc]; }
  /// Words of the packet that was put on the link last.
  int LatestWords() const { return static_cast<int>((link_free_ - link_since_) * link_lanes_ / 4); }
  Start StartReduction(Cycle now);
  Start Put(const SentPacket& packet, int flow, Cycle now);
  int Occupy(const Header& header, Cycle now);
  void CountLink();

  const NicSetup* setup_;
  int endpoint_;
  Cycle due_ = kNever;
  Cycle send_due_ = kNever;  ///< cycle in which the injection queues have to be looked at, a part of `due_`
  Cycle link_since_ = 0;     ///< cycle of the last packet's first word on the link
  Cycle link_free_ = 0;      ///< first cycle after the last packet's words
  Cycle wait_since_ = 0;     ///< first cycle of the wait that `wait_` describes
  Waits wait_ = 0;
  std::uint8_t link_lanes_;       ///< SerDes lanes of the last packet
  std::uint8_t turn_ = 0;         ///< injection queue that comes first in the next choice
  RouteMode mode_;                ///< of the head
  std::int32_t outstanding_ = 0;  ///< outstanding packets; used when packets have no channels
  Queues::Mask used_ = 0;         ///< injection queues that get packets
  Queues::Mask queued_ = 0;       ///< of these, the queues that have a head
  Queues stream_;                 ///< packets of synthetic traffic or of a capture
  std::array<Head, golden::kMaxClasses> heads_{};
  std::unique_ptr<Host> host_;  ///< host whose messages the NIC sends; null: synthetic traffic
  Counters counters_;
  Ring<LinkCredit> returning_;
  Ring<AckDue> acks_;  ///< to be counted
  golden::CreditSender credits_;
  NicRepeats* repeats_ = nullptr;  ///< null: the link damages no words
  std::vector<Span> held_, throttled_;  ///< since the last packet began
  bool wants_link_ = false;        ///< packets are ready, and `repeats_` does not know when they may start
  std::array<std::uint16_t, golden::kMaxLanes> freed_{};
  std::unique_ptr<Channels> channels_;               ///< null when packets have no channel of their own
  std::unique_ptr<Sequences> sequences_;             ///< null when packets are not sent again, and with `numbers_`
  std::unique_ptr<PairNumbers> numbers_;             ///< null when receivers do not know copies by a window
  std::unique_ptr<Arrivals> arrivals_;  ///< null when packets are not sent again; with `numbers_` it checks them (LSV-10)
  std::unique_ptr<MessageRouting> message_routing_;  ///< null when all packets have one mode
  std::unique_ptr<PausedFlows> pauses_;              ///< null when ports send no pauses
};

// Whoever adds a member adds it to Serialize.
static_assert(sizeof(Nic::Counters) == 23 * sizeof(std::int64_t));
static_assert(sizeof(Nic::Queue) == 4 * sizeof(std::int64_t));

}  // namespace tilefly::network
