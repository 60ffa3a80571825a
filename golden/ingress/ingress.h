// SPDX-License-Identifier: Apache-2.0
// The input side of all ports of a switch (docs/blocks/ingress.md): from a packet's first word to its cells on the row bus.
//
// A cycle is Decide, then the arrivals of grants and request credits, then Commit. Messages that leave go to the
// caller's visitors in the cycle in which they leave; their way through the crossbars is the caller's.
#pragma once

#include <deque>
#include <vector>

#include "golden/acks/edge_flows.h"
#include "golden/common/agenda.h"
#include "golden/ingress/input_buffer.h"
#include "golden/ingress/lookup.h"
#include "golden/ingress/queue_stage.h"
#include "golden/ingress/requester.h"
#include "golden/ingress/taken_back.h"
#include "golden/ingress/transfer.h"
#include "golden/ingress/virtual_queues.h"
#include "golden/link/arrival.h"
#include "golden/routing/chooser.h"

namespace tilefly::golden {

class Ingress {
 public:
  Ingress(Context& context, EdgeFlows& flows);

  /// See InputBuffer::Arrive. The cycle that is returned must be visited.
  Cycle Arrive(Cycle now, int port, Cycle a0, const Arrival& arrival) { return buffer_.Arrive(now, port, a0, arrival); }
  Cycle Finish(Cycle now, int port, Cycle a_last, const End& end);
  /// A packet whose header is out of range started in wire cycle `a0`. It is dropped and counted, and nothing of it is
  /// stored.
  Cycle Refuse(int port, Cycle a0);

  /// Makes the decisions of cycle `now`; `due` are the calendars to be visited in it. Calls `request(queue id, queue,
  /// packet)` for each request that leaves, `pick(packet id, packet)` for each transfer that starts, and `credit(port,
  /// message)` for each credit message of a control slot.
  template <typename OnRequest, typename OnPick, typename OnCredit>
  void Decide(Cycle now, Calendars due, OnRequest&& request, OnPick&& pick, OnCredit&& credit) {
    if ((due & kDuePick) != 0 || transfer_.active()) transfer_.Decide(now, pick);
    buffer_.ReturnCredits(credit);
    requester_.Pop(request);
    stage_.Decide(now);
  }

  /// Event: a grant for the queue arrives. Returns the index of the packet granted.
  Index Grant(Cycle now, Index queue_id) {
    const Index packet = queues_.PopFirst(&queues_[queue_id]);
    transfer_.Granted(now, packet);
    return packet;
  }
  /// Event: a grant with `reroute` for the queue arrives. Returns the index of the packet taken back.
  Index TakeBack(Cycle now, Index queue_id);
  /// Event: a request credit for the queue arrives. Call it after the cycle's grant for the queue.
  void RequestCredit(Index queue_id) {
    requester_.Credit(queue_id);
    queues_.ReleaseIfIdle(queue_id);
  }

  /// Whether cycle `now` has other events; `due` as for its decisions.
  bool HasEvents(Cycle now, Calendars due) const {
    return AnyOf(due & (kDueArrival | kDueEnd | kDueQueued | kDueLastCell), requester_.popped(),
                 entering_.Next() <= now, rare_.Next() <= now, taken_back_.Next() <= now);
  }
  /// Makes the other events of cycle `now`; `due` as for its decisions. Dropped packets are added to `drops`.
  /// `ring_uses` is for a port that runs without the reduction ring: whether the ring uses packets that are taken for
  /// it and end well in this cycle.
  void Commit(Cycle now, Calendars due, std::vector<DropRecord>* drops, bool ring_uses = false);

  /// Counts the packets that have come to the queue stage before cycle `end`, each as of its cycle.
  void CountEntered(Cycle end) {
    while (entering_.Next() < end) {
      const Cycle now = entering_.Next();
      entering_.Drain(now, [&](Index id) { Entered(now, id, true); });
    }
  }

  /// Step 2 of the flow channels, behind the other events of cycle `now` here: packets that they held enter the queue
  /// stage.
  void ReleaseHeld(Cycle now);

  /// Checks the invariants of the ingress page that the input side shows, after cycle `now`.
  void Check(Cycle now, Audit* audit) const;

