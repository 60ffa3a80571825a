// SPDX-License-Identifier: Apache-2.0
#include "testbenches/lockstep/scenarios.h"

namespace tilefly::cosim {

namespace {

/// Adds a scenario to a list.
struct Adder {
  Scenario& operator()(const char* name, const char* ports, const char* traffic, const char* size, double load) const {
    list->push_back({name, ports, traffic, size, load});
    return list->back();
  }
  std::vector<Scenario>* list;
};

}  // namespace

const std::vector<Scenario>& AckScenarios() {
  static const std::vector<Scenario> scenarios = [] {
    std::vector<Scenario> list;
    const Adder add{&list};
    Scenario& fabric = add("AcksOfFabricPorts", "fabric", "uniform", "64,300", 0.9);
    fabric.acks = 0.5;
    fabric.flows = 0.5;
    fabric.routed = 0.6;
    fabric.busy = 0.3;
    Scenario& small = add("AcksOfSmallPackets", "fabric", "uniform", "32", 1);
    small.acks = 0.5;
    small.busy = 0.3;
    Scenario& mixed = add("AcksOfMixedPortsAndFaults", "mixed", "uniform", "64,300,1500", 0.7);
    mixed.acks = 0.5;
    mixed.flows = 0.7;
    mixed.routed = 0.4;
    mixed.replicated = 0.02;
    mixed.faults = 0.1;
    mixed.busy = 0.3;
    Scenario& hot = add("AcksBesideHotOutputs", "enhanced", "hotspot:2,5:0.6", "64,900", 0.9);
    hot.acks = 0.5;
    hot.routed = 0.5;
    hot.stalls = 0.05;
    hot.lanes = 3;
    hot.hot_outputs = 2 / 0.3;
    Scenario& classes = add("AcksWithClassesOfEveryKind", "mixed", "uniform", "64,300,4224", 0.9);
    classes.acks = 0.6;
    classes.flows = 1;
    classes.qos = "testbenches/lockstep/classes.yaml";
    classes.classes = "NC,VO,VI,CL,EE,BE,BK";
    classes.routed = 0.5;
    Scenario& incast = add("MarksOfShortPacketsToHotOutputs", "enhanced", "hotspot:2,5:0.7", "64", 1);
    incast.acks = 0.7;
    incast.flows = 1;
    incast.classes = "0,1,7";
    incast.hot_outputs = 2 / 0.35;
    Scenario& bulk = add("MarksOfManySources", "fabric", "hotspot:0,1,2:0.5", "64,300,2000", 0.9);
    bulk.acks = 0.6;
    bulk.flows = 1;
    bulk.routed = 0.3;
    bulk.stalls = 0.05;
    bulk.hot_outputs = 3 / 0.5;
    return list;
  }();
  return scenarios;
}

const std::vector<Scenario>& ReductionScenarios() {
  static const std::vector<Scenario> scenarios = [] {
    std::vector<Scenario> list;
    const Adder add{&list};
    const char* const kOtherLanes = "0,1,2,3,4,5";
    Scenario& alone = add("ReductionsAlone", "fabric", "uniform", "64", 0);
    alone.reductions = 4;
    alone.outages = 20000;
    alone.busy = 0.01;
    Scenario& loaded = add("ReductionsBesideFullLoad", "fabric", "uniform", "64,1024,4096", 1);
    loaded.reductions = 3;
    loaded.outages = 20000;
    loaded.classes = kOtherLanes;
    loaded.busy = 0.5;
    Scenario& failing = add("ReductionsThatFail", "fabric", "uniform", "64,300", 0.3);
    failing.reductions = 6;
    failing.mishaps = 0.7;
    failing.outages = 5000;
    failing.classes = kOtherLanes;
    failing.busy = 0.2;
    failing.reaches = {"drop_RED"};
    Scenario& stored = add("ReductionsByPortsThatStore", "enhanced", "hotspot:2,5:0.5", "64,900", 0.8);
    stored.reductions = 5;
    stored.mishaps = 0.2;
    stored.stalls = 0.05;
    stored.outages = 8000;
    stored.classes = kOtherLanes;
    stored.hot_outputs = 2 / 0.5;
    Scenario& mixed = add("AllGroupsOfMixedPorts", "mixed", "uniform", "64,300,1500", 0.5);
    mixed.reductions = 8;
    mixed.mishaps = 0.3;
    mixed.outages = 8000;
    mixed.faults = 0.05;
    mixed.lanes = 3;
    mixed.acks = 0.3;
    mixed.flows = 1;
    mixed.classes = kOtherLanes;
    mixed.busy = 0.2;
    return list;
  }();
  return scenarios;
}

const std::vector<Scenario>& Scenarios() {
  static const std::vector<Scenario> scenarios = [] {
    std::vector<Scenario> list;
    const Adder add{&list};
    Scenario& uniform = add("FabricUniform", "fabric", "uniform", "64,1024,4096", 0.9);
    uniform.busy = 0.7;
    uniform.reaches = {"no_room", "grant_wrap", "take_wrap"};
    add("SmallestPackets", "fabric", "uniform", "32", 1).busy = 0.35;
    add("PermutationAtLineRate", "fabric", "permutation:tornado", "32,64,65,4224", 1).busy = 0.8;
    Scenario& mixed = add("MixedPortsAndFaults", "mixed", "uniform", "64,300,1500", 0.8);
    mixed.faults = 0.15;
    mixed.busy = 0.5;
    mixed.reaches = {"drop_FCS",    "drop_STOMPED",  "drop_SHORT",    "drop_LONG",       "drop_HEADER",
                     "drop_BROKEN", "drop_NO_ROUTE", "drop_HOP_LIMIT", "drop_UNKNOWN_MAC"};
    Scenario& withheld = add("WithheldCredits", "fabric", "permutation:shift:3", "64,4224", 1);
    withheld.stalls = 0.5;
    withheld.stall_credits_only = true;
    withheld.stall_cycles = 3000;
    withheld.classes = "0";
    withheld.busy = 0.6;
    withheld.reaches = {"no_credit"};
    Scenario& incast = add("IncastFillsBuffers", "enhanced", "incast:5", "64,900", 1);
    incast.classes = "0,7";
    incast.busy = 0.08;
    incast.hot_outputs = 1;
    Scenario& hotspot = add("HotspotOfSmallPackets", "fabric", "hotspot:2,5:0.8", "32,64", 1);
    hotspot.replicated = 0.02;
    hotspot.busy = 0.4;
    hotspot.hot_outputs = 2 / 0.8;
    hotspot.reaches = {"all_inputs_one_output", "all_rows_one_cycle"};
    Scenario& replication = add("ReplicationEverywhere", "mixed", "uniform", "64,700", 0.3);
    replication.replicated = 0.3;
    replication.busy = 0.6;
    Scenario& pause = add("PauseBothWays", "standard", "hotspot:1:0.7", "64,1500", 0.9);
    pause.stalls = 0.3;
    pause.faults = 0.02;
    pause.hot_outputs = 1 / 0.7;
    pause.reaches = {"load_saturated", "pause_to_switch", "pause_from_switch", "drop_CONTROL"};
    Scenario& overflow = add("IgnoredPauseOverflows", "standard", "incast:3", "64,1500", 1);
    overflow.ignore_pause = true;
    overflow.busy = 0.15;
    overflow.hot_outputs = 1;
    overflow.reaches = {"full_input_buffer", "drop_BUFFER_FULL"};
    Scenario& slow = add("ThreeLanes", "mixed", "uniform", "64,127,900", 0.8);
    slow.lanes = 3;
    slow.busy = 0.25;
    slow.faults = 0.05;
    slow.stalls = 0.1;
    Scenario& slowest = add("OneLane", "mixed", "uniform", "64,500", 0.9);
    slowest.lanes = 1;
    slowest.busy = 0.2;
    slowest.replicated = 0.05;
    Scenario& headerless = add("NoEthernetHeader", "mixed", "uniform", "64,200", 0.5);
    headerless.eth_header = false;
    headerless.replicated = 0.05;
    headerless.busy = 0.2;
    headerless.reaches = {"drop_NO_ETH_HEADER"};
    headerless.lanes = 2;
    Scenario& classes = add("ClassesOfEveryKind", "mixed", "hotspot:1,6:0.5", "64,300,4224", 1);
    classes.qos = "testbenches/lockstep/classes.yaml";
    classes.classes = "NC,VO,VI,CL,EE,BE,BK";
    classes.faults = 0.05;
    classes.replicated = 0.02;
    classes.hot_outputs = 2 / 0.5;
    classes.reaches = {"drop_CLASS_MTU", "drop_CLASS_FULL"};
    Scenario& routed = add("SetsOfPortsBesideHotOutputs", "fabric", "hotspot:2,5:0.6", "64,900", 0.9);
    routed.routed = 0.6;
    routed.busy = 0.2;
    routed.hot_outputs = 2 / 0.24;
    Scenario& mixed_ways = add("SetsOfPortsOfMixedPorts", "mixed", "uniform", "64,300,1500", 0.7);
    mixed_ways.routed = 0.4;
    mixed_ways.replicated = 0.02;
    mixed_ways.faults = 0.05;
    mixed_ways.busy = 0.3;
    return list;
  }();
  return scenarios;
}

runs::RunOptions OptionsOf(const Scenario& scenario, const Profile& profile, std::uint32_t seed, Cycle cycles) {
  runs::RunOptions options;
  options.profile = &profile;
  options.kinds = runs::ParsePortKinds(scenario.ports, profile.ports);
  options.lanes = scenario.lanes;
  options.eth_header = scenario.eth_header;
  if (!scenario.qos.empty()) options.classes.emplace(scenario.qos, profile, options.lanes);
  options.generator.traffic = scenario.traffic;
  options.generator.size = scenario.size;
  options.generator.load = scenario.load;
  options.generator.classes = scenario.classes;
  options.generator.faults = scenario.faults;
  options.generator.replicated = scenario.replicated;
  options.generator.routed = scenario.routed;
  options.acks = scenario.acks;
  options.flow_channels = scenario.flows;
  options.reductions.groups = scenario.reductions;
  options.reductions.mishaps = scenario.mishaps;
  options.outages.every = scenario.outages;
  options.stalls.share = scenario.stalls;
  options.stalls.max_cycles = scenario.stall_cycles;
  options.stalls.starts = options.stalls.pause = !scenario.stall_credits_only;
  options.stalls.ignore_pause = scenario.ignore_pause;
  options.seed = seed;
  options.max_cycles = cycles;
  return options;
}

}  // namespace tilefly::cosim
