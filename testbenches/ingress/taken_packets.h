// SPDX-License-Identifier: Apache-2.0
// The reduction port as an input port sees it: it gets the words of the packets that are taken, hears how each ends, and
// says in the same cycle whether it uses it (docs/blocks/reduction.md, Reduction port).
#pragma once

#include <deque>

#include "golden/ports/input_port.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {

template <typename Model>
class TakenPackets {
 public:
  /// How a packet ended.
  enum class End { kNone, kUsed, kRefused, kDamaged };

  TakenPackets(Comparison* run, Dut<Model>* dut, const golden::InputPort& port) : run_(*run), dut_(*dut), port_(port) {
    dut_->red_used_i = 0;
  }

  /// After the RTL has settled: answers a packet that ends well. Returns what golden is to be answered in this cycle.
  bool Answer() {
    const bool uses = run_.stimulus().Chance(128, "reduction port uses", run_.cycle());
    const bool ends_well = dut_->red_ends_o && dut_->red_status_o == static_cast<int>(Drop::kNone);
    dut_->red_used_i = uses && ends_well;
    dut_.Settle();
    return uses;
  }

  /// Before golden's cycle.
  void Before() { before_ = Counts(); }

  /// After it. `word` is on the wire: the reduction port is given it four cycles later, and told how its packet ends when golden
  /// counts that. Words that did not come are filled in, and the end is bad.
  void Compare(const Word& word) {
    end_ = Counted();
    words_.push_back(word);
    if (words_.size() <= golden::kWireToEvent) return;
    CompareWord(words_.front());
    run_.Compare("red ends", dut_->red_ends_o, end_ != End::kNone);
    if (dut_->red_ends_o) run_.Compare("red ends well", dut_->red_status_o == static_cast<int>(Drop::kNone), end_ != End::kDamaged);
    if (end_ == End::kUsed || end_ == End::kRefused) {
      const auto all = static_cast<std::uint64_t>((bytes_ + 31) / 32);
      run_.Compare("red words", static_cast<std::uint64_t>(given_), all);
      run_.Compare("red words as on the wire", static_cast<std::uint64_t>(equal_), all);
    }
    words_.pop_front();
  }

  /// Of a packet, in the last cycle.
  End end() const { return end_; }

 private:
  struct Counters {
    std::uint64_t used, refused, damaged;
  };

  Counters Counts() const {
    const auto count = [&](Counter counter) { return port_.Counter(static_cast<int>(counter)); };
    return {count(Counter::kRxRed), count(Counter::kRedRefused), count(Counter::kRedDamaged)};
  }

  End Counted() const {
    const Counters counts = Counts();
    if (counts.used != before_.used) return End::kUsed;
    if (counts.refused != before_.refused) return End::kRefused;
    return counts.damaged != before_.damaged ? End::kDamaged : End::kNone;
  }

  void CompareWord(const Word& word) {
    if (!dut_->red_valid_o) return;
    if (dut_->red_sop_o) {
      run_.Compare("red sop", true, word.valid && word.sop);
      given_ = equal_ = 0;
      bytes_ = golden::HeaderBits(word.data.data()).length() + Header::kBytes;
    }
    ++given_;
    bool equal = word.valid;
    for (std::size_t i = 0; i < word.data.size(); ++i) {
      equal &= Get(dut_->red_data_o, 8 * static_cast<int>(i), 8) == word.data[i];
    }
    equal_ += equal;
  }

  Comparison& run_;
  Dut<Model>& dut_;
  const golden::InputPort& port_;
  Counters before_{};
  End end_ = End::kNone;
  std::deque<Word> words_;  ///< of the last cycles
  int given_ = 0;           ///< words of the packet, until now
  int equal_ = 0;           ///< of these, as they were on the wire
  int bytes_ = 0;           ///< of it on the wire, by its header
};

}  // namespace tilefly::bench
