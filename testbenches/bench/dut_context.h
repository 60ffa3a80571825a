// SPDX-License-Identifier: Apache-2.0
// What the Verilated models of one comparison share: how their registers begin, what their assertions say, their waves.
#pragma once

#include <verilated.h>

#include <memory>
#include <vector>

#include "testbenches/bench/comparison.h"
#include "testbenches/bench/dut_waves.h"

namespace tilefly::bench {

class DutContext {
 public:
  explicit DutContext(Comparison* run) : run_(run) {
    context_.randReset(run->power_up().start > 0 ? 2 : 0);
    context_.randSeed(static_cast<int>((run->seed() & 0x3fffffff) | 1));  // 0 would mean: not repeatable
    context_.fatalOnError(false);
    Use();
    context_.traceEverOn(run_->wave_plan() != nullptr);
    if (run_->wave_plan() != nullptr) {
      waves_ = std::make_unique<DutWaves>(*run_->wave_plan(), *run_->compared_values());
    }
  }

  /// For the model's constructor.
  VerilatedContext* get() { return &context_; }
  /// Makes it the thread's own context; a model leaves that one when it is destroyed.
  void Use() { Verilated::threadContextp(&context_); }

  /// The model's signals are to be in the waves, if there are any.
  template <typename Model>
  void Trace(Model* model) {
    if (waves_) model->trace(waves_->file(), 99);
  }
  /// Whether waves are written.
  bool traced() const { return waves_ != nullptr; }
  /// Dumps the current cycle, once. The models have settled; `show_clock(level)` puts the level on their clocks.
  template <typename ShowClock>
  void Sample(ShowClock&& show_clock) {
    waves_->Sample(run_->cycle(), show_clock);
  }
  void CloseWaves() { waves_.reset(); }

  /// Before `final`: what the run says of its end, for the RTL's `final` blocks (docs/testing.md, Invariants).
  void TellEnd() {
    std::vector<const char*> arguments;
    if (run_->drained()) arguments.push_back("+tilefly_drained");
    if (run_->acked()) arguments.push_back("+tilefly_acked");
    context_.commandArgs(static_cast<int>(arguments.size()), arguments.data());
  }

  /// Ends the run when an assertion has failed.
  void Check() {
    if (!context_.gotError()) return;
    context_.gotError(false);
    context_.gotFinish(false);
    asserted_ = true;
    if (!expected_) run_->FailAssertion();
  }
  bool asserted() const { return asserted_; }
  /// Lets assertions fail without ending the run.
  void ExpectAssertions() { expected_ = true; }

 private:
  Comparison* run_;
  VerilatedContext context_;
  std::unique_ptr<DutWaves> waves_;  ///< when this run is to be traced
  bool asserted_ = false;
  bool expected_ = false;
};

}  // namespace tilefly::bench
