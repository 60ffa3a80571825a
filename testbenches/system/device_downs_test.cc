// SPDX-License-Identifier: Apache-2.0
// Links of devices of words that go down and come up again (docs/network.md, Devices), by plans that are drawn: each
// system equals the golden one at every link in every cycle, and in all results.
#include <gtest/gtest.h>

#include "support/random.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/lossy_class.h"
#include "testbenches/network/planned_event.h"
#include "testbenches/system/repeating_devices.h"

namespace tilefly::cosim {
namespace {

using bench::Tier;
using faults::EventKind;
using faults::LinkName;
using End = LinkName::End;
using network::Event;
using network::NetworkOptions;

topology::Topology Six() { return topology::Build("dragonfly:p=2,a=2,h=1"); }

int RunsOf(int quick, int ci, int full) {
  return TierNow() == Tier::kQuick ? quick : TierNow() == Tier::kCi ? ci : full;
}

/// A link of six switches: of ports to other switches, and of NICs.
LinkName DrawLink(Stream* stream) {
  if (stream->Below(3) == 0) return {End::kEndpoint, static_cast<int>(stream->Below(12)), 0};
  return {End::kSwitchPort, static_cast<int>(stream->Below(6)), static_cast<int>(2 + stream->Below(2))};
}

/// The same link by its end that comes first.
std::pair<int, int> Key(const topology::Topology& topology, const LinkName& link) {
  if (link.end == End::kEndpoint) return {-1, link.node};
  for (const topology::Link& one : topology.links) {
    for (const topology::Port& end : {one.a, one.b}) {
      if (end.at == link.node && end.port == link.port) return std::min(std::pair(one.a.at, one.a.port), std::pair(one.b.at, one.b.port));
    }
  }
  return {-2, link.node * 64 + link.port};
}

/// Links that go down at times and for times that are drawn, some of them twice.
void AddDowns(const topology::Topology& topology, int count, Cycle cycles, Stream* stream, faults::Plan* plan) {
  std::map<std::pair<int, int>, Cycle> free_from;
  for (int i = 0; i < count; ++i) {
    const LinkName link = i % 3 == 2 && !plan->events.empty() ? plan->events.back().link : DrawLink(stream);
    const auto key = Key(topology, link);
    if (key.first == -2) continue;
    Cycle& free = free_from[key];
    const Cycle at = std::max(free + 1, static_cast<Cycle>(100 + stream->Below(static_cast<std::uint64_t>(cycles))));
    const Cycle span = 1 + static_cast<Cycle>(stream->Below(1500));
    free = at + std::max<Cycle>(span, 2 * 210 + 548) + static_cast<Cycle>(stream->Below(300));
    plan->events.push_back(Event(at, EventKind::kDown, link, span));
  }
  std::stable_sort(plan->events.begin(), plan->events.end(),
                   [](const faults::PlannedEvent& a, const faults::PlannedEvent& b) { return a.at < b.at; });
}

/// What ExpectGolden expects, and that packets were lost with links.
void ExpectEqualDowns(const topology::Topology& topology, NetworkOptions options) {
  for (const int step : {1, 2}) {
    options.make_node = Words(step - 1, step);
    const PairRun run = RunPair(topology, options);
    EXPECT_EQ(run.failure, "");
    EXPECT_GE(run.compared_busy, 200);
  }
}

class DrawnDowns : public ::testing::TestWithParam<int> {};

TEST_P(DrawnDowns, EqualGoldenOnes) {
  const topology::Topology topology = Six();
  const int runs = RunsOf(4, 12, 120);
  for (int i = 0; i < runs; ++i) {
    const std::uint64_t seed = static_cast<std::uint64_t>(GetParam() * 1000 + i);
    SCOPED_TRACE(seed);
    Stream stream(seed, 0, 0, Purpose::kOutage);
    const bool bench_timing = stream.Below(2) == 0;
    NetworkOptions options = Short("uniform", 0.3 + 0.1 * static_cast<double>(stream.Below(5)), stream.Below(2) == 0 ? "64,512" : "32,512,4224", bench_timing);
    options.seed = seed + 1;
    options.cycles = 1500;
    options.warmup = 200;
    options.routing = network::RoutingOptions::Named(stream.Below(2) == 0 ? "min" : "adaptive_0");
    faults::Plan plan;
    plan.seed = seed;
    if (stream.Below(2) == 0) plan.channel.word_ber = 1e-5;
    if (stream.Below(3) == 0) plan = network::Mixed();
    if (stream.Below(3) == 0) plan.retry.down = faults::kBlock;
    if (stream.Below(3) == 0) options.nic_lanes = 2;
    if (stream.Below(3) == 0) {
      options.acks = network::AckUse::kOn;
      options.nics.resend = 3000;
      options.nics.resend_window = 64;
    }
    AddDowns(topology, 8, 2000, &stream, &plan);
    ExpectEqualDowns(topology, network::With(options, plan));
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, DrawnDowns, ::testing::Range(0, 3));

}  // namespace
}  // namespace tilefly::cosim
