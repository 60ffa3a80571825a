// SPDX-License-Identifier: Apache-2.0
#include "golden/network/nic.h"

#include <algorithm>

namespace tilefly::golden {

Nic::Nic(const NicSetup& setup, int endpoint) : setup_(&setup), endpoint_(endpoint) {
  const std::optional<Traffic::Source> source = setup.traffic->Begin(endpoint, setup.begin);
  if (!source) return;
  source_ = *source;
  Fetch();
}

/// The packet that is created next becomes the head.
void Nic::Fetch() {
  packet_ = setup_->traffic->Head(endpoint_, source_);
  due_ = packet_.created < setup_->end ? Ready() : kNever;
  if (due_ >= setup_->end) due_ = kNever;
}

HeaderBits Nic::HeaderOf() const {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = static_cast<std::uint16_t>(packet_.length);
  header.tc = static_cast<std::uint8_t>(packet_.tc);
  header.vl = setup_->lane[packet_.tc];
  header.src = setup_->addresses[endpoint_];
  header.dst = setup_->addresses[packet_.destination];
  return HeaderBits(header);
}

std::optional<Nic::Start> Nic::Act(Cycle now, Statistics* statistics) {
  while (!returning_.empty() && returning_.front().wire < now) {
    credits_.Return(returning_.front().vl, returning_.front().cells, setup_->credits);
    returning_.Pop();
  }
  if (now >= setup_->end) {
    due_ = kNever;
    return std::nullopt;
  }
  const int lane = setup_->lane[packet_.tc];
  if (!credits_.LaneOk(lane, setup_->credits, setup_->mtu_cells)) {
    blocked_since_ = std::min(blocked_since_, now);
    due_ = returning_.empty() ? kNever : returning_.front().wire + 1;
    return std::nullopt;
  }
  if (blocked_since_ != kNever) counters_.stalled_cycles += now - blocked_since_;
  blocked_since_ = kNever;
  const int words = WordsOf(packet_.length);
  credits_.Grant(lane, CellsOf(packet_.length), setup_->credits);
  Start start{{packet_.created, now, endpoint_, packet_.destination}, HeaderOf(), words};
  ++statistics->classes[packet_.tc].sent;
  ++counters_.packets;
  counters_.words += words;
  if (setup_->measured.Has(now)) counters_.measured_words += words;
  if (setup_->measured.Has(packet_.created)) statistics->offered_words += words;
  if (packet_.created < setup_->measured.from && now >= setup_->measured.from) statistics->queued_before += words;
  link_free_ = now + SlotCyclesOf(words, setup_->lanes);
  setup_->traffic->Advance(endpoint_, &source_);
  Fetch();
  return start;
}

void Nic::TakeCredit(const LinkCredit& credit) {
  returning_.Push(credit);
  if (blocked_since_ != kNever && due_ == kNever && credit.wire + 1 < setup_->end) due_ = credit.wire + 1;
}

LinkCredit Nic::Sink(Cycle last, int vl, int cells) {
  freed_[vl] = static_cast<std::uint16_t>(freed_[vl] + cells);
  return {last + 1, freed_[vl], static_cast<std::uint8_t>(vl)};
}

Nic::Queue Nic::Remaining() const {
  Queue queue;
  Traffic::Source source = source_;
  if (!setup_->traffic->Begin(endpoint_, setup_->begin)) return queue;
  for (;;) {
    const Traffic::NewPacket packet = setup_->traffic->Head(endpoint_, source);
    if (packet.created >= setup_->end) return queue;
    const int words = WordsOf(packet.length);
    ++queue.packets;
    queue.words += words;
    if (setup_->measured.Has(packet.created)) queue.measured_words += words;
    if (packet.created < setup_->measured.from) queue.early_words += words;
    setup_->traffic->Advance(endpoint_, &source);
  }
}

void Nic::Settle() {
  if (blocked_since_ != kNever) counters_.stalled_cycles += setup_->end - blocked_since_;
  blocked_since_ = kNever;
  for (; !returning_.empty(); returning_.Pop()) {
    credits_.Return(returning_.front().vl, returning_.front().cells, setup_->credits);
  }
}

}  // namespace tilefly::golden
