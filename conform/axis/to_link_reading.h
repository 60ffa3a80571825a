// SPDX-License-Identifier: Apache-2.0
// docs/blocks/axis.md, "Stream to link" and "Store", read once more: what tilefly_axis_to_link must show in every cycle.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "conform/axis/stream_frame.h"
#include "golden/common/cycle.h"
#include "golden/link/check.h"
#include "golden/link/control_frame.h"

namespace tilefly::conform {

class ToLinkReading {
 public:
  struct Options {
    int beat_bytes;
    bool has_fcs;
    bool pads;
    int store_words;
    int mtu_words;
  };
  /// What is new in a cycle.
  struct Events {
    bool took = false, took_pause = false, took_bad = false, padded = false, cut = false, fcs_alone = false;
  };

  explicit ToLinkReading(const Options& options) : options_(options) {}

  bool tready() const { return takes_word() && !upper_waits_; }
  bool full() const { return used_ == options_.store_words; }
  bool TakesPause(tilefly::Cycle now, bool due) const { return due && now >= next_take_; }
  Word Output(tilefly::Cycle now) const { return !wire_.empty() && wire_.front().first == now ? wire_.front().second : Word{}; }
  bool quiescent(bool due) const {
    return used_ == 0 && wire_.empty() && arriving_.bytes.size() % 32 == 0 && !upper_waits_ && !due;
  }

  /// The events of cycle `now`; `beat`: the one that is taken, null for none.
  Events Step(tilefly::Cycle now, const StreamBeat* beat, bool hold, bool due, std::uint16_t quanta) {
    Events events;
    if (!wire_.empty() && wire_.front().first == now) wire_.pop_front();
    const int popped = !pops_.empty() && pops_.front() == now;
    if (popped) pops_.pop_front();
    if (TakesPause(now, due)) {
      const auto pause = golden::MakePause(0, quanta);
      Send(now, {pause.begin(), pause.end()});
      events.took_pause = true;
    } else if (now >= next_take_ && !frames_.empty() && !hold) {
      events.took = true;
      Take(now, &events);
    }
    pushed_ = 0;
    if (upper_waits_ && takes_word()) {
      upper_waits_ = false;
      Push(upper_ends_);
    }
    if (beat != nullptr) Receive(*beat);
    used_ += pushed_ - popped;
    return events;
  }

 private:
  bool takes_word() const { return !full() || index_ == max_words(); }
  int max_words() const { return options_.mtu_words + 1; }

  void Receive(const StreamBeat& beat) {
    arriving_.bytes.insert(arriving_.bytes.end(), beat.bytes.begin(), beat.bytes.end());
    arriving_.bad = beat.bad;
    if (beat.bytes.size() > 32) {
      upper_waits_ = true;
      upper_ends_ = beat.last;
      Push(false);
    } else if (beat.last || arriving_.bytes.size() % 32 == 0) {
      Push(beat.last);
    }
  }
  void Push(bool ends) {
    if (index_ < max_words()) {
      ++index_;
      ++pushed_;
    }
    if (!ends) return;
    frames_.push_back(std::exchange(arriving_, {}));
    index_ = 0;
  }
  void Take(tilefly::Cycle now, Events* events) {
    StreamFrame frame = std::move(frames_.front());
    frames_.pop_front();
    std::vector<std::uint8_t>& bytes = frame.bytes;
    const std::size_t most = 32 * static_cast<std::size_t>(max_words());
    events->cut = bytes.size() > most;
    if (events->cut) bytes.resize(most);
    for (std::size_t k = 0; 32 * k < bytes.size(); ++k) pops_.push_back(now + 1 + static_cast<tilefly::Cycle>(k));
    if (!options_.has_fcs) {
      events->fcs_alone = bytes.size() % 32 == 0 && !events->cut;
      events->padded = options_.pads && bytes.size() < 60;
      if (events->padded) bytes.resize(60);
      bytes.resize(std::min(bytes.size() + 4, most));
    }
    events->took_bad = frame.bad;
    if (!options_.has_fcs || frame.bad) {
      const std::size_t covered = bytes.size() < 4 ? 0 : bytes.size() - 4;
      std::uint32_t check = golden::Crc32(0, bytes.data(), covered);
      if (frame.bad) check = ~check;
      for (std::size_t i = covered; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::uint8_t>(check >> 8 * (4 - (bytes.size() - i)));
      }
    }
    Send(now, std::move(bytes));
  }
  void Send(tilefly::Cycle now, std::vector<std::uint8_t> bytes) {
    next_take_ = now + (static_cast<tilefly::Cycle>(bytes.size()) + 20 + 31) / 32;
    for (std::size_t at = 0; at < bytes.size(); at += 32) {
      Word word;
      word.valid = true;
      word.sop = at == 0;
      word.eop = at + 32 >= bytes.size();
      const std::size_t size = std::min<std::size_t>(32, bytes.size() - at);
      word.last = static_cast<std::uint8_t>(size - 1);
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size, word.data.begin());
      wire_.emplace_back(now + 3 + static_cast<tilefly::Cycle>(at / 32), word);
    }
  }

  Options options_;
  StreamFrame arriving_;  ///< all its bytes, those beyond the cut too
  int index_ = 0;         ///< words of it that were stored
  int pushed_ = 0;        ///< words stored in the current cycle
  bool upper_waits_ = false, upper_ends_ = false;
  std::deque<StreamFrame> frames_;  ///< that ended and were not taken
  int used_ = 0;                    ///< words in the store
  tilefly::Cycle next_take_ = 0;
  std::deque<tilefly::Cycle> pops_;                    ///< cycles in which a word leaves the store
  std::deque<std::pair<tilefly::Cycle, Word>> wire_;  ///< words to come
};

}  // namespace tilefly::conform
