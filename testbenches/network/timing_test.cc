// SPDX-License-Identifier: Apache-2.0
// Latencies of quiet systems are the sum of their stages (docs/network.md, Cycles).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "golden/ingress/cut_through.h"
#include "testbenches/bench/settings.h"
#include "testbenches/network/delivery_probe.h"
#include "testbenches/network/repeating_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using LinkType = topology::LinkKind;

struct Way {
  int switches = 1;
  Cycle links = 0;              ///< delays between switches
  std::vector<LinkType> kinds;  ///< of the links between switches, the last first
};

/// How long links take, by the page (Cycles, Timing options) and not by golden.
class Delays {
 public:
  /// `channel`: cycles of a link of 2.6 m or less.
  Delays(bool bench, Cycle channel, const Profile& profile)
      : bench_(bench), channel_(channel), cycles_per_metre_(5 * profile.clock_khz / 1e6) {}

  Cycle Of(LinkType kind, double metres) const {
    constexpr double kRounding = 1e-9;
    if (bench_) return kind == LinkType::kTerminal ? 1 : kind == LinkType::kGlobal ? 100 : 10;
    return channel_ + static_cast<Cycle>(std::ceil(std::max(0.0, metres - 2.6) * cycles_per_metre_ - kRounding));
  }

 private:
  bool bench_;
  Cycle channel_;
  double cycles_per_metre_;  ///< 5 ns of cable
};

/// Both ends of every link between switches, by the port that it ends at.
class Links {
 public:
  Links(const topology::Topology& topology, const Delays& delays) : topology_(topology), delays_(delays) {
    for (const topology::Link& link : topology.links) {
      far_[{link.a.at, link.a.port}] = {link.b.at, &link};
      far_[{link.b.at, link.b.port}] = {link.a.at, &link};
    }
  }

  /// The way that a delivered packet says it came, followed back over the links.
  Way WayOf(const Delivery& delivery, int source, int destination) const {
    Way way;
    int here = topology_.endpoints[destination].port.at;
    for (way.switches = 1; way.switches < delivery.hops; ++way.switches) {
      const int port = static_cast<int>(delivery.path >> 6 * (delivery.hops - 1 - way.switches) & 63);
      const auto found = far_.find({here, port});
      if (found == far_.end()) {
        ADD_FAILURE() << "switch " << here << " has no link at port " << port;
        return way;
      }
      here = found->second.first;
      way.links += delays_.Of(found->second.second->kind, found->second.second->metres);
      way.kinds.push_back(found->second.second->kind);
    }
    EXPECT_EQ(here, topology_.endpoints[source].port.at) << "the way does not begin at its source";
    return way;
  }

  /// Minimal in a dragonfly whose groups are fully connected: one global link between groups, before it a local one
  /// only where the source's switch has no link to the other group, at most one behind it.
  bool IsMinimal(const Way& way, int source, int destination) const {
    const int from = topology_.endpoints[source].port.at;
    const int to = topology_.endpoints[destination].port.at;
    if (from == to) return way.kinds.empty();
    using Kinds = std::vector<LinkType>;
    const Kinds behind(way.kinds.begin(), std::find(way.kinds.begin(), way.kinds.end(), LinkType::kGlobal));
    if (GroupOf(from) == GroupOf(to)) return way.kinds == Kinds{LinkType::kLocal};
    Kinds kinds = behind.empty() ? Kinds{} : Kinds{LinkType::kLocal};
    kinds.push_back(LinkType::kGlobal);
    if (!HasLinkTo(from, GroupOf(to))) kinds.push_back(LinkType::kLocal);
    return way.kinds == kinds;
  }

 private:
  int GroupOf(int at) const { return topology_.switches[at].group; }
  bool HasLinkTo(int at, int group) const {
    for (auto end = far_.lower_bound({at, 0}); end != far_.end() && end->first.first == at; ++end) {
      if (GroupOf(end->second.first) == group) return true;
    }
    return false;
  }

  const topology::Topology& topology_;
  const Delays delays_;
  std::map<std::pair<int, int>, std::pair<int, const topology::Link*>> far_;
};

Cycle ExpectedLatency(const Way& way, Cycle terminal, int length, int nic_lanes) {
  const Cycle words = golden::WordOffset(WordsOf(length) - 1, nic_lanes);
  const Cycle late = std::max<Cycle>(0, golden::StartOffset(length, 4) - 46);
  return terminal + words + 63 + way.links + (way.switches - 1) * (63 + late) + terminal + words;
}

