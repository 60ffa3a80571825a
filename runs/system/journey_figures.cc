// SPDX-License-Identifier: Apache-2.0
#include "runs/system/journey_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "golden/common/stage_times.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using network::Journey;
using network::JourneyHop;
using network::Network;
using golden::Stage;

constexpr int kMostSlowest = 10000;

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

/// The stages of a packet as they follow one another.
class Writer {
 public:
  Writer(const Network& network, const Journey& journey)
      : network_(network), journey_(journey), begin_(network.nics().begin), before_(journey.record.created) {}

  Json Stages() {
    const topology::Port source = network_.topology().endpoints[journey_.record.source].port;
    const std::string nic = fmt::format("e{}", journey_.record.source);
    Add(nic, 0, 0, "created", journey_.record.created, 0, {});
    Add(nic, 0, 0, "link free", journey_.ready, 0, {{"packets before it", kRest}});
    Add(nic, 0, 0, "sent", journey_.record.sent, 0, {{"no credit", kRest}});
    Cycle delay = network_.wiring().far(source.at, source.port).delay;
    for (const JourneyHop& hop : journey_.hops) delay = AddHop(hop, delay);
    if (journey_.delivered()) {
      const JourneyHop& hop = journey_.hops.back();
      const std::string to = fmt::format("e{}", journey_.record.destination);
      Add(to, 0, hop.lane, "first word", hop.taken + golden::kTakeToWire + delay, golden::kTakeToWire + delay, {});
      Add(to, 0, hop.lane, "last word", journey_.last, Words(network_.nics().lanes), {});
    }
    return std::move(stages_);
  }

 private:
  /// Cycles of a wait for one reason; kRest: what the others leave.
  static constexpr Cycle kRest = -1;
  struct Wait {
    const char* reason;
    Cycle cycles;
  };

  Cycle Words(int lanes) const { return golden::WordOffset(network::WordsOf(journey_.length) - 1, lanes); }

  /// Returns the delay of the link behind.
  Cycle AddHop(const JourneyHop& hop, Cycle delay) {
    const std::string at = fmt::format("s{}", hop.node);
    const bool first_hop = &hop == &journey_.hops.front();
    const int lane_in = first_hop ? network_.nics().lane[journey_.tc] : (&hop - 1)->lane;
    Add(at, hop.in_port, lane_in, "first word", hop.first, first_hop ? delay : golden::kTakeToWire + delay, {});
    for (int i = 0; i < golden::kStages; ++i) {
      const auto stage = static_cast<Stage>(i);
      const StageRule& rule = kRules[i];
      if (hop.stages[i] < 0) return 0;
      std::vector<Wait> waits;
      if (stage == Stage::kGranted) waits = {{"no credit", hop.waits.no_credit}, {"no room", hop.waits.no_room}};
      if (stage == Stage::kPicked) {
        waits = {{"words to come", std::max<Cycle>(0, hop.earliest_pick - (before_ + rule.quiet))}};
      }
      waits.push_back({rule.reason, kRest});
      const bool in = stage == Stage::kQueued;
      Add(at, in ? hop.in_port : hop.out_port, in ? lane_in : hop.lane, rule.name, hop.stages[i],
          rule.quiet + (in ? hop.trigger - hop.first : 0), waits);
      if (in && hop.decided) stages_.back()["path"] = hop.nonminimal ? "non-minimal" : "minimal";
    }
    if (hop.taken < 0) return 0;
    Add(at, hop.out_port, hop.lane, "taken", hop.taken, golden::kEventToDecision, {{"link busy", kRest}});
    return network_.wiring().far(hop.node, hop.out_port).delay;
  }

