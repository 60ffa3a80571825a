// SPDX-License-Identifier: Apache-2.0
#include "cosim/capture/capture_source.h"

#include <fmt/format.h>

#include <cmath>

#include "cosim/errors.h"
#include "support/text.h"

namespace tilefly::cosim {

Pace ParsePace(const std::string& text) {
  Pace pace;
  if (text == "kept") return pace;
  if (text == "back-to-back") {
    pace.back_to_back = true;
  } else if (!text.empty() && text[0] == 'x') {
    pace.factor = ParseReal(text.substr(1), "--pace, factor");
    if (!(pace.factor >= 0)) throw UsageError("--pace: the factor of xFACTOR is not negative");
  } else {
    ThrowUnknown("pace", text, {"kept", "back-to-back", "xFACTOR"});
  }
  return pace;
}

PortsBy ParsePortsBy(const std::string& text) {
  if (text == "mac") return PortsBy::kMac;
  if (text == "interface") return PortsBy::kInterface;
  if (text == "round-robin") return PortsBy::kRoundRobin;
  ThrowUnknown("--ports-by", text, {"mac", "interface", "round-robin"});
}

namespace {

constexpr std::uint32_t kPortBits = 63;

/// The fabric address in an algorithmic MAC.
std::optional<std::uint32_t> AddressIn(const Mac& mac) {
  const std::uint64_t address = ToBits(mac) - ToBits(AddressMac(0));
  if (address >> 20 != 0) return std::nullopt;
  return static_cast<std::uint32_t>(address);
}

/// The address of the first host with an algorithmic MAC.
std::optional<std::uint32_t> FirstAddress(const Capture& capture) {
  for (const CapturedFrame& frame : capture.frames) {
    if (const auto address = AddressIn(MacAt(frame.bytes, 6))) return address;
  }
  return std::nullopt;
}

/// Ports of the hosts: those with an algorithmic address on the port that it names, the others spread over the rest.
std::map<Mac, int> PlaceHosts(const Capture& capture, std::optional<std::uint32_t> switch_address, int ports) {
  std::map<Mac, int> placed;
  std::vector<Mac> others;  // by first appearance
  std::uint64_t taken = 0;
  for (const CapturedFrame& frame : capture.frames) {
    const Mac host = MacAt(frame.bytes, 6);
    const std::optional<std::uint32_t> address = AddressIn(host);
    const bool local =
        address && *address >> 6 == *switch_address >> 6 && static_cast<int>(*address & kPortBits) < ports;
    const int port = local ? static_cast<int>(*address & kPortBits) : -1;
    if (!placed.emplace(host, port).second) continue;
    if (port < 0) {
      others.push_back(host);
    } else {
      taken |= std::uint64_t{1} << port;
    }
  }
  std::vector<int> rest;
  for (int port = 0; port < ports; ++port) {
    if (!(taken >> port & 1)) rest.push_back(port);
  }
  for (std::size_t i = 0; i < others.size(); ++i) {
    const std::size_t at =
        others.size() <= rest.size() ? i * rest.size() / others.size() : i % static_cast<std::size_t>(ports);
    placed[others[i]] = others.size() <= rest.size() ? rest[at] : static_cast<int>(at);
  }
  return placed;
}

}  // namespace

Placement PlaceFrames(const Capture& capture, PortsBy by, int ports) {
  const auto spread = [&](int index, int count) { return count <= ports ? index * ports / count : index % ports; };
  Placement placement;
  placement.address = FirstAddress(capture);
  const std::map<Mac, int> port_of = PlaceHosts(capture, placement.address, ports);
  for (std::size_t i = 0; i < capture.frames.size(); ++i) {
    const Mac host = MacAt(capture.frames[i].bytes, 6);
    int port = 0;
    switch (by) {
      case PortsBy::kMac:
        port = port_of.at(host);
        break;
      case PortsBy::kInterface:
        port = spread(capture.frames[i].interface, capture.interfaces);
        break;
      case PortsBy::kRoundRobin:
        port = static_cast<int>(i % static_cast<std::size_t>(ports));
        break;
    }
    placement.ports.push_back(port);
    placement.hosts.emplace(host, port);
    placement.used_ports |= std::uint64_t{1} << port;
  }
  return placement;
}

void ConfigureHosts(const Placement& placement, SwitchSetup* setup) {
  if (placement.address) setup->SetSwitchAddress(*placement.address);
  for (const auto& [mac, port] : placement.hosts) setup->AddHost(mac, std::uint64_t{1} << port);
  setup->SetFloods(placement.used_ports, placement.used_ports, placement.used_ports);
}

CaptureSource::CaptureSource(const SwitchSetup& setup, Capture capture, Placement placement, Pace pace, int repeat)
    : setup_(setup),
      capture_(std::move(capture)),
      pace_(pace),
      repeat_(repeat),
      queues_(static_cast<std::size_t>(setup.profile().ports)),
      next_(queues_.size()),
      left_(static_cast<std::int64_t>(capture_.frames.size()) * repeat) {
  if (repeat < 1) throw UsageError("--repeat: at least 1");
  for (std::size_t i = 0; i < placement.ports.size(); ++i)
    queues_[static_cast<std::size_t>(placement.ports[i])].push_back(i);
  for (const CapturedFrame& frame : capture_.frames) period_ns_ = std::max(period_ns_, frame.time_ns + 1);
}

FramePtr CaptureSource::Take(int port, Cycle now) {
  const auto& queue = queues_[static_cast<std::size_t>(port)];
  std::size_t& next = next_[static_cast<std::size_t>(port)];
  if (closed() || now < begin_ || next == queue.size() * static_cast<std::size_t>(repeat_)) return nullptr;
  const std::size_t index = queue[next % queue.size()];
  const auto round = static_cast<std::int64_t>(next / queue.size());
  const CapturedFrame& captured = capture_.frames[index];
  if (!pace_.back_to_back) {
    const double ns = static_cast<double>(captured.time_ns + round * period_ns_) * pace_.factor;
    if (begin_ + static_cast<Cycle>(std::floor(ns * setup_.profile().clock_khz / 1e6)) > now) return nullptr;
  }
  ++next;
  --left_;
  auto frame = std::make_shared<Frame>();
  frame->id = static_cast<std::uint64_t>(round) * capture_.frames.size() + index + 1;
  frame->source = port;
  frame->bytes = captured.bytes;
  if (static_cast<int>(frame->bytes.size()) > setup_.profile().mtu_bytes) frame->expect_drop = Drop::kLong;
  slots_ += frame->slots();
  return frame;
}

}  // namespace tilefly::cosim
