// SPDX-License-Identifier: Apache-2.0
// A device that is somebody else's, as a run sees it: it outlives the run, and may be looked at from outside only.
#pragma once

#include "cosim/device.h"
#include "cosim/library_device.h"

namespace tilefly::conform {

class DeviceView final : public cosim::Device {
 public:
  /// `device` must outlive it. `observes`: its record is read, if it has one.
  DeviceView(cosim::LibraryDevice* device, const Profile& profile, bool observes)
      : device_(*device), observes_(observes) {
    nothing_.ports.resize(static_cast<std::size_t>(profile.ports));
    nothing_.turns.resize(static_cast<std::size_t>(profile.tiles));
    nothing_.reds.resize(static_cast<std::size_t>(profile.ports));
  }

  const char* Name() const override { return device_.Name(); }
  int radix() const override { return device_.radix(); }
  const std::vector<Link>& Outputs() override { return device_.Outputs(); }
  const cosim::Observation& Observe() override { return Observes() ? device_.Observe() : nothing_; }
  std::uint64_t LinkFails() override { return device_.LinkFails(); }
  bool FailsLinks() const override { return device_.FailsLinks(); }
  bool Observes() const override { return observes_ && device_.Observes(); }
  int wire_version() const override { return device_.wire_version(); }
  void Step(const Inputs& inputs) override { device_.Step(inputs); }
  tilefly::Cycle cycle() const override { return device_.cycle(); }
  tilefly::Cycle NextChange() const override { return device_.NextChange(); }
  std::uint64_t Counter(int port, int index) override { return device_.Counter(port, index); }
  bool Counts() const override { return device_.Counts(); }
  void CheckDrained() override { device_.CheckDrained(); }

 private:
  cosim::LibraryDevice& device_;
  const bool observes_;
  cosim::Observation nothing_;  ///< a record in which nothing happens
};

}  // namespace tilefly::conform
