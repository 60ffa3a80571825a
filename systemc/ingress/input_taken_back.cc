// SPDX-License-Identifier: Apache-2.0
// Packets that an input takes back from outputs whose links are down (docs/blocks/link_retry.md, Taken back).
#include <algorithm>

#include "golden/common/stage_times.h"
#include "systemc/ingress/input_port.h"

namespace tilefly::systemc {

/// Event: a grant with `reroute` has arrived for the packet, which has left its queue.
void InputPort::TakeBack(Cycle event, Crossing* crossing) {
  Note(*crossing, golden::Stage::kRerouted, event);
  context_.counters.Count(port_, Counter::kRerouted);
  Stored* const stored = crossing->stored;
  if (crossing->header.destination() == golden::HeaderBits::kReplicated) {
    EndCopy(event, crossing);
  } else {
    stored->again = true;
    stored->header.set_gen(crossing->header.gen());
    stored->header.set_an(crossing->header.an());
    back_.Join(event, stored);
    WakeAfter(back_.Next(event + 1));
  }
  crossing->packet->release();
  context_.crossings.Release(crossing);
}

/// A copy that is given back ends here, and with the last copy the packet.
void InputPort::EndCopy(Cycle event, Crossing* crossing) {
  if (log_ != nullptr) log_->Leave(*crossing->packet, event);
  if (crossing->copy) {
    stage_.FreeEntry(event);
    stage_.Settle(event);
  }
  Stored* const stored = crossing->stored;
  if (--stored->copies != 0) return;
  const Cycle freed = std::max(event, stored->last + golden::kLastWordToRelease);
  if (log_ != nullptr) log_->Leave(*stored->packet, freed);
  Free(freed, stored->cells, stored->accounted ? stored->tc : -1);
  Return(stored->packet, fabric::END_PACKET, freed + golden::kFreedToWire);
  stored->packet->release();
  stored_.Release(stored);
}

/// The oldest packet of the back fifo enters the pipeline in its event a + 4, if no packet of the MAC does.
void InputPort::PassAgain(Cycle event) {
  if (back_.Next(event) == event && piped_ != event) DescribeAgain(event, back_.Pop());
  if (const Cycle next = back_.Next(event + 1); next != kNever) WakeAfter(next);
}

/// Look-up and routing of a packet that was given back, in event a + 4.
void InputPort::DescribeAgain(Cycle cycle, Stored* stored) {
  Staged staged{Descriptor::Again(context_, port_, *stored, cycle), stored, cycle + golden::kLookUpToFifo};
  staged.released = std::max(staged.released, stored->last + golden::kLastWordToRelease);
  if (staged.descriptor.drop != Drop::kNone) {
    context_.counters.Count(port_, staged.descriptor.drop);
    Free(staged.released, stored->cells, stored->accounted ? stored->tc : -1);
    Refuse(stored->packet, staged.descriptor.drop, staged.released);
    stored_.Release(stored);
    return;
  }
  stored->copies = __builtin_popcountll(staged.descriptor.outputs);
  entering_.Enter(cycle + golden::kLookUpToFifo, staged);
  WakeAfter(cycle + golden::kLookUpToFifo);
}

}  // namespace tilefly::systemc
