// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/capture/capture_source.h"
#include "cosim/device_factory.h"
#include "cosim/endpoint/outages.h"
#include "cosim/endpoint/stalls.h"
#include "cosim/reduction/reduction_peers.h"
#include "cosim/setup/class_setup.h"
#include "cosim/setup/switch_setup.h"
#include "cosim/traffic/generator.h"
#include "cosim/traffic/traffic_source.h"
#include "faults/plan.h"
#include "runs/common/departures.h"

namespace tilefly::runs {

/// Register writes while traffic flows. They must not change what becomes of a frame, except with `rules_open`: the
/// scoreboard does not hear of them.
struct Rewrite {
  Cycle at = 0;  ///< since the traffic's begin
  std::vector<Cfg> writes;
};

/// Frames of another kind than those of a generator or a capture.
using SourceMaker = std::function<std::unique_ptr<cosim::TrafficSource>(const cosim::SwitchSetup&, std::uint32_t seed)>;

/// Everything that determines a run of a switch.
struct RunOptions {
  const Profile* profile = nullptr;
  DepartedProfile departed;  ///< of the run's settings: `profile` is in it
  std::vector<std::string> devices = {"rtl", "golden"};
  std::vector<cosim::PortKind> kinds;  ///< one a port
  int lanes = 4;
  bool eth_header = true;  ///< enhanced IP frames get an Ethernet header at standard ports; else they are dropped there
  std::optional<cosim::ClassSetup> classes;  ///< traffic classes; without them as at power-up
  cosim::GeneratorOptions generator;
  cosim::CaptureOptions capture;         ///< instead of synthetic traffic
  SourceMaker source;             ///< takes the generator's place when it is set
  std::vector<Rewrite> rewrites;  ///< in the order of their time
  bool rules_open = false;        ///< they change the mode and order that headers of bare frames get
  double acks = 0;  ///< share of ports that are edge ports of the ack network, and of packets that the others' ends answer
  double flow_channels = 0;  ///< share of these edge ports that have flow channels, with thresholds that are drawn
  cosim::ReductionOptions reductions;
  cosim::StallOptions stalls;
  bool class_queues = true;      ///< where there are credits, senders have a queue for each lane; else one for all
  cosim::OutageOptions outages;  ///< of the ports of reduction trees, where there are any; else of all
  double retry = 0;              ///< share of the ports with credits and header that have link-level retry
  int link_delay = 0;            ///< cycles of each direction of all links; 1 or more with retry
  std::shared_ptr<const faults::Plan> plan;  ///< what goes wrong on the links with retry; null: nothing
  std::int64_t fault_lines = 10'000;         ///< lines of drawn errors in the time line, at most
  bool everything = false;                   ///< the seed drew what a user gives by options otherwise
  std::uint32_t seed = 1;
  Cycle max_cycles = 20000;  ///< cycles of traffic, then the switch is drained; 0: until the capture is over
  bool chip_timing = true;   ///< latencies include the calibrated channel
  Cycle sample = 0;          ///< cycles of an interval of the time series, 0: none are kept
  cosim::DeviceOptions device;
};

/// Kinds of all ports: one kind for all, or "mixed": fabric, enhanced, standard in turn. Throws UsageError.
std::vector<cosim::PortKind> ParsePortKinds(const std::string& text, int ports);

}  // namespace tilefly::runs
