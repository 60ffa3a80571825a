// SPDX-License-Identifier: Apache-2.0
// Packets that outputs give back because their links are down (docs/blocks/link_retry.md, Taken back).
#include <algorithm>

#include "golden/common/stage_times.h"
#include "golden/ingress/cut_through.h"
#include "golden/ingress/ingress.h"

namespace tilefly::golden {

Index Ingress::TakeBack(Cycle now, Index queue_id) {
  Queue& queue = queues_[queue_id];
  --queue.returning;
  const Index id = queues_.PopFirst(&queue);
  const Packet& packet = context_.packets[id];
  context_.counters.Count(packet.input, Counter::kRerouted);
  if (packet.header.destination() == HeaderBits::kReplicated) taken_back_.End(now, id);
  else taken_back_.Join(now, packet.input, id);
  return id;
}

/// The copy of a replicated packet ends: it was taken back.
void Ingress::EndCopy(Cycle now, Index id, std::vector<DropRecord>* drops) {
  const Packet& packet = context_.packets[id];
  const Index parent_id = packet.parent;
  Packet& parent = context_.packets[parent_id];
  if (--parent.copies_left == 0) drops->push_back({parent.payload, packet.input, Drop::kNone});
  if (--parent.copies == 0) {
    const Cycle due = packet.cut_through ? std::max(now, LastWordOf(packet) + kLastWordToRelease) : now;
    rare_.Enter(due, {Rare::kCopiesEnded, packet.input, Drop::kNone, parent_id});
  }
  if (parent_id != id) {
    stage_.FreeCopyEntry(packet.input);
    context_.packets.Release(id);
  }
  ReleaseCopy(&context_.packets, parent_id);  // its own way, or the copy's take
}

/// A packet that was taken back passes the pipeline once more, with its header as it came.
void Ingress::DescribeAgain(Cycle now, Index id) {
  Packet& packet = context_.packets[id];
  packet.again = true;
  packet.header.set_via(packet.via_came);
  packet.header.set_via_valid(packet.came_by_via);
  Describe(now, id);
}

/// Wire cycle of the last word of a packet that is cut through, and has a first leave cycle.
Cycle Ingress::LastWordOf(const Packet& packet) const {
  const int lanes = SerdesLanesOf(packet);
  return packet.when - StartOffset(packet.length, lanes) + CutThroughDuration(packet.length, lanes);
}

}  // namespace tilefly::golden
