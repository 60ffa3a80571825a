// SPDX-License-Identifier: Apache-2.0
#include "network/nic.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "golden/reduction/red_lanes.h"

namespace tilefly::network {

Nic::Nic(const NicSetup& setup, int endpoint)
    : setup_(&setup), endpoint_(endpoint), link_lanes_(static_cast<std::uint8_t>(setup.lanes)), mode_(setup.mode) {
  if (setup.channels.count > 0) channels_ = std::make_unique<Channels>(setup.channels);
  if (setup.channels.timeout > 0) {
    if (setup.numbers.window > 0) numbers_ = std::make_unique<PairNumbers>(setup.numbers);
    if (setup.numbers.window == 0) sequences_ = std::make_unique<Sequences>();
    arrivals_ = std::make_unique<Arrivals>();
  }
  if (setup.app_aware != nullptr) message_routing_ = std::make_unique<MessageRouting>(*setup.app_aware);
  if (setup.pauses) pauses_ = std::make_unique<PausedFlows>(setup.most_aside);
  if (setup.hosts->used() && setup.hosts->workload->seats[endpoint].job >= 0) {
    host_ = std::make_unique<Host>(*setup.hosts, endpoint, setup.begin, setup.clock_khz, *setup.reductions);
    used_ = 1;
    due_ = host_->due();
    return;
  }
  if (!IsSynthetic()) return;
  const std::optional<Traffic::Source> source = setup.traffic->Begin(endpoint, setup.begin);
  if (!source) return;
  Open(*source);
  due_ = send_due_ = NextTry(setup.begin);
}

std::optional<Nic::Start> Nic::Act(Cycle now, Statistics* statistics) {
  Count(now);
  if (channels_) channels_->Expire(now, [&](const SentPacket& packet) { GiveUp(packet); });
  const bool over = now >= setup_->end;
  if (host_ != nullptr && !over) {  // what happens there may give the link a packet in this cycle
    const bool had_packet = host_->has_packet();
    host_->Run(now, statistics);
    if (!had_packet || pauses_) FetchFromHost();
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

/// Credits, acks and pauses that were on the link before cycle `now`.
void Nic::Count(Cycle now) {
  if (pauses_) pauses_->Count(now);
  for (; !returning_.empty() && returning_.front().wire < now; returning_.Pop())
    credits_.Return(returning_.front().vl, returning_.front().cells, setup_->credits);
  for (; !acks_.empty() && acks_.front().wire < now; acks_.Pop()) CountAck(acks_.front());
}

void Nic::CountAck(const AckDue& ack) {
  if (!channels_) {
    --outstanding_;
  } else if (const SentPacket* const packet = channels_->Acknowledge(ack.flow, ack.wire + 1)) {
    ++counters_.acks;
    counters_.acked_cycles += ack.wire - packet->record.sent;
    if (numbers_) numbers_->End(packet->record);
  } else {
    ++counters_.late_acks;
  }
}

void Nic::GiveUp(const SentPacket& packet) {
  ++counters_.given_up;
  if (numbers_) numbers_->End(packet.record);
}

/// The first cycle from `now` on in which the link may take a packet that is there, kNever: none is.
Cycle Nic::NextTry(Cycle now) const {
  if (channels_ && !channels_->waiting().empty()) return std::max(link_free_, now);
  const Cycle next = std::max({FirstReady(), link_free_, now});
  return next < setup_->end ? next : kNever;
}

/// Starts a packet, or says when to look again.
std::optional<Nic::Start> Nic::Send(Cycle now, Statistics* statistics) {
  if (queued_ != used_ && host_ == nullptr) Fill(now);
  send_due_ = NextTry(now);
  if (send_due_ > now) {
    WaitFor(0, now);
    return std::nullopt;
  }
  if (repeats_ != nullptr && !LinkIsFree(now)) return std::nullopt;
  if (pauses_ && now < setup_->end) PutAside(now);
  const Choice choice = Choose(now);
  WaitFor(choice.waits, now);
  if (choice.waits != 0) {
    send_due_ = NextChance(now);
    return std::nullopt;
  }
  const Start start = choice.again >= 0 ? StartAgain(choice.again, now, statistics)
                                        : StartNew(choice, now, statistics);
  send_due_ = NextTry(now);
  return start;
}

/// Of the packets that are sent again the one that timed out first and has credit, of its pause and of its lane; else a new
/// packet.
Nic::Choice Nic::Choose(Cycle now) const {
  Choice choice;
  Queues::Mask held = 0;  // queues whose packets that are sent again have no credit
  if (channels_) {
    for (const int channel : channels_->waiting()) {
      if (held == used_) break;
      const int tc = channels_->packet(channel).tc;
      if ((held & Queues::Bit(QueueOf(tc))) != 0) continue;
      if (!PauseOk(tc, channels_->packet(channel).record.destination, now)) {
        choice.waits |= kPaused;
        continue;
      }
      if (LaneOk(setup_->lane[tc])) {
        choice = {};
        choice.again = channel;
        return choice;
      }
      held |= Queues::Bit(QueueOf(tc));
    }
  }
  if (held != 0) choice.waits |= kCredit;
  ChooseNew(now, held, &choice);
  return choice;
}

/// Queues have turns: from the one behind that which had the last, the first whose next packet may start.
void Nic::ChooseNew(Cycle now, Queues::Mask held, Choice* choice) const {
  const Queues::Mask open = WithPackets() & ~held;
  if (open == 0 || now >= setup_->end) return;
  const auto number = static_cast<std::uint64_t>(counters_.packets - counters_.resends);
  const int outstanding = channels_ ? channels_->outstanding() : outstanding_;
  const int flow = channels_ ? channels_->FreeFor(number) : static_cast<int>(number % setup_->flows);
  const bool window_ok = flow >= 0 && (setup_->window == 0 || outstanding < setup_->window);
  const Queues::Mask before_turn = Queues::Bit(turn_) - 1;
  for (const Queues::Mask part : {open & ~before_turn, open & before_turn}) {
    for (Queues::Mask rest = part; rest != 0; rest &= rest - 1) {
      const int queue = golden::LowestBit(rest);
      const Next next = NextOf(queue, now, &choice->waits);
      if (!next.packet) continue;
      const bool reduction = IsReduction(*next.packet);
      if (!reduction && !(window_ok && NumberOk(*next.packet))) {
        choice->waits |= kWindow;
      } else if (!LaneOk(reduction ? std::uint8_t{kRedUpLane} : setup_->lane[next.packet->tc])) {
        choice->waits |= kCredit;
      } else {
        *choice = {-1, queue, flow, 0, next};
        return;
      }
    }
  }
}

/// While nothing that is there can start: the next cycle in which something may, as far as it is known.
Cycle Nic::NextChance(Cycle now) const {
  Cycle next = kNever;
  if ((wait_ & kCredit) != 0 && !returning_.empty()) next = returning_.front().wire + 1;
  if (pauses_) next = std::min(next, NextPauseChance(now));
  // The window holds all packets, numbers those of a pair only. Of paused flows packets are put aside when they come.
  if ((wait_ & kWindow) == 0 || numbers_ || pauses_) next = std::min(next, NextArrival(now));
  if ((wait_ & kWindow) == 0) return next;
  if (!acks_.empty()) next = std::min(next, acks_.front().wire + 1);
  return channels_ ? std::min(next, channels_->opens()) : next;
}

/// From cycle `now` on packets wait so.
void Nic::WaitFor(Waits waits, Cycle now) {
  waits = static_cast<Waits>(waits | (wait_ & kAgain));
  if (waits == wait_) return;
  CountWait(now);
  wait_ = waits;
}

/// What was waited for until cycle `now` is counted, up to the end of traffic: the link if retry held it; else credit, if
/// a packet waited for it; else the window; else the end of pauses.
void Nic::CountWait(Cycle now) {
  const Cycle until = std::min(now, setup_->end);
  const Cycle cycles = std::max<Cycle>(0, until - wait_since_);
  const Cycle measured = setup_->measured.CyclesOf(wait_since_, until);
  if ((wait_ & (kHeld | kAgain)) != 0) {
    counters_.measured_retry += measured;
    held_.push_back({wait_since_, now});
  } else if ((wait_ & kCredit) != 0) {
    counters_.stalled_cycles += cycles;
    counters_.measured_stalled += measured;
  } else if ((wait_ & kWindow) != 0) {
    counters_.window_cycles += cycles;
    counters_.measured_window += measured;
  } else if (wait_ != 0) {
    counters_.throttled_cycles += cycles;
    counters_.measured_throttled += measured;
    throttled_.push_back({wait_since_, now});
  }
  wait_since_ = now;
}

Nic::Start Nic::StartNew(const Choice& choice, Cycle now, Statistics* statistics) {
  const int flow = choice.flow;
  const Traffic::NewPacket packet = *choice.next.packet;
  turn_ = static_cast<std::uint8_t>((choice.queue + 1) % golden::kMaxClasses);
  if (IsReduction(packet)) return StartReduction(now);
  const bool goes_on = host_ != nullptr && choice.next.message != Host::kCurrent;
  const RouteMode mode = goes_on ? host_->ModeAside(choice.next.message) : mode_;
  SentPacket sent{{packet.created, now, endpoint_, packet.destination}, mode, packet.tc, packet.length};
  if (sequences_) sent.record.sequence = sequences_->Next(packet.destination);
  if (numbers_) {
    sent.record.sequence = numbers_->Take(packet.destination);
    sent.record.oldest = numbers_->oldest(packet.destination);
  }
  const int words = WordsOf(packet.length);
  sent.record.words = static_cast<std::uint16_t>(words);
  sent.record.tc = static_cast<std::uint8_t>(packet.tc);
  const Cycle offset = golden::WordOffset(words - 1, lanes());
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
  if (host_ != nullptr) host_->Start(choice.next.message, now, offset, &sent.record);
  if (channels_) {
    channels_->Start(flow, sent, now + offset);
  } else {
    ++outstanding_;
    counters_.acked_cycles -= now;
  }
  const Start start = Put(sent, channels_ ? channels_->FlowOf(flow) : flow, now);
  if (host_ != nullptr) {
    FetchFromHost();
  } else {
    choice.next.aside != kNotAside ? pauses_->Pop(choice.next.aside) : Pop(choice.queue, now);
  }
  return start;
}

Nic::Start Nic::StartAgain(int channel, Cycle now, Statistics* statistics) {
  const int words = WordsOf(channels_->packet(channel).length);
  const std::uint32_t oldest = numbers_ ? numbers_->oldest(channels_->packet(channel).record.destination) : 0;
  channels_->StartAgain(channel, now, now + golden::WordOffset(words - 1, lanes()), oldest);
  ++statistics->resent;
  ++counters_.resends;
  return Put(channels_->packet(channel), channels_->FlowOf(channel), now);
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
  if (pauses_) pauses_->Started(PausedFlows::KeyOf(packet.tc, header.dst), now, golden::CellsOf(packet.length));
  const Cycle held = SumSince(packet.record.created, held_), throttled = SumSince(packet.record.created, throttled_);
  return {packet.record, golden::HeaderBits(header), Occupy(header, now), held, throttled};
}

/// The link sends a packet from cycle `now` on. Returns its words.
int Nic::Occupy(const Header& header, Cycle now) {
  const int words = WordsOf(header.len);
  credits_.Grant(header.vl, golden::CellsOf(header.len), setup_->credits);
  counters_.words += words;
  CountLink();
  held_.clear();
  throttled_.clear();
  link_since_ = now;
  link_lanes_ = static_cast<std::uint8_t>(lanes());
  link_free_ = now + SlotCyclesOf(words, link_lanes_);
  return words;
}

void Nic::TakeCredit(const LinkCredit& credit) {
  if (repeats_ != nullptr) return repeats_->TakeReturn(credit);
  returning_.Push(credit);
  if ((wait_ & kCredit) == 0 || send_due_ <= credit.wire + 1) return;
  if (!channels_ && credit.wire + 1 >= setup_->end) return;
  send_due_ = credit.wire + 1;
  due_ = std::min(due_, send_due_);
}

void Nic::TakeAck(const LinkAck& ack) {
  if (repeats_ != nullptr && repeats_->slots() != nullptr) return repeats_->slots()->TakeAck(ack);
  if (repeats_ == nullptr || repeats_->IsUp(ack.wire)) HearAck(ack);
}

/// With channels every ack is counted in its cycle, so that it stops a time-out; else only when it is waited for.
void Nic::HearAck(const LinkAck& ack) {
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
  if ((wait_ & kWindow) == 0 || send_due_ <= counted || counted >= setup_->end) return;
  send_due_ = counted;
  due_ = std::min(due_, counted);
}

bool Nic::IsNew(const PacketRecord& record) {
  if (!arrivals_) return true;
  if (!numbers_ || numbers_->Arrive(record)) {
    if (arrivals_->Add(record)) return true;
    if (numbers_) {
      throw std::logic_error(fmt::format("LSV-10: packet {} of endpoint {} would come to the host of endpoint {} twice",
                                         record.sequence, record.source, record.destination));
    }
  } else {
    counters_.late_copies += !arrivals_->Has(record);
  }
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

Nic::Sent Nic::SentBefore(Cycle end) const {
  const int words = LatestWords();
  return {counters_.words - words + WordsBefore(end, link_since_, words, link_lanes_), counters_.packets};
}

/// What the link has done since the last packet began.
void Nic::CountLink() {
  const Measured& measured = setup_->measured;
  counters_.measured_words += measured.WordsOf(link_since_, LatestWords(), link_lanes_);
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
