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
    stages_.Add(nic, 0, 0, "sent", journey_.record.sent, 0, {{"no credit", kRest}});
    Cycle delay = network_.wiring().far(source.at, source.port).delay;
    for (const JourneyHop& hop : journey_.hops) delay = AddHop(hop, delay);
    if (journey_.delivered()) {
      const JourneyHop& hop = journey_.hops.back();
      const std::string to = fmt::format("e{}", journey_.record.destination);
      stages_.Add(to, 0, hop.lane, "first word", hop.taken + golden::kTakeToWire + delay, golden::kTakeToWire + delay,
                  {});
      stages_.Add(to, 0, hop.lane, "last word", journey_.last, Words(network_.nics().lanes), {});
    }
    return stages_.stages();
  }

 private:
  static constexpr Cycle kRest = JourneyWait::kRest;

  Cycle Words(int lanes) const { return golden::WordOffset(network::WordsOf(journey_.length) - 1, lanes); }

  /// Returns the delay of the link behind.
  Cycle AddHop(const JourneyHop& hop, Cycle delay) {
    const std::string at = fmt::format("s{}", hop.node);
    const bool first_hop = &hop == &journey_.hops.front();
    const int lane_in = first_hop ? network_.nics().lane[journey_.tc] : (&hop - 1)->lane;
    stages_.Add(at, hop.in_port, lane_in, "first word", hop.first, first_hop ? delay : golden::kTakeToWire + delay, {});
    for (int i = 0; i < golden::kStages; ++i) {
      const auto stage = static_cast<Stage>(i);
      const StageRule& rule = kRules[i];
      if (hop.stages[i] < 0) return 0;
      std::vector<JourneyWait> waits;
      if (stage == Stage::kGranted) waits = {{"no credit", hop.waits.no_credit}, {"no room", hop.waits.no_room}};
      if (stage == Stage::kPicked) {
        waits = {{"words to come", std::max<Cycle>(0, hop.earliest_pick - (stages_.before() + rule.quiet))}};
      }
      waits.push_back({rule.reason, kRest});
      const bool in = stage == Stage::kQueued;
      stages_.Add(at, in ? hop.in_port : hop.out_port, in ? lane_in : hop.lane, rule.name, hop.stages[i],
                  rule.quiet + (in ? hop.trigger - hop.first : 0), waits);
      if (in && hop.decided) stages_.SetPath(hop.nonminimal ? "non-minimal" : "minimal");
    }
    if (hop.taken < 0) return 0;
    stages_.Add(at, hop.out_port, hop.lane, "taken", hop.taken, golden::kEventToDecision, {{"link busy", kRest}});
    return network_.wiring().far(hop.node, hop.out_port).delay;
  }

  const Network& network_;
  const Journey& journey_;
  JourneyStages stages_;
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
           {"hops", journey.hops.size()},
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
