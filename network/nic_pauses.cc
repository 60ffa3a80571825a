// SPDX-License-Identifier: Apache-2.0
// A NIC whose flows are paused (docs/blocks/flow_channel.md, NIC): what it puts aside, and what goes next.
#include <algorithm>

#include "network/nic.h"

namespace tilefly::network {

void Nic::TakePause(const LinkPause& pause) {
  if (repeats_ != nullptr && repeats_->slots() != nullptr) return repeats_->slots()->TakePause(pause);
  HearPause(pause);
}

/// Where packets wait, one of them may start after the pause, or is to be put aside.
void Nic::HearPause(const LinkPause& pause) {
  if (!pauses_ || (repeats_ != nullptr && !repeats_->IsUp(pause.wire))) return;
  ++counters_.pauses;
  pauses_->Take(pause);
  const Cycle counted = pause.wire + 1;
  if ((wait_ & (kCredit | kWindow | kPaused)) == 0 || send_due_ <= counted) return;
  if (!channels_ && counted >= setup_->end) return;
  send_due_ = counted;
  due_ = std::min(due_, counted);
}

/// Injection queues that have a packet, whether it is in front or was put aside.
Nic::Queues::Mask Nic::WithPackets() const {
  if (!pauses_) return queued_;
  if (host_ != nullptr) return queued_ | (host_->aside() > 0 ? 1 : 0);
  Queues::Mask queues = queued_;
  for (int queue = 0; queue < golden::kMaxClasses; ++queue) queues |= pauses_->HasAsideOf(queue) ? Queues::Bit(queue) : 0;
  return queues;
}

/// In a cycle in which the link is free: packets of paused flows that are in front of their queues make way, as long as
/// there is room; further packets of a flow wait behind those that made way.
void Nic::PutAside(Cycle now) {
  if (host_ != nullptr) return PutMessagesAside(now);
  if (IsPlan()) return;  // a capture keeps its order
  for (int queue = 0; queue < golden::kMaxClasses; ++queue) {
    while ((queued_ & Queues::Bit(queue)) != 0 && heads_[queue].ready <= now && pauses_->has_room()) {
      const Traffic::NewPacket packet = heads_[queue].packet;
      const PausedFlows::Key flow = FlowTo(packet.tc, packet.destination);
      if (pauses_->MayStart(flow, now) && !pauses_->HasAside(flow)) break;
      pauses_->PutAside(flow, queue, packet);
      Pop(queue, now);
    }
  }
}

/// Whether a message to the endpoint was put aside.
bool Nic::HasMessageAside(int destination) const {
  for (int i = 0; i < host_->aside(); ++i) {
    if (host_->DestinationAside(i) == destination) return true;
  }
  return false;
}

void Nic::PutMessagesAside(Cycle now) {
  while (host_->sends_message() && heads_[0].ready <= now && host_->aside() < setup_->most_aside) {
    const Traffic::NewPacket& packet = heads_[0].packet;
    if (PauseOk(packet.tc, packet.destination, now) && !HasMessageAside(packet.destination)) return;
    host_->PutAside(now, mode_);
    FetchFromHost();
  }
}

/// Of those that were put aside the oldest that its pause lets start, else the one in front of the queue.
Nic::Next Nic::NextOf(int queue, Cycle now, Waits* waits) const {
  if (pauses_ && host_ != nullptr) return NextOfHost(now, waits);
  Next next;
  if (pauses_ && pauses_->HasAsideOf(queue)) {
    *waits |= kPaused;  // also beside one that only lacks credit: an older one goes before it when its pause is over
    if (const Traffic::NewPacket* const first = pauses_->First(queue, now, &next.aside)) {
      next.packet = *first;
      return next;
    }
  }
  if ((queued_ & Queues::Bit(queue)) == 0 || heads_[queue].ready > now) return next;
  const Traffic::NewPacket& packet = heads_[queue].packet;
  if (pauses_ && !IsReduction(packet)) {
    const PausedFlows::Key flow = FlowTo(packet.tc, packet.destination);
    if (!pauses_->MayStart(flow, now) || pauses_->HasAside(flow)) {
      *waits |= kPaused;
      return next;
    }
  }
  next.packet = packet;
  return next;
}

Nic::Next Nic::NextOfHost(Cycle now, Waits* waits) const {
  Next next;
  for (next.message = 0; next.message < host_->aside(); ++next.message) {
    if (host_->ReadyAside(next.message) > now) continue;
    const Traffic::NewPacket packet = host_->HeadAside(next.message);
    if (PauseOk(packet.tc, packet.destination, now)) {
      next.packet = packet;
      return next;
    }
    *waits |= kPaused;
  }
  next.message = Host::kCurrent;
  if (queued_ == 0 || heads_[0].ready > now) return next;
  const Traffic::NewPacket& packet = heads_[0].packet;
  if (!IsReduction(packet) && (!PauseOk(packet.tc, packet.destination, now) || HasMessageAside(packet.destination))) {
    *waits |= kPaused;
  } else {
    next.packet = packet;
  }
  return next;
}

/// The next cycle in which a paused flow that holds packets may go on, or a pause that has come counts.
Cycle Nic::NextPauseChance(Cycle now) const {
  Cycle next = pauses_->NextPause();
  if ((wait_ & kPaused) != 0) next = std::min(next, pauses_->NextEnd(now));
  const bool sends_again = channels_ && !channels_->waiting().empty();
  return next < setup_->end || sends_again ? next : kNever;
}

}  // namespace tilefly::network
