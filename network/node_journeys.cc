// SPDX-License-Identifier: Apache-2.0
// Packets that are followed over links that repeat (docs/network.md, Journeys).
#include <optional>

#include "network/repeating_node.h"

namespace tilefly::network {

/// Of what the port sends, or its NIC.
LinkDirection RepeatingNode::DirectionFrom(int port, bool of_nic) const {
  const FarEnd& to = far(port);
  if (!of_nic && to.node >= 0) return {to.node, to.port, false};
  return {index_, static_cast<std::uint8_t>(port), !of_nic};
}

/// The sending half of the port, or of its NIC, has just taken the packet.
void RepeatingNode::HoldJourney(int port, bool of_nic, golden::Payload payload) {
  if (context_->journeys == nullptr || context_->records[payload].red >= 0) return;
  const RetrySender& sender = of_nic ? NicEnd(port).sender() : (*repeats_)[port].sender;
  context_->journeys->Hold(DirectionFrom(port, of_nic), sender.held().back().seq, payload);
}

/// The sending half has made cycle `now`: what the far end has accepted has left the replay buffer.
void RepeatingNode::KeepJourneys(int port, bool of_nic, Cycle now) {
  if (context_->journeys == nullptr || !(*repeats_)[port].downs->IsUp(now)) return;  // see KeepDropped
  const RetrySender& sender = of_nic ? NicEnd(port).sender() : (*repeats_)[port].sender;
  std::optional<int> first;
  if (!sender.held().empty()) first = sender.held().front().seq;
  context_->journeys->Keep(DirectionFrom(port, of_nic), first);
}

/// An attempt passes the gate: it is accepted, or will be broken off.
void RepeatingNode::JudgeJourney(const LinkDirection& into, const LinkAttempt& attempt, bool broken) {
  if (context_->journeys == nullptr) return;
  if (!broken) return context_->journeys->Accept(into, attempt.payload);
  if (!attempt.header.is_red()) context_->journeys->Ignore(attempt.payload);
}

/// The link is down at the receiving end.
void RepeatingNode::EndJourneys(const LinkDirection& into) {
  if (context_->journeys != nullptr) context_->journeys->End(into);
}

}  // namespace tilefly::network
