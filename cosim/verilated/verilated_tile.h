// SPDX-License-Identifier: Apache-2.0
// Binds a Verilated tile class to TileModel. One Verilator context a tile, so that a failed assertion names its tile;
// traced tiles share the context of their file.
#pragma once

#include <verilated.h>

#include <cstring>
#include <memory>
#include <stdexcept>

#include "cosim/verilated/tile_model.h"

namespace tilefly::cosim {

/// The words of a port vector of any Verilator type of at least 32 bits.
template <typename Port>
PortWord* WordsOf(Port& port) {
  static_assert(sizeof(Port) % sizeof(PortWord) == 0, "port vectors are wider than 16 bits");
  return reinterpret_cast<PortWord*>(&port);
}

/// Makes input ports idle: a model starts with random values on them when its registers do.
template <typename... Ports>
void ClearPorts(Ports&... ports) {
  (std::memset(static_cast<void*>(&ports), 0, sizeof ports), ...);
}

/// A context whose models report failed assertions; it becomes the thread's own one. The rest as in TileOptions.
inline VerilatedContext* PrepareContext(VerilatedContext* context, int random_reset, bool assertions = true) {
  context->threads(1);  // else every context keeps a pool of threads
  context->fatalOnError(false);
  context->assertOn(assertions);
  if (random_reset != 0) {
    context->randReset(2);
    context->randSeed(random_reset);
  }
  Verilated::threadContextp(context);
  return context;
}

/// Tells a model that its clock has fallen, where Verilator keeps the clock's last level in a member (5.006 does). False:
/// there is no such member.
template <typename Root>
auto LowerClock(Root* root, int) -> decltype(root->__Vtrigrprev__TOP__clk_i, true) {
  root->__Vtrigrprev__TOP__clk_i = 0;
  return true;
}
template <typename Root>
bool LowerClock(Root*, long) {
  return false;
}

/// The clock, which was high, falls, and rises before the next evaluation. `kFalls`: something in the model happens when it
/// falls; else that need not be evaluated, which would compute all that follows the inputs once more.
template <bool kFalls = false, typename Model>
void TurnClock(VerilatedContext* context, Model* model, std::uint64_t cycle) {
  Verilated::threadContextp(context);
  context->time(cycle);
  model->clk_i = 0;
  if (kFalls || !LowerClock(model->rootp, 0)) model->eval();
  model->clk_i = 1;
}

/// One cycle of the clock. True: an assertion failed.
template <bool kFalls = false, typename Model>
bool ClockModel(VerilatedContext* context, Model* model, std::uint64_t cycle) {
  TurnClock<kFalls>(context, model, cycle);
  model->eval();
  return context->gotError();
}

/// The steps of a model that has none; else the build makes such a class (cmake/eval_steps.py).
struct NoSteps {
  static constexpr int kCount = 0;
};

/// Runs the model's `final` blocks, whose assertions are always on, in a switch that is drained: all must be home. True:
/// an assertion failed.
template <typename Model>
bool EndModel(VerilatedContext* context, Model* model) {
  const char* drained = "+tilefly_drained";
  Verilated::threadContextp(context);
  context->commandArgs(1, &drained);
  context->assertOn(true);
  model->final();
  return context->gotError();
}

/// `Model`: a class that Verilator made of tilefly_tile. `Steps`: those of its evaluation.
template <typename Model, typename Steps = NoSteps>
class VerilatedTile final : public TileModel {
 public:
  VerilatedTile(const TileOptions& options, VerilatedContext* shared)
      : own_(shared == nullptr ? std::make_unique<VerilatedContext>() : nullptr),
        context_(shared == nullptr ? own_.get() : shared),
        model_(PrepareContext(context_, options.random_reset, options.assertions), options.name.c_str()) {
    Model& m = model_;
    ClearPorts(m.clk_i, m.clk_red_i, m.rst_ni, m.cycle_i, m.row_i, m.col_i, m.cfg_i, m.link_i, m.link_up_i, m.loads_i, m.red_ring_i,
               m.red_cmd_i);
    ClearPorts(m.req_row_i, m.gnt_row_i, m.dat_row_i, m.crd_row_i, m.ack_row_i);
    ClearPorts(m.req_col_i, m.gnt_col_i, m.dat_col_i, m.crd_col_i, m.ack_col_i);
    pins_.crossbar[kRequests] = {WordsOf(m.req_row_o), WordsOf(m.req_row_i), WordsOf(m.req_col_o),
                                 WordsOf(m.req_col_i)};
    pins_.crossbar[kGrants] = {WordsOf(m.gnt_row_o), WordsOf(m.gnt_row_i), WordsOf(m.gnt_col_o), WordsOf(m.gnt_col_i)};
    pins_.crossbar[kData] = {WordsOf(m.dat_row_o), WordsOf(m.dat_row_i), WordsOf(m.dat_col_o), WordsOf(m.dat_col_i)};
    pins_.crossbar[kCredits] = {WordsOf(m.crd_row_o), WordsOf(m.crd_row_i), WordsOf(m.crd_col_o), WordsOf(m.crd_col_i)};
    pins_.crossbar[kAcks] = {WordsOf(m.ack_row_o), WordsOf(m.ack_row_i), WordsOf(m.ack_col_o), WordsOf(m.ack_col_i)};
    pins_.clk_red_i = &m.clk_red_i;
    pins_.rst_ni = &m.rst_ni;
    pins_.cycle_i = &m.cycle_i;
    pins_.row_i = &m.row_i;
    pins_.col_i = &m.col_i;
    pins_.link_up_i = &m.link_up_i;
    pins_.cfg_i = WordsOf(m.cfg_i);
    pins_.link_i = WordsOf(m.link_i);
    pins_.link_o = WordsOf(m.link_o);
    pins_.link_fail_o = &m.link_fail_o;
    pins_.load_o = WordsOf(m.load_o);
    pins_.loads_i = WordsOf(m.loads_i);
    pins_.red_ring_i = WordsOf(m.red_ring_i);
    pins_.red_ring_o = WordsOf(m.red_ring_o);
    pins_.red_cmd_i = WordsOf(m.red_cmd_i);
    pins_.red_report_o = WordsOf(m.red_report_o);
    pins_.rdata_o = WordsOf(m.rdata_o);
    pins_.obs_o = WordsOf(m.obs_o);
    pins_.red_quiescent_o = &m.red_quiescent_o;
    pins_.quiescent_o = &m.quiescent_o;
    pins_.wake_at_o = &m.wake_at_o;
  }

