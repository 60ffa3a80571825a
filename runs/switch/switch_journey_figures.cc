// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/switch_journey_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "golden/common/stage_times.h"
#include "runs/common/journey_table.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using cosim::SwitchJourney;

constexpr Cycle kRest = JourneyWait::kRest;
constexpr const char* kSwitch = "switch";
/// Cycles that waves show before a packet's first word and after its last one.
constexpr Cycle kBeside = 8;
/// And after the last that is known of one that did not come out: a quiet packet's way, and some more.
constexpr Cycle kBeyond = 100;
static_assert(kBeyond > golden::kQuietHop);

/// The stages of one journey. Cycles are events; the record shows them in the cycle after.
class SwitchJourneyStages {
 public:
  SwitchJourneyStages(const JourneySetup& run, const SwitchJourney& journey)
      : setup_(run.setup), link_delay_(run.link_delay), journey_(journey), way_(journey.way), stages_(0, journey.created) {
    AddSender();
    if (journey.first >= 0) {
      AddFirstWord();
      first_ = stages_.stages().size();
      AddInput();
      AddOutput();
    } else {
      first_ = stages_.stages().size();
    }
    last_ = stages_.stages().size();
    if (journey.delivered()) AddEnd(run.channel);
  }

  Json Stages() const { return StagesJson(stages_.stages()); }
  /// At the sender and on its link, up to the packet's first word at the switch.
  JourneySums Sender() const { return {stages_.stages().begin(), stages_.stages().begin() + Index(first_)}; }
  /// Of the stages that its latency counts, as far as it came.
  JourneySums Latency() const { return {stages_.stages().begin() + Index(first_), stages_.stages().begin() + Index(last_)}; }

 private:
  static std::ptrdiff_t Index(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }
  /// The event of a stage that the record shows; below 0: it does not.
  Cycle Event(cosim::Stage stage) const { return way_.At(stage) - 1; }

  void AddSender() {
    const std::string at = fmt::format("p{}", journey_.source);
    const cosim::StartWait& waited = journey_.waited;
    // With retry the sender also waits for room in its replay buffer and for its SerDes lanes.
    const char* const held = setup_.mode(journey_.source).retry ? "retry" : "link down";
    const auto add = [&](const char* name, Cycle cycle, const std::vector<JourneyWait>& waits) {
      stages_.Add(at, journey_.source, journey_.lane, name, cycle, 0, waits);
    };
    add("created", journey_.created, {});
    add("link free", waited.taken, {{held, waited.down_before}, {"packets before it", kRest}});
    add("sent", journey_.sent,
        {{journey_.credits ? "no credit" : "paused", waited.blocked},
         {"throttled", waited.throttled},
         {held, waited.down},
         {"passed by others", waited.passed},
         {"stalled", kRest}});
  }

  /// The attempts before the one that was accepted, and what the link sent again before the first of them.
  void AddFirstWord() {
    const Cycle tried = journey_.tried >= 0 ? journey_.tried : journey_.first;
    stages_.Add(kSwitch, journey_.source, journey_.lane, "first word", journey_.first, link_delay_,
                {{"replay", journey_.first - tried}, {"replay before it", kRest}});
  }

  void AddInput() {
    AddStage(cosim::Stage::kRequest, "requested",
             golden::kTriggerToQueued + golden::kEventToDecision + journey_.trigger() - journey_.first,
             {{"throttled", journey_.throttled}, {"queue stage or requester", kRest}});
  }

  void AddOutput() {
    const cosim::PacketWay::Reckoned& reckoned = way_.reckoned;
    if (reckoned.stored >= 0) AddAt(kSwitch, "request stored", reckoned.stored, golden::kCrossing, {{"request crossing", kRest}});
    else unseen_ += golden::kCrossing;
    const bool credits = setup_.mode(std::max(0, way_.output)).credits;
    AddStage(cosim::Stage::kGrant, "granted", golden::kEventToDecision,
             {{"link down", reckoned.down},
              {credits ? "no credit" : "paused", reckoned.no_credit},
              {"no room", reckoned.no_room},
              {reckoned.stored >= 0 ? "arbitration" : "request crossing or grant", kRest}});
    AddStage(cosim::Stage::kGrantArrival, "grant at input", golden::kGrantToArrival, {{"grant crossing", kRest}});
    AddStage(cosim::Stage::kTransfer, "picked", golden::kEventToDecision,
             {{"words to come", WordsToCome()}, {"input busy", kRest}});
    AddStage(cosim::Stage::kFirstCell, "first cell at output", golden::kPickToArrival, {{"data crossing", kRest}});
    const JourneyWait held = setup_.mode(std::max(0, way_.output)).retry ? JourneyWait{"retry", reckoned.take.retry}
                                                                         : JourneyWait{"link down", reckoned.take.down};
    AddStage(cosim::Stage::kTake, "taken", golden::kEventToDecision, {held, {"link busy", kRest}});
  }

  /// Behind the switch, at its end of the link. The latency ends with the first attempt, whether it is accepted or not.
  void AddEnd(Cycle channel) {
    const std::string to = fmt::format("p{}", way_.output);
    const bool again = journey_.accepted_out != journey_.first_out;
    const bool replays = setup_.mode(way_.output).retry && way_.At(cosim::Stage::kTake) >= 0;
    AddAt(to, again ? "first attempt" : "first word", journey_.first_out + channel, golden::kTakeToWire + channel,
          {{replays ? "replay before it" : "not in the record", kRest}});
    last_ = stages_.stages().size();
    const auto add = [&](const char* name, Cycle cycle, Cycle quiet, const std::vector<JourneyWait>& waits) {
      stages_.Add(to, way_.output, way_.lane, name, cycle + channel, quiet, waits);
    };
    if (again) add("first word", journey_.accepted_out, 0, {{"replay", kRest}});
    add("last word", journey_.last_out, journey_.last_out - journey_.accepted_out, {});
  }

