// SPDX-License-Identifier: Apache-2.0
// Drives a Verilated block cycle by cycle: set inputs, `Settle`, look at the outputs, `Edge`. A failing assertion of the
// RTL ends the run instead of the process.
#pragma once

#include <verilated.h>

#include <memory>

#include "testbenches/bench/comparison.h"

namespace tilefly::bench {

template <typename Model>
class Dut {
 public:
  explicit Dut(Comparison* run) : run_(run) {
    context_.randReset(run->power_up().start > 0 ? 2 : 0);
    context_.randSeed(static_cast<int>((run->seed() & 0x3fffffff) | 1));  // 0 would mean: not repeatable
    context_.fatalOnError(false);
    Verilated::threadContextp(&context_);
    model_ = std::make_unique<Model>(&context_);
  }
  /// `final` blocks: what must hold when everything has drained.
  ~Dut() {
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
  bool asserted_ = false;
  bool expected_ = false;
};

}  // namespace tilefly::bench
