// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilated/load_ring.h"

#include <fmt/format.h>

#include <cstring>

#include "cosim/errors.h"

namespace tilefly::cosim {
namespace {

constexpr int kLoadBits = 13;  // with the bit that the port is down

int Words(int bits) { return (bits + 31) / 32; }

}  // namespace

LoadRing::LoadRing(const Profile& profile, int random_reset)
    : epoch_(profile.load_epoch_cycles),
      loads_width_(profile.ports * kLoadBits),
      model_(MakeLoadRingModel(profile, random_reset)),
      seen_(static_cast<std::size_t>(Words(profile.tiles * Loadreport::kWidth))) {}

void LoadRing::Reset(int cycles) {
  *model_->pins().rst_ni = 0;
  for (int i = 0; i < cycles; ++i) Clock(0, true);
  *model_->pins().rst_ni = 1;
}

void LoadRing::Sample(int tile, const PortWord* load_o) {
  CopyBits(model_->pins().reports_i, tile * Loadreport::kWidth, load_o, 0, Loadreport::kWidth);
}

void LoadRing::Clock(Cycle cycle, bool always) {
  const LoadRingPins& pins = model_->pins();
  const bool inside = !*pins.quiescent_o;
  const std::size_t bytes = seen_.size() * sizeof(PortWord);
  const auto news = [&] { return std::memcmp(seen_.data(), pins.reports_i, bytes) != 0; };
  changed_ = always || (IsLast(cycle) && inside);
  if (!changed_ && !(IsFirst(cycle) && (inside || news()))) return;
  if (IsFirst(cycle)) std::memcpy(seen_.data(), pins.reports_i, bytes);
  *pins.cycle_i = static_cast<std::uint64_t>(cycle);
  if (model_->Clock(static_cast<std::uint64_t>(cycle))) {
    throw DeviceError(fmt::format("rtl: an assertion failed in the load ring in cycle {}", cycle));
  }
}

void LoadRing::Show(PortWord* loads_i) const {
  if (!changed_) return;
  std::memcpy(loads_i, model_->pins().loads_o, static_cast<std::size_t>(Words(loads_width_)) * sizeof(PortWord));
}

}  // namespace tilefly::cosim
