// SPDX-License-Identifier: Apache-2.0
// A device with AXI-Stream ports in a shared library (conform/include/tilefly_device.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conform/bench/stream_device.h"
#include "conform/capability/capability.h"
#include "cosim/library/device_calls.h"

namespace tilefly::conform {

/// Where the waves of a device go, and of which cycles.
struct WaveWindow {
  std::string file;  ///< empty: none
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

/// The parameters of the capability file, as tfd_setup has them: "NAME=VALUE\n" each.
std::string ParametersOf(const Capability& capability);

class LibraryStream final : public StreamDevice {
 public:
  /// Throws UsageError when the library is none, or its device has other ports than the capability file says.
  /// `power_up_seed`, not 0: of the bits with which registers begin.
  LibraryStream(const std::string& library, const Capability& capability, std::uint32_t power_up_seed,
                const WaveWindow& waves = {});

  /// These throw cosim::DeviceError with the device's message when it says that it failed.
  void Step(const StreamInputs& inputs, StreamOutputs* outputs) override;
  void Reset() override;

 private:
  void RequireFit(const Capability& capability) const;

  cosim::DeviceCalls calls_;
  std::vector<tfd_stream_in> in_;
  std::vector<tfd_stream_out> out_;
};

}  // namespace tilefly::conform