  // The model leaves the context that is the thread's own one.
  ~VerilatedTile() override { Verilated::threadContextp(context_); }

  bool Clock(std::uint64_t cycle) override {
    TurnRedClock();
    return ClockModel(context_, &model_, cycle);
  }

  bool has_steps() const override { return Steps::kCount > 0; }
  void BeginClock(std::uint64_t cycle) override {
    TurnRedClock();
    TurnClock(context_, &model_, cycle);
    if constexpr (Steps::kCount > 0) Steps::Begin(model_.rootp);
  }
  void RunSteps([[maybe_unused]] TileModel* const* tiles, [[maybe_unused]] std::size_t count) override {
    if constexpr (Steps::kCount > 0) {
      for (const auto step : Steps::kSteps) {
        for (std::size_t i = 0; i < count; ++i) {
          auto* const tile = static_cast<VerilatedTile*>(tiles[i]);
          Verilated::threadContextp(tile->context_);
          step(tile->model_.rootp);
        }
      }
    }
  }
  bool EndClock() override {
    Verilated::threadContextp(context_);
    if constexpr (Steps::kCount > 0) {
      if (!Steps::End(model_.rootp)) throw std::logic_error("cosim: a clock inside a tile rose behind the steps");
    }
    return context_->gotError();
  }

  void Settle() override {
    model_.clk_red_i = 0;
    model_.eval();
  }
  void ShowClock(bool high) override { model_.clk_i = model_.clk_red_i = high; }
  Model& model() { return model_; }

  bool Final() override { return EndModel(context_, &model_); }

 private:
  void TurnRedClock() {
    Verilated::threadContextp(context_);
    if (model_.clk_red_i != 0) return;
    model_.eval();
    model_.clk_red_i = 1;
  }

  std::unique_ptr<VerilatedContext> own_;
  VerilatedContext* context_;
  Model model_;
};

}  // namespace tilefly::cosim
