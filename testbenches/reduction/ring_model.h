// SPDX-License-Identifier: Apache-2.0
// The reduction ring in RTL: red_tile for each tile and tilefly_cfu, wired as tilefly_switch wires them. All that
// crosses between them is flops, so they are evaluated one after another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "generated/profile.h"
#include "generated/wire.h"
#include "testbenches/bench/dut_context.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/reduction/red_arrivals.h"

namespace tilefly::bench {

template <typename Tile, typename Cfu>
class RingModel {
 public:
  RingModel(Comparison* run, const Profile& profile) : run_(run), profile_(profile), context_(run) {
    for (int t = 0; t < profile.tiles; ++t) {
      const std::string name = "tile_r" + std::to_string(t / profile.cols) + "_c" + std::to_string(t % profile.cols);
      tiles_.push_back(std::make_unique<Tile>(context_.get(), name.c_str()));
      Tile& tile = *tiles_.back();
      context_.Trace(&tile);
      Clear(&tile.cfg_i);
      Clear(&tile.rx_i);
      Clear(&tile.data_i);
      Clear(&tile.ring_i);
      tile.tile_i = static_cast<CData>(t);
      tile.link_up_i = 3;
      tile.word_i = tile.grant_i = tile.grant_input_i = 0;
      tile.cmd_i = 0;
    }
    cfu_ = std::make_unique<Cfu>(context_.get(), "cfu");
    context_.Trace(cfu_.get());
    Clear(&cfu_->cfg_i);
    Clear(&cfu_->reports_i);
    Clear(&cfu_->collect_i);
    cfu_->cycle_i = 0;
    ForAll([](auto& model) { model.rst_ni = 0; });
    for (int i = 0; i < 3; ++i) {
      Settle();
      Clock();
    }
    ForAll([](auto& model) { model.rst_ni = 1; });
  }
  ~RingModel() {
    Show();
    context_.CloseWaves();
    if (!run_->failed()) {
      context_.TellEnd();
      ForAll([](auto& model) { model.final(); });
    }
    context_.Check();
    context_.Use();
  }
  RingModel(const RingModel&) = delete;
  RingModel& operator=(const RingModel&) = delete;

  /// Lets assertions fail without ending the run.
  void ExpectAssertions() { context_.ExpectAssertions(); }
  bool asserted() const { return context_.asserted(); }

  /// The port's tile, and the CFU, for what a run from edges sets after the reset.
  Tile& tile(int port) { return Of(port); }
  Cfu& cfu() { return *cfu_; }

  // Inputs of a cycle. They stand until they are set again.
  void SetCycle(Cycle now) { cfu_->cycle_i = static_cast<QData>(now); }
  void SetCfg(const Cfg& cfg) {
    ForAll([&](auto& model) { PutStruct(&model.cfg_i, 0, cfg); });
  }
  void SetLink(int port, bool up) { Put(&Of(port).link_up_i, port & 1, 1, up); }
  void SetGrant(int port, bool valid, int input) {
    Put(&Of(port).grant_i, port & 1, 1, valid);
    Put(&Of(port).grant_input_i, (port & 1) * InputBits(), InputBits(), static_cast<std::uint64_t>(input));
  }
  void SetArrival(int port, const RedArrivals::Event& event) {
    // rx_t of rtl/ingress/tilefly_ingress_pkg.sv.
    std::uint64_t rx = 0;
    rx |= std::uint64_t{event.word} << 30 | std::uint64_t{event.begins} << 29 | std::uint64_t{event.word} << 28;
    rx |= std::uint64_t{event.word || event.ends} << 27 | std::uint64_t{event.ends} << 26;
    rx |= static_cast<std::uint64_t>(event.status) << 22 | static_cast<std::uint64_t>(event.length) << 9;
    Put(&Of(port).word_i, port & 1, 1, event.word);
    Put(&Of(port).rx_i, (port & 1) * kRxBits, kRxBits, rx);
    PutBytes(&Of(port).data_i[0], (port & 1) * 256, event.data);
  }

