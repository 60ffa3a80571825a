// SPDX-License-Identifier: Apache-2.0
#include "golden/network/nic.h"

#include <algorithm>

namespace tilefly::golden {

Nic::Nic(const NicSetup& setup, int endpoint) : setup_(&setup), endpoint_(endpoint) {
  if (setup.hosts->used()) {
    if (setup.hosts->workload->seats[endpoint].job < 0) return;
    host_ = std::make_unique<Host>(*setup.hosts, endpoint, setup.begin, setup.clock_khz);
    due_ = host_->due();
    return;
  }
  const std::optional<Traffic::Source> source = setup.traffic->Begin(endpoint, setup.begin);
  if (!source) return;
  source_ = *source;
  Fetch();
}

/// The packet that is created next becomes the head.
void Nic::Fetch() {
  packet_ = setup_->traffic->Head(endpoint_, source_);
  SetDue(packet_.created);
  due_ = send_due_;
}

void Nic::FetchFrom(const Host& host) {
  if (host.has_packet()) {
    packet_ = host.Head();
    SetDue(host.ready());
  } else {
    send_due_ = kNever;
  }
}

/// The head may be on the link from cycle `ready` on.
void Nic::SetDue(Cycle ready) {
  send_due_ = std::max(ready, link_free_);
  if (send_due_ >= setup_->end) send_due_ = kNever;
}

HeaderBits Nic::HeaderOf() const {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = static_cast<std::uint16_t>(packet_.length);
  header.tc = static_cast<std::uint8_t>(packet_.tc);
  header.vl = setup_->lane[packet_.tc];
  header.src = setup_->addresses[endpoint_];
  header.dst = setup_->addresses[packet_.destination];
  header.mode = static_cast<std::uint8_t>(setup_->mode);
  header.ordered = setup_->mode == RouteMode::kInOrder;
  header.flow = static_cast<std::uint16_t>(static_cast<std::uint64_t>(counters_.packets) % setup_->flows);
  return HeaderBits(header);
}

std::optional<Nic::Start> Nic::Act(Cycle now, Statistics* statistics) {
  while (!returning_.empty() && returning_.front().wire < now) {
    credits_.Return(returning_.front().vl, returning_.front().cells, setup_->credits);
    returning_.Pop();
  }
  if (now >= setup_->end) {
    due_ = send_due_ = kNever;
    return std::nullopt;
  }
  if (host_ != nullptr) return ActWithHost(now, statistics);
  std::optional<Start> start = Send(now, statistics);
  if (start) {
    setup_->traffic->Advance(endpoint_, &source_);
    Fetch();
  }
  due_ = send_due_;
  return start;
}

/// What happens at the host in this cycle may give the link a packet in it.
std::optional<Nic::Start> Nic::ActWithHost(Cycle now, Statistics* statistics) {
  const bool had_packet = host_->has_packet();
  host_->Run(now, statistics);
  if (!had_packet) FetchFrom(*host_);
  std::optional<Start> start;
  if (send_due_ <= now && (start = Send(now, statistics))) {
    host_->Start(now, WordOffset(start->words - 1, setup_->lanes), &start->record);
    FetchFrom(*host_);
  }
  due_ = std::min(send_due_, host_->due());
  return start;
}

/// The head, if its lane has credit; else it waits for some.
std::optional<Nic::Start> Nic::Send(Cycle now, Statistics* statistics) {
  const int lane = setup_->lane[packet_.tc];
  if (!credits_.LaneOk(lane, setup_->credits, setup_->mtu_cells)) {
    blocked_since_ = std::min(blocked_since_, now);
    send_due_ = returning_.empty() ? kNever : returning_.front().wire + 1;
    return std::nullopt;
  }
  EndStall(now);
  const int words = WordsOf(packet_.length);
  credits_.Grant(lane, CellsOf(packet_.length), setup_->credits);
  Start start{{packet_.created, now, endpoint_, packet_.destination, -1, -1}, HeaderOf(), words};
  ++statistics->classes[packet_.tc].sent;
  ++counters_.packets;
  counters_.acked_cycles -= now;
  counters_.words += words;
  if (setup_->measured.Has(now)) counters_.measured_words += words;
  if (setup_->measured.Has(packet_.created)) statistics->offered_words += words;
  if (packet_.created < setup_->measured.from && now >= setup_->measured.from) statistics->queued_before += words;
  counters_.measured_busy += setup_->measured.CyclesOf(link_since_, link_free_);
  link_since_ = now;
  link_free_ = now + SlotCyclesOf(words, setup_->lanes);
  return start;
}

/// A stall, if there is one, is over in cycle `now`.
void Nic::EndStall(Cycle now) {
  if (blocked_since_ == kNever) return;
  counters_.stalled_cycles += now - blocked_since_;
  counters_.measured_stalled += setup_->measured.CyclesOf(blocked_since_, now);
  blocked_since_ = kNever;
}

void Nic::TakeCredit(const LinkCredit& credit) {
  returning_.Push(credit);
  if (blocked_since_ == kNever || send_due_ != kNever || credit.wire + 1 >= setup_->end) return;
  send_due_ = credit.wire + 1;
  due_ = std::min(due_, send_due_);
}

void Nic::TakeMessage(const PacketRecord& record, Cycle last, Statistics* statistics) {
  host_->Arrive(record, last, statistics);
  due_ = std::min(due_, host_->due());
}

LinkCredit Nic::Sink(Cycle last, int vl, int cells) {
  freed_[vl] = static_cast<std::uint16_t>(freed_[vl] + cells);
  return {last + 1, freed_[vl], static_cast<std::uint8_t>(vl)};
}

Nic::Queue Nic::Remaining() const {
  Queue queue;
  const auto add = [&](int length, Cycle created) {
    const int words = WordsOf(length);
    ++queue.packets;
    queue.words += words;
    if (setup_->measured.Has(created)) queue.measured_words += words;
    if (created < setup_->measured.from) queue.early_words += words;
  };
  if (host_ != nullptr) host_->ForEachQueued(add);
  if (setup_->hosts->used() || !setup_->traffic->Begin(endpoint_, setup_->begin)) return queue;
  for (Traffic::Source source = source_;; setup_->traffic->Advance(endpoint_, &source)) {
    const Traffic::NewPacket packet = setup_->traffic->Head(endpoint_, source);
    if (packet.created >= setup_->end) return queue;
    add(packet.length, packet.created);
  }
}

void Nic::Settle() {
  EndStall(setup_->end);
  counters_.measured_busy += setup_->measured.CyclesOf(link_since_, link_free_);
  link_since_ = link_free_;
  for (; !returning_.empty(); returning_.Pop()) {
    credits_.Return(returning_.front().vl, returning_.front().cells, setup_->credits);
  }
}

}  // namespace tilefly::golden
