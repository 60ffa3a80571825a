// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilated/verilated_switch.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "cosim/errors.h"

namespace tilefly::cosim {

VerilatedSwitch::VerilatedSwitch(const Profile& profile, const DeviceOptions& options)
    : profile_(profile),
      model_(MakeSwitchModel(profile)),
      outputs_(static_cast<std::size_t>(profile.ports)),
      answers_(profile.ports),
      first_(options.first_cycle),
      cycle_(first_) {
  if (!model_) {
    throw UsageError(
        fmt::format("device rtl-flat: the flat switch of profile '{}' was not built; configure the build with it in "
                    "-DTILEFLY_FLAT_PROFILES=...",
                    profile.name));
  }
  observation_.ports.resize(static_cast<std::size_t>(profile.ports));
  observation_.turns.resize(static_cast<std::size_t>(profile.tiles));
  observation_.reds.resize(static_cast<std::size_t>(profile.ports));
  pins_ = model_->pins();
  *pins_.rst_ni = 0;
  for (int i = 0; i < kResetCycles; ++i) model_->Clock(0);
  *pins_.rst_ni = 1;
}

void VerilatedSwitch::Step(const Inputs& inputs) {
  for (int port = 0; port < profile_.ports; ++port) {
    const auto at = static_cast<std::size_t>(port);
    std::array<std::uint32_t, Link::kWords> words{};
    inputs.links[at].PackAt(words.data(), 0);
    CopyBits(pins_.link_i, port * Link::kWidth, words.data(), 0, Link::kWidth);
    std::uint8_t& up = pins_.link_up_i[port / 8];
    const auto bit = static_cast<std::uint8_t>(1u << (port % 8));
    up = static_cast<std::uint8_t>(inputs.link_up[at] ? up | bit : up & ~bit);
  }
  std::array<std::uint32_t, Cfg::kWords> cfg{};
  inputs.cfg.Pack(cfg.data());
  CopyBits(pins_.cfg_i, 0, cfg.data(), 0, Cfg::kWidth);
  answers_.Watch(inputs.cfg, cycle());
  *pins_.cycle_i = static_cast<std::uint64_t>(cycle_);
  if (model_->Clock(static_cast<std::uint64_t>(cycle_))) {
    throw DeviceError(fmt::format("rtl-flat: an assertion failed in cycle {}", cycle()));
  }
  ++cycle_;
  if (answers_.Due(cycle()) >= 0) answers_.Sample(pins_.rdata_o);
}

const std::vector<Link>& VerilatedSwitch::Outputs() {
  for (int port = 0; port < profile_.ports; ++port) {
    outputs_[static_cast<std::size_t>(port)] = UnpackElement<Link>(pins_.link_o, port * Link::kWidth);
  }
  return outputs_;
}

std::uint64_t VerilatedSwitch::LinkFails() {
  std::uint64_t fails = 0;
  std::memcpy(&fails, pins_.link_fail_o, static_cast<std::size_t>((profile_.ports + 7) / 8));
  return fails;
}

const Observation& VerilatedSwitch::Observe() {
  for (int port = 0; port < profile_.ports; ++port) {
    observation_.ports[static_cast<std::size_t>(port)] = UnpackElement<Portobs>(pins_.obs_o, port * Portobs::kWidth);
  }
  for (int tile = 0; tile < profile_.tiles; ++tile) {
    observation_.turns[static_cast<std::size_t>(tile)] =
        UnpackElement<Turnobs>(pins_.obs_o, profile_.ports * Portobs::kWidth + tile * Turnobs::kWidth);
  }
  const int reds = profile_.ports * Portobs::kWidth + profile_.tiles * Turnobs::kWidth;
  for (int port = 0; port < profile_.ports; ++port) {
    observation_.reds[static_cast<std::size_t>(port)] = UnpackElement<RedObs>(pins_.obs_o, reds + port * RedObs::kWidth);
  }
  observation_.cfu = UnpackElement<CfuObs>(pins_.obs_o, reds + profile_.ports * RedObs::kWidth);
  return observation_;
}

void VerilatedSwitch::CheckDrained() {
  if (model_->Final()) throw DeviceError("rtl-flat: not drained: the assertion that says so is on the output");
}

}  // namespace tilefly::cosim
