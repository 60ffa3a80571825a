// SPDX-License-Identifier: Apache-2.0
// Virtual output queues of all inputs, (input, output, VL), found through a table of the lanes in use; a queue's record
// exists while the queue has packets or requests.
//
// Requests of a queue stay in order from the requester to the output's store, so the store is part of the queue: it is the
// stretch of packets whose requests have arrived and are not yet granted.
#pragma once

#include <vector>

#include "golden/state/context.h"
#include "golden/state/stored_request.h"

namespace tilefly::golden {

struct Queue {
  Index first;         ///< oldest packet
  Index last;
  Index next_request;  ///< oldest packet without a request, when unrequested > 0
  Index next_grant;    ///< oldest packet requested and not granted, when ungranted > 0
  Index next_ready;    ///< in the requester's ready fifo
  std::uint16_t unrequested;
  std::uint8_t credits;    ///< requests that may still be made
  std::uint8_t ungranted;  ///< requests made and not granted
  std::uint8_t stored;     ///< of these, requests that have arrived at the output
  std::uint8_t returning;  ///< packets that the output gives back; the grant with `reroute` is on its way
  std::uint8_t cells;      ///< of next_grant, so that decisions look at no packet; valid as it is
  bool more;               ///< the same
  bool ready;              ///< stands in the ready fifo
  bool newest_more;        ///< `more` of the request that arrived last; valid when stored > 0
  std::uint8_t input;
  std::uint8_t output;
  std::uint8_t vl;
};

class VirtualQueues {
 public:
  explicit VirtualQueues(Context& context)
      : context_(context), table_of_(static_cast<std::size_t>(context.profile.ports) * kMaxLanes, kNone) {}

  Queue& operator[](Index queue) { return queues_[queue]; }
  const Queue& operator[](Index queue) const { return queues_[queue]; }

  /// The queue of (input, output, VL), which must exist.
  Index Find(int input, int output, int vl) const { return tables_[Slot(input, output, vl)]; }

  /// Appends the packet to the queue of its output and lane, and returns the queue. Invalidates references to queues.
  Index Append(Index packet_id) {
    Packet& packet = context_.packets[packet_id];
    Index& entry = Entry(packet.input, packet.output, packet.vl);
    if (entry == kNone) entry = Make(packet);
    Queue& queue = queues_[entry];
    packet.next = kNone;
    if (queue.first == kNone) {
      queue.first = packet_id;
    } else {
      context_.packets[queue.last].next = packet_id;
    }
    queue.last = packet_id;
    if (queue.unrequested++ == 0) queue.next_request = packet_id;
    return entry;
  }

  /// The oldest packet without a request gets one, which uses a request credit. Returns the index of the packet.
  Index Request(Queue* queue) {
    const Index id = queue->next_request;
    Packet& packet = context_.packets[id];
    queue->next_request = packet.next;
    packet.more = --queue->unrequested != 0;
    --queue->credits;
    if (queue->ungranted++ == 0) SetNextGrant(queue, id);
    return id;
  }

  /// The oldest stored request of (input, output, VL), which must exist.
  StoredRequest Head(int input, int output, int vl) const {
    const Index id = Find(input, output, vl);
    const Queue& queue = queues_[id];
    return {id, queue.cells, queue.more};
  }
  /// The output grants the oldest stored request. Returns whether further ones are stored.
  bool Grant(const StoredRequest& head) {
    Queue& queue = queues_[head.queue];
    if (--queue.ungranted != 0) SetNextGrant(&queue, context_.packets[queue.next_grant].next);
    return --queue.stored != 0;
  }

  /// The same, where the output gives the packet back.
  bool TakeBack(const StoredRequest& head) {
    ++queues_[head.queue].returning;
    return Grant(head);
  }

  /// The packet of the request that arrives at the output next.
  const Packet& NextStored(const Queue& queue) const {
    Index id = queue.next_grant;
    for (int i = 0; i < queue.stored; ++i) id = context_.packets[id].next;
    return context_.packets[id];
  }
  /// The packet that `Grant` has just granted.
  const Packet& LastGranted(Index queue_id) const {
    const Queue& queue = queues_[queue_id];
    if (queue.ungranted == 0) return context_.packets[queue.next_grant];
    Index id = queue.first;
    while (context_.packets[id].next != queue.next_grant) id = context_.packets[id].next;
    return context_.packets[id];
  }

  /// Removes the oldest packet, and returns its index.
  Index PopFirst(Queue* queue) {
    const Index packet = queue->first;
    queue->first = context_.packets[packet].next;
    return packet;
  }

  /// Gives the queue's record back when the queue is as after reset.
  void ReleaseIfIdle(Index id) {
    const Queue& queue = queues_[id];
    if (queue.first != kNone || queue.credits != context_.profile.request_credits) return;
    tables_[Slot(queue.input, queue.output, queue.vl)] = kNone;
    queues_.Release(id);
  }

  void Prefetch() const {
    golden::Prefetch(table_of_);
    golden::Prefetch(tables_);
    queues_.Prefetch();
  }
  /// Calls `visit(queue id, queue)` for every queue that has a record.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (const Index id : tables_) {
      if (id != kNone) visit(id, queues_[id]);
    }
  }
  /// Checks ING-3, ING-4 and EGR-2 of a queue.
  void Check(const Queue& queue, Audit* audit) const;

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(table_of_, tables_, queues_);
  }

 private:
  std::size_t Slot(int input, int output, int vl) const {
    return static_cast<std::size_t>(table_of_[input * kMaxLanes + vl]) * context_.profile.ports + output;
  }
  Index& Entry(int input, int output, int vl) {
    Index& table = table_of_[input * kMaxLanes + vl];
    if (table == kNone) {
      table = static_cast<Index>(tables_.size() / context_.profile.ports);
      tables_.resize(tables_.size() + context_.profile.ports, kNone);
    }
    return tables_[Slot(input, output, vl)];
  }
  void SetNextGrant(Queue* queue, Index id) const {
    const Packet& packet = context_.packets[id];
    queue->next_grant = id;
    queue->cells = packet.cells;
    queue->more = packet.more;
  }
  Index Make(const Packet& packet) {
    const Index id = queues_.Allocate();
    Queue queue{};
    queue.first = queue.last = kNone;
    queue.credits = static_cast<std::uint8_t>(context_.profile.request_credits);
    queue.input = packet.input;
    queue.output = packet.output;
    queue.vl = packet.vl;
    queues_[id] = queue;
    return id;
  }

  Context& context_;
  std::vector<Index> table_of_;  ///< of each (input, VL): its table, an entry for each output
  std::vector<Index> tables_;
  Pool<Queue> queues_;
};

}  // namespace tilefly::golden
