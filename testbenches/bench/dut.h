// SPDX-License-Identifier: Apache-2.0
// Drives a Verilated block cycle by cycle: set inputs, `Settle`, look at the outputs, `Edge`. A failing assertion of
// the RTL ends the run instead of the process.
#pragma once

#include <memory>

#include "testbenches/bench/dut_context.h"

namespace tilefly::bench {

template <typename Model>
class Dut {
 public:
  explicit Dut(Comparison* run) : run_(run), context_(run), model_(std::make_unique<Model>(context_.get())) {
    context_.Trace(model_.get());
  }
  /// `final` blocks: what must hold in the end, and, of a run that says that it is drained, that all is home.
  ~Dut() {
    Show();
    context_.CloseWaves();
    if (!run_->failed()) {
      context_.TellEnd();
      model_->final();
    }
    context_.Check();
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
    context_.Check();
  }
  /// The clock edge that ends the current cycle.
  void Edge() {
    Show();
    model_->clk_i = 1;
    model_->eval();
    context_.Check();
  }
  void Tick() {
    Settle();
    Edge();
  }
  /// Whether an assertion has failed so far.
  bool asserted() const { return context_.asserted(); }
  /// Lets assertions fail without ending the run: for tests that provoke them.
  void ExpectAssertions() { context_.ExpectAssertions(); }

 private:
  void Show() {
    if (!context_.traced()) return;
    Settle();
    context_.Sample([&](bool level) { model_->clk_i = level; });
  }

  Comparison* run_;
  DutContext context_;
  std::unique_ptr<Model> model_;
};

}  // namespace tilefly::bench
