// SPDX-License-Identifier: Apache-2.0
// The golden switch with AXI-Stream ports: golden behind the adapters of docs/blocks/axis.md, set up as a capability file
// says. What a stream device at level cycle is compared with.
#pragma once

#include <memory>
#include <vector>

#include "conform/axis/to_axis_reading.h"
#include "conform/axis/to_link_reading.h"
#include "conform/bench/stream_device.h"
#include "conform/capability/capability.h"
#include "cosim/golden_device.h"
#include "cosim/setup/switch_setup.h"

namespace tilefly::conform {

class GoldenStreams final : public StreamDevice {
 public:
  /// `capability.profile` is set, and has as many ports as the device or more; those beyond are idle.
  explicit GoldenStreams(const Capability& capability);
  void Step(const StreamInputs& inputs, StreamOutputs* outputs) override;
  /// As new, and configured.
  void Reset() override;

 private:
  struct Port {
    ToLinkReading to_link;
    ToAxisReading to_axis;
  };

  void SetAddresses(const std::vector<Mac>& macs);
  StreamBeat TakenOf(const Beat& beat) const;
  Beat ShownOf(const StreamBeat& beat) const;

  const Capability& capability_;
  std::unique_ptr<cosim::SwitchSetup> setup_;
  std::unique_ptr<cosim::GoldenDevice> golden_;
  std::vector<std::unique_ptr<Port>> ports_;
  cosim::Device::Inputs links_;
  tilefly::Cycle now_ = 0;
};

}  // namespace tilefly::conform
