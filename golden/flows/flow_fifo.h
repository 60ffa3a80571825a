// SPDX-License-Identifier: Apache-2.0
// A fifo of flow channels, linked through their states: a channel is in it at most once, so it needs no memory of its
// own.
#pragma once

#include "golden/common/pool.h"
#include "golden/flows/flow_state.h"

namespace tilefly::golden {

/// `kNext` links the states; `kInside` is the flag that says that a channel is in the fifo.
template <Index FlowState::*kNext, bool FlowState::*kInside>
class FlowFifo {
 public:
  bool empty() const { return head_ == kNone; }
  Index head() const { return head_; }
  /// Appends the channel, unless it is inside.
  void Push(Pool<FlowState>* states, Index at) {
    FlowState& state = (*states)[at];
    if (state.*kInside) return;
    state.*kInside = true;
    state.*kNext = kNone;
    if (head_ == kNone) {
      head_ = at;
    } else {
      (*states)[tail_].*kNext = at;
    }
    tail_ = at;
  }
  /// Takes the head.
  Index Pop(Pool<FlowState>* states) {
    const Index at = head_;
    FlowState& state = (*states)[at];
    state.*kInside = false;
    head_ = state.*kNext;
    return at;
  }
  /// Calls `visit(index)` for each channel inside, the oldest first.
  template <typename Visit>
  void ForEach(const Pool<FlowState>& states, Visit&& visit) const {
    for (Index at = head_; at != kNone; at = states[at].*kNext) visit(at);
  }

 private:
  Index head_ = kNone;
  Index tail_ = kNone;
};

using FlowReadyFifo = FlowFifo<&FlowState::next_ready, &FlowState::ready>;
using FlowTellFifo = FlowFifo<&FlowState::next_tell, &FlowState::tell>;

}  // namespace tilefly::golden
