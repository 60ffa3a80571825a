// SPDX-License-Identifier: Apache-2.0
#include "testbenches/links/garbage_end.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilefly::bench {

void BegunPackets::See(Cycle now, const Word& word, int lanes) {
  if (!open_) {
    if (word.valid && word.sop) Begin(now, word, lanes);
    return;
  }
  if (now < first_ + golden::WordOffset(next_, lanes_)) return;
  const bool present = word.valid && !word.sop;
  ++next_;
  if (!bare_) open_ = next_ < words_;
  else if (!present || word.eop || next_ == profile_.mtu_words_std) open_ = false;
}

void BegunPackets::Begin(Cycle now, const Word& word, int lanes) {
  ++count_;
  first_ = now;
  lanes_ = lanes;
  next_ = 1;
  bare_ = !word.enh;
  if (bare_) {
    open_ = !word.eop;
    return;
  }
  const Header header = Header::UnpackBytes(word.data.data());
  words_ = (header.len + Header::kBytes + 31) / 32;
  open_ = !Refused(header) && words_ > 1;
}

bool BegunPackets::Refused(const Header& header) const {
  const auto kind = static_cast<Kind>(header.kind);
  if (kind != Kind::kStd && kind != Kind::kEnhEth && kind != Kind::kEnhIp && kind != Kind::kRed) return true;
  const int least = kind == Kind::kStd ? profile_.min_std_bytes : profile_.min_enh_bytes;
  return header.len < least || header.len > profile_.mtu_bytes;
}

GarbageEnd::Honest::Honest(const PortSetup& setup, int port)
    : halves(setup.profile, port, setup.lanes, static_cast<int>(golden::CreditTable(setup.profile).shared), {}),
      there(setup.delay),
      back(setup.delay) {}

GarbageEnd::GarbageEnd(const PortSetup& setup, int port, std::uint32_t seed, std::vector<std::uint32_t> to, PacketBooks* books)
    : setup_(setup), port_(port), random_(seed), to_(std::move(to)), books_(books), begun_(setup.profile) {}

GarbageEnd::Mood GarbageEnd::NewMood() {
  constexpr std::array<int, 6> kChances = {0, 1, 16, 128, 240, 256};
  const auto any = [&] { return kChances[Below(6)]; };
  return {any(), any(), any(), any(), any(), any() / 8, any(), any(), any() / 2, any(),
          any() / 4, Below(4) == 0 ? any() / 8 : 0, any() / 4, any() / 8, Below(4) == 0 ? any() / 8 : 0, Below(3) == 0};
}

void GarbageEnd::Step(Cycle now, bool up, const Link& out, Link* in) {
  *in = Link();
  if (turns_ && !up && !honest_) {
    honest_.emplace(setup_, port_);
    plain_ = false;  // MODE is written in this link down
  }
  if (honest_) StepHonest(now, up, out, in);
  else StepWild(now, up, out, in);

  golden::RetryIn::Inputs shown;
  shown.enable = !plain_;
  shown.link_up = up;
  shown.lanes = in->tag.pace + 1;
  shown.word = in->word;
  shown.tag = in->tag;
  const bool was_open = gate_.open();
  const Word passed = gate_.Step(shown).word;
  if (!was_open && passed.valid) {
    gate_first_ = now;
    gate_lanes_ = plain_ ? setup_.lanes : shown.lanes;
    const Header header = Header::UnpackBytes(passed.data.data());
    if (passed.sop && passed.enh) wired_[header.vl] = static_cast<std::uint16_t>(wired_[header.vl] + golden::CellsOf(header.len));
  }
  begun_.See(now, passed, plain_ ? setup_.lanes : gate_lanes_);
  // Best effort: from the third cycle of a link down on the port does not retry, until MODE is written.
  down_cycles_ = up ? 0 : std::min(down_cycles_ + 1, 3);
  if (setup_.down == 2 && down_cycles_ == 2 && !honest_) plain_ = true;
  if (!up) wired_.fill(0);
}

