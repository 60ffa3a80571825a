// SPDX-License-Identifier: Apache-2.0
// Drives a Verilated block cycle by cycle: set inputs, `Settle`, look at the outputs, `Edge`. A failing assertion of the
// RTL ends the run instead of the process.
#pragma once

#include <verilated.h>

#include <memory>

#include "testbenches/bench/comparison.h"
#include "testbenches/bench/dut_waves.h"

namespace tilefly::bench {

template <typename Model>
class Dut {
 public:
  explicit Dut(Comparison* run) : run_(run) {
    context_.randReset(run->power_up().start > 0 ? 2 : 0);
    context_.randSeed(static_cast<int>((run->seed() & 0x3fffffff) | 1));  // 0 would mean: not repeatable
    context_.fatalOnError(false);
    Verilated::threadContextp(&context_);
    context_.traceEverOn(run_->wave_plan() != nullptr);
    model_ = std::make_unique<Model>(&context_);
    if (run_->wave_plan() != nullptr) {
      waves_ = std::make_unique<DutWaves>(*run_->wave_plan(), *run_->compared_values());
      model_->trace(waves_->file(), 99);
    }
  }
  /// `final` blocks: what must hold when everything has drained.
  ~Dut() {
    Show();
    waves_.reset();
    if (!run_->failed()) model_->final();
    Check();
  }

  Model* operator->() { return model_.get(); }

  /// Holds the block in reset for some cycles; call it with the inputs idle.
  void Reset() {
    model_->rst_ni = 0;
    for (int i = 0; i < 3; ++i) Tick();
    model_->rst_ni = 1;
  }
  /// Lets the inputs act: afterwards the outputs are those of the current cycle.
  void Settle() {
    model_->clk_i = 0;
    model_->eval();
    Check();
  }
  /// The clock edge that ends the current cycle.
  void Edge() {
    Show();
    model_->clk_i = 1;
    model_->eval();
    Check();
  }
  void Tick() {
    Settle();
    Edge();
  }
  /// Whether an assertion has failed so far.
  bool asserted() const { return asserted_; }
  /// Lets assertions fail without ending the run: for tests that provoke them.
  void ExpectAssertions() { expected_ = true; }

 private:
  void Show() {
    if (!waves_) return;
    Settle();
    waves_->Sample(run_->cycle(), model_.get());
  }
  void Check() {
    if (!context_.gotError()) return;
    context_.gotError(false);
    context_.gotFinish(false);
    asserted_ = true;
    if (!expected_) run_->Fail("an assertion of the RTL failed: its name is on the output, above");
  }

  Comparison* run_;
  VerilatedContext context_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<DutWaves> waves_;  ///< when this run is to be traced
  bool asserted_ = false;
  bool expected_ = false;
};

}  // namespace tilefly::bench
