// SPDX-License-Identifier: Apache-2.0
// Devices that break the contract.
#pragma once

#include <deque>
#include <vector>

#include "systemc/device/systemc_device.h"

namespace tilefly::systemc {

/// Links that show everything some cycles later.
class LateDevice : public cosim::Device {
 public:
  LateDevice(const Profile& profile, std::size_t cycles)
      : inner_(profile), shown_(cycles, std::vector<Link>(static_cast<std::size_t>(profile.ports))) {}
  const char* Name() const override { return "late"; }
  int radix() const override { return inner_.radix(); }
  const std::vector<Link>& Outputs() override { return shown_.front(); }
  const cosim::Observation& Observe() override { return inner_.Observe(); }
  void Step(const Inputs& inputs) override {
    shown_.push_back(inner_.Outputs());
    shown_.pop_front();
    inner_.Step(inputs);
  }
  Cycle cycle() const override { return inner_.cycle(); }
  Cycle NextChange() const override { return inner_.NextChange(); }
  std::uint64_t Counter(int port, int index) override { return inner_.Counter(port, index); }

 private:
  SystemcDevice inner_;
  std::deque<std::vector<Link>> shown_;
};

/// Does not tell when it acts by itself.
class SilentDevice final : public LateDevice {
 public:
  explicit SilentDevice(const Profile& profile) : LateDevice(profile, 1) {}
  Cycle NextChange() const override { return kUnknown; }
};

}  // namespace tilefly::systemc