bool GarbageEnd::GateIsDue(Cycle now) const {
  return !gate_.open() || now == gate_first_ + golden::WordOffset(gate_.index(), gate_lanes_);
}

void GarbageEnd::StepWild(Cycle now, bool up, const Link& out, Link* in) {
  if (--mood_left_ < 0) {
    mood_ = NewMood();
    mood_left_ = 64 + static_cast<int>(Below(1500));
    packet_ = {};
    next_ = 0;
  }
  Hear(up, out);
  if (mood_.good) GoodWord(now, in);
  else WildWord(now, in);
  WildSlot(&in->ctrl);
  if (Chance(mood_.phy)) in->phy.lane_err = static_cast<std::uint8_t>(Below(16));
}

/// The words of whole packets, as the gate wants them.
void GarbageEnd::GoodWord(Cycle now, Link* in) {
  if (next_ == packet_.words()) {
    if (gate_.open() || !Chance(mood_.valid)) return;
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(64 + Below(Below(8) == 0 ? 4000 : 300));
    header.vl = static_cast<std::uint8_t>(Below(16));
    header.tc = static_cast<std::uint8_t>(Below(8));
    header.dst = to_[Below(static_cast<std::uint32_t>(to_.size()))];
    packet_ = MakeWithHeader(Stimulus(random_()), now, header);
    next_ = 0;
    in->tag.pace = static_cast<std::uint8_t>(Below(4));
  }
  if (!GateIsDue(now)) return;
  in->word = packet_.MakeWord(next_);
  in->tag.seq = static_cast<std::uint16_t>(gate_.expected());
  in->tag.index = static_cast<std::uint8_t>(next_++);
}

/// A random word. Of those that are to pass, the tag is forged, and the word is the first of a packet when the gate wants that.
void GarbageEnd::WildWord(Cycle now, Link* in) {
  RandomWord(&in->word);
  in->tag = RetryTag::FromBits(random_());
  if (Chance(mood_.passes) && GateIsDue(now)) {
    in->word.valid = Chance(mood_.valid);
    in->word.sop = !gate_.open();
    in->word.err = false;
    in->tag.seq = static_cast<std::uint16_t>(gate_.expected());
    in->tag.index = static_cast<std::uint8_t>(gate_.open() ? gate_.index() : 0);
  } else if (Below(2) == 0) {
    in->tag.seq = static_cast<std::uint16_t>((gate_.expected() + static_cast<int>(Below(5)) - 2) & 2047);
    in->tag.index = static_cast<std::uint8_t>(gate_.index() + static_cast<int>(Below(3)) - 1);
  }
  if (in->word.sop && in->word.enh && Chance(mood_.sane)) MakeSane(&in->word);
}

void GarbageEnd::RandomWord(Word* word) {
  word->valid = Chance(mood_.valid);
  word->sop = Chance(mood_.sop);
  word->eop = Chance(mood_.eop);
  word->enh = Chance(mood_.enh);
  word->err = Chance(mood_.err);
  word->last = static_cast<std::uint8_t>(Below(32));
  for (std::size_t i = 0; i < word->data.size(); i += 4) {
    const auto bits = static_cast<std::uint32_t>(random_());
    std::memcpy(word->data.data() + i, &bits, sizeof bits);
  }
}

/// A header that leads somewhere, without a detour: the routes of detours are not those of the hosts' packets.
void GarbageEnd::MakeSane(Word* word) {
  Header header = Header::UnpackBytes(word->data.data());
  header.kind = static_cast<std::uint8_t>(1 + Below(2));
  header.len = static_cast<std::uint16_t>(32 + Below(Below(8) == 0 ? 4193 : 200));
  header.hop = static_cast<std::uint8_t>(Below(4) == 0 ? 15 : Below(6));
  header.via_valid = false;
  header.dst = to_[Below(static_cast<std::uint32_t>(to_.size()))];
  header.PackBytes(word->data.data());
}

