// SPDX-License-Identifier: Apache-2.0
// Level cycle of a device with AXI-Stream ports: it beside golden, cycle by cycle.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "conform/bench/stream_device.h"
#include "conform/capability/capability.h"
#include "conform/device/golden_streams.h"

namespace tilefly::conform {

/// The device and golden differ.
class StreamsDiffer : public std::runtime_error {
 public:
  StreamsDiffer(int port, const std::string& what) : std::runtime_error(what), port_(port) {}
  int port() const { return port_; }

 private:
  int port_;
};

class ComparedStreams final : public StreamDevice {
 public:
  /// Both must outlive it.
  ComparedStreams(const Capability& capability, StreamDevice* device);
  /// The device's outputs. Throws StreamsDiffer with the first difference: tready of an input, or an output's beat.
  void Step(const StreamInputs& inputs, StreamOutputs* outputs) override;
  void Reset() override;
  /// Ports and cycles.
  std::int64_t compared() const { return compared_; }
  /// Of these, outputs that showed a beat.
  std::int64_t busy() const { return busy_; }

 private:
  std::string Difference(std::size_t port, const StreamOutputs& shown);
  std::string Later(std::size_t port, bool of_device);

  const Capability& capability_;
  StreamDevice& device_;
  GoldenStreams golden_;
  StreamOutputs expected_;
  std::vector<std::int64_t> frames_;  ///< that golden has shown whole, by port
  Cycle now_ = 0;
  std::int64_t compared_ = 0;
  std::int64_t busy_ = 0;
};

}  // namespace tilefly::conform