/// Sends one packet from each of `sources` to every other endpoint, long after the one before, and compares. Returns
/// how many packets passed how many switches.
std::map<int, int> CompareWithStages(const topology::Topology& topology, NetworkOptions options, int length,
                                     const std::vector<int>& sources) {
  constexpr Cycle kApart = 3000;
  for (const int source : sources) {
    for (int destination = 0; destination < static_cast<int>(topology.endpoints.size()); ++destination) {
      if (source != destination)
        options.traffic.plan.push_back(
            {static_cast<Cycle>(options.traffic.plan.size()) * kApart, source, destination, length});
    }
  }
  const std::vector<PlannedPacket> plan = options.traffic.plan;
  options.cycles = static_cast<Cycle>(plan.size()) * kApart;
  options.warmup = 0;
  Network network(topology, options);
  DeliveryProbe probe(network.wiring());
  network.set_probe(&probe);
  std::map<int, int> of_switches;
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  EXPECT_EQ(probe.deliveries.size(), plan.size());
  const bool low_latency = options.fault_plan != nullptr && options.fault_plan->fec == faults::Fec::kLowLatency;
  const Delays delays(options.bench_timing, low_latency ? 171 : 210, network.profile());
  const Links links(topology, delays);
  for (std::size_t i = 0; i < plan.size() && !testing::Test::HasFailure(); ++i) {
    const Delivery& delivery = probe.deliveries[i];
    const int source = plan[i].source;
    const int destination = plan[i].destination;
    SCOPED_TRACE(std::to_string(source) + " to " + std::to_string(destination));
    const Way way = links.WayOf(delivery, source, destination);
    const Cycle terminal = delays.Of(LinkType::kTerminal, topology.endpoints[source].metres);
    EXPECT_EQ(delivery.destination, network.nics().addresses[destination]);
    EXPECT_TRUE(links.IsMinimal(way, source, destination));
    EXPECT_EQ(delivery.last - network.nics().begin - plan[i].at,
              ExpectedLatency(way, terminal, length, options.nic_lanes));
    ++of_switches[way.switches];
  }
  return of_switches;
}

void ExpectSumOfStages(const topology::Topology& topology, const NetworkOptions& options, int length) {
  std::vector<int> sources(topology.endpoints.size());
  std::iota(sources.begin(), sources.end(), 0);
  EXPECT_EQ(CompareWithStages(topology, options, length, sources).size(), 4u)
      << "ways of one to four switches were to be seen";
}

TEST(QuietDragonfly, LatencyOfEveryPairIsTheSumOfItsStages) {
  for (const char* arrangement : {"absolute", "relative", "circulant"}) {
    const auto topology = topology::Build(std::string("dragonfly:p=2,a=4,h=2,arrangement=") + arrangement);
    ExpectSumOfStages(topology, {}, 512);
  }
}

TEST(QuietDragonfly, LatencyIsTheSumOfItsStagesWithBenchLinks) {
  NetworkOptions options;
  options.bench_timing = true;
  ExpectSumOfStages(topology::Build("dragonfly:p=2,a=4,h=2"), options, 64);
}

/// Of all links, also those of NICs.
TEST(QuietDragonfly, EachLinkIsShorterWithTheCodeOfHalfTheLength) {
  for (const bool retry : {false, true}) {
    faults::Plan plan;
    plan.fec = faults::Fec::kLowLatency;
    NetworkOptions options = With({}, plan);
    options.retry = retry;
    ExpectSumOfStages(topology::Build("dragonfly:p=2,a=4,h=2"), options, 512);
  }
}

TEST(QuietDragonfly, LongPacketsWaitForTheirCutThroughStartInEverySwitchButTheFirst) {
  ExpectSumOfStages(topology::Build("dragonfly:p=2,a=4,h=2"), {}, 4224);
}

/// Nothing waits anywhere, and of equal costs that of a minimal path counts.
TEST(QuietDragonfly, AdaptiveModesTakeMinimalPaths) {
  for (const char* mode : {"adaptive_0", "adaptive_1", "adaptive_2", "adaptive_3", "min_hash", "in_order"}) {
    NetworkOptions options;
    options.routing = RoutingOptions::Named(mode);
    ExpectSumOfStages(topology::Build("dragonfly:p=2,a=4,h=2"), options, 512);
  }
}

TEST(QuietDragonfly, SlowNicsSendAndReceiveAtTheirRate) {
  NetworkOptions options;
  options.nic_lanes = 2;
  ExpectSumOfStages(topology::Build("dragonfly:p=2,a=4,h=2"), options, 1000);
}

/// The 2048 endpoints in turn: all of them in the full tier, else some.
TEST(QuietShandy, LatencyOfEveryPairIsTheSumOfItsStages) {
  const topology::Topology topology = topology::Build("preset:shandy");
  const auto endpoints = static_cast<int>(topology.endpoints.size());
  ASSERT_EQ(endpoints, 2048);
  const bench::Tier tier = bench::TierFromEnvironment();
  const int step = tier == bench::Tier::kFull ? 1 : tier == bench::Tier::kCi ? 293 : 1999;
  constexpr int kAtOnce = 64;
  std::map<int, int> of_switches;
  for (int first = 0; first < endpoints && !HasFailure(); first += step * kAtOnce) {
    std::vector<int> sources;
    for (int source = first; source < std::min(endpoints, first + step * kAtOnce); source += step)
      sources.push_back(source);
    for (const auto& [switches, packets] : CompareWithStages(topology, {}, 512, sources))
      of_switches[switches] += packets;
  }
  EXPECT_EQ(of_switches[1], golden::CeilDiv(endpoints, step) * 15);
  if (tier == bench::Tier::kFull) {
    int pairs = 0;
    for (const auto& [switches, packets] : of_switches) pairs += packets;
    EXPECT_EQ(pairs, endpoints * (endpoints - 1));
  }
}

}  // namespace
}  // namespace tilefly::network
