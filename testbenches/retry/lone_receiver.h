// SPDX-License-Identifier: Apache-2.0
// A golden receiver of docs/blocks/retry.md without a far end: words that continue what it accepts, and garbage that
// differs from them in little.
#pragma once

#include <cstring>

#include "golden/retry/retry_port_checker.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

class LoneReceiver {
 public:
  LoneReceiver(const golden::RetryIn::Parameters& parameters, const Stimulus& random)
      : numbers_(parameters.seq_bits), random_(random), receiver(parameters), checker_(parameters) {}

  void Step(bool draining) {
    // `enable` changes only in the second cycle or later of a link that is down.
    const bool was_up = in.link_up;
    in.link_up = draining || !random_.Chance(random_.Chance(32, "shaky", cycle_ / 256) ? 16 : 0, "down", cycle_);
    if (cycle_ < 3) in.link_up = false;
    if (!was_up && !in.link_up) in.enable = random_.Chance(240, "enable", cycle_);
    in.lanes = random_.Between(0, 7, "lanes", cycle_ / 8);
    if (random_.Chance(200, "four lanes", cycle_ / 512)) in.lanes = 4;
    NextWord();
    if (draining) in.word = {};
    if (!draining && random_.Spell("garbage", cycle_) && random_.Chance(64, "some", cycle_)) Garble();
    out = receiver.Step(in);
    receiver.Check(0, &audit);
    checker_.Step(in, out, 0, &audit);
    ++cycle_;
  }
  bool drained() const { return out.quiescent; }

 private:
  /// The word that is accepted if it is due; in every cycle, so that it is there when it is due.
  void NextWord() {
    Word& w = in.word;
    w = {};
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint64_t bits = random_.Bits("data", cycle_, i);
      std::memcpy(w.data.data() + 8 * i, &bits, 8);
    }
    w.valid = receiver.open() || random_.Spell("begins", cycle_);
    w.sop = !receiver.open();
    // Some stretches have packets of more words than `index` can tell apart.
    w.eop = random_.Chance(random_.Chance(64, "long", cycle_ / 2048) ? 0 : 48, "eop", cycle_);
    w.enh = random_.Chance(128, "enh", cycle_);
    w.last = static_cast<std::uint8_t>(random_.Below(32, "last", cycle_));
    in.tag.seq = static_cast<std::uint16_t>(receiver.expected());
    in.tag.index = static_cast<std::uint8_t>(receiver.open() ? receiver.index() : 0);
    const auto above = static_cast<unsigned>(random_.Bits("above", cycle_));
    in.tag.seq = static_cast<std::uint16_t>((in.tag.seq | (above & ~static_cast<unsigned>(numbers_.Of(-1)))) & 2047);
  }
  void Garble() {
    const auto near = [&](int span) { return random_.Between(-span, span, "near", cycle_); };
    const auto number = [&](int ahead) { return static_cast<std::uint16_t>((receiver.expected() + ahead) & 2047); };
    switch (random_.Below(9, "kind of garbage", cycle_)) {
      case 0: in.word.valid = false; break;
      case 1: in.word.err = true; break;
      case 2: in.word.sop = !in.word.sop; break;
      case 3: in.tag.index = static_cast<std::uint8_t>(in.tag.index + near(2)); break;
      case 4: in.tag.seq = number(near(3)); break;
      case 5: in.tag.seq = number(numbers_.half() + near(2)); break;
      case 6: in.tag.seq = static_cast<std::uint16_t>(random_.Bits("any number", cycle_) & 2047); break;
      case 7: in.tag.index = static_cast<std::uint8_t>(random_.Bits("any index", cycle_)); break;
      default:
        in.word.valid = true;
        in.word.sop = random_.Chance(128, "any sop", cycle_);
        in.tag.seq =
            number(-1 - static_cast<int>(random_.Below(static_cast<std::uint64_t>(numbers_.half()), "old", cycle_)));
    }
  }

  golden::RetryNumbers numbers_;
  Stimulus random_;
  Cycle cycle_ = 0;

 public:
  golden::RetryIn receiver;
  golden::RetryIn::Inputs in;    ///< of the last cycle
  golden::RetryIn::Outputs out;  ///< of the last cycle
  golden::Audit audit;

 private:
  golden::RetryInChecker checker_;
};

}  // namespace tilefly::bench
