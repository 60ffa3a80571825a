// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/link_receiver.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/errors.h"

namespace tilefly::cosim {

LinkReceiver::LinkReceiver(const SwitchSetup& setup, int port, const StallOptions& stalls, std::uint64_t seed,
                           FrameSink* sink, LinkSender* sender, LinkAcks* acks, RetryHalves* retry)
    : setup_(setup),
      port_(port),
      lanes_(setup.mode(port).lanes),
      enh_(!setup.mode(port).std_format),
      has_credits_(setup.mode(port).credits),
      stalls_(stalls),
      seed_(seed),
      sink_(sink),
      sender_(sender),
      acks_(acks),
      retry_(retry),
      credits_(setup.profile()) {
  bytes_.reserve(static_cast<std::size_t>(setup.profile().mtu_bytes) + kWordBytes);
}

void LinkReceiver::Fail(Cycle now, const std::string& what) const { throw CheckFailure(now, port_, 0, what); }

void LinkReceiver::Receive(Cycle now, const Word& word, Cycle on_link) {
  const bool due = in_packet_ && now == first_ + WordOffset(next_word_, lanes_);
  if (!word.valid) {
    if (due)
      Fail(now, fmt::format("law 2: word {} of the packet that began in cycle {} is missing", next_word_, first_));
    return;
  }
  if (in_packet_ && !due) Fail(now, "law 2: a word between two words of a packet");
  if (word.sop == in_packet_) Fail(now, in_packet_ ? "a packet begins inside another" : "a word outside any packet");
  if (word.err) Fail(now, "a word leaves marked damaged");
  if (word.enh != enh_) Fail(now, fmt::format("a word {} internal header on this port", word.enh ? "with" : "without"));
  ++words_received_;
  if (!in_packet_) {
    first_on_link_ = on_link;
    StartPacket(now, word);
  }
  TakeWord(now, word, on_link);
}

void LinkReceiver::Abandon(Cycle now) {
  in_packet_ = false;
  link_free_ = now;
  Cycle at = first_ + WordOffset(words_ - 1, lanes_);
  if (!freeing_.empty()) at = std::max(at, freeing_.back().at);
  freeing_.push_back({at, header_.vl, (header_.len + 16 + kCellBytes - 1) / kCellBytes});
}

void LinkReceiver::StartPacket(Cycle now, const Word& word) {
  if (now < link_free_) Fail(now, fmt::format("law 2: the link is taken until cycle {}", link_free_ - 1));
  in_packet_ = true;
  first_ = now;
  next_word_ = 0;
  bytes_.clear();
  if (!enh_) return;
  header_ = Header::UnpackBytes(word.data.data());
  if (header_.len < setup_.profile().min_enh_bytes || header_.len > setup_.profile().mtu_bytes) {
    Fail(now, fmt::format("header with a length of {} bytes", header_.len));
  }
  words_ = (header_.len + 16 + kWordBytes - 1) / kWordBytes;
  if (!has_credits_ || retry_ != nullptr) return;
  credits_.Send(header_.vl, (header_.len + 16 + kCellBytes - 1) / kCellBytes);
  if (!credits_.WithinLimits()) {
    Fail(now, fmt::format("the switch overran its credits: lane {} has {} cells out", header_.vl,
                          credits_.used(header_.vl)));
  }
  withholding_ = withholding_ || !credits_.LaneOk(header_.vl);
}

void LinkReceiver::TakeWord(Cycle now, const Word& word, Cycle on_link) {
  const int used = word.eop ? word.last + 1 : kWordBytes;
  if (!word.eop && word.last != kWordBytes - 1) Fail(now, "a word inside a packet is not full");
  if (std::any_of(word.data.begin() + used, word.data.end(), [](std::uint8_t byte) { return byte != 0; })) {
    Fail(now, "bytes after the frame's end are not zero");
  }
  const int skip = enh_ && next_word_ == 0 ? 16 : 0;
  if (used > skip) bytes_.insert(bytes_.end(), word.data.begin() + skip, word.data.begin() + used);
  ++next_word_;
  if (enh_ && word.eop != (next_word_ == words_)) {
    Fail(now, fmt::format("end of packet at word {} of {}", next_word_, words_));
  }
  // An Ethernet header may have been added on the way.
  if (bytes_.size() > static_cast<std::size_t>(setup_.profile().mtu_bytes + 14))
    Fail(now, "a packet longer than the MTU");
  if (word.eop) EndPacket(now, on_link);
}

void LinkReceiver::EndPacket(Cycle now, Cycle on_link) {
  in_packet_ = false;
  const int size = static_cast<int>(bytes_.size());
  if (enh_ && size != header_.len) Fail(now, fmt::format("the header says {} bytes, {} came", header_.len, size));
  if (!enh_ && size < setup_.profile().min_std_bytes) Fail(now, fmt::format("a standard frame of {} bytes", size));
  const int slots = enh_ ? next_word_ : (size + kPreambleAndGap + kWordBytes - 1) / kWordBytes;
  link_free_ = first_ + SlotCycles(slots, lanes_);
  slots_received_ += slots;
  const Check check = CheckOf(bytes_);
  if (check == Check::kBad) Fail(now, "the frame check of an outgoing frame is wrong (LINK-3)");
  const std::uint64_t packet = packets_++;
  if (!enh_ && MacAt(bytes_, 0) == kPauseMac && Field16(bytes_, 12) == kMacControlType) {
    TakePause(now);
    return;
  }
  if (has_credits_) {
    Cycle at = now;
    if (stalls_.credits && stalls_.share > 0 && Unit(DrawStall(2 * packet, Purpose::kCreditStall)) < stalls_.share) {
      at += 1 + static_cast<Cycle>(Below(DrawStall(2 * packet + 1, Purpose::kCreditStall),
                                         static_cast<std::uint64_t>(stalls_.max_cycles)));
    }
    if (!freeing_.empty()) at = std::max(at, freeing_.back().at);  // an endpoint consumes in order
    freeing_.push_back({at, header_.vl, (size + 16 + kCellBytes - 1) / kCellBytes});
  } else {
    MaybeSendPause();
  }
  if (enh_ && check == Check::kGood) acks_->Answer(now, header_, (size + 16 + kCellBytes - 1) / kCellBytes);
  sink_->Received({port_, first_on_link_, on_link, enh_, header_, bytes_, check, -1, first_ - (now - on_link)});
}

std::uint64_t LinkReceiver::DrawStall(std::uint64_t id, Purpose purpose) const {
  return Draw(seed_, static_cast<std::uint32_t>(port_), id, purpose);
}

void LinkReceiver::TakePause(Cycle now) {
  const std::uint16_t quanta = Field16(bytes_, 16);
  if (bytes_ != PauseFrame(setup_.PortMac(port_), quanta)) Fail(now, "a malformed PAUSE frame");
  ++pauses_received_;
  sender_->OnPause(now, quanta);
}

/// Stalls of a standard port: now and then a PAUSE of a few quanta towards the switch, which frees itself or by an XON.
void LinkReceiver::MaybeSendPause() {
  if (!stalls_.pause || stalls_.share <= 0 || Unit(DrawStall(2 * packets_, Purpose::kPause)) >= stalls_.share / 4)
    return;
  const std::uint64_t most = static_cast<std::uint64_t>(stalls_.max_cycles * lanes_ / 8 + 1);
  auto frame = std::make_shared<Frame>();
  frame->source = port_;
  frame->bytes = PauseFrame(Mac{0x02, 0, 0, 0xfe, 0, static_cast<std::uint8_t>(port_)},
                            static_cast<std::uint16_t>(Below(DrawStall(2 * packets_ + 1, Purpose::kPause), most)));
  frame->expect_drop = Drop::kControl;
  frame->control = true;
  sender_->SendControl(std::move(frame));
}

/// Cells of the packets that were consumed before `now`.
void LinkReceiver::FreeCells(Cycle now) {
  for (; !freeing_.empty() && freeing_.front().at < now; freeing_.pop_front()) {
    const Freeing& done = freeing_.front();
    if (retry_ != nullptr) {
      retry_->Free(done.lane, done.cells);
      continue;
    }
    std::uint16_t& freed = freed_[static_cast<std::size_t>(done.lane)];
    const auto before = freed;
    freed = static_cast<std::uint16_t>(freed + done.cells);
    credit_wraps_ += freed < before;
    pending_lanes_ |= 1u << done.lane;
  }
}

void LinkReceiver::DriveControl(Cycle now, Ctrl* ctrl) {
  FreeCells(now);
  if (retry_ != nullptr) return retry_->DriveControl(now, ctrl);
  if (pending_lanes_ == 0) {
    if (driven_) ctrl->credit_valid = ctrl->credit_vl = ctrl->credit_cells = 0;
    driven_ = false;
    return;
  }
  const std::uint32_t at_or_after = pending_lanes_ & ~((1u << next_lane_) - 1);
  const int lane = __builtin_ctz(at_or_after != 0 ? at_or_after : pending_lanes_);
  next_lane_ = (lane + 1) % 16;
  pending_lanes_ &= ~(1u << lane);
  ctrl->credit_valid = true;
  ctrl->credit_vl = static_cast<std::uint8_t>(lane);
  ctrl->credit_cells = freed_[static_cast<std::size_t>(lane)];
  driven_ = true;
  credits_.Return(lane, ctrl->credit_cells);
  withholding_ = false;
  for (int w = 0; w < 16 && !withholding_; ++w) withholding_ = credits_.used(w) > 0 && !credits_.LaneOk(w);
}

}  // namespace tilefly::cosim
