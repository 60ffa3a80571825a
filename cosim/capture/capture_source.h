// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cosim/capture/capture_reader.h"
#include "cosim/switch_setup.h"
#include "cosim/traffic/traffic_source.h"

namespace tilefly::cosim {

/// How the frames of a capture go to ports.
enum class PortsBy { kMac, kInterface, kRoundRobin };

/// Which port each frame goes into and where each host is.
struct Placement {
  std::vector<int> ports;    ///< by frame of the capture
  std::map<Mac, int> hosts;  ///< source addresses
  std::uint64_t used_ports = 0;
  std::optional<std::uint32_t> address;  ///< of the switch, when a host has an algorithmic address
};
/// By source address: the first algorithmic address names the switch that the capture is taken at; hosts with an
/// algorithmic address of it sit at the port that it names, the others in order of first appearance are spread over the
/// rest.
Placement PlaceFrames(const Capture& capture, PortsBy by, int ports);
/// Gives the switch its address and enters the hosts into the exact-match table; frames to nobody known go to the ports
/// in use.
void ConfigureHosts(const Placement& placement, SwitchSetup* setup);

/// When frames are sent.
struct Pace {
  bool back_to_back = false;  ///< as fast as each port's link takes them
  double factor = 1;          ///< the capture's times are multiplied by it
};
/// kept | back-to-back | xFACTOR. Throws UsageError.
Pace ParsePace(const std::string& text);
PortsBy ParsePortsBy(const std::string& text);

/// The frames of a capture, `repeat` times over.
class CaptureSource final : public TrafficSource {
 public:
  CaptureSource(const SwitchSetup& setup, Capture capture, Placement placement, Pace pace, int repeat);
  void Begin(Cycle now) override { begin_ = now; }
  FramePtr Take(int port, Cycle now) override;
  double OfferedSlots(Cycle) override { return static_cast<double>(slots_); }
  bool Exhausted() const override { return left_ == 0; }

 private:
  const SwitchSetup& setup_;
  Capture capture_;
  Pace pace_;
  int repeat_;
  std::vector<std::vector<std::size_t>> queues_;  ///< frames of each port, by index
  std::vector<std::size_t> next_;                 ///< by port: position in the queue, over all repetitions
  Cycle begin_ = 0;
  std::int64_t period_ns_ = 0;
  std::int64_t left_ = 0;
  std::int64_t slots_ = 0;
};

}  // namespace tilefly::cosim
