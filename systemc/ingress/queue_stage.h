// SPDX-License-Identifier: Apache-2.0
// The queue stage of an input (docs/blocks/ingress.md, Queue stage). It holds packets in order. In each cycle it takes
// one entry of the first packet, which has an entry for each output; every entry but the first of a packet needs a copy
// entry.
#pragma once

#include <deque>

#include "golden/common/agenda.h"
#include "systemc/ingress/descriptor.h"

namespace tilefly::systemc {

class QueueStage {
 public:
  /// A stage with `copy_entries` copy entries.
  explicit QueueStage(int copy_entries) : copy_entries_(copy_entries) {}

  /// Event: the packet comes to the stage.
  void Enter(const Descriptor& descriptor, Stored* stored) { waiting_.push_back({descriptor, stored, true}); }
  /// Event of `cycle`, which is to come: a copy entry goes free.
  void FreeEntry(Cycle cycle) { free_entries_.Enter(cycle, 1); }
  /// Counts the copy entries that went free in events up to `cycle`.
  void Settle(Cycle cycle) {
    free_entries_.Drain(cycle, [&](int entries) { copy_entries_ += entries; });
  }

  /// Decision: returns the next entry of the first packet; null when there is none, or when it waits for a copy entry.
  Crossing* Serve(Context& context, int port) {
    if (waiting_.empty()) return nullptr;
    Waiting& head = waiting_.front();
    if (!head.first && copy_entries_ == 0) return nullptr;  // the pick of a copy wakes it
    Crossing* const crossing =
        head.descriptor.MakeCrossing(context, port, head.stored, golden::LowestBit(head.descriptor.outputs));
    crossing->copy = !head.first;
    copy_entries_ -= crossing->copy;
    head.first = false;
    head.descriptor.outputs &= head.descriptor.outputs - 1;
    if (head.descriptor.outputs == 0) waiting_.pop_front();
    return crossing;
  }
  bool empty() const { return waiting_.empty(); }

 private:
  struct Waiting {
    Descriptor descriptor;
    Stored* stored;
    bool first;  ///< no copy has left
  };

  int copy_entries_;
  golden::Agenda<int> free_entries_;  ///< that go free
  std::deque<Waiting> waiting_;
};

}  // namespace tilefly::systemc
