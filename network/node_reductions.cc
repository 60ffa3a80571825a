// SPDX-License-Identifier: Apache-2.0
// Reduction packets at a node.
#include "golden/common/stage_times.h"
#include "network/node.h"

namespace tilefly::network {

/// A result may go to several ports: each packet says the same for itself.
void Node::DepartReduction(const golden::Departure& departure, const FarEnd& to, Cycle end) {
  RedPackets& packets = context_->reds;
  const golden::Payload payload = departure.last_copy ? departure.payload : packets.Copy(departure.payload);
  if (Repeats(departure.port)) return TakeToRepeat(departure, payload);
  if (to.node >= 0) {
    SendTo(to, LinkKind::kPacket).packet = {departure.take + golden::kTakeToWire + to.delay, payload, departure.header};
    return;
  }
  DeliverReduction(departure, payload, to, end);
}

void Node::DeliverReduction(const golden::Departure& departure, golden::Payload payload, const FarEnd& to, Cycle end) {
  const Cycle last = LastWordOf(departure, to);
  if (context_->records[payload].operation == PacketRecord::kBrokenOff) {
    EndCopy(payload);
  } else {
    BringReduction(departure.port, payload, last);
  }
  Sink(departure, to, last, end);
}

void Node::BringReduction(int port, golden::Payload payload, Cycle last) {
  if (Repeats(port) || !IsDownBetween(port, last, last)) {
    Nic& nic = nics_[nic_at_[port]];
    nic.TakeReduction(context_->reds.Of(payload), last);
    nics_due_ = std::min(nics_due_, nic.due());
  }
  context_->reds.Release(payload);
}

}  // namespace tilefly::network
