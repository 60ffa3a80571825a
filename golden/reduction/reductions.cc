// SPDX-License-Identifier: Apache-2.0
#include "golden/reduction/reductions.h"

#include "golden/common/stage_times.h"
#include "golden/link/frame_format.h"

namespace tilefly::golden {
namespace {

constexpr int kShortWords = 16;

/// What a header says of operands.
void PutOperands(const RedCollect& word, Red* header) {
  header->op = word.op;
  header->dtype = word.dtype;
  header->bytes = word.bytes;
  header->empty = !word.full;
}

}  // namespace

Reductions::Reductions(Context& context)
    : context_(context),
      registers_(context.profile.ports),
      cfu_(context, registers_),
      ports_(context, registers_, cfu_.binds()),
      row_(context, registers_, ports_, cfu_.binds()),
      checker_(context.profile.red_stream, context.profile.red_short) {}

void Reductions::Write(Cycle now, const Cfg& write) {
  const int group = registers_.Write(write);
  if (group >= 0) {
    cfu_.Forget(group);
    ports_.Forget(group);
  }
  cfu_.Wake();
  Wake(now);
}

/// A port shows in a cycle whether it was enabled two cycles ago and its link worked in the last one.
void Reductions::SeeLinks(Cycle now) {
  cfu_.SetLive(enabled_ & context_.links_up);
  Wake(now);
}

void Reductions::Decide(Cycle now) {
  visited_ = now;
  enabled_ = context_.registers.enabled();
  arrivals_.reports.swap(coming_);
  if (clear_ >= 0) ports_.Clear(now, clear_);
  clear_ = -1;
  decided_ = cfu_.Decide(now);
  asks_ = &row_.Decide();
}

/// What stands in this cycle takes effect.
void Reductions::CommitRing(Cycle now) {
  if (launched_) ports_.Launched(launched_.slot, launched_.down);
  launched_ = {};
  row_.Wake(ports_.TakeCredited());
  completed_.clear();
  complete_.Drain(now, [&](const Result& result) {
    row_.Complete(result.port, result.lane, result.group, result.parent);
    completed_.push_back(result);
  });
  Cfu::Merged merged;
  Flight landing;
  if (!flights_.empty() && flights_.front().launch.at + context_.profile.red_delay == now) {
    landing = std::move(flights_.front());
    flights_.pop_front();
    merged.launch = &landing.launch;
    merged.word = &landing.collected.word;
  }
  if (decided_) {
    checker_.Begun(*decided_, cfu_.BeginsOperation(*decided_), cfu_.OpenResults(*decided_));
    flights_.push_back({*decided_, Collect(*decided_)});
    launched_ = {decided_->is_stream(), decided_->goes_down(), decided_->slot};
  }
  const Cfu::Commands& commands = cfu_.Commit(now, decided_, arrivals_, &merged);
  for (int s = 0; s < kRedSlots; ++s) {
    if (commands.unbound[s]) ports_.Unbound(s);
    if (commands.bound[s]) ports_.Bound(s, cfu_.binds()[s]);
  }
  clear_ = commands.clear;
  if (merged.launch != nullptr) Send(now, landing, merged);
  arrivals_.reports.clear();
  arrivals_.rooms.clear();
  cfu_.SetLive(enabled_ & context_.links_up);
  const Cycle next = Next(now);
  if (next != kNever) context_.due.Set(DueCycles::Clip(next, now), kDueReduction);
}

/// The parts of a launch, as the ports have them.
Collected Reductions::Collect(const RedLaunch& launch) {
  const int tiles = context_.profile.tiles;
  Collector collector(context_.profile.ports, !launch.goes_down(), launch.small);
  ForEachBit(launch.parts, [&](int p) {
    if (launch.is_stream()) {
      const bool has = ports_.HasSegment(p, launch.slot, launch.segment);
      checker_.Took(launch, p, has);
      if (has) collector.AddPart(p, ports_.Segment(p, launch.slot, launch.segment));
      return;
    }
    const bool has = ports_.HasShort(launch.at, p, launch.group, launch.engine);
    checker_.Took(launch, p, has);
    const Cycle last_read = launch.at + StepOffset(tiles, p) + kShortWords - 1;
    if (has) collector.AddPart(p, ports_.UseShort(p, launch.group, launch.engine, last_read));
  });
  return collector.CombineHalves();
}

/// Word 0 of the launch is at the return lane: its packet, if it has one, goes to its ports.
void Reductions::Send(Cycle now, const Flight& flight, const Cfu::Merged& merged) {
  const RedLaunch& launch = flight.launch;
  const int reserved = launch.is_stream() ? context_.profile.red_cells : context_.profile.red_short_cells;
  RedFrame frame;
  if (launch.to == 0 || !MakeFrame(flight, merged, &frame)) {
    cfu_.ReturnRoom(launch, reserved);
    return;
  }
  const int length = RedFrame::LengthOf(context_.profile, frame.data_bytes);
  cfu_.ReturnRoom(launch, reserved - CellsOf(length));
  const Index parent = context_.packets.Allocate();
  const auto copies = static_cast<std::uint8_t>(__builtin_popcountll(launch.to));
  Packet& packet = context_.packets[parent];
  packet = Packet{};
  packet.parent = parent;
  packet.length = static_cast<std::uint16_t>(length);
  packet.copies_left = packet.holds = copies;
  packet.payload = context_.red_bytes->Make(frame.header, length, frame.data);
  const Cycle last_word = CeilDiv(length + HeaderBits::kBytes, kWordBytes) - 1;
  ForEachBit(launch.to, [&](int p) {
    complete_.Enter(now + (p >> 1) + last_word, {static_cast<std::uint8_t>(p), launch.lane, launch.group, parent});
  });
}

/// The packet of a launch. False: it has none.
bool Reductions::MakeFrame(const Flight& flight, const Cfu::Merged& merged, RedFrame* frame) const {
  const RedLaunch& launch = flight.launch;
  const RedCollect& word = flight.collected.word;
  Red& header = frame->header;
  header.group = launch.group;
  header.tag = merged.tag;
  if (launch.is_notice()) {
    header.what = static_cast<std::uint8_t>(RedWhat::kFail);
    header.code = static_cast<std::uint8_t>(merged.code);
    return true;
  }
  if (!launch.is_stream()) {
    MakeShort(flight, merged, frame);
    return true;
  }
  if (word.mismatch) return false;
  const bool operands = !launch.goes_down() && !launch.root;
  header.what = static_cast<std::uint8_t>(operands ? RedWhat::kSegment : RedWhat::kResult);
  PutOperands(word, &header);
  header.ends = word.ends;
  header.wants = operands;
  header.seq = launch.segment;
  frame->data_bytes = DataBytes(header);
  if (!header.empty) frame->data = flight.collected.data;
  return true;
}

void Reductions::MakeShort(const Flight& flight, const Cfu::Merged& merged, RedFrame* frame) const {
  const RedLaunch& launch = flight.launch;
  const RedCollect& word = flight.collected.word;
  Red& header = frame->header;
  const bool operands = !launch.goes_down() && !launch.root;
  if (launch.small) {
    RedCollect told = word;
    Operands data{};
    if (word.mismatch) {
      told.code = static_cast<std::uint8_t>(RedRc::kDiffers);
      told.rep = 0;
    } else {
      std::copy(flight.collected.data.begin(), flight.collected.data.end(), data.begin());
    }
    header = {};
    header.what = static_cast<std::uint8_t>(operands ? RedWhat::kSmall : RedWhat::kSmallResult);
    header.group = launch.group;
    header.bytes = small::kBytes;
    frame->data = small::PacketOf(told, data.data());
    frame->data_bytes = small::kBytes;
    return;
  }
  header.what = static_cast<std::uint8_t>(operands ? RedWhat::kShort : RedWhat::kShortResult);
  PutOperands(word, &header);
  header.action = word.action;
  header.rnd = word.rnd;
  header.ftz = word.ftz;
  header.seq = word.seq;
  header.count = word.count;
  header.contributions = word.contributions;
  header.code = static_cast<std::uint8_t>(merged.code);
  header.empty = header.empty || merged.code != RedCode::kOk;
  frame->data_bytes = DataBytes(header);
  if (!header.empty) frame->data = flight.collected.data;
}

Cycle Reductions::Next(Cycle now) const {
  if (launched_ || clear_ >= 0 || row_.active() || cfu_.active()) return now + 1;
  const Cycle landing = flights_.empty() ? kNever : flights_.front().launch.at + context_.profile.red_delay;
  return std::max(now + 1, std::min({landing, complete_.Next(), row_.Next(), cfu_.Next()}));
}

void Reductions::Check(Cycle now, Audit* audit) const {
  cfu_.Check(audit);
  ports_.Check(audit);
  checker_.Check(now, cfu_.View(), audit);
}

}  // namespace tilefly::golden
