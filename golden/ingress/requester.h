// SPDX-License-Identifier: Apache-2.0
// Requesters of all inputs (docs/blocks/ingress.md, Requester): each pops one ready queue a cycle. Within a cycle the
// calls come in the order of its steps 1 to 4: Pop, then Credit, then Queued, then Repush.
#pragma once

#include "golden/ingress/virtual_queues.h"

namespace tilefly::golden {

class Requester {
 public:
  Requester(Context& context, VirtualQueues& queues)
      : context_(context), queues_(queues), ports_(context.profile.ports) {}

  /// Step 1: pops a ready queue of each input. Calls `visit(queue id, queue, packet)` for every request that leaves.
  template <typename Visit>
  void Pop(Visit&& visit) {
    popped_ = active_;
    ForEachBit(popped_, [&](int input) {
      Port& port = ports_[input];
      const Index id = port.first;
      Queue& queue = queues_[id];
      port.first = queue.next_ready;
      if (port.first == kNone) active_ &= ~Bit(input);
      port.popped = id;
      queue.ready = false;
      visit(id, queue, context_.packets[queues_.Request(&queue)]);
    });
  }

  /// Step 2: a request credit of the queue came back.
  void Credit(Index id) {
    Queue& queue = queues_[id];
    ++queue.credits;
    if (!queue.ready && !Popped(queue.input, id) && queue.unrequested > 0) Push(id, &queue);
  }

  /// Step 3: a packet was appended to the queue.
  void Queued(Index id) {
    Queue& queue = queues_[id];
    if (!queue.ready && !Popped(queue.input, id) && queue.credits > 0) Push(id, &queue);
  }

  /// Step 4: judges the popped queues on the state after the other steps.
  void Repush() {
    ForEachBit(popped_, [&](int input) {
      const Index id = ports_[input].popped;
      Queue& queue = queues_[id];
      if (queue.unrequested > 0 && queue.credits > 0) Push(id, &queue);
    });
    popped_ = 0;
  }

  void Prefetch() const { golden::Prefetch(ports_); }
  bool active() const { return active_ != 0; }
  /// Whether a queue was popped in this cycle and awaits `Repush`.
  bool popped() const { return popped_ != 0; }

  /// Checks ING-2 of all inputs.
  void Check(Audit* audit) const;

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ports_, active_, popped_);
  }

 private:
  struct Port {
    Index first = kNone;  ///< ready fifo
    Index last = kNone;
    Index popped = kNone;
  };

  bool Popped(int input, Index id) const { return (popped_ & Bit(input)) != 0 && ports_[input].popped == id; }

  void Push(Index id, Queue* queue) {
    Port& port = ports_[queue->input];
    queue->ready = true;
    queue->next_ready = kNone;
    if (port.first == kNone) {
      port.first = id;
      active_ |= Bit(queue->input);
    } else {
      queues_[port.last].next_ready = id;
    }
    port.last = id;
  }

  Context& context_;
  VirtualQueues& queues_;
  std::vector<Port> ports_;
  PortMask active_ = 0;  ///< inputs with a ready queue
  PortMask popped_ = 0;  ///< inputs that popped a queue in this cycle
};

}  // namespace tilefly::golden