  /// From the first cycle in which the input might pick it to the one in which its words come in time.
  Cycle WordsToCome() const {
    return std::max<Cycle>(0, journey_.earliest_pick - (stages_.before() + golden::kEventToDecision));
  }

  void AddStage(cosim::Stage stage, const char* name, Cycle quiet, const std::vector<JourneyWait>& waits) {
    const Cycle event = Event(stage);
    if (event >= 0) AddAt(kSwitch, name, event, quiet, waits);
    else unseen_ += quiet;
  }

  /// What stages take at least that are not told belongs to the next one.
  void AddAt(const std::string& at, const char* name, Cycle cycle, Cycle quiet, const std::vector<JourneyWait>& waits) {
    stages_.Add(at, way_.output, way_.lane, name, cycle, quiet + unseen_, waits);
    unseen_ = 0;
  }

  const cosim::SwitchSetup& setup_;
  const Cycle link_delay_;
  const SwitchJourney& journey_;
  const cosim::PacketWay& way_;
  JourneyStages stages_;
  std::size_t first_ = 0;  ///< the first stage that the latency counts
  std::size_t last_ = 0;   ///< behind the last stage that it counts
  Cycle unseen_ = 0;
};

std::string EndOf(const SwitchJourney& journey) {
  return journey.dropped() ? "dropped" : journey.delivered() ? "delivered" : "inside";
}

/// Of a packet that was dropped.
std::string DropOf(const SwitchJourney& journey) {
  if (journey.drop != Drop::kNone) return ToString(journey.drop);
  return journey.lost == SwitchJourney::Lost::kWithLink ? "lost with a link" : "lost with a link, or NO_ROUTE";
}

/// "arbitration 12, link busy 3".
std::string WaitsLine(const Json& waits) {
  std::string text;
  for (const auto& [reason, cycles] : waits.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reason, cycles.dump());
  return text;
}

/// "packet p7:3: 64 B, port 7 to port 2".
std::string TitleOf(const SwitchJourney& journey) {
  const std::string to = journey.way.output >= 0 ? fmt::format(" to port {}", journey.way.output) : "";
  const std::string end = journey.dropped() ? fmt::format(", dropped: {}", DropOf(journey)) : "";
  return fmt::format("packet {}: {} B, port {}{}{}", NameOf(journey), journey.bytes, journey.source, to, end);
}

}  // namespace

std::string NameOf(const SwitchJourney& journey) { return fmt::format("p{}:{}", journey.source, journey.number); }

Json SwitchJourneysJson(const JourneySetup& run, const std::vector<SwitchJourney>& journeys) {
  Json all = Json::array();
  for (const SwitchJourney& journey : journeys) {
    const SwitchJourneyStages stages(run, journey);
    const JourneySums sums = stages.Latency();
    const int output = journey.way.output;
    Json one{{"packet", NameOf(journey)},
             {"source", fmt::format("p{}", journey.source)},
             {"destination", output >= 0 ? Json(fmt::format("p{}", output)) : Json(nullptr)},
             {"class", journey.tc},
             {"bytes", journey.bytes},
             {"end", EndOf(journey)},
             {"hops", 1},
             {"created", journey.created},
             {"latency_cycles", journey.delivered() ? Json(journey.latency() + run.channel) : Json(nullptr)},
             {"quiet_cycles", sums.quiet},
             {"waits", WaitsJson(sums.waits)},
             {"sender_waits", WaitsJson(stages.Sender().waits)}};
    if (journey.dropped()) one["drop"] = DropOf(journey);
    one["stages"] = stages.Stages();
    all.push_back(std::move(one));
  }
  return all;
}

std::string JourneyLine(const Json& journey) {
  std::string line = journey["packet"].get<std::string>();
  if (!journey["destination"].is_null()) line += " to " + journey["destination"].get<std::string>();
  line += fmt::format(", {} B: ", journey["bytes"].dump());
  if (journey["latency_cycles"].is_null()) {
    const Json& last = journey["stages"].back();
    line += journey["end"].get<std::string>();
    if (journey.contains("drop")) line += fmt::format(" ({})", journey["drop"].get<std::string>());
    line += fmt::format(", seen last in cycle {}: {}", last["cycle"].dump(), last["stage"].get<std::string>());
  } else {
    line += fmt::format("{} cycles, {} at least", journey["latency_cycles"].dump(), journey["quiet_cycles"].dump());
  }
  if (!journey["waits"].empty()) line += "; waited: " + WaitsLine(journey["waits"]);
  if (!journey["sender_waits"].empty()) line += "; at its sender: " + WaitsLine(journey["sender_waits"]);
  return line;
}

cosim::Story StoryOf(const SwitchJourney& journey) {
  cosim::Story story;
  story.title = TitleOf(journey);
  story.input = journey.source;
  story.output = journey.way.output >= 0 ? journey.way.output : journey.source;
  const bool came = journey.first >= 0;
  story.marker = came ? journey.first : journey.sent;
  story.marks = cosim::PacketStages::MarksOf(journey.way);
  story.marks.insert(story.marks.begin(), {came ? "link in" : "sent", story.marker});
  story.from = std::max<Cycle>(0, story.marker - kBeside);
  story.to = journey.delivered() ? journey.last_out + kBeside
                                 : std::max(journey.last, story.marks.back().at) + kBeyond;
  return story;
}

}  // namespace tilefly::runs
