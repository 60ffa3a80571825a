// SPDX-License-Identifier: Apache-2.0
// docs/blocks/axis.md, "Link to stream" and "Store", read once more: what tilefly_link_to_axis must show in every cycle. How a
// MAC judges what is on the wire is golden's MacIn.
#pragma once

#include <algorithm>
#include <array>
#include <deque>

#include "conform/axis/stream_frame.h"
#include "golden/link/mac_in.h"

namespace tilefly::conform {

class ToAxisReading {
 public:
  struct Options {
    int beat_bytes;
    bool keeps_fcs;
    int xoff_words;
  };
  struct Inputs {
    Word word;
    bool tready = false, pause_taken = false;
    int tdest = 0, tid = 0;
  };

  ToAxisReading(const Profile& profile, const Options& options, tilefly::Cycle first)
      : options_(options), store_words_(options.xoff_words + profile.mtu_words_std + 19 + 2 * profile.obuf_cells),
        first_(first), mac_(profile, frames_of_mac_) {}

  // Of the cycle whose `Step` comes next.
  bool tvalid() const { return shown() && !fetches(); }
  StreamBeat beat() const {
    StreamBeat beat;
    const std::vector<std::uint8_t>& bytes = frames_.front().bytes;
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at_);
    beat.last = left() <= beat_bytes();
    beat.bytes.assign(from, beat.last ? bytes.end() : from + options_.beat_bytes);
    beat.bad = beat.last && frames_.front().bad;
    return beat;
  }
  int tdest() const { return tdest_; }
  int tid() const { return tid_; }
  bool hold(tilefly::Cycle now) const {
    return std::any_of(until_.begin(), until_.end(), [&](tilefly::Cycle until) { return first_ + now < until; });
  }
  bool pause_due(tilefly::Cycle now) const { return xoff() || xon() || (xoff_sent_ && now >= refresh_); }
  bool xoff() const { return !xoff_sent_ && used_ >= options_.xoff_words; }
  bool xon() const { return xoff_sent_ && used_ < options_.xoff_words / 2; }
  bool lost() const {
    return !due_.empty() && due_.front().countdown == 0 && due_.front().ends && (missing_now() || due_.front().enh) &&
           due_.front().status != Drop::kControl;
  }
  int used() const { return used_; }
  bool empty() const { return used_ == 0 && due_.empty() && mac_.idle(); }

  /// The events of cycle `now`.
  void Step(tilefly::Cycle now, const Inputs& inputs) {
    const bool stood = shown();
    bool ended = false;
    int popped = 0;
    if (stood && fetches()) {
      lower_ = true;
      popped = 1;
    } else if (stood && inputs.tready) {
      ended = left() <= beat_bytes();
      const std::size_t to = ended ? frames_.front().bytes.size() : at_ + beat_bytes();
      popped = (ended ? (to + 31) / 32 : to / 32) - at_ / 32 - (lower_ ? 1 : 0);
      at_ = to;
      lower_ = false;
    }
    if (!stood || ended) {
      tdest_ = inputs.tdest;
      tid_ = inputs.tid;
    }
    if (inputs.pause_taken) {
      xoff_sent_ = !xon();
      if (xoff_sent_) refresh_ = now + 65536;
    }
    if (ended) {
      frames_.pop_front();
      at_ = 0;
    }
    Hear(now, inputs.word);
    used_ -= popped;
  }

 private:
  /// What a word of the wire brings four cycles later.
  struct Rx {
    int countdown;
    bool take, ends, enh;
    Drop status;
    std::vector<std::uint8_t> bytes;  ///< of the frame that ends
    golden::PauseRequest pause;
  };

  std::size_t beat_bytes() const { return static_cast<std::size_t>(options_.beat_bytes); }
  bool shown() const { return !frames_.empty(); }
  std::size_t left() const { return frames_.front().bytes.size() - at_; }
  bool fetches() const { return options_.beat_bytes == 64 && left() > 32 && !lower_; }
  bool missing_now() const { return missing_ || (due_.front().take && used_ == store_words_); }

  void Hear(tilefly::Cycle now, const Word& word) {
    for (Rx& rx : due_) --rx.countdown;
    if (!due_.empty() && due_.front().countdown < 0) {
      Arrive(now, due_.front());
      due_.pop_front();
    }
    const golden::MacIn::Events events = mac_.Step(first_ + now, word, true, {false, true, 4});
    if (events.started) {
      frame_ = events.arrival.payload;
      enh_ = events.arrival.enh;
      size_ = 0;
    }
    if (frame_ == golden::kNone) return;
    const std::vector<std::uint8_t>& bytes = frames_of_mac_[frame_].bytes;
    Rx rx{3, bytes.size() > size_, events.ended, enh_, Drop::kNone, {}, {}};
    size_ = bytes.size();
    if (events.ended) {
      rx.status = events.end.status;
      rx.bytes = bytes;
      rx.pause = events.pause;
      frames_of_mac_.DropUse(frame_);
      frame_ = golden::kNone;
    }
    if (rx.take || rx.ends) due_.push_back(std::move(rx));
  }

  /// A word, the end of a frame, or both.
  void Arrive(tilefly::Cycle now, Rx& rx) {
    const bool missing = missing_now();
    if (rx.take && !missing) {
      ++used_;
      ++arriving_;
    }
    missing_ = missing && !rx.ends;
    if (!rx.ends) return;
    used_ -= arriving_;
    arriving_ = 0;
    for (std::size_t c = 0; c < until_.size(); ++c) {
      if (rx.pause.obeyed && (rx.pause.classes >> c & 1) != 0)
        until_[c] = first_ + now + kCyclesPerQuantum * tilefly::Cycle{rx.pause.quanta[c]};
    }
    if (missing || rx.enh || rx.status == Drop::kControl) return;
    if (!options_.keeps_fcs) rx.bytes.resize(rx.bytes.size() > 4 ? rx.bytes.size() - 4 : 1);
    used_ += static_cast<int>((rx.bytes.size() + 31) / 32);
    frames_.push_back({std::move(rx.bytes), rx.status != Drop::kNone});
  }

  static constexpr tilefly::Cycle kCyclesPerQuantum = 2;  ///< 512 bit times, at four lanes of 64 bits a cycle

  Options options_;
  int store_words_;
  tilefly::Cycle first_;
  golden::FrameStore frames_of_mac_;
  golden::MacIn mac_;
  golden::Index frame_ = golden::kNone;  ///< on the wire
  bool enh_ = false;
  std::size_t size_ = 0;  ///< bytes of it that were told
  std::deque<Rx> due_;
  int used_ = 0, arriving_ = 0;  ///< words in the store; of the frame that arrives
  bool missing_ = false;
  std::deque<StreamFrame> frames_;  ///< whole ones; the first is shown
  std::size_t at_ = 0;
  bool lower_ = false;  ///< the lower half of the beat was read
  int tdest_ = 0, tid_ = 0;
  bool xoff_sent_ = false;
  tilefly::Cycle refresh_ = 0;
  std::array<tilefly::Cycle, golden::kMaxClasses> until_{};
};

}  // namespace tilefly::conform
