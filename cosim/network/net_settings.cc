// SPDX-License-Identifier: Apache-2.0
#include "cosim/network/net_settings.h"

#include <fmt/format.h>

#include "cosim/traffic/class_mix.h"
#include "support/errors.h"
#include "support/text.h"
#include "topology/builder.h"

namespace tilefly::cosim {
namespace {

constexpr int kFullLanes = 4;

/// The lanes of a table's classes; the first of each, and behind a global link the second.
golden::LanePlan LanesOf(const ClassSetup& classes, const topology::Topology& topology) {
  golden::LanePlan plan;
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    const qos::TrafficClass& one = classes.Of(tc);
    if (one.lanes.size() < 2 && golden::NeedsSecondLane(topology)) {
      throw UsageError(fmt::format(
          "{}: class {} has one lane; packets that pass a global link take a second one, give each class two",
          classes.file(), one.name));
    }
    plan.lanes[tc] = {static_cast<std::uint8_t>(one.lanes.front()),
                      static_cast<std::uint8_t>(one.lanes[one.lanes.size() > 1])};
  }
  return plan;
}

}  // namespace

const std::vector<Setting>& NetSettings::Table() {
  static const std::vector<Setting> table = {
      {"topology", "topology", "dragonfly:p=2,a=4,h=2", "FAMILY:key=value,..., preset:NAME or a file"},
      {"routing", "routing", "min", "min: one shortest way for each pair of switch and target"},
      {"seed", "seed", "1", "root seed, 32 bits; or random"},
      {"max_cycles", "max-cycles", "20000", "cycles of traffic, then the system is drained"},
      {"warmup", "warmup", "auto", "of these, left out of loads and latencies (auto: a fifth)"},
      {"stall_cycles", "stall-cycles", "20000", "cycles without progress that end the run"},
      {"timeout", "timeout", "0", "seconds of wall clock; 0: no limit"},
      {"timing", "timing", "chip",
       "chip: calibrated channel and cables; bench: links of 1, 10, 100 cycles, 256 words a lane"},
      {"nic.rate", "nic-rate", "200Gbps", "rate of the NICs: 200Gbps or 100Gbps"},
      {"qos.file", "qos", "", "traffic classes of every port: a table of `tilefly qos`, or wishes to plan one of"},
      {"traffic.pattern", "traffic", "uniform",
       "uniform, permutation:NAME, hotspot:LIST:SHARE, incast:N, adversarial:SHIFT, bursts:PACKETS, cbr"},
      {"traffic.load", "load", "0.5", "share of the NICs' word slots, 0 to 1"},
      {"traffic.size", "size", "512", "frame sizes in bytes, FCS included: 64,1024*0.5,4096"},
      {"traffic.process", "process", "bernoulli", "creation of packets: bernoulli or periodic"},
      {"traffic.classes", "classes", "auto",
       "traffic classes, drawn for each packet: 0,3*0.5 or names of --qos; weights are shares of the load (auto: 0; "
       "table)"},
  };
  return table;
}

NetSettings::NetSettings() : SettingValues(Table(), {"qos.file"}) {}

void NetSettings::Resolve() {
  ResolveFilesAndSeed();
  Replace("warmup", std::to_string(Integer("max_cycles", 1, std::int64_t{1} << 40) / 5));
  Replace("traffic.classes", Get("qos.file").empty() ? "0" : "table");
}

NetRunOptions NetSettings::ToRunOptions() const {
  NetRunOptions options;
  options.topology = std::make_unique<topology::Topology>(topology::Build(Get("topology")));
  Choice("routing", {"min"});
  golden::NetworkOptions& network = options.network;
  network.seed = static_cast<std::uint64_t>(Integer("seed", 0, 0xffffffff));
  network.cycles = Integer("max_cycles", 1, std::int64_t{1} << 40);
  network.warmup = Integer("warmup", 0, network.cycles - 1);
  network.stall_cycles = Integer("stall_cycles", 1, std::int64_t{1} << 40);
  network.bench_timing = Choice("timing", {"chip", "bench"}) == "bench";
  network.nic_lanes = Choice("nic.rate", {"200Gbps", "100Gbps"}) == "200Gbps" ? kFullLanes : kFullLanes / 2;
  network.traffic.pattern = Get("traffic.pattern");
  network.traffic.load = Share("traffic.load");
  network.traffic.size = Get("traffic.size");
  network.traffic.periodic = Choice("traffic.process", {"bernoulli", "periodic"}) == "periodic";
  const Profile* const profile = FindProfile(options.topology->profile);
  if (profile == nullptr)
    throw UsageError(fmt::format("topology: there is no switch profile '{}'", options.topology->profile));
  if (!Get("qos.file").empty()) {
    options.classes.emplace(Get("qos.file"), *profile, kFullLanes);
    network.lanes = LanesOf(*options.classes, *options.topology);
    network.writes = options.classes->Writes({0, 1, 2, 3});
  }
  for (const ClassPart& part : ParseClasses(Get("traffic.classes"), options.classes, *profile)) {
    network.traffic.classes.push_back({part.tc, part.share, part.largest});
  }
  return options;
}

}  // namespace tilefly::cosim
