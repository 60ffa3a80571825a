// SPDX-License-Identifier: Apache-2.0
#include "network/nic.h"

#include <algorithm>

#include "golden/reduction/red_lanes.h"

namespace tilefly::network {

Nic::Nic(const NicSetup& setup, int endpoint) : setup_(&setup), endpoint_(endpoint), mode_(setup.mode) {
  if (setup.channels.count > 0) channels_ = std::make_unique<Channels>(setup.channels);
  if (setup.channels.timeout > 0) {
    sequences_ = std::make_unique<Sequences>();
    arrivals_ = std::make_unique<Arrivals>();
  }
  if (setup.app_aware != nullptr) message_routing_ = std::make_unique<MessageRouting>(*setup.app_aware);
  if (setup.hosts->used() && setup.hosts->workload->seats[endpoint].job >= 0) {
    host_ = std::make_unique<Host>(*setup.hosts, endpoint, setup.begin, setup.clock_khz, *setup.reductions);
    due_ = host_->due();
    return;
  }
  if (!IsSynthetic()) return;
  const std::optional<Traffic::Source> source = setup.traffic->Begin(endpoint, setup.begin);
  if (!source) return;
  source_ = *source;
  Fetch();
  due_ = send_due_ = NextTry(setup.begin);
}

/// What is created next, or what the host has next, becomes the head.
void Nic::Fetch() {
  if (host_ == nullptr) {
    packet_ = setup_->traffic->Head(endpoint_, source_);
    ready_ = packet_.created;
  } else if (host_->has_packet()) {
    packet_ = host_->Head();
    ready_ = host_->ready();
    if (message_routing_ && host_->begins_message()) ChooseMode();
  } else {
    ready_ = kNever;
  }
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

std::optional<Nic::Start> Nic::Act(Cycle now, Statistics* statistics) {
  Count(now);
  if (channels_) counters_.given_up += channels_->Expire(now);
  const bool over = now >= setup_->end;
  if (host_ != nullptr && !over) {  // what happens there may give the link a packet in this cycle
    const bool had_packet = host_->has_packet();
    host_->Run(now, statistics);
    if (!had_packet) Fetch();
  }
  std::optional<Start> start = Send(now, statistics);
  due_ = send_due_;
  // What a host would do after the end of traffic is not done.
  if (host_ != nullptr && host_->due() < setup_->end) due_ = std::min(due_, host_->due());
  if (channels_) {
    due_ = std::min(due_, channels_->due());
    if (!acks_.empty()) due_ = std::min(due_, acks_.front().wire + 1);
  }
  return start;
}

/// Credits and acks that were on the link before cycle `now`.
void Nic::Count(Cycle now) {
  for (; !returning_.empty() && returning_.front().wire < now; returning_.Pop())
    credits_.Return(returning_.front().vl, returning_.front().cells, setup_->credits);
  for (; !acks_.empty() && acks_.front().wire < now; acks_.Pop()) CountAck(acks_.front());
}

void Nic::CountAck(const AckDue& ack) {
  if (!channels_) {
    --outstanding_;
  } else if (const std::optional<Cycle> sent = channels_->Acknowledge(ack.flow, ack.wire + 1)) {
    ++counters_.acks;
    counters_.acked_cycles += ack.wire - *sent;
  } else {
    ++counters_.late_acks;
  }
}

/// The first cycle from `now` on in which the link may take what is first in the queue, kNever: nothing is.
Cycle Nic::NextTry(Cycle now) const {
  if (channels_ && channels_->waiting() >= 0) return std::max(link_free_, now);
  const Cycle next = std::max({ready_, link_free_, now});
  return next < setup_->end ? next : kNever;
}

/// Starts what is first in the queue, a packet to be sent again before others, or says when to look again.
std::optional<Nic::Start> Nic::Send(Cycle now, Statistics* statistics) {
  send_due_ = NextTry(now);
  if (send_due_ > now) {
    EndWait(now);
    return std::nullopt;
  }
  const int again = channels_ ? channels_->waiting() : -1;
  int flow = again;
  if (const Wait wait = WaitOf(again, &flow); wait != Wait::kNothing) {
    WaitFor(wait, now);
    send_due_ = NextChance();
    return std::nullopt;
  }
  EndWait(now);
  const Start start = again >= 0 ? StartAgain(again, now, statistics) : StartNew(flow, now, statistics);
  send_due_ = NextTry(now);
  return start;
}

/// What the first in the queue waits for: a packet of channel `again`, or a new one (-1), which gets `flow`.
Nic::Wait Nic::WaitOf(int again, int* flow) {
  if (again < 0 && !IsReduction()) {
    const auto number = static_cast<std::uint64_t>(counters_.packets - counters_.resends);
    const int outstanding = channels_ ? channels_->outstanding() : outstanding_;
    *flow = channels_ ? channels_->FreeFor(number) : static_cast<int>(number % setup_->flows);
    if (*flow < 0 || (setup_->window > 0 && outstanding >= setup_->window)) return Wait::kWindow;
  }
  blocked_lane_ = again < 0 && IsReduction() ? std::uint8_t{kRedUpLane}
                                             : setup_->lane[again >= 0 ? channels_->packet(again).tc : packet_.tc];
  return credits_.LaneOk(blocked_lane_, setup_->credits, setup_->mtu_cells) ? Wait::kNothing : Wait::kCredit;
}

/// The next cycle in which what is waited for may be there, as far as it is known.
Cycle Nic::NextChance() const {
  if (wait_ == Wait::kCredit) return returning_.empty() ? kNever : returning_.front().wire + 1;
  const Cycle counted = acks_.empty() ? kNever : acks_.front().wire + 1;
  return channels_ ? std::min(counted, channels_->opens()) : counted;
}

/// From cycle `now` on the first in the queue waits so.
void Nic::WaitFor(Wait wait, Cycle now) {
  if (wait == wait_) return;
  CountWait(now);
  wait_ = wait;
}

/// What the first in the queue has waited for until cycle `now` is counted, up to the end of traffic.
void Nic::CountWait(Cycle now) {
  const Cycle until = std::min(now, setup_->end);
  const Cycle cycles = std::max<Cycle>(0, until - wait_since_);
  const Cycle measured = setup_->measured.CyclesOf(wait_since_, until);
  if (wait_ == Wait::kCredit) {
    counters_.stalled_cycles += cycles;
    counters_.measured_stalled += measured;
  } else if (wait_ == Wait::kWindow) {
    counters_.window_cycles += cycles;
    counters_.measured_window += measured;
  }
  wait_since_ = now;
}

Nic::Start Nic::StartNew(int flow, Cycle now, Statistics* statistics) {
  if (IsReduction()) return StartReduction(now);
  const Traffic::NewPacket packet = packet_;
  SentPacket sent{{packet.created, now, endpoint_, packet.destination}, mode_, packet.tc, packet.length};
  if (sequences_) sent.record.sequence = sequences_->Next(packet.destination);
  const int words = WordsOf(packet.length);
  sent.record.words = static_cast<std::uint16_t>(words);
  sent.record.tc = static_cast<std::uint8_t>(packet.tc);
  const Cycle offset = golden::WordOffset(words - 1, setup_->lanes);
  ++statistics->classes[packet.tc].sent;
  if (setup_->measured.Has(packet.created)) statistics->offered_words += words;
  if (setup_->background && host_ == nullptr) {
    ++statistics->background.sent;
    if (setup_->measured.Has(packet.created)) statistics->background_words += words;
  }
  statistics->history.Create(setup_->history, packet.tc, endpoint_, packet.created, words);
  statistics->history.Send(setup_->history, packet.tc, now, words);
  if (setup_->samples != nullptr)
    statistics->samples.Start(packet.tc, setup_->samples->group_of_endpoint[endpoint_], packet.created, now, words);
  if (host_ != nullptr) {
    host_->Start(now, offset, &sent.record);
  } else {
    setup_->traffic->Advance(endpoint_, &source_);
  }
  if (channels_) {
    channels_->Start(flow, sent, now + offset);
  } else {
    ++outstanding_;
    counters_.acked_cycles -= now;
  }
  const Start start = Put(sent, flow, now);
  Fetch();
  return start;
}

Nic::Start Nic::StartAgain(int channel, Cycle now, Statistics* statistics) {
  channels_->StartAgain(now, now + golden::WordOffset(WordsOf(channels_->packet(channel).length) - 1, setup_->lanes));
  ++statistics->resent;
  ++counters_.resends;
  return Put(channels_->packet(channel), channel, now);
}

/// The packet's first word is on the link in cycle `now`.
Nic::Start Nic::Put(const SentPacket& packet, int flow, Cycle now) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = static_cast<std::uint16_t>(packet.length);
  header.tc = static_cast<std::uint8_t>(packet.tc);
  header.vl = setup_->lane[packet.tc];
  header.src = setup_->addresses[endpoint_];
  header.dst = setup_->addresses[packet.record.destination];
  header.mode = static_cast<std::uint8_t>(packet.mode);
  header.ordered = packet.mode == RouteMode::kInOrder;
  header.flow = static_cast<std::uint16_t>(flow);
  ++counters_.packets;
  return {packet.record, golden::HeaderBits(header), Occupy(header, now)};
}

/// The link sends a packet from cycle `now` on. Returns its words.
int Nic::Occupy(const Header& header, Cycle now) {
  const int words = WordsOf(header.len);
  credits_.Grant(header.vl, golden::CellsOf(header.len), setup_->credits);
  counters_.words += words;
  CountLink();
  link_since_ = now;
  link_free_ = now + SlotCyclesOf(words, setup_->lanes);
  return words;
}

void Nic::TakeCredit(const LinkCredit& credit) {
  returning_.Push(credit);
  if (wait_ != Wait::kCredit || send_due_ != kNever) return;
  if (!channels_ && credit.wire + 1 >= setup_->end) return;
  send_due_ = credit.wire + 1;
  due_ = std::min(due_, send_due_);
}

/// With channels every ack is counted in its cycle, so that it stops a time-out; else only when it is waited for.
void Nic::TakeAck(const LinkAck& ack) {
  const Cycle counted = ack.wire + 1;
  if (channels_) {
    acks_.Push({ack.wire, static_cast<std::int32_t>(ack.ack.flow)});
    due_ = std::min(due_, counted);
    return;
  }
  ++counters_.acks;
  counters_.acked_cycles += ack.wire;
  if (setup_->window == 0) return;
  acks_.Push({ack.wire, 0});
  if (wait_ != Wait::kWindow || send_due_ != kNever || counted >= setup_->end) return;
  send_due_ = counted;
  due_ = std::min(due_, counted);
}

bool Nic::IsNew(const PacketRecord& record) {
  if (!arrivals_ || arrivals_->Add(record)) return true;
  ++counters_.duplicates;
  return false;
}

void Nic::TakeMessage(const PacketRecord& record, Cycle last, Statistics* statistics) {
  host_->Arrive(record, last, statistics);
  due_ = std::min(due_, host_->due());
}

LinkCredit Nic::Sink(Cycle last, int vl, int cells) {
  freed_[vl] = static_cast<std::uint16_t>(freed_[vl] + cells);
  return {last + 1, freed_[vl], static_cast<std::uint8_t>(vl)};
}

/// Of synthetic traffic and captures, what is created before `end` and not yet sent.
template <typename Visit>
void Nic::ForEachToCome(Cycle end, Visit&& visit) const {
  if (!IsSynthetic() || !setup_->traffic->Begin(endpoint_, setup_->begin)) return;
  for (Traffic::Source source = source_;; setup_->traffic->Advance(endpoint_, &source)) {
    const Traffic::NewPacket packet = setup_->traffic->Head(endpoint_, source);
    if (packet.created >= end) return;
    visit(packet);
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

Nic::Sent Nic::SentBefore(Cycle end) const {
  const int words = LatestWords();
  return {counters_.words - words + WordsBefore(end, link_since_, words, setup_->lanes), counters_.packets};
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
  if (IsPlan()) queue.packets = setup_->traffic->Left(endpoint_, source_);
  return queue;
}

/// What the link has done since the last packet began.
void Nic::CountLink() {
  const Measured& measured = setup_->measured;
  counters_.measured_words += measured.WordsOf(link_since_, LatestWords(), setup_->lanes);
  counters_.measured_busy += measured.CyclesOf(link_since_, link_free_);
}

void Nic::Settle() {
  CountWait(setup_->end);
  CountLink();
  link_since_ = link_free_;
  for (; !returning_.empty(); returning_.Pop()) {
    credits_.Return(returning_.front().vl, returning_.front().cells, setup_->credits);
  }
}

}  // namespace tilefly::network
