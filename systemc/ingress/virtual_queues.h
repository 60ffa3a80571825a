// SPDX-License-Identifier: Apache-2.0
// Virtual output queues of one input, and its requester (docs/blocks/ingress.md, Requester). The order of calls in a
// cycle: the events of the cycle before (Credit, Queued), then Repush of that cycle, then Pop.
#pragma once

#include <deque>
#include <vector>

#include "systemc/switch/crossing.h"

namespace tilefly::systemc {

class VirtualQueues {
 public:
  explicit VirtualQueues(const Profile& profile)
      : queues_(static_cast<std::size_t>(profile.ports) * golden::kMaxLanes, Queue{profile.request_credits}) {}

  /// Event of `cycle`: a packet is appended to the queue of its output and lane.
  void Queued(Cycle cycle, Crossing* crossing) {
    Queue& queue = Of(crossing);
    crossing->next_queued = nullptr;
    (queue.first == nullptr ? queue.first : queue.last->next_queued) = crossing;
    queue.last = crossing;
    if (queue.unrequested++ == 0) queue.next_request = crossing;
    if (!queue.ready && !Popped(cycle, queue) && queue.credits > 0) Push(&queue);
  }
  /// Event of `cycle`: a grant for the queue of `crossing` arrives, with a request credit. Returns the packet granted,
  /// the oldest of the queue.
  Crossing* Granted(Cycle cycle, const Crossing* crossing) {
    Queue& queue = Of(crossing);
    Crossing* const granted = queue.first;
    queue.first = granted->next_queued;
    ++queue.credits;
    if (!queue.ready && !Popped(cycle, queue) && queue.unrequested > 0) Push(&queue);
    return granted;
  }
  /// Step 4 of the page for the queue that was popped in `cycle`. Call it after the events of this cycle.
  void Repush(Cycle cycle) {
    if (popped_ != nullptr && popped_at_ == cycle && MayRequest(*popped_)) Push(popped_);
    popped_ = nullptr;
  }
  /// Decision of `now`: the packet whose request leaves, null when there is none.
  Crossing* Pop(Cycle now) {
    if (ready_.empty()) return nullptr;
    Queue& queue = *ready_.front();
    ready_.pop_front();
    Crossing* const crossing = queue.next_request;
    queue.ready = false;
    queue.next_request = crossing->next_queued;
    crossing->more = --queue.unrequested != 0;
    --queue.credits;
    popped_ = &queue;
    popped_at_ = now;
    return crossing;
  }
  /// Whether there is something to do in the next cycle even without an event.
  bool active() const { return !ready_.empty() || (popped_ != nullptr && MayRequest(*popped_)); }

 private:
  struct Queue {
    int credits;
    int unrequested = 0;
    bool ready = false;
    Crossing* first = nullptr;
    Crossing* last = nullptr;          ///< when first is one
    Crossing* next_request = nullptr;  ///< when unrequested > 0
  };

  Queue& Of(const Crossing* crossing) {
    return queues_[static_cast<std::size_t>(crossing->output) * golden::kMaxLanes + crossing->vl];
  }
  static bool MayRequest(const Queue& queue) { return queue.unrequested > 0 && queue.credits > 0; }
  bool Popped(Cycle cycle, const Queue& queue) const { return popped_ == &queue && popped_at_ == cycle; }
  void Push(Queue* queue) {
    queue->ready = true;
    ready_.push_back(queue);
  }

  std::vector<Queue> queues_;
  std::deque<Queue*> ready_;
  Queue* popped_ = nullptr;
  Cycle popped_at_ = -1;
};

}  // namespace tilefly::systemc
