// SPDX-License-Identifier: Apache-2.0
#include "runs/system/journey_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "golden/common/stage_times.h"
#include "runs/common/journey_table.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using network::Journey;
using network::JourneyHop;
using network::Network;
using golden::Stage;

/// What a stage takes at least, from the one before, and what it waits for when it takes longer (docs/timing.md).
struct StageRule {
  const char* name;
  Cycle quiet;
  const char* reason;
};
constexpr StageRule kRules[golden::kStages] = {
    {"queued", golden::kTriggerToQueued, "queue stage"},
    {"requested", golden::kEventToDecision, "requester"},
    {"request stored", golden::kCrossing, "request crossing"},
    {"granted", golden::kEventToDecision, "arbitration"},
    {"grant at input", golden::kGrantToArrival, "grant crossing"},
    {"picked", golden::kEventToDecision, "input busy"},
    {"first cell at output", golden::kPickToArrival, "data crossing"},
};

/// The stages of a packet of a system.
class Writer {
 public:
  Writer(const Network& network, const Journey& journey)
      : network_(network), journey_(journey), stages_(network.nics().begin, journey.record.created) {}

  const std::vector<JourneyStage>& Stages() {
    const topology::Port source = network_.topology().endpoints[journey_.record.source].port;
    const std::string nic = fmt::format("e{}", journey_.record.source);
    stages_.Add(nic, 0, 0, "created", journey_.record.created, 0, {});
    stages_.Add(nic, 0, 0, "link free", journey_.ready, 0, {{"packets before it", kRest}});
    stages_.Add(nic, 0, 0, "sent", journey_.record.sent, 0, {{"retry", journey_.held}, {"throttled", journey_.throttled}, {"no credit", kRest}});
    link_ = network_.wiring().far(source.at, source.port).delay;
    lane_ = network_.nics().lane[journey_.tc];
    for (const JourneyHop& hop : journey_.hops) AddHop(hop);
    if (journey_.delivered()) {
      const JourneyHop& hop = journey_.hops.back();
      const std::string to = fmt::format("e{}", journey_.record.destination);
      AddFirstWord(to, 0, journey_.tried, journey_.first);
      stages_.Add(to, 0, hop.lane, "last word", journey_.last, journey_.last - journey_.first, {});
    }
    return stages_.stages();
  }

 private:
  static constexpr Cycle kRest = JourneyWait::kRest;

  /// The attempts before the one that was accepted, and what the link sent again before the first of them.
  void AddFirstWord(const std::string& at, int port, Cycle tried, Cycle first) {
    stages_.Add(at, port, lane_, "first word", first, link_, {{"replay", first - tried}, {"replay before it", kRest}});
  }

  void AddHop(const JourneyHop& hop) {
    const std::string at = fmt::format("s{}", hop.node);
    if (!hop.again) AddFirstWord(at, hop.in_port, hop.tried, hop.first);
    for (int i = 0; i < golden::kStages; ++i) {
      const auto stage = static_cast<Stage>(i);
      const StageRule& rule = kRules[i];
      if (hop.stages[i] < 0) return;
      if (stage == Stage::kGranted && hop.rerouted >= 0) return AddReroute(at, hop);
      if (stage == Stage::kQueued && hop.again) {
        stages_.Add(at, hop.in_port, lane_, rule.name, hop.stages[i], golden::kRerouteToQueued,
                    {{"pipeline or queue stage", kRest}});
        if (hop.decided) stages_.SetPath(hop.nonminimal ? "non-minimal" : "minimal");
        continue;
      }
      std::vector<JourneyWait> waits;
      if (stage == Stage::kGranted) waits = {{"no credit", hop.waits.no_credit}, {"no room", hop.waits.no_room}};
      if (stage == Stage::kPicked) {
        waits = {{"words to come", std::max<Cycle>(0, hop.earliest_pick - (stages_.before() + rule.quiet))}};
      }
      if (stage == Stage::kQueued) waits = {{"throttled", hop.throttled}};
      waits.push_back({rule.reason, kRest});
      const bool in = stage == Stage::kQueued;
      stages_.Add(at, in ? hop.in_port : hop.out_port, in ? lane_ : hop.lane, rule.name, hop.stages[i],
                  rule.quiet + (in ? hop.trigger - hop.first : 0), waits);
      if (in && hop.decided) stages_.SetPath(hop.nonminimal ? "non-minimal" : "minimal");
    }
    if (hop.taken < 0) return;
    stages_.Add(at, hop.out_port, hop.lane, "taken", hop.taken, golden::kEventToDecision,
                {{"retry", hop.held}, {"link busy", kRest}});
    link_ = golden::kTakeToWire + network_.wiring().far(hop.node, hop.out_port).delay;
    lane_ = hop.lane;
  }
  /// The output gave the request back, and the grant that says so is at the input.
  void AddReroute(const std::string& at, const JourneyHop& hop) {
    const Cycle granted = hop.stages[static_cast<std::size_t>(Stage::kGranted)];
    stages_.Add(at, hop.out_port, hop.lane, "rerouted", hop.rerouted,
                golden::kEventToDecision + golden::kGrantToArrival,
                {{"no credit", hop.waits.no_credit},
                 {"no room", hop.waits.no_room},
                 {"grant crossing", hop.rerouted - granted - golden::kGrantToArrival},
                 {"arbitration", kRest}});
  }

  const Network& network_;
  const Journey& journey_;
  JourneyStages stages_;
  Cycle link_ = 0;  ///< to the first word at the far end of the link behind, at least
  int lane_ = 0;    ///< on this link
};

std::string NameOf(const Journey& journey) { return fmt::format("e{}:{}", journey.record.source, journey.number); }

}  // namespace

Json JourneyJson(const Network& network, const Journey& journey) {
  Json one{{"packet", NameOf(journey)},
           {"source", fmt::format("e{}", journey.record.source)},
           {"destination", fmt::format("e{}", journey.record.destination)},
           {"class", journey.tc},
           {"bytes", journey.length},
           {"end", journey.dropped       ? "dropped"
                   : journey.delivered() ? "delivered"
                                         : "inside"},
           {"hops", journey.switches()},
           {"created", journey.record.created - network.nics().begin},
           {"latency_cycles", journey.delivered() ? Json(journey.latency()) : Json(nullptr)}};
  Writer writer(network, journey);
  const std::vector<JourneyStage>& stages = writer.Stages();
  const JourneySums sums(stages.begin(), stages.end());
  one["quiet_cycles"] = sums.quiet;
  one["waits"] = WaitsJson(sums.waits);
  one["stages"] = StagesJson(stages);
  return one;
}

std::vector<std::string> MissingJourneys(const Network& network, const std::vector<Journey>& journeys) {
  std::vector<std::string> missing;
  for (const network::JourneyChoice::Numbered& one : network.options().journeys.packets) {
    const bool found = std::any_of(journeys.begin(), journeys.end(), [&](const Journey& journey) {
      return journey.record.source == one.endpoint && journey.number == one.number;
    });
    if (!found) missing.push_back(fmt::format("endpoint e{} never sent its packet {}", one.endpoint, one.number));
  }
  return missing;
}

}  // namespace tilefly::runs
