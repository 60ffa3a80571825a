// SPDX-License-Identifier: Apache-2.0
#include "cosim/capture/placement.h"

#include "cosim/errors.h"
#include "support/text.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint32_t kPortPart = 63;  ///< of a fabric address

/// The fabric address in an algorithmic MAC.
std::optional<std::uint32_t> AddressIn(const Mac& mac) {
  const std::uint64_t address = ToBits(mac) - ToBits(AddressMac(0));
  if (address >> 20 != 0) return std::nullopt;
  return static_cast<std::uint32_t>(address);
}

Mac SourceOf(const CapturedFrame& frame) { return MacAt(frame.bytes, 6); }

/// The address of the first host with an algorithmic MAC.
std::optional<std::uint32_t> FirstAddress(const Capture& capture) {
  for (const CapturedFrame& frame : capture.frames) {
    if (const auto address = AddressIn(SourceOf(frame))) return address;
  }
  return std::nullopt;
}

std::map<Mac, int> PlaceHosts(const Capture& capture, int places, const PlaceOf& place_of) {
  std::map<Mac, int> placed;
  std::vector<Mac> others;  // by first appearance
  std::vector<bool> taken(static_cast<std::size_t>(places));
  for (const CapturedFrame& frame : capture.frames) {
    const Mac host = SourceOf(frame);
    const std::optional<std::uint32_t> address = AddressIn(host);
    const int place = address ? place_of(*address) : -1;
    if (!placed.emplace(host, place).second) continue;
    if (place < 0) {
      others.push_back(host);
    } else {
      taken[static_cast<std::size_t>(place)] = true;
    }
  }
  std::vector<int> rest;
  for (int place = 0; place < places; ++place) {
    if (!taken[static_cast<std::size_t>(place)]) rest.push_back(place);
  }
  for (std::size_t i = 0; i < others.size(); ++i) {
    placed[others[i]] = others.size() <= rest.size() ? rest[i * rest.size() / others.size()]
                                                     : static_cast<int>(i % static_cast<std::size_t>(places));
  }
  return placed;
}

}  // namespace

PortsBy ParsePortsBy(const std::string& text) {
  if (text == "mac") return PortsBy::kMac;
  if (text == "interface") return PortsBy::kInterface;
  if (text == "round-robin") return PortsBy::kRoundRobin;
  ThrowUnknown("--ports-by", text, {"mac", "interface", "round-robin"});
}

Placement PlaceFrames(const Capture& capture, PortsBy by, int places, const PlaceOf& place_of) {
  const auto spread = [&](int index, int count) { return count <= places ? index * places / count : index % places; };
  const std::map<Mac, int> of_host = PlaceHosts(capture, places, place_of);
  Placement placement;
  for (std::size_t i = 0; i < capture.frames.size(); ++i) {
    const Mac host = SourceOf(capture.frames[i]);
    int place = 0;
    switch (by) {
      case PortsBy::kMac:
        place = of_host.at(host);
        break;
      case PortsBy::kInterface:
        place = spread(capture.frames[i].interface, capture.interfaces);
        break;
      case PortsBy::kRoundRobin:
        place = static_cast<int>(i % static_cast<std::size_t>(places));
        break;
    }
    placement.of_frame.push_back(place);
    placement.hosts.emplace(host, place);
  }
  return placement;
}

PortPlacement PlaceAtPorts(const Capture& capture, PortsBy by, int ports) {
  const std::optional<std::uint32_t> own = FirstAddress(capture);
  const auto port_of = [&](std::uint32_t address) {
    const int port = static_cast<int>(address & kPortPart);
    return address >> 6 == *own >> 6 && port < ports ? port : -1;
  };
  PortPlacement placement{PlaceFrames(capture, by, ports, port_of), 0, own};
  for (const int port : placement.of_frame) placement.used_ports |= std::uint64_t{1} << port;
  return placement;
}

}  // namespace tilefly::cosim
