// SPDX-License-Identifier: Apache-2.0
// What waits at a NIC for its first start (docs/network.md, Queues of a NIC): the next packet of a host, or a queue for
// each class of a stream of packets, none of which is stored.
#include <algorithm>

#include "network/nic.h"

namespace tilefly::network {

/// What the host has next becomes the head.
void Nic::FetchFromHost() {
  queued_ = host_->has_packet() ? 1 : 0;
  if (queued_ == 0) return;
  heads_[0] = {host_->Head(), host_->ready()};
  if (host_->TakeBegin() && message_routing_) ChooseMode();
}

/// A message begins.
void Nic::ChooseMode() {
  const workload::NextMessage message = host_->Message();
  const workload::Bias bias = message_routing_->Choose(
      message, {counters_.acks, counters_.acked_cycles, counters_.words, counters_.stalled_cycles});
  mode_ = ModeOf(bias);
  ++counters_.messages;
  counters_.message_bytes += message.bytes;
  if (bias != workload::Bias::kHigh) return;
  ++counters_.biased_messages;
  counters_.biased_bytes += message.bytes;
}

/// Synthetic traffic, or a capture's, begins at `source`.
void Nic::Open(const Traffic::Source& source) {
  stream_ = Queues(source);
  const std::uint32_t classes = setup_->traffic->ClassesOf(endpoint_);
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    if ((classes >> tc & 1) != 0) used_ |= Queues::Bit(setup_->queue[tc]);
  }
  Fill(setup_->begin);
}

/// While a queue has no head: packets of the stream that are there in cycle `now` are looked at, and later ones as long
/// as they become heads.
void Nic::Fill(Cycle now) {
  const Traffic& traffic = *setup_->traffic;
  while (queued_ != used_) {
    const Cycle created = traffic.CreatedOf(endpoint_, stream_.next());
    if (created == kNever) return;
    const int queue = QueueOf(traffic.ClassOf(endpoint_, stream_.next()));
    const bool is_head = (queued_ & Queues::Bit(queue)) == 0;
    if (!is_head && created > now) return;
    stream_.Look(queue, [&](Traffic::Source* at) { traffic.Advance(endpoint_, at); });
    if (is_head) SetHead(queue);
  }
}

/// The stream has a first packet of the queue.
void Nic::SetHead(int queue) {
  Head& head = heads_[queue];
  head.packet = setup_->traffic->Head(endpoint_, stream_.first(queue));
  head.ready = head.packet.created;
  queued_ = stream_.waiting();
}

/// The head of the queue has started in cycle `now`.
void Nic::Pop(int queue, Cycle now) {
  const Traffic& traffic = *setup_->traffic;
  stream_.Pop(
      queue, [&](const Traffic::Source& at) { return QueueOf(traffic.ClassOf(endpoint_, at)); },
      [&](Traffic::Source* at) { traffic.Advance(endpoint_, at); });
  queued_ = stream_.waiting();
  if ((queued_ & Queues::Bit(queue)) != 0) SetHead(queue);
  Fill(now);
}

/// When the first of the heads, or of what was put aside, may be sent, kNever: there is none.
Cycle Nic::FirstReady() const {
  if (pauses_ && pauses_->aside() > 0) return 0;
  Cycle ready = host_ != nullptr ? host_->FirstReadyAside() : kNever;
  for (Queues::Mask rest = queued_; rest != 0; rest &= rest - 1)
    ready = std::min(ready, heads_[golden::LowestBit(rest)].ready);
  return ready;
}

/// When a queue whose head, if it has one, is not there yet gets a packet; kNever: not before the end of traffic.
Cycle Nic::NextArrival(Cycle now) const {
  Cycle next = kNever;
  for (Queues::Mask rest = queued_; rest != 0; rest &= rest - 1) {
    const Cycle ready = heads_[golden::LowestBit(rest)].ready;
    if (ready > now) next = std::min(next, ready);
  }
  if (host_ != nullptr && host_->FirstReadyAside() > now) next = std::min(next, host_->FirstReadyAside());
  if (queued_ != used_ && host_ == nullptr)
    next = std::min(next, setup_->traffic->CreatedOf(endpoint_, stream_.next()));
  return next < setup_->end ? next : kNever;
}

/// Of synthetic traffic and captures, what is created before `end` and not yet sent.
template <typename Visit>
void Nic::ForEachToCome(Cycle end, Visit&& visit) const {
  if (pauses_) {
    pauses_->ForEachAside([&](const Traffic::NewPacket& packet) {
      if (packet.created < end) visit(packet);
    });
  }
  if (!IsSynthetic() || !setup_->traffic->Begin(endpoint_, setup_->begin)) return;
  for (Traffic::Source source = stream_.oldest();; setup_->traffic->Advance(endpoint_, &source)) {
    const Traffic::NewPacket packet = setup_->traffic->Head(endpoint_, source);
    if (packet.created >= end) return;
    if (!stream_.Gone(source, QueueOf(packet.tc))) visit(packet);
  }
}

void Nic::AddWaiting(Cycle end, TrafficHistory* history) const {
  ForEachToCome(end, [&](const Traffic::NewPacket& packet) {
    history->Create(setup_->history, packet.tc, endpoint_, packet.created, WordsOf(packet.length));
  });
}

void Nic::AddWaiting(Samples* samples) const {
  const int group = setup_->samples->group_of_endpoint[endpoint_];
  if (host_ != nullptr) {
    const int tc = setup_->hosts->classes[host_->seat().job];
    host_->ForEachQueued([&](std::int64_t packets, int length, Cycle created) {
      samples->Create(tc, group, created, packets * WordsOf(length));
    });
  }
  ForEachToCome(setup_->end, [&](const Traffic::NewPacket& packet) {
    samples->Create(packet.tc, group, packet.created, WordsOf(packet.length));
  });
}

Nic::Queue Nic::Remaining() const {
  Queue queue;
  const auto add = [&](std::int64_t packets, int length, Cycle created) {
    const std::int64_t words = packets * WordsOf(length);
    queue.packets += packets;
    queue.words += words;
    if (!setup_->measured.Has(created)) return;
    queue.measured_words += words;
    if (setup_->background && host_ == nullptr) queue.background_words += words;
  };
  if (host_ != nullptr) host_->ForEachQueued(add);
  ForEachToCome(setup_->end, [&](const Traffic::NewPacket& packet) { add(1, packet.length, packet.created); });
  if (IsPlan()) queue.packets = setup_->traffic->Left(endpoint_, {}) - (counters_.packets - counters_.resends);
  return queue;
}

}  // namespace tilefly::network
