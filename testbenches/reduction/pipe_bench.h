// SPDX-License-Identifier: Apache-2.0
// Drives tilefly_combine or tilefly_repsum, and compares its outputs in every cycle with those of golden's Combiner,
// into which the test puts the results that it expects.
#pragma once

#include <algorithm>
#include <cstring>

#include "golden/reduction/combiner_checker.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/reduction/trial.h"

namespace tilefly::bench {

/// What is summed in one cycle.
struct RepTrial {
  int use = 3;
  golden::RepSum a;
  golden::RepSum b;
};

template <typename Model, typename Result>
class PipeBench {
 public:
  /// `rests`: in cycles in which nothing enters and nothing is inside it is not evaluated.
  explicit PipeBench(Comparison* run, bool rests = false) : run_(*run), dut_(run), rests_(rests) {
    dut_->valid_i = 0;
    dut_->use_i = 0;
    Clear(&dut_->a_i);
    Clear(&dut_->b_i);
    dut_.Reset();
  }

  /// The inputs of this cycle.
  void Drive(bool valid, const Trial& trial) {
    dut_->valid_i = valid;
    dut_->op_i = static_cast<CData>(trial.operation.op);
    dut_->type_i = static_cast<CData>(trial.operation.type);
    dut_->rnd_i = static_cast<CData>(trial.operation.rnd);
    dut_->ftz_i = trial.operation.ftz;
    dut_->last_i = trial.operation.last;
    dut_->use_i = static_cast<CData>(trial.use);
    std::memcpy(&dut_->a_i[0], trial.a.data(), trial.a.size());
    std::memcpy(&dut_->b_i[0], trial.b.data(), trial.b.size());
  }
  void Drive(bool valid, const RepTrial& trial) {
    dut_->valid_i = valid;
    dut_->use_i = static_cast<CData>(trial.use);
    PutRepSum(&dut_->a_i, trial.a);
    PutRepSum(&dut_->b_i, trial.b);
  }

  /// One cycle, with inputs whose result, where they are valid, is `result`.
  void Step(const Result& result) {
    const Cycle now = run_.cycle();
    combiner_.Advance(now);
    const bool valid = dut_->valid_i != 0, busy = combiner_.busy(now);
    golden::Audit audit;
    books_.Shown(now, combiner_.valid(now), combiner_.shown(), &audit);
    run_.Check(audit);
    if (!rests_ || valid || busy) {
      dut_.Settle();
      Compare(now, busy);
      dut_.Edge();
    }
    if (!valid) return;
    combiner_.Enter(now, result);
    books_.Entered(now, result);
  }

  /// One cycle of reset: what is inside is gone.
  void Reset() {
    dut_->rst_ni = 0;
    dut_.Tick();
    dut_->rst_ni = 1;
    combiner_ = {};
    books_ = {};
  }
  const golden::Combiner<Result>& combiner() const { return combiner_; }

 private:
  template <typename Port>
  static void PutRepSum(Port* port, const golden::RepSum& sum) {
    for (int i = 0; i < 4; ++i) Put(port, 64 * i, 64, sum.t[static_cast<std::size_t>(i)]);
    Put(port, 256, 8, static_cast<std::uint8_t>(sum.m));
    Put(port, 264, 2, sum.ovfl);
    Put(port, 266, 3, sum.low);
  }

  void Compare(Cycle now, bool busy) {
    run_.Compare("valid", dut_->valid_o, combiner_.valid(now));
    run_.Compare("busy", dut_->busy_o, busy);
    CompareShown(combiner_.shown());
    if (combiner_.valid(now)) run_.Busy();
  }
  void CompareShown(const Combined& shown) {
    constexpr std::array<const char*, 4> kNames = {"y, bytes 7..0", "y, bytes 15..8", "y, bytes 23..16",
                                                   "y, bytes 31..24"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      run_.Compare(kNames[i], Get(dut_->y_o, static_cast<int>(64 * i), 64), GetLane<std::uint64_t>(shown.y, i));
    }
    run_.Compare("flags", dut_->flags_o, shown.flags);
  }
  void CompareShown(const golden::RepSum& shown) {
    constexpr std::array<const char*, 4> kNames = {"t[0]", "t[1]", "t[2]", "t[3]"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      run_.Compare(kNames[i], Get(dut_->y_o, static_cast<int>(64 * i), 64), shown.t[i]);
    }
    run_.Compare("m", Get(dut_->y_o, 256, 8), static_cast<std::uint8_t>(shown.m));
    run_.Compare("ovfl", Get(dut_->y_o, 264, 2), shown.ovfl);
    run_.Compare("low", Get(dut_->y_o, 266, 3), shown.low);
  }

  Comparison& run_;
  Dut<Model> dut_;
  bool rests_;
  golden::Combiner<Result> combiner_;
  golden::CombinerChecker<Result> books_;
};

}  // namespace tilefly::bench