/// Packets of the port are consumed at once, and its reports and credits would be these.
void GarbageEnd::Hear(bool up, const Link& out) {
  golden::RetryIn::Inputs came;
  came.enable = !plain_;
  came.link_up = up;
  came.lanes = out.tag.pace + 1;
  came.word = out.word;
  came.tag = out.tag;
  const Word passed = hears_.Step(came).word;
  report_ = static_cast<std::uint16_t>(hears_.expected());
  if (!up) freed_.fill(0);
  if (!reader_.Take(passed)) return;
  const Header& header = reader_.header();
  freed_[header.vl] = static_cast<std::uint16_t>(freed_[header.vl] + golden::CellsOf(header.len));
}

void GarbageEnd::WildSlot(Ctrl* slot) {
  std::array<std::uint32_t, Ctrl::kWords> bits;
  for (std::uint32_t& word : bits) word = static_cast<std::uint32_t>(random_());
  *slot = Ctrl::Unpack(bits.data());
  const bool lies = Chance(mood_.lying);
  slot->err = Chance(mood_.bad);
  slot->pause_valid = false;
  slot->ack_valid = Chance(mood_.ack);
  slot->lanes_valid = Chance(mood_.mask);
  slot->credit_valid = Chance(mood_.credit);
  if (!lies || Below(2) == 0) {
    slot->credit_cells = static_cast<std::uint16_t>(freed_[slot->credit_vl] + (lies ? Below(64) : 0));
  }
  slot->retry_valid = Chance(mood_.report);
  if (!lies || Below(2) == 0) slot->retry_seq = static_cast<std::uint16_t>((report_ + (lies ? Below(8) - 4 : 0)) & 2047);
  slot->retry_nack = slot->retry_nack && Below(8) == 0;
  slot->wired_valid = Chance(mood_.stamp);
  if (!lies || Below(2) == 0) {
    slot->wired_cells = static_cast<std::uint16_t>(wired_[slot->wired_vl] + (lies ? Below(2048) - 1024 : 0));
  }
}

void GarbageEnd::Send(std::uint32_t from, std::uint32_t to) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = static_cast<std::uint16_t>(64 + Below(300));
  header.vl = static_cast<std::uint8_t>(Below(8));
  header.tc = header.vl;
  header.src = from;
  header.dst = to;
  to_send_.push_back(MakeWithHeader(Stimulus(random_()), port_, header));
  books_->Sent(to_send_.back());
}

bool GarbageEnd::Quiet() const {
  return honest_ && to_send_.empty() && honest_->next == honest_->packet.words() && honest_->halves.CreditsHome();
}

/// Packets of the port are consumed at once; an attempt that is broken off, too.
void GarbageEnd::FreeHonest(bool whole, Cycle now) {
  honest_->halves.Free(honest_->coming.vl, golden::CellsOf(honest_->coming.len));
  if (whole) books_->Came(honest_->reader.frame(), now);
}

void GarbageEnd::StepHonest(Cycle now, bool up, const Link& out, Link* in) {
  Honest& end = *honest_;
  *in = end.there.Out(now);
  const Link came = end.back.Out(now);
  Link sent;
  end.halves.DriveControl(now, &sent.ctrl);
  if (end.next == end.packet.words() && !to_send_.empty() && up && end.halves.HasRoom()) {
    const Header header = Header::UnpackBytes(to_send_.front().bytes.data());
    if (end.halves.LaneOk(header.vl)) {
      end.packet = to_send_.front();
      to_send_.pop_front();
      end.next = 0;
      end.halves.Start(header.vl, golden::CellsOf(header.len), end.packet.words());
    }
  }
  cosim::RetryHalves::Sender sender;
  if (end.next < end.packet.words()) sender.word = end.packet.MakeWord(end.next++);
  sender.empty = end.next == end.packet.words();
  const cosim::RetryHalves::Passed passed = end.halves.Step(now, up, came, sender);
  end.halves.ShowSent(&sent);
  end.there.Put(now, sent);
  end.back.Put(now, out);
  if (passed.word.valid && passed.word.sop) end.coming = Header::UnpackBytes(passed.word.data.data());
  const bool ends = end.reader.Take(passed.word);
  if (ends || passed.broke_off) FreeHonest(ends, now);
}

}  // namespace tilefly::bench
