// SPDX-License-Identifier: Apache-2.0
#include "cosim/capture/capture_source.h"

#include <fmt/format.h>

#include <cmath>

#include "cosim/errors.h"
#include "cosim/text.h"

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

Placement PlaceFrames(const Capture& capture, PortsBy by, int ports) {
  std::map<Mac, int> order;  // hosts by first appearance
  for (const CapturedFrame& frame : capture.frames) order.emplace(MacAt(frame.bytes, 6), static_cast<int>(order.size()));
  const auto spread = [&](int index, int count) { return count <= ports ? index * ports / count : index % ports; };
  Placement placement;
  for (std::size_t i = 0; i < capture.frames.size(); ++i) {
    const Mac host = MacAt(capture.frames[i].bytes, 6);
    int port = 0;
    switch (by) {
      case PortsBy::kMac: port = spread(order.at(host), static_cast<int>(order.size())); break;
      case PortsBy::kInterface: port = spread(capture.frames[i].interface, capture.interfaces); break;
      case PortsBy::kRoundRobin: port = static_cast<int>(i % static_cast<std::size_t>(ports)); break;
    }
    placement.ports.push_back(port);
    placement.hosts.emplace(host, port);
    placement.used_ports |= std::uint64_t{1} << port;
  }
  return placement;
}

void ConfigureHosts(const Placement& placement, SwitchSetup* setup) {
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
  for (std::size_t i = 0; i < placement.ports.size(); ++i) queues_[static_cast<std::size_t>(placement.ports[i])].push_back(i);
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
