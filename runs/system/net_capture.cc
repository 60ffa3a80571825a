// SPDX-License-Identifier: Apache-2.0
#include "runs/system/net_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "cosim/setup/switch_setup.h"
#include "runs/common/figures.h"
#include "runs/switch/run_options.h"
#include "support/errors.h"

namespace tilefly::runs {
namespace {

/// Endpoints of the system by fabric address.
cosim::PlaceOf EndpointOf(const topology::Topology& topology) {
  std::map<std::uint32_t, int> endpoints;
  for (const topology::Endpoint& one : topology.endpoints) {
    const topology::Switch& at = topology.switches[static_cast<std::size_t>(one.port.at)];
    endpoints.emplace(topology::AddressOf(at.group, at.index, one.port.port), static_cast<int>(endpoints.size()));
  }
  return [endpoints = std::move(endpoints)](std::uint32_t address) {
    const auto found = endpoints.find(address);
    return found == endpoints.end() ? -1 : found->second;
  };
}

/// Classes as a standard port reads them.
class Marks {
 public:
  Marks(const Profile& profile, const std::optional<cosim::ClassSetup>& classes)
      : setup_(profile, ParsePortKinds("standard", profile.ports), 4) {
    if (classes) setup_.SetClasses(*classes);
  }
  int ClassOf(const cosim::CapturedFrame& captured) const {
    cosim::Frame frame;
    frame.bytes = captured.bytes;
    return setup_.ClassOf(frame);
  }

 private:
  cosim::SwitchSetup setup_;
};

}  // namespace

NetCapture PlanCapture(const cosim::CaptureOptions& options, const topology::Topology& topology, const Profile& profile,
                       const std::optional<cosim::ClassSetup>& classes, int tc, network::TrafficOptions* traffic) {
  const cosim::Capture capture = cosim::ReadCapture(options.file, profile.min_std_bytes, profile.mtu_bytes);
  const int endpoints = static_cast<int>(topology.endpoints.size());
  const cosim::Placement placement = PlaceFrames(capture, options.ports_by, endpoints, EndpointOf(topology));
  NetCapture result;
  result.file = capture.Summary();
  result.file.notice = PaceNotice(capture, options, profile.clock_khz);
  result.back_to_back = options.pace.back_to_back;
  result.hosts = static_cast<std::int64_t>(placement.hosts.size());
  if (options.ports_by == cosim::PortsBy::kMac && result.hosts > endpoints) {
    throw UsageError(fmt::format(
        "{}: {} hosts, and topology {} has {} endpoints; take a larger one, or --ports-by interface or round-robin, "
        "which let hosts share an endpoint",
        capture.file, result.hosts, topology.name, endpoints));
  }
  const Marks marks(profile, classes);
  std::vector<Cycle> latest(static_cast<std::size_t>(endpoints));
  for (std::size_t i = 0; i < capture.frames.size(); ++i) {
    const cosim::CapturedFrame& frame = capture.frames[i];
    const int length = static_cast<int>(frame.bytes.size());
    const int source = placement.of_frame[i];
    const auto host = placement.hosts.find(cosim::MacAt(frame.bytes, 0));
    if (length > profile.mtu_bytes) continue;
    if (host == placement.hosts.end()) {
      ++result.nobody;
    } else if (host->second == source) {
      ++result.local;
    } else {
      Cycle& at = latest[static_cast<std::size_t>(source)];
      at = std::max(at, options.pace.At(frame.time_ns, profile.clock_khz));
      traffic->plan.push_back({at, source, host->second, length, tc >= 0 ? tc : marks.ClassOf(frame)});
    }
  }
  result.frames = static_cast<std::int64_t>(traffic->plan.size());
  if (result.frames == 0) {
    throw UsageError(fmt::format(
        "{}: none of its frames goes from one endpoint to another; give a capture of hosts that answer one another",
        capture.file));
  }
  traffic->repeat = options.repeat;
  traffic->period = options.pace.back_to_back ? 0 : options.pace.At(PeriodOf(capture), profile.clock_khz) + 1;
  return result;
}

nlohmann::ordered_json NetCapture::ToJson() const {
  nlohmann::ordered_json json = CaptureJson(file);
  json.update({{"hosts", hosts}, {"frames", frames}, {"local", local}, {"nobody", nobody}});
  return json;
}

std::string NetCapture::Text(int mtu_bytes) const {
  std::string text = CaptureText(file);
  if (file.too_long > 0) {
    text += fmt::format("\n{}: {} frames are longer than the MTU of {} B (FCS included): no NIC sends them", file.file,
                        file.too_long, mtu_bytes);
  }
  if (!file.notice.empty()) text += "\n" + file.notice;
  if (local + nobody > 0) {
    text += fmt::format(
        "\n{}: not sent are {} frames to groups or hosts that send nothing, {} that stay at their "
        "endpoint",
        file.file, nobody, local);
  }
  return text;
}

}  // namespace tilefly::runs
