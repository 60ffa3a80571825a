// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "cosim/device.h"
#include "cosim/device_factory.h"
#include "cosim/verilated/read_answers.h"
#include "cosim/verilated/switch_model.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// The device "rtl-flat": the top of rtl/switch as Verilator makes it, with the tiles wired in SystemVerilog. In
/// lockstep with the array of tiles it verifies the wiring in C++.
class VerilatedSwitch final : public Device {
 public:
  /// Throws UsageError when the flat switch of the profile was not built.
  VerilatedSwitch(const Profile& profile, const DeviceOptions& options);

  const char* Name() const override { return "rtl-flat"; }
  int radix() const override { return profile_.ports; }
  const std::vector<Link>& Outputs() override;
  const Observation& Observe() override;
  std::uint64_t LinkFails() override;
  bool FailsLinks() const override { return true; }
  /// Throws DeviceError when an assertion fails.
  void Step(const Inputs& inputs) override;
  Cycle cycle() const override { return cycle_ - first_; }
  /// The answer to the latest read of this counter on the register bus.
  std::uint64_t Counter(int port, int index) override { return answers_.Counter(port, index); }
  void CheckDrained() override;

 private:
  const Profile profile_;
  std::unique_ptr<SwitchModel> model_;
  SwitchPins pins_;
  std::vector<Link> outputs_;
  Observation observation_;
  ReadAnswers answers_;
  const Cycle first_;
  Cycle cycle_;  ///< its number inside
};

}  // namespace tilefly::cosim
