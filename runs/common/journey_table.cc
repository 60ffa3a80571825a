// SPDX-License-Identifier: Apache-2.0
#include "runs/common/journey_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "support/errors.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

constexpr int kMostSlowest = 10000;
/// More journeys than that are in journeys.csv only.
constexpr std::size_t kMostInReport = 50;

/// "name 12; other 3".
std::string WaitsText(const nlohmann::ordered_json& waits) {
  std::string text;
  for (const auto& [reason, cycles] : waits.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", reason, cycles.get<Cycle>());
  return text;
}

/// Empty for null.
std::string TextOf(const nlohmann::ordered_json& value) { return value.is_null() ? "" : value.get<std::string>(); }

}  // namespace

network::JourneyChoice ParseJourneys(const std::string& text, const JourneySources& sources) {
  network::JourneyChoice choice;
  const char letter = sources.letter;
  const auto refuse = [&](const std::string& why) { throw UsageError(fmt::format("{}: {}", sources.option, why)); };
  for (const std::string& part : Split(text, ',')) {
    const std::vector<std::string> words = Split(part, ':');
    if (part == "all") {
      if (!sources.all) refuse("all: packets of one switch are followed by number, or the slowest; "
                                "give a packet, as p7:3, or slowest:K, as slowest:10");
      choice.all = true;
      continue;
    }
    if (words.size() == 2 && words[0] == "slowest") {
      const std::int64_t count = ParseInteger(words[1], fmt::format("{}: slowest", sources.option));
      if (count < 1 || count > kMostSlowest) refuse(fmt::format("slowest:{}: give 1 to {}", count, kMostSlowest));
      if (choice.slowest > 0) refuse(fmt::format("slowest:{}: the slowest stand in it twice; give one count", count));
      choice.slowest = static_cast<int>(count);
      continue;
    }
    if (words.size() != 2 || words[0].size() < 2 || words[0][0] != letter) {
      refuse(fmt::format("'{0}' is neither {4}slowest:K nor {1}{2}:N; {1}7:3 is the third packet that {3} 7 sends", part,
                         letter, static_cast<char>(letter - 'a' + 'A'), sources.one, sources.all ? "all, " : ""));
    }
    const std::string what = fmt::format("{}: {}", sources.option, part);
    const std::int64_t source = ParseInteger(words[0].substr(1), what);
    const std::int64_t number = ParseInteger(words[1], what);
    if (source < 0 || source >= sources.count)
      refuse(fmt::format("{0}: {1} {2}0 to {2}{3}", part, sources.whole, letter, sources.count - 1));
    if (number < 1) refuse(fmt::format("{}: packets are counted from 1", part));
    choice.packets.push_back({static_cast<int>(source), number});
  }
  return choice;
}

void JourneyStages::Add(const std::string& at, int port, int lane, const char* name, Cycle cycle, Cycle quiet,
                        const std::vector<JourneyWait>& waits) {
  JourneyStage stage{at, port, lane, name, cycle - begin_, cycle - before_, quiet, {}};
  Cycle left = stage.cycles - quiet;
  for (const JourneyWait& wait : waits) {
    const Cycle cycles = wait.cycles == JourneyWait::kRest ? left : std::min(left, wait.cycles);
    if (cycles > 0) stage.waits.push_back({wait.reason, cycles});
    left -= std::max<Cycle>(0, cycles);
  }
  stages_.push_back(std::move(stage));
  before_ = cycle;
}

JourneySums::JourneySums(std::vector<JourneyStage>::const_iterator first,
                         std::vector<JourneyStage>::const_iterator last) {
  for (; first != last; ++first) {
    quiet += first->quiet;
    for (const JourneyWait& wait : first->waits) {
      const auto found = std::find_if(waits.begin(), waits.end(), [&](const JourneyWait& one) {
        return std::string_view(one.reason) == wait.reason;
      });
      if (found == waits.end()) waits.push_back(wait); else found->cycles += wait.cycles;
    }
  }
}

nlohmann::ordered_json WaitsJson(const std::vector<JourneyWait>& waits) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const JourneyWait& wait : waits) json[wait.reason] = wait.cycles;
  return json;
}

nlohmann::ordered_json StagesJson(const std::vector<JourneyStage>& stages) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const JourneyStage& stage : stages) {
    json.push_back({{"at", stage.at},
                    {"port", stage.port},
                    {"lane", stage.lane},
                    {"stage", stage.name},
                    {"cycle", stage.cycle},
                    {"cycles", stage.cycles},
                    {"quiet_cycles", stage.quiet},
                    {"wait_cycles", stage.cycles - stage.quiet},
                    {"waits", WaitsJson(stage.waits)}});
    if (stage.path != nullptr) json.back()["path"] = stage.path;
  }
  return json;
}

std::string JourneyCsvLines(const nlohmann::ordered_json& journey) {
  std::string text;
  const std::string packet =
      fmt::format("{},{},{},{},{}", TextOf(journey["packet"]), TextOf(journey["source"]),
                  TextOf(journey["destination"]), journey["class"].get<int>(), journey["bytes"].get<int>());
  for (const auto& stage : journey["stages"]) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{}\n", packet, TextOf(stage["at"]),
                   stage["port"].get<int>(), stage["lane"].get<int>(), TextOf(stage["stage"]), stage.value("path", ""),
                   stage["cycle"].get<Cycle>(), stage["cycles"].get<Cycle>(), stage["quiet_cycles"].get<Cycle>(),
                   stage["wait_cycles"].get<Cycle>(), WaitsText(stage["waits"]));
  }
  return text;
}

JourneyFiles::JourneyFiles(const RunDirectory& directory)
    : json_(directory, "journeys.json"), csv_(directory, "journeys.csv") {
  csv_.Write("packet,source,destination,class,bytes,at,port,lane,stage,path,cycle,cycles,quiet_cycles,wait_cycles,waits\n");
}

/// The file is the array of all, dumped with an indentation of two; each is dumped by itself and moved in.
void JourneyFiles::Add(const nlohmann::ordered_json& journey) {
  std::string moved = count_ == 0 ? "[\n  " : ",\n  ";
  for (const char c : journey.dump(2)) {
    moved += c;
    if (c == '\n') moved += "  ";
  }
  json_.Write(moved);
  csv_.Write(JourneyCsvLines(journey));
  if (++count_ <= kMostInReport) shown_.push_back(nlohmann::json(journey));
}

void JourneyFiles::Close() {
  json_.Write(count_ == 0 ? "[]\n" : "\n]\n");
  json_.Close();
  csv_.Close();
}

}  // namespace tilefly::runs
