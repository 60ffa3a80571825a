// SPDX-License-Identifier: Apache-2.0
#include "golden/ingress/queue_stage.h"

#include "golden/common/stage_times.h"
#include "golden/state/stage_probe.h"

namespace tilefly::golden {

QueueStage::QueueStage(Context& context) : context_(context), ports_(context.profile.ports) {
  for (Port& port : ports_) port.free_entries = static_cast<std::uint16_t>(context.profile.copy_entries);
}

void QueueStage::Unicast(Cycle now, Index id) {
  const Packet& packet = context_.packets[id];
  if (ports_[packet.input].pending == 0 && !packet.judged) {
    closed_form_.Push(now + kLookUpToQueued, id);
    context_.due.Set(now + kLookUpToQueued, kDueQueued);
    return;
  }
  Staged staged{};
  staged.packet = id;
  staged.outputs = Bit(packet.output);
  staged.lanes[packet.output] = packet.vl;
  Stage(now, staged);
}

void QueueStage::Following(Cycle now, Index id, const Lanes& lanes, PortMask down) {
  Staged staged{};
  staged.down = down;
  staged.packet = id;
  staged.lanes = lanes;
  Stage(now, staged);
}

void QueueStage::Replicated(Cycle now, Index id, PortMask outputs, const Lanes& lanes) {
  Staged staged{};
  staged.packet = id;
  staged.outputs = outputs;
  staged.lanes = lanes;
  Stage(now, staged);
}

void QueueStage::Release(Index id, int output, int lane) {
  Staged staged{};
  staged.packet = id;
  staged.outputs = Bit(output);
  staged.lanes[output] = static_cast<std::uint8_t>(lane);
  Enter(Put(staged));
}

/// A record of the packet, which is to come to the fifo.
Index QueueStage::Put(const Staged& staged) {
  const Index id = staged_.Allocate();
  const Packet& packet = context_.packets[staged.packet];
  staged_[id] = staged;
  staged_[id].next = kNone;
  staged_[id].header = packet.header;
  staged_[id].start = packet.when;
  staged_[id].first = true;
  ++ports_[packet.input].pending;
  return id;
}

void QueueStage::Stage(Cycle now, const Staged& staged) {
  entering_.Enter(now + kLookUpToFifo, Put(staged));
  context_.due.Set(now + kLookUpToFifo, kDueQueued);
}

void QueueStage::Enter(Index id) {
  const int input = context_.packets[staged_[id].packet].input;
  Port& port = ports_[input];
  if (port.first == kNone) {
    port.first = id;
  } else {
    staged_[port.last].next = id;
  }
  port.last = id;
  active_ |= Bit(input);
}

void QueueStage::Decide(Cycle now) {
  ForEachBit(active_, [&](int input) {
    if (!Serve(now, input)) active_ &= ~Bit(input);
  });
}

/// Serves one entry of the fifo's head; false when the stage must be woken to go on.
bool QueueStage::Serve(Cycle now, int input) {
  Port& port = ports_[input];
  Staged& staged = staged_[port.first];
  const int output = LowestBit(staged.outputs);
  Index entry = staged.packet;
  if (!staged.first) {
    if (port.free_entries == 0) return false;
    --port.free_entries;
    entry = MakeCopy(staged);
  }
  context_.packets[entry].output = static_cast<std::uint8_t>(output);
  context_.packets[entry].vl = staged.lanes[output];
  staged.first = false;
  staged.outputs &= staged.outputs - 1;
  served_.Push(now + kServeToQueued, entry);
  context_.due.Set(now + kServeToQueued, kDueQueued);
  if (staged.outputs != 0) return true;
  const Index next = staged.next;
  staged_.Release(port.first);
  port.first = next;
  --port.pending;
  return next != kNone;
}

Index QueueStage::MakeCopy(const Staged& staged) {
  const Index id = context_.packets.Allocate();
  Packet& copy = context_.packets[id];
  copy = context_.packets[staged.packet];
  copy.header = staged.header;  // the packet's own may have been picked and changed
  copy.parent = staged.packet;
  copy.when = staged.start;
  copy.holds = 2;  // its copy entry, its way
  return id;
}

}  // namespace tilefly::golden