  void Add(const std::string& at, int port, int lane, const char* name, Cycle cycle, Cycle quiet,
           const std::vector<Wait>& waits) {
    const Cycle took = cycle - before_;
    Cycle left = took - quiet;
    Json reasons = Json::object();
    for (const Wait& wait : waits) {
      const Cycle cycles = wait.cycles == kRest ? left : std::min(left, wait.cycles);
      if (cycles > 0) reasons[wait.reason] = cycles;
      left -= std::max<Cycle>(0, cycles);
    }
    stages_.push_back({{"at", at},
                       {"port", port},
                       {"lane", lane},
                       {"stage", name},
                       {"cycle", cycle - begin_},
                       {"cycles", took},
                       {"quiet_cycles", quiet},
                       {"wait_cycles", took - quiet},
                       {"waits", reasons}});
    before_ = cycle;
  }

  const Network& network_;
  const Journey& journey_;
  const Cycle begin_;
  Cycle before_;
  Json stages_ = Json::array();
};

std::string NameOf(const Journey& journey) { return fmt::format("e{}:{}", journey.record.source, journey.number); }

}  // namespace

network::JourneyChoice ParseJourneys(const std::string& text, int endpoints) {
  network::JourneyChoice choice;
  for (const std::string& part : Split(text, ',')) {
    const std::vector<std::string> words = Split(part, ':');
    if (words.size() == 2 && words[0] == "slowest") {
      const std::int64_t count = ParseInteger(words[1], "journey: slowest");
      if (count < 1 || count > kMostSlowest)
        throw UsageError(fmt::format("journey: slowest:{}: give 1 to {}", count, kMostSlowest));
      choice.slowest = static_cast<int>(count);
      continue;
    }
    if (words.size() != 2 || words[0].size() < 2 || words[0][0] != 'e') {
      throw UsageError(fmt::format(
          "journey: '{}' is neither slowest:K nor eE:N; e7:3 is the third packet that endpoint 7 sends", part));
    }
    const std::int64_t endpoint = ParseInteger(words[0].substr(1), "journey: " + part);
    const std::int64_t number = ParseInteger(words[1], "journey: " + part);
    if (endpoint < 0 || endpoint >= endpoints)
      throw UsageError(fmt::format("journey: {}: the system has endpoints e0 to e{}", part, endpoints - 1));
    if (number < 1) throw UsageError(fmt::format("journey: {}: packets are counted from 1", part));
    choice.packets.push_back({static_cast<int>(endpoint), number});
  }
  return choice;
}

Json JourneysJson(const Network& network, const std::vector<Journey>& journeys) {
  Json all = Json::array();
  for (const Journey& journey : journeys) {
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
    Json stages = Writer(network, journey).Stages();
    Json waits = Json::object();
    Cycle quiet = 0;
    for (const Json& stage : stages) {
      quiet += stage["quiet_cycles"].get<Cycle>();
      for (const auto& [reason, cycles] : stage["waits"].items()) {
        waits[reason] = waits.value(reason, Cycle{0}) + cycles.get<Cycle>();
      }
    }
    one["quiet_cycles"] = quiet;
    one["waits"] = std::move(waits);
    one["stages"] = std::move(stages);
    all.push_back(std::move(one));
  }
  return all;
}

std::string JourneysCsv(const Json& journeys) {
  std::string text =
      "packet,source,destination,class,bytes,at,port,lane,stage,path,cycle,cycles,quiet_cycles,wait_cycles,waits\n";
  for (const Json& journey : journeys) {
    for (const Json& stage : journey["stages"]) {
      std::string waits;
      for (const auto& [reason, cycles] : stage["waits"].items()) {
        waits += fmt::format("{}{} {}", waits.empty() ? "" : "; ", reason, cycles.get<Cycle>());
      }
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", journey["packet"].get<std::string>(),
                          journey["source"].get<std::string>(), journey["destination"].get<std::string>(),
                          journey["class"].get<int>(), journey["bytes"].get<int>(), stage["at"].get<std::string>(),
                          stage["port"].get<int>(), stage["lane"].get<int>(), stage["stage"].get<std::string>(),
                          stage.value("path", ""), stage["cycle"].get<Cycle>(), stage["cycles"].get<Cycle>(),
                          stage["quiet_cycles"].get<Cycle>(), stage["wait_cycles"].get<Cycle>(), waits);
    }
  }
  return text;
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
