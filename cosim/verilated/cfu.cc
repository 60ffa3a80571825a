// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilated/cfu.h"

#include <fmt/format.h>

#include <cstring>

#include "cosim/errors.h"

namespace tilefly::cosim {

Cfu::Cfu(const Profile& profile, int random_reset) : model_(MakeCfuModel(profile, random_reset)) {}

void Cfu::Reset(int cycles) {
  *model_->pins().rst_ni = 0;
  for (int i = 0; i < cycles; ++i) Clock(0, true);
  *model_->pins().rst_ni = 1;
}

void Cfu::TakeReports(int tile, const PortWord* report_o) {
  CopyBits(model_->pins().reports_i, tile * 2 * RedReport::kWidth, report_o, 0, 2 * RedReport::kWidth);
  busy_ = true;
}

void Cfu::TakeHalf(int half, const PortWord* ring_o, std::uint32_t sent) {
  std::uint32_t& received = received_[static_cast<std::size_t>(half)];
  for (int ring_lane = 0; ring_lane < kCollectLanes; ++ring_lane) {
    const int to = half * RingBit(kCollectLanes) + RingBit(ring_lane);
    if (sent >> ring_lane & 1) {
      CopyBits(model_->pins().collect_i, to, ring_o, RingBit(ring_lane), RingWidth(ring_lane));
      busy_ = true;
    } else if (received >> ring_lane & 1) {
      ClearBit(model_->pins().collect_i, to + RingWidth(ring_lane) - 1);
    }
  }
  received = sent & ((1u << kCollectLanes) - 1);
}

void Cfu::TakeCfg(const std::uint32_t* cfg, bool valid) {
  if (valid || cfg_set_) std::memcpy(model_->pins().cfg_i, cfg, Cfg::kWords * sizeof(std::uint32_t));
  cfg_set_ = valid;
  busy_ |= valid;
}

void Cfu::Clock(Cycle cycle, bool always) {
  const CfuPins& pins = model_->pins();
  const auto now = static_cast<std::uint64_t>(cycle);
  if (!always && !busy_ && quiescent() && wake_at() > now) return;
  busy_ = false;
  *pins.cycle_i = now;
  if (model_->Clock(now)) throw DeviceError(fmt::format("rtl: an assertion failed in the CFU in cycle {}", cycle));
  sent_ = 0;
  for (int ring_lane = 0; ring_lane < kRingLanes; ++ring_lane) {
    sent_ |= std::uint32_t{TestBit(Word(ring_lane), WordBit(ring_lane) + RingWidth(ring_lane) - 1)} << ring_lane;
  }
  const RedCmd command = RedCmd::UnpackAt(pins.cmd_o, 0);
  wakes_ = command.launch || command.change || command.clear;
}

void Cfu::CheckDrained() {
  if (model_->Final()) throw DeviceError("rtl: the CFU is not drained: the assertion that says so is on the output");
}

}  // namespace tilefly::cosim
