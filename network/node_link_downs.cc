// SPDX-License-Identifier: Apache-2.0
// Links that send damaged words again, and go down (docs/blocks/link_retry.md, Link down): by the plan, or because an end has
// given the link up.
#include <algorithm>

#include "golden/common/stage_times.h"
#include "network/golden_node.h"
#include "network/planned_links.h"

namespace tilefly::network {
namespace {

constexpr int kNumbers = 1 << 11;

/// Whether packet `seq` is none of those before `expected`.
bool IsMissing(int seq, int expected) { return (seq - expected + kNumbers) % kNumbers < kNumbers / 2; }

}  // namespace

void RepeatingNode::TurnLinks(Cycle now) {
  repeats_->TurnLinks(now, [&](int port) {
    RepeatingPorts::Port& repeats = (*repeats_)[port];
    const bool up = repeats.downs->IsUp(now);
    TurnLink(port, up, now);
    if (up) return;
    repeats.gives_up = repeats.nic_gives_up = false;
    if (const Cycle till = repeats.downs->NextChange(now + 1); till != kNever) Expect(till);  // no standstill
  });
}

/// Ports that show behind the step of cycle `now` that they give their links up.
void GoldenNode::GiveUpFailing(Cycle now) {
  golden::ForEachBit(switch_.failing_links() & repeating_, [&](int port) { GiveUp(port, false, now + 1); });
}

/// An end asks in cycle `cycle` for its link to go down. The PHYs take it down at both ends in one cycle, when both know.
void RepeatingNode::GiveUp(int port, bool nic, Cycle cycle) {
  RepeatingPorts::Port& repeats = (*repeats_)[port];
  bool& gives_up = nic ? repeats.nic_gives_up : repeats.gives_up;
  if (gives_up || !repeats.downs->IsUp(cycle)) return;
  gives_up = true;
  const FarEnd& to = far(port);
  const Cycle from = cycle + NoticeOfDown(to.delay), till = from + std::max(repeats.retrain, LeastDown(to.delay));
  given_up_.push_back({cycle, from, till, static_cast<std::uint8_t>(port), nic});
  FailLink(port, from, till);
  Expect(till);
  if (to.node < 0) return;
  SendTo(to, LinkKind::kDown).down = {cycle + to.delay, from, till};
  context_->news.push_back({index_, port, from, till});
}

/// The sending half of an end has stepped. All that it held it drops in the first cycle in which its link is down.
void RepeatingNode::KeepDropped(int port, bool of_nic, Cycle now) {
  RepeatingPorts::Port& repeats = (*repeats_)[port];
  if (repeats.downs->IsUp(now) || !repeats.downs->IsUp(now - 1)) return;
  DropHeld(port, of_nic, now, (of_nic ? repeats.nic->sender() : repeats.sender).TakeDropped());
}

/// These packets are lost, unless they arrived.
void RepeatingNode::DropHeld(int port, bool of_nic, Cycle down, std::deque<RetrySender::Held> held) {
  RepeatingPorts::Dropped& dropped = of_nic ? (*repeats_)[port].dropped_of_nic : (*repeats_)[port].dropped;
  dropped.held = std::move(held);
  dropped.down = true;
  dropped.at = std::max(dropped.at, down);
  if (context_->journeys != nullptr) context_->journeys->LoseBuffer(DirectionFrom(port, of_nic));
  SettleDropped(port, of_nic);
}

void RepeatingNode::TellExpected(int port, bool of_nic, int expected, Cycle at) {
  RepeatingPorts::Dropped& dropped = of_nic ? (*repeats_)[port].dropped_of_nic : (*repeats_)[port].dropped;
  dropped.expected = expected;
  dropped.at = std::max(dropped.at, at);
  SettleDropped(port, of_nic);
}

/// When both are known: what the sender held, and what the far end has accepted.
void RepeatingNode::SettleDropped(int port, bool of_nic) {
  RepeatingPorts::Dropped& dropped = of_nic ? (*repeats_)[port].dropped_of_nic : (*repeats_)[port].dropped;
  if (!dropped.down || !dropped.expected) return;
  for (const RetrySender::Held& held : dropped.held) {
    if (IsMissing(held.seq, *dropped.expected)) {
      const golden::Payload payload = Reclaim(port, of_nic, held);
      held.record.operation == PacketRecord::kBrokenOff ? EndCopy(payload) : Lose(payload, dropped.at);
    } else if (held.record.red >= 0) {
      context_->reds.Release(held.contents);
    }
  }
  if (context_->journeys != nullptr) context_->journeys->Settle(DirectionFrom(port, of_nic));
  dropped = {};
}

/// The record of a packet that was in a replay buffer and has not arrived.
golden::Payload RepeatingNode::Reclaim(int port, bool of_nic, const RetrySender::Held& held) {
  if (held.record.red >= 0) return held.contents;
  const golden::Payload payload = context_->records.Allocate();
  context_->records[payload] = held.record;
  if (context_->journeys != nullptr) context_->journeys->Reclaim(DirectionFrom(port, of_nic), held.seq, payload);
  return payload;
}

}  // namespace tilefly::network