  VirtualQueues& queues() { return queues_; }
  const VirtualQueues& queues() const { return queues_; }
  const Transfer& transfer() const { return transfer_; }
  InputBuffer& buffer() { return buffer_; }
  const InputBuffer& buffer() const { return buffer_; }
  /// See Chooser::BeginDraws.
  void BeginDraws(int port, std::uint32_t first) { chooser_.BeginDraws(port, first); }
  void Prefetch() const {
    buffer_.Prefetch();
    stage_.Prefetch();
    queues_.Prefetch();
    requester_.Prefetch();
    transfer_.Prefetch();
  }
  /// Whether a decision is to be made in the next cycle.
  bool active() const { return AnyOf(requester_.active(), transfer_.active(), buffer_.active(), stage_.active()); }
  /// Cycle of the next event behind `now` that is in no calendar.
  Cycle Next(Cycle now) const { return std::max(now + 1, std::min(rare_.Next(), taken_back_.Next())); }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(buffer_, stage_, queues_, requester_, transfer_, chooser_, entering_, rare_, broken_off_, counted_,
            taken_back_);
  }

 private:
  /// A rare event: the release of a packet at the end of the pipeline, or behind its last word; the end of one that is
  /// taken and cut through; or only a count.
  struct Rare {
    enum Kind : std::uint8_t {
      kRelease,
      kReleaseArriving,
      kHeader,
      kStomped,
      kDamaged,
      kTakenEnd,
      kBrokenOff,
      kCopiesEnded
    } kind;
    std::uint8_t port;
    Drop reason;
    Index packet;
  };

  /// An attempt of a retry port that was broken off: what it counts in the flow account, if it was counted.
  struct BrokenOff {
    Cycle a0;
    std::uint16_t flow;
    std::uint8_t cells;
  };

  int SerdesLanesOf(const Packet& packet) const {
    return packet.paced ? packet.pace + 1 : context_.registers.port(packet.input).serdes_lanes();
  }
  void BreakOff(int port, Cycle a_last);
  void NoteCounted(int port, Cycle a);
  void Uncount(Cycle now, int port, Index broken);
  bool IsTaken(const Packet& packet) const {
    return packet.enh && packet.header.is_red() && IsForThisNode(packet.header);
  }
  bool IsForThisNode(const HeaderBits& header) const;
  void GiveToRing(Cycle now, Index id);
  void TakenEnds(Cycle now, Index id, bool good, bool ring_uses);
  void Describe(Cycle now, Index id);
  Destination LookUpPacket(Cycle now, Packet* packet, PortMask down);
  void DescribeAgain(Cycle now, Index id);
  void Discard(Cycle a, Index id, Drop reason);
  void DescribeUnicast(Cycle now, Index id, int output, int tc, PortMask down);
  bool MayEnter(Cycle now, Index id, PortMask down, const QueueStage::Lanes& lanes);
  bool MayPass(Cycle now, Index id, PortMask down, const QueueStage::Lanes& lanes);
  bool FollowChannel(Packet* packet, PortMask down) const;
  void Entered(Cycle now, Index id, bool keeps_path);
  bool Follow(Packet* packet, PortMask down) const;
  static void TakePath(Packet* packet, int output, unsigned via, bool via_valid) {
    packet->output = static_cast<std::uint8_t>(output);
    packet->header.set_via(via);
    packet->header.set_via_valid(via_valid);
    packet->nonminimal = via_valid;
  }
  void CountRouted(const Packet& packet) {
    if (!packet.decided) return;
    context_.counters.Count(packet.input, packet.nonminimal ? Counter::kRoutedNonmin : Counter::kRoutedMin);
  }
  void CheckAccount(int port, Audit* audit) const;
  void Apply(Cycle now, const Rare& rare, std::vector<DropRecord>* drops, bool ring_uses);
  void Queued(Cycle now, Index id);
  void LastCell(Index id);
  void EndCopy(Cycle now, Index id, std::vector<DropRecord>* drops);
  Cycle LastWordOf(const Packet& packet) const;

  Context& context_;
  EdgeFlows& flows_;
  InputBuffer buffer_;
  QueueStage stage_;
  VirtualQueues queues_;
  Requester requester_;
  Transfer transfer_;
  Chooser chooser_;
  DelayLine<Index> entering_;  ///< packets to be counted as they enter the queue stage; no cycle is visited for that alone
  Agenda<Rare> rare_;
  Pool<BrokenOff> broken_off_;
  std::vector<std::deque<Cycle>> counted_;  ///< first words of the latest packets counted at retry ports, by port
  TakenBack taken_back_;
};

}  // namespace tilefly::golden
