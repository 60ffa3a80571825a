// SPDX-License-Identifier: Apache-2.0
// Reduction packets at a node.
#include "golden/network/node.h"

namespace tilefly::golden {

/// A result may go to several ports: each packet says the same for itself.
void Node::DepartReduction(const Departure& departure, const FarEnd& to, Cycle end) {
  RedPackets& packets = context_->reds;
  const Payload payload = departure.last_copy ? departure.payload : packets.Copy(departure.payload);
  if (to.node >= 0) {
    SendTo(to).packet = {departure.take + kTakeToWire + to.delay, payload, departure.header};
    return;
  }
  const Cycle last = LastWordOf(departure, to);
  if (last < DownFrom(departure.port)) {
    Nic& nic = nics_[nic_at_[departure.port]];
    nic.TakeReduction(packets.Of(payload), last);
    nics_due_ = std::min(nics_due_, nic.due());
  }
  packets.Release(payload);
  Sink(departure, to, last, end);
}

}  // namespace tilefly::golden
