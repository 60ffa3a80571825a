// SPDX-License-Identifier: Apache-2.0
// The queue stage of an input (docs/blocks/ingress.md, Queue stage): packets in order, of which it takes an entry of
// the head a cycle, one for each output; all but the first of a packet need a copy entry.
#pragma once

#include <deque>

#include "golden/common/agenda.h"
#include "systemc/ingress/descriptor.h"

namespace tilefly::systemc {

class QueueStage {
 public:
  /// With so many copy entries.
  explicit QueueStage(int copy_entries) : copy_entries_(copy_entries) {}

  /// Event: the packet comes to the stage.
  void Enter(const Descriptor& descriptor, Stored* stored) { waiting_.push_back({descriptor, stored, true}); }
  /// Event of `cycle`, which is to come: the entry of a copy goes free.
  void FreeEntry(Cycle cycle) { free_entries_.Enter(cycle, 1); }
  /// Entries that went free in events up to `cycle`.
  void Settle(Cycle cycle) {
    free_entries_.Drain(cycle, [&](int entries) { copy_entries_ += entries; });
  }

  /// Decision: the next entry of the head; null: none, or the head waits for a copy entry.
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
