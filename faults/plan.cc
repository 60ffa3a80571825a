// SPDX-License-Identifier: Apache-2.0
#include "faults/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "faults/plan_values.h"
#include "support/errors.h"
#include "support/text.h"
#include "support/yaml_map.h"

namespace tilefly::faults {
namespace {

constexpr std::pair<const char*, EventKind> kKinds[] = {
    {"ber", EventKind::kBer},
    {"drop_word", EventKind::kDropWord},
    {"bad_word", EventKind::kBadWord},
    {"repeat_word", EventKind::kRepeatWord},
    {"drop_slot", EventKind::kDropSlot},
    {"bad_slot", EventKind::kBadSlot},
    {"repeat_slot", EventKind::kRepeatSlot},
    {"stuck", EventKind::kStuck},
    {"lane_down", EventKind::kLaneDown},
    {"lane_up", EventKind::kLaneUp},
    {"down", EventKind::kDown},
    {"up", EventKind::kUp},
    {"table", EventKind::kTable},
};

Chances ReadChances(YamlMap* map, const std::string& key, const Chances& initial) {
  const YAML::Node node = map->Find(key);
  if (!node.IsDefined()) return initial;
  YamlMap given(node, map->file(), key);
  Chances chances = initial;
  for (const auto& [name, value] : {std::pair{"drop", &chances.drop}, std::pair{"repeat", &chances.repeat},
                                    std::pair{"noise", &chances.noise}})
    *value = ReadShare(&given, name, *value);
  given.Finish();
  return chances;
}

Fec ReadFec(YamlMap* map) {
  const std::string text = map->Text("fec");
  for (const Fec fec : {Fec::kRs544, Fec::kLowLatency}) {
    if (text == NameOf(fec)) return fec;
  }
  throw UsageError(fmt::format("{}: '{}' is no FEC profile; write rs544 or low_latency", map->Origin("fec"), text));
}

Rates ReadRates(YamlMap* map, const Rates& initial) {
  Rates rates;
  rates.word_ber = ReadBitErrorRate(map, "word_ber", initial.word_ber);
  rates.slot_ber = ReadBitErrorRate(map, "slot_ber", initial.slot_ber);
  rates.burst = static_cast<int>(ReadWhole(map, "burst", initial.burst, 1, 1000));
  rates.word = ReadChances(map, "word", initial.word);
  rates.slot = ReadChances(map, "slot", initial.slot);
  return rates;
}

Direction ReadDirection(YamlMap* map, const char* initial = "both") {
  const std::string text = map->Text("direction", initial);
  if (text == "out") return Direction::kOut;
  if (text == "in") return Direction::kIn;
  if (text == "both") return Direction::kBoth;
  throw UsageError(fmt::format("{}: '{}' is no direction; write out, in or both", map->Origin("direction"), text));
}

LinkName ReadLink(YamlMap* map) {
  map->Require("link", "write the link, such as s3.17, e12 or p5");
  return ParseLinkName(map->Text("link"), map->Origin("link"));
}

/// The down time of links that ports give up.
std::int64_t ReadRetrain(YamlMap* map) {
  const std::int64_t cycles = ReadTime(map, "retrain");
  if (cycles == 0)
    throw UsageError(fmt::format("{}: a link that was given up is down for some time; give one, such as 20us", map->Origin("retrain")));
  return cycles;
}

/// Registers RETRY of both ends of all links.
PortRetry ReadRetry(YamlMap* plan) {
  PortRetry retry;
  const YAML::Node node = plan->Find("retry");
  if (!node.IsDefined()) return retry;
  YamlMap map(node, plan->file(), "retry");
  const auto read = [&](const char* key, auto* field, std::int64_t low, std::int64_t high) {
    *field = static_cast<std::decay_t<decltype(*field)>>(ReadWhole(&map, key, *field, low, high));
  };
  read("timer", &retry.timer, 1, 0xffff);
  read("limit", &retry.limit, 0, 255);
  read("threshold", &retry.threshold, 0, 255);
  read("watchdog", &retry.watchdog, 0, 0xffff);
  const std::string down = map.Text("down", kDownModes[0]);
  const auto* const mode = std::find_if(std::begin(kDownModes), std::end(kDownModes), [&](const char* one) { return down == one; });
  if (mode == std::end(kDownModes))
    throw UsageError(fmt::format("{}: '{}' is no mode of a link that is down; write discard, block or best_effort",
                                 map.Origin("down"), down));
  retry.down = static_cast<std::uint8_t>(mode - std::begin(kDownModes));
  map.Finish();
  return retry;
}

/// Registers LANES of both ends of all links.
PortLanes ReadLanes(YamlMap* plan) {
  PortLanes lanes;
  const YAML::Node node = plan->Find("lanes");
  if (!node.IsDefined()) return lanes;
  YamlMap map(node, plan->file(), "lanes");
  lanes.fail = static_cast<std::uint8_t>(ReadWhole(&map, "fail", lanes.fail, 0, 255));
  lanes.back = static_cast<std::uint8_t>(ReadWhole(&map, "back", lanes.back, 0, 255));
  map.Finish();
  return lanes;
}

/// The manager of the fabric.
std::optional<Manager> ReadManager(YamlMap* plan, std::vector<std::string>* warnings) {
  constexpr int kMostLanes = 16;
  const YAML::Node node = plan->Find("manager");
  if (!node.IsDefined()) return std::nullopt;
  YamlMap map(node, plan->file(), "manager");
  Manager manager;
  manager.origin = plan->Origin("manager");
  map.Require("tables", "write on (new routing tables when links go down or come up) or off");
  const std::string tables = map.Text("tables");
  if (tables != "on" && tables != "off")
    throw UsageError(fmt::format("{}: '{}' is not known; write on or off", map.Origin("tables"), tables));
  manager.tables = tables == "on";
  if (map.Find("delay").IsDefined()) manager.delay = ReadTime(&map, "delay");
  manager.lanes = static_cast<int>(ReadWhole(&map, "lanes", 0, map.Find("lanes").IsDefined() ? 1 : 0, kMostLanes));
  for (const char* const key : {"delay", "lanes"}) {
    if (!manager.tables && map.Find(key).IsDefined())
      warnings->push_back(fmt::format("warning: {} has no effect with tables: off; leave it out", map.Origin(key)));
  }
  map.Finish();
  return manager;
}

PlannedLink ReadPlannedLink(const YAML::Node& node, const std::string& file, const Rates& channel) {
  YamlMap map(node, file, "link");
  PlannedLink link;
  link.link = ReadLink(&map);
  link.direction = ReadDirection(&map);
  link.rates = ReadRates(&map, channel);
  link.origin = map.Origin("link");
  if (map.Find("fec").IsDefined())
    throw UsageError(fmt::format("{}: all links have one FEC profile; write the key in channel", map.Origin("fec")));
  if (map.Find("retrain").IsDefined()) link.retrain = ReadRetrain(&map);
  if (link.retrain && link.direction != Direction::kBoth)
    throw UsageError(fmt::format("{}: both directions of a link are down together; give the link an entry without direction",
                                 map.Origin("retrain")));
  map.Finish();
  return link;
}

EventKind ReadKind(YamlMap* map) {
  const std::string text = map->Text("kind");
  std::vector<std::string> known;
  for (const auto& [name, kind] : kKinds) {
    if (text == name) return kind;
    known.emplace_back(name);
  }
  ThrowUnknown(fmt::format("kind of event ({})", map->Origin("kind")), text, known);
}

CfgSpace ReadSpace(YamlMap* map) {
  const std::string text = map->Text("space");
  std::vector<std::string> known;
  for (const CfgSpace space : kCfgSpaceValues) {
    if (space == CfgSpace::kCounter) continue;
    if (text == ToString(space)) return space;
    known.emplace_back(ToString(space));
  }
  ThrowUnknown(fmt::format("register space ({})", map->Origin("space")), text, known);
}

PlannedWrite ReadWrite(YamlMap* map) {
  constexpr int kMostSwitches = 1 << 20, kMostIndex = (1 << 16) - 1, kMostPort = kMostIndex;
  PlannedWrite write;
  map->Require("switch", "write the number of the switch");
  map->Require("index", "write the register's index in its space");
  map->Require("value", "write the register's value, such as 0x30");
  write.node = static_cast<int>(ReadWhole(map, "switch", 0, 0, kMostSwitches));
  write.space = ReadSpace(map);
  write.index = static_cast<int>(ReadWhole(map, "index", 0, 0, kMostIndex));
  if (map->Find("port").IsDefined()) write.port = static_cast<int>(ReadWhole(map, "port", 0, 0, kMostPort));
  write.value = ReadBits(map, "value");
  return write;
}

PlannedEvent ReadEvent(const YAML::Node& node, const std::string& file) {
  YamlMap map(node, file, "event");
  PlannedEvent event;
  event.kind = ReadKind(&map);
  event.at = ReadTime(&map, "at");
  event.origin = OriginOf(file, node) + ": event";
  if (event.kind == EventKind::kTable) {
    event.write = ReadWrite(&map);
    map.Finish();
    return event;
  }
  event.link = ReadLink(&map);
  if (event.kind == EventKind::kDown || event.kind == EventKind::kUp) {  // of both directions
    if (event.kind == EventKind::kDown) event.cycles = ReadDuration(&map, "for");
    map.Finish();
    return event;
  }
  const bool of_lane = event.kind == EventKind::kLaneDown || event.kind == EventKind::kLaneUp;
  event.direction = ReadDirection(&map, of_lane ? "out" : "both");
  if (of_lane) {
    map.Require("lane", "write the SerDes lane, 0 to 3");
    event.lane = static_cast<int>(ReadWhole(&map, "lane", 0, 0, kSerdesLanes - 1));
    if (event.kind == EventKind::kLaneDown) event.cycles = ReadDuration(&map, "for");
  } else if (event.kind == EventKind::kBer) {
    map.Require("value", "write the bit error rate from then on, such as 1e-6");
    event.value = ReadBitErrorRate(&map, "value", 0);
  } else if (event.kind == EventKind::kStuck) {
    event.cycles = ReadDuration(&map, "for");
    const std::string what = map.Text("what", "all");
    if (what != "all" && what != "credits")
      throw UsageError(fmt::format("{}: '{}' is not known; write all or credits", map.Origin("what"), what));
    event.credits_alone = what == "credits";
  } else {
    event.count = static_cast<int>(ReadWhole(&map, "count", 1, 1, 1'000'000));
  }
  map.Finish();
  return event;
}

bool Overlap(const PlannedLink& a, const PlannedLink& b) {
  return a.link == b.link && (a.direction == b.direction || a.direction == Direction::kBoth || b.direction == Direction::kBoth);
}

}  // namespace

/// What the watchdog's time must be above, so that the replay limit comes first (link_retry page, Registers).
void WarnOfWatchdog(const YAML::Node& node, const std::string& file, Plan* plan) {
  constexpr int kUnit = 64, kNoLimit = 255, kMostWatchdog = 0xffff;
  const PortRetry& retry = plan->retry;
  const int watchdog = kUnit * retry.watchdog, replays = (retry.limit + 1) * retry.timer;
  if (retry.watchdog == 0 || retry.limit == kNoLimit || watchdog > replays) return;
  const int least = replays / kUnit + 1;
  plan->warnings.push_back(fmt::format("warning: {}: retry: the watchdog gives a link up after {} cycles, before the replays end "
                                       "after {}; give {}",
                                       OriginOf(file, node), watchdog, replays,
                                       least <= kMostWatchdog ? fmt::format("watchdog: {} or more", least)
                                                              : "a shorter timer, a lower limit, or watchdog: 0 (never)"));
}

/// The receiver tells the sender of a dead lane in the other direction, where the mask is lost when a lane is dead there.
void WarnOfDeadLanes(Plan* plan) {
  constexpr std::int64_t kSoon = 2000;
  std::map<std::string, const PlannedEvent*> latest;  // by link
  const auto warn = [&](const PlannedEvent& event) {
    plan->warnings.push_back(fmt::format("warning: {}: SerDes lanes of both directions of {} die within {} cycles: neither end can tell "
                                         "the other one which, so the link carries nothing until a lane is up again; give one "
                                         "direction, or times {} cycles apart",
                                         event.origin, event.link.Text(), kSoon, kSoon));
  };
  for (const PlannedEvent& event : plan->events) {
    if (event.kind != EventKind::kLaneDown) continue;
    const PlannedEvent*& before = latest[event.link.Text()];
    const bool soon = before != nullptr && before->direction != event.direction && event.at - before->at < kSoon;
    if (soon || event.direction == Direction::kBoth) warn(event);
    before = &event;
  }
}

bool Same(const Rates& a, const Rates& b) {
  const auto all = [](const Rates& of) {
    return std::tie(of.word_ber, of.slot_ber, of.burst, of.word.drop, of.word.repeat, of.word.noise, of.slot.drop, of.slot.repeat,
                    of.slot.noise);
  };
  return all(a) == all(b);
}

/// Of entries that change nothing, and of a plan by which nothing goes wrong.
void WarnOfNothing(const std::string& file, bool sets_more, Plan* plan) {
  for (const PlannedLink& link : plan->links) {
    if (Same(link.rates, plan->channel) && !link.retrain)
      plan->warnings.push_back(fmt::format("warning: {}: {} has the rates of all links, so the entry has no effect; give it a rate, or "
                                           "leave it out",
                                           link.origin, link.link.Text()));
  }
  const bool damages = Damages(plan->channel) || std::any_of(plan->links.begin(), plan->links.end(), [](const PlannedLink& link) {
                         return Damages(link.rates);
                       });
  if (!damages && plan->events.empty() && !sets_more)
    plan->warnings.push_back(fmt::format("warning: {}: nothing goes wrong by this plan: it has no rates and no events", file));
}

double ChanceOfBad(double ber, int bits) { return -std::expm1(bits * std::log1p(-ber)); }

const char* NameOf(Fec fec) { return fec == Fec::kRs544 ? "rs544" : "low_latency"; }

const char* NameOf(EventKind kind) {
  for (const auto& [name, one] : kKinds) {
    if (one == kind) return name;
  }
  return "";
}

Plan ReadPlan(const std::filesystem::path& file) {
  const std::string name = file.string();
  const YAML::Node root = LoadYaml(file);
  if (root.IsNull()) throw UsageError(fmt::format("{}: the plan is empty; write what goes wrong, or leave --fault-plan out", name));
  YamlMap map(root, name, "plan");
  Plan plan;
  if (const std::string seed = map.Text("seed", ""); !seed.empty()) {
    const std::int64_t value = ParseInteger(seed, map.Origin("seed"));
    if (value < 0) throw UsageError(fmt::format("{}: {} is no seed; write 0 or more", map.Origin("seed"), seed));
    plan.seed = static_cast<std::uint64_t>(value);
  }
  bool sets_more = false;
  if (const YAML::Node channel = map.Find("channel"); channel.IsDefined()) {
    YamlMap given(channel, name, "channel");
    plan.channel_origin = map.Origin("channel");
    plan.channel = ReadRates(&given, {});
    if (given.Find("retrain").IsDefined()) {
      plan.retrain_origin = given.Origin("retrain");
      plan.retrain = ReadRetrain(&given);
    }
    if (given.Find("fec").IsDefined()) {
      sets_more = true;
      plan.fec_origin = given.Origin("fec");
      plan.fec = ReadFec(&given);
    }
    given.Finish();
  }
  plan.retry = ReadRetry(&map);
  plan.lanes = ReadLanes(&map);
  plan.manager = ReadManager(&map, &plan.warnings);
  for (const char* const key : {"retry", "manager"}) sets_more = sets_more || map.Find(key).IsDefined();
  if (map.Find("retry").IsDefined()) plan.retry_origin = map.Origin("retry");
  if (map.Find("lanes").IsDefined()) plan.lanes_origin = map.Origin("lanes");
  if (const YAML::Node node = map.Find("retry"); node.IsDefined()) WarnOfWatchdog(node, name, &plan);
  for (const YAML::Node& node : map.List("links")) {
    PlannedLink link = ReadPlannedLink(node, name, plan.channel);
    if (link.retrain && plan.retrain_origin.empty()) plan.retrain_origin = link.origin + ": retrain";
    for (const PlannedLink& other : plan.links) {
      if (Overlap(link, other))
        throw UsageError(fmt::format("{}: {} stands twice; give one entry, or one for each direction", link.origin,
                                     link.link.Text()));
    }
    plan.links.push_back(std::move(link));
  }
  for (const YAML::Node& node : map.List("events")) plan.events.push_back(ReadEvent(node, name));
  map.Finish();
  std::stable_sort(plan.events.begin(), plan.events.end(),
                   [](const PlannedEvent& a, const PlannedEvent& b) { return a.at < b.at; });
  for (std::size_t i = 0; i < plan.events.size(); ++i) plan.events[i].number = static_cast<int>(i);
  WarnOfDeadLanes(&plan);
  WarnOfNothing(name, sets_more, &plan);
  return plan;
}

}  // namespace tilefly::faults
