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
  SwitchJourneyStages(const cosim::SwitchSetup& setup, Cycle channel, const SwitchJourney& journey)
      : setup_(setup), journey_(journey), way_(journey.way), stages_(0, journey.created) {
    AddSender();
    first_ = stages_.stages().size() - 1;
    stages_.Add(kSwitch, journey.source, journey.lane, "first word", journey.first, 0, {});
    AddInput();
    AddOutput();
    if (!journey.delivered()) return;
    const std::string to = fmt::format("p{}", way_.output);
    AddAt(to, "first word", journey.first_out + channel, golden::kTakeToWire + channel, {{"not in the record", kRest}});
    last_ = stages_.stages().size();
    stages_.Add(to, way_.output, way_.lane, "last word", journey.last_out + channel, journey.last_out - journey.first_out,
                {});
  }

  Json Stages() const { return StagesJson(stages_.stages()); }
  /// At the sender, before the packet's first word is on the link.
  JourneySums Sender() const { return {stages_.stages().begin(), stages_.stages().begin() + Index(first_ + 1)}; }
  /// Of the stages that its latency counts, as far as it came.
  JourneySums Latency() const {
    const std::size_t last = last_ > 0 ? last_ : stages_.stages().size();
    return {stages_.stages().begin() + Index(first_ + 1), stages_.stages().begin() + Index(last)};
  }

 private:
  static std::ptrdiff_t Index(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }
  /// The event of a stage that the record shows; below 0: it does not.
  Cycle Event(cosim::Stage stage) const { return way_.At(stage) - 1; }

  void AddSender() {
    const std::string at = fmt::format("p{}", journey_.source);
    const cosim::StartWait& waited = journey_.waited;
    const auto add = [&](const char* name, Cycle cycle, const std::vector<JourneyWait>& waits) {
      stages_.Add(at, journey_.source, journey_.lane, name, cycle, 0, waits);
    };
    add("created", journey_.created, {});
    add("link free", waited.taken, {{"link down", waited.down_before}, {"packets before it", kRest}});
    add("sent", journey_.first,
        {{journey_.credits ? "no credit" : "paused", waited.blocked},
         {"link down", waited.down},
         {"passed by others", waited.passed},
         {"stalled", kRest}});
  }

  void AddInput() {
    const Cycle trigger = journey_.cut_through ? 0 : journey_.last - journey_.first;
    AddStage(cosim::Stage::kRequest, "requested", golden::kTriggerToQueued + golden::kEventToDecision + trigger,
             {{"queue stage or requester", kRest}});
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
    AddStage(cosim::Stage::kTake, "taken", golden::kEventToDecision,
             {{"link down", reckoned.take_down}, {"link busy", kRest}});
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
  const SwitchJourney& journey_;
  const cosim::PacketWay& way_;
  JourneyStages stages_;
  std::size_t first_ = 0;  ///< stage "sent": the latency counts from there
  std::size_t last_ = 0;   ///< behind the last stage that it counts
  Cycle unseen_ = 0;
};

std::string EndOf(const SwitchJourney& journey) {
  return journey.drop != Drop::kNone ? "dropped" : journey.delivered() ? "delivered" : "inside";
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
  const std::string end = journey.drop != Drop::kNone ? fmt::format(", dropped: {}", ToString(journey.drop)) : "";
  return fmt::format("packet {}: {} B, port {}{}{}", NameOf(journey), journey.bytes, journey.source, to, end);
}

}  // namespace

std::string NameOf(const SwitchJourney& journey) { return fmt::format("p{}:{}", journey.source, journey.number); }

Json SwitchJourneysJson(const cosim::SwitchSetup& setup, Cycle channel, const std::vector<SwitchJourney>& journeys) {
  Json all = Json::array();
  for (const SwitchJourney& journey : journeys) {
    const SwitchJourneyStages stages(setup, channel, journey);
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
             {"latency_cycles", journey.delivered() ? Json(journey.latency() + channel) : Json(nullptr)},
             {"quiet_cycles", sums.quiet},
             {"waits", WaitsJson(sums.waits)},
             {"sender_waits", WaitsJson(stages.Sender().waits)}};
    if (journey.drop != Drop::kNone) one["drop"] = ToString(journey.drop);
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
  story.marker = journey.first;
  story.marks = cosim::PacketStages::MarksOf(journey.way);
  story.marks.insert(story.marks.begin(), {"link in", journey.first});
  story.from = std::max<Cycle>(0, journey.first - kBeside);
  story.to = journey.delivered() ? journey.last_out + kBeside
                                 : std::max(journey.last, story.marks.back().at) + kBeyond;
  return story;
}

}  // namespace tilefly::runs
