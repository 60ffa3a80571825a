// SPDX-License-Identifier: Apache-2.0
// Every packet that a system delivers, by its last word's cycle.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "network/network.h"

namespace tilefly::network {

struct Delivery {
  Cycle last;  ///< last word at the NIC
  std::uint32_t source;
  std::uint32_t destination;
  int length;
  int hops;
  std::uint32_t path;  ///< ports by which it came into the switches after the first, 6 bits each

  bool operator==(const Delivery& other) const {
    return std::tie(last, source, destination, length, hops, path) ==
           std::tie(other.last, other.source, other.destination, other.length, other.hops, other.path);
  }
  bool operator<(const Delivery& other) const {
    return std::tie(last, destination, source, length) <
           std::tie(other.last, other.destination, other.source, other.length);
  }
};

class DeliveryProbe : public NodeProbe {
 public:
  explicit DeliveryProbe(const Wiring& wiring) : wiring_(wiring) {}

  void Stepped(int node, Cycle, const golden::Switch& device) override {
    for (const golden::Departure& departure : device.output().links.packets) {
      const FarEnd& far = wiring_.far(node, departure.port);
      if (far.endpoint < 0 || device.registers().port(departure.port).mode.retry) continue;
      const Header header = departure.header.Unpack();
      const Cycle first = departure.take + golden::kTakeToWire + far.delay;
      deliveries.push_back({first + golden::WordOffset(departure.format.words - 1, departure.serdes_lanes), header.src,
                            header.dst, header.len, header.hop, header.path});
    }
  }
  void ToldCredit(int, int, const LinkCredit&) override {}
  void ComesToNic(int, int, Cycle last, const golden::HeaderBits& bits) override {
    const Header header = bits.Unpack();
    deliveries.push_back({last, header.src, header.dst, header.len, header.hop, header.path});
  }

  std::vector<Delivery> deliveries;

 private:
  const Wiring& wiring_;
};

/// What a run that must end well delivers, in the order of arrival; cycles count from the begin of traffic.
inline std::vector<Delivery> DeliveriesOf(const topology::Topology& topology, const NetworkOptions& options) {
  Network network(topology, options);
  DeliveryProbe probe(network.wiring());
  network.set_probe(&probe);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  EXPECT_EQ(network.statistics().delivered(), network.statistics().sent());
  for (Delivery& one : probe.deliveries) one.last -= network.nics().begin;
  std::sort(probe.deliveries.begin(), probe.deliveries.end());
  return probe.deliveries;
}

}  // namespace tilefly::network
