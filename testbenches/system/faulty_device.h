// SPDX-License-Identifier: Apache-2.0
// A device whose links lie, or that sees other inputs than it is given.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "cosim/device.h"

namespace tilefly::cosim {

class FaultyDevice final : public Device {
 public:
  /// May change what a port shows in a cycle; called once for each, in their order.
  using Tamper = std::function<void(Cycle now, int port, Link* link)>;

  /// Likewise what goes into the device.
  using TamperInputs = std::function<void(Cycle now, Inputs* inputs)>;

  FaultyDevice(std::unique_ptr<Device> inner, Tamper tamper)
      : inner_(std::move(inner)), tamper_(std::move(tamper)), links_(static_cast<std::size_t>(inner_->radix())) {}

  const char* Name() const override { return "faulty"; }
  int radix() const override { return inner_->radix(); }
  const std::vector<Link>& Outputs() override {
    if (shown_ == cycle()) return links_;
    shown_ = cycle();
    links_ = inner_->Outputs();
    for (int port = 0; port < radix(); ++port) tamper_(shown_, port, &links_[static_cast<std::size_t>(port)]);
    return links_;
  }
  const Observation& Observe() override { return inner_->Observe(); }
  std::uint64_t LinkFails() override { return inner_->LinkFails(); }
  bool FailsLinks() const override { return inner_->FailsLinks(); }
  void Step(const Inputs& inputs) override {
    Outputs();
    if (!tamper_inputs_) return inner_->Step(inputs);
    Inputs seen = inputs;
    tamper_inputs_(cycle(), &seen);
    inner_->Step(seen);
  }
  void SetInputs(TamperInputs tamper) { tamper_inputs_ = std::move(tamper); }
  Cycle cycle() const override { return inner_->cycle(); }
  Cycle NextChange() const override { return inner_->NextChange(); }
  std::uint64_t Counter(int port, int index) override { return inner_->Counter(port, index); }

 private:
  std::unique_ptr<Device> inner_;
  Tamper tamper_;
  TamperInputs tamper_inputs_;
  std::vector<Link> links_;
  Cycle shown_ = -1;
};

}  // namespace tilefly::cosim
