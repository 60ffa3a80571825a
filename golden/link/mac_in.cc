// SPDX-License-Identifier: Apache-2.0
#include "golden/link/mac_in.h"

#include <algorithm>

#include "golden/link/check.h"

namespace tilefly::golden {
namespace {

/// Whether a header names a kind that is carried, and a length in range.
bool Acceptable(const HeaderBits& header, const Profile& profile) {
  const auto kind = static_cast<Kind>(header.kind());
  if (kind != Kind::kStd && kind != Kind::kEnhEth && kind != Kind::kEnhIp && kind != Kind::kRed) return false;
  const int least = kind == Kind::kStd ? profile.min_std_bytes : profile.min_enh_bytes;
  return header.length() >= least && header.length() <= profile.mtu_bytes;
}

}  // namespace

MacIn::Events MacIn::Step(Cycle now, const Word& word, bool heard, const Mode& mode) {
  Events events;
  const bool valid = word.valid && heard;
  if (!in_packet_) {
    if (valid && word.sop) {
      Start(now, word, mode, &events);
    } else if (valid) {
      events.stray = true;
    }
  } else if (now < a0_ + WordOffset(k_, mode_.serdes_lanes)) {
    if (valid) bad_ = true;
  } else if (enh_) {
    TakeWithHeader(word, valid && !word.sop, &events);
  } else {
    TakeBare(word, valid && !word.sop, &events);
  }
  return events;
}

void MacIn::Start(Cycle now, const Word& word, const Mode& mode, Events* events) {
  const HeaderBits header(word.data.data());
  if (word.enh && !Acceptable(header, profile_)) {
    events->refused = true;
    return;
  }
  in_packet_ = true;
  enh_ = word.enh;
  mode_ = mode;
  a0_ = now;
  k_ = 0;
  bad_ = false;
  frame_ = frames_.Allocate();
  frames_.AddUse(frame_);  // the caller's
  events->started = true;
  events->arrival = {enh_, header, frame_};
  if (enh_) {
    length_ = header.length();
    words_ = CeilDiv(length_ + HeaderBits::kBytes, kWordBytes);
    TakeWithHeader(word, true, events);
  } else {
    TakeBare(word, true, events);
  }
}

void MacIn::TakeWithHeader(const Word& word, bool present, Events* events) {
  static constexpr std::array<std::uint8_t, kWordBytes> kZeros{};
  const bool is_last = k_ == words_ - 1;
  if (!present || word.err || word.eop != is_last) bad_ = true;
  if (present && word.eop && word.last != (length_ + HeaderBits::kBytes - 1) % kWordBytes) bad_ = true;
  const std::uint8_t* data = present ? word.data.data() : kZeros.data();
  if (k_ == 0) {
    Store(data + HeaderBits::kBytes, std::min(length_, kWordBytes - HeaderBits::kBytes));
  } else {
    Store(data, std::min(kWordBytes, length_ + HeaderBits::kBytes - kWordBytes * k_));
  }
  ++k_;
  if (is_last) Finish(Drop::kNone, events);
}

void MacIn::TakeBare(const Word& word, bool present, Events* events) {
  if (!present) {
    Finish(Drop::kBroken, events);
    return;
  }
  if (word.err) bad_ = true;
  Store(word.data.data(), word.eop ? word.last + 1 : kWordBytes);
  ++k_;
  if (word.eop) {
    Finish(Drop::kNone, events);
  } else if (k_ == profile_.mtu_words_std) {
    Finish(Drop::kLong, events);
  }
}

void MacIn::Store(const std::uint8_t* data, int size) {
  std::vector<std::uint8_t>& bytes = frames_[frame_].bytes;
  bytes.insert(bytes.end(), data, data + size);
}

/// The packet ends; `cause` is kBroken or kLong when it did not come to its end by itself.
void MacIn::Finish(Drop cause, Events* events) {
  Frame& frame = frames_[frame_];
  in_packet_ = false;
  events->ended = true;
  events->payload = frame_;
  End& end = events->end;
  end.length = static_cast<int>(frame.bytes.size());
  end.status = bad_ ? Drop::kBroken : cause != Drop::kNone ? cause : Judge(frame);
  if (enh_ && mode_.cut_through) {
    frame.bad = end.status != Drop::kNone;
  } else if (!enh_ && (end.status == Drop::kNone || end.status == Drop::kControl)) {
    end.fields = BareFields::Parse(frame.bytes.data());
  }
  if (end.status == Drop::kControl && mode_.obeys_pause) events->pause = ParsePause(frame.bytes.data());
  frames_.DropUse(frame_);
}

/// Status of a packet that came whole.
Drop MacIn::Judge(const Frame& frame) const {
  const auto size = frame.bytes.size();
  if (!enh_ && size < static_cast<std::size_t>(profile_.min_std_bytes)) return Drop::kShort;
  switch (CheckFrame(frame.bytes.data(), size)) {
    case CheckResult::kStomped:
      return Drop::kStomped;
    case CheckResult::kWrong:
      return Drop::kFcs;
    case CheckResult::kGood:
      break;
  }
  return !enh_ && IsControl(frame.bytes.data()) ? Drop::kControl : Drop::kNone;
}

}  // namespace tilefly::golden
