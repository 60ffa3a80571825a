// SPDX-License-Identifier: Apache-2.0
// A switch in a shared library as a device (docs/conformance.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/device.h"
#include "cosim/device_factory.h"
#include "cosim/library/device_calls.h"
#include "cosim/library/device_library.h"

namespace tilefly::cosim {

class LibraryDevice final : public Device {
 public:
  /// Makes the device `name`, "lib:FILE:KEY=VALUE". Throws UsageError for a library that is no device, that makes no
  /// device for this profile, or whose ports are not links.
  LibraryDevice(const std::string& name, const Profile& profile, const DeviceOptions& options);
  /// The same for a library that is known by file and parameters.
  LibraryDevice(const LibraryName& library, const Profile& profile, const DeviceOptions& options);

  /// "lib:" and what the device calls itself.
  const char* Name() const override { return calls_.name().c_str(); }
  int radix() const override { return profile_.ports; }
  const std::vector<Link>& Outputs() override;
  /// The record; for a device without one, a record in which nothing happens.
  const Observation& Observe() override;
  std::uint64_t LinkFails() override;
  bool FailsLinks() const override { return wire_version() > 1 && calls_.Has(TFD_FAILS_LINKS); }
  bool Observes() const override { return calls_.Has(TFD_OBSERVES); }
  int wire_version() const override { return static_cast<int>(calls_.wire().number); }
  /// The functions below throw DeviceError with the device's message when the device says that it failed.
  void Step(const Inputs& inputs) override;
  Cycle cycle() const override { return calls_.cycle(); }
  Cycle NextChange() const override;
  std::uint64_t Counter(int port, int index) override;
  bool Counts() const override { return calls_.Has(TFD_COUNTS); }
  void CheckDrained() override;
  /// Sets the device back to cycle 0, as it was made.
  void Reset();

 private:
  /// Throws UsageError for a device that does not fit the profile.
  void RequireFit() const;
  /// Packed structs as the library wrote them last, and as they were unpacked last: most say what they said before.
  struct Packed {
    explicit Packed(std::size_t bytes) : latest(bytes), unpacked(bytes) {}
    std::vector<std::uint8_t> latest;
    std::vector<std::uint8_t> unpacked;
  };
  template <typename Group>
  void Unpack(Packed* packed, int at, const char* what, Group* group, std::size_t bits = Group::kWidth) const;

  const Profile profile_;
  DeviceCalls calls_;
  Packed packed_outputs_, packed_ports_, packed_turns_, packed_reds_, packed_cfu_;
  std::vector<Link> outputs_;
  std::vector<Link> inputs_;  ///< that `inputs_bytes_` are of
  std::vector<std::uint8_t> inputs_bytes_;
  std::vector<std::uint8_t> link_up_;
  std::vector<std::uint8_t> link_fail_;
  Observation observation_;
  Cycle outputs_of_ = -1;   ///< cycle that `outputs_` shows
  Cycle observed_of_ = -1;  ///< cycle that `observation_` shows
};

}  // namespace tilefly::cosim
