// SPDX-License-Identifier: Apache-2.0
// Runs whose NICs wait for acks.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "network/network.h"
#include "testbenches/network/delivery_probe.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/lossy_class.h"
#include "topology/builder.h"

namespace tilefly::network {

inline NetworkOptions WithAcks(const std::string& routing = "min") {
  NetworkOptions options;
  options.routing = RoutingOptions::Named(routing);
  options.acks = AckUse::kOn;
  options.warmup = 0;
  options.cycles = 3000;
  return options;
}

/// `count` packets of `length` bytes from endpoint 0 to `destination`, all there at once.
inline void SendAtOnce(int count, int destination, int length, NetworkOptions* options) {
  options->cycles = 1'000'000;
  for (int i = 0; i < count; ++i) options->traffic.plan.push_back({0, 0, destination, length});
}

/// A job of `pattern` on all endpoints of `topology`.
inline void UseJob(const std::string& pattern, const topology::Topology& topology, NetworkOptions* options) {
  options->cycles = Cycle{1} << 40;
  options->traffic.pattern = "uniform";
  UseJobs(workload::MakeWorkload(pattern, "", static_cast<int>(topology.endpoints.size()),
                                 workload::Allocation::kLinear, 3),
          options);
}

/// When packets begin on the NICs' links, and all that is delivered.
class NicProbe : public DeliveryProbe {
 public:
  using DeliveryProbe::DeliveryProbe;
  void Carries(const LinkEvent& event) override {
    if (event.from_nic && event.kind == LinkKind::kPacket) starts[event.record.source].push_back(event.wire);
  }

  std::map<int, std::vector<Cycle>> starts;  ///< by endpoint
};

inline Nic::Counters SumOf(const Network& network) {
  Nic::Counters sum;
  for (int n = 0; n < network.nodes(); ++n) {
    for (const Nic& nic : network.node(n).nics()) AddTo(&sum, nic.counters());
  }
  return sum;
}

/// Everything that was sent has come to an end.
inline void ExpectBooks(const Network& network) {
  const Statistics& statistics = network.statistics();
  const Nic::Counters sum = SumOf(network);
  EXPECT_EQ(statistics.in_flight(), 0);
  EXPECT_EQ(sum.packets, statistics.sent() + statistics.resent);
  EXPECT_EQ(sum.resends, statistics.resent);
  EXPECT_EQ(sum.duplicates, statistics.duplicates);
  EXPECT_EQ(statistics.sent() + statistics.resent,
            statistics.delivered() + statistics.duplicates + statistics.dropped());
  EXPECT_EQ(network.NotHome(), "");
}

}  // namespace tilefly::network