  /// Lets the inputs act: afterwards the outputs are those of the current cycle.
  void Settle() {
    for (int t = 0; t < profile_.tiles; ++t) {
      Tile& tile = *tiles_[At(t)];
      const bool starts = t == 0 || t == profile_.tiles / 2;
      CopyBits(&tile.ring_i[0], 0, starts ? &cfu_->collect_o[0] : &tiles_[At(t - 1)]->ring_o[0], 0, kCollectBits);
      if (t == 0) {
        CopyBits(&tile.ring_i[0], kCollectBits, &cfu_->return_o[0], 0, kReturnBits);
      } else {
        CopyBits(&tile.ring_i[0], kCollectBits, &tiles_[At(t - 1)]->ring_o[0], kCollectBits, kReturnBits);
      }
      tile.cmd_i = cfu_->cmd_o;
      for (int lane = 0; lane < 2; ++lane) {
        Put(&cfu_->reports_i, (2 * t + lane) * RedReport::kWidth, RedReport::kWidth,
            Get(tile.report_o, lane * RedReport::kWidth, RedReport::kWidth));
      }
    }
    for (int half = 0; half < 2; ++half) {
      const Tile& last = *tiles_[At((half + 1) * profile_.tiles / 2 - 1)];
      CopyBits(&cfu_->collect_i[0], half * kCollectBits, &last.ring_o[0], 0, kCollectBits);
    }
    ForAll([](auto& model) {
      model.clk_i = 0;
      model.eval();
    });
    context_.Check();
  }
  /// The clock edge that ends the current cycle.
  void Edge() {
    Show();
    Clock();
  }

  // Outputs.
  bool used(int port) { return Get(Of(port).used_o, port & 1, 1) != 0; }
  bool asks(int port) { return Get(Of(port).req_valid_o, port & 1, 1) != 0; }
  Request request(int port) { return GetStruct<Request>(Of(port).req_o, (port & 1) * Request::kWidth); }
  bool cell_valid(int port) { return Get(Of(port).cell_valid_o, port & 1, 1) != 0; }
  Cell cell(int port) { return GetStruct<Cell>(Of(port).cell_o, (port & 1) * Cell::kWidth); }
  RedReport report(int port) { return GetStruct<RedReport>(Of(port).report_o, (port & 1) * RedReport::kWidth); }
  RedObs observed(int port) { return GetStruct<RedObs>(Of(port).obs_o, (port & 1) * RedObs::kWidth); }
  RedCmd command() { return GetStruct<RedCmd>(cfu_->cmd_o); }
  CfuObs observed_cfu() { return GetStruct<CfuObs>(cfu_->obs_o); }
  bool quiescent(int tile) { return tiles_[At(tile)]->quiescent_o != 0; }
  bool cfu_quiescent() { return cfu_->quiescent_o != 0; }
  /// Who answers a register read, and the answer; of several the OR.
  std::pair<bool, std::uint64_t> answer() {
    ReadAnswer all = GetStruct<ReadAnswer>(cfu_->rdata_o);
    for (const auto& tile : tiles_) {
      const auto answer = GetStruct<ReadAnswer>(tile->rdata_o);
      all.valid |= answer.valid;
      all.data |= answer.data;
    }
    return {all.valid, all.data};
  }

 private:
  static constexpr int kRxBits = 31;
  static constexpr int kCollectBits = 2 * RedCollect::kWidth;
  static constexpr int kReturnBits = 3 * RedReturn::kWidth;

  static std::size_t At(int index) { return static_cast<std::size_t>(index); }
  Tile& Of(int port) { return *tiles_[At(port >> 1)]; }
  int InputBits() const {
    int bits = 0;
    while (1 << bits < profile_.row_in) ++bits;
    return bits;
  }
  template <typename Do>
  void ForAll(Do&& act) {
    for (const auto& tile : tiles_) act(*tile);
    act(*cfu_);
  }
  static void CopyBits(std::uint32_t* to, int to_lsb, const std::uint32_t* from, int from_lsb, int bits) {
    for (int done = 0; done < bits; done += 64) {
      const int width = bits - done < 64 ? bits - done : 64;
      PutBits(to, to_lsb + done, width, GetBits(from, from_lsb + done, width));
    }
  }
  void Clock() {
    ForAll([](auto& model) {
      model.clk_i = 1;
      model.eval();
    });
    context_.Check();
  }
  void Show() {
    if (!context_.traced()) return;
    Settle();
    context_.Sample([&](bool level) { ForAll([&](auto& model) { model.clk_i = level; }); });
  }

  Comparison* run_;
  const Profile& profile_;
  DutContext context_;
  std::vector<std::unique_ptr<Tile>> tiles_;
  std::unique_ptr<Cfu> cfu_;
};

}  // namespace tilefly::bench
