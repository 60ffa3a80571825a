// SPDX-License-Identifier: Apache-2.0
#include "qos/class_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "generated/profile.h"
#include "golden/routing/route_names.h"
#include "qos/buffers.h"
#include "qos/quantity.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::qos {
namespace {

constexpr const Profile& kDefaults = kRosetta64;
constexpr int kMostDscp = 63;
constexpr int kMostPcp = 7;
const char* const kRouting = golden::kRouteNames[0].name;  ///< of a class that says nothing

int ReadInteger(YamlMap* map, const std::string& key, int initial, int least, int most) {
  const std::string text = map->Text(key, fmt::format("{}", initial));
  const std::int64_t value = ParseInteger(text, map->Origin(key));
  if (value < least || value > most)
    throw UsageError(fmt::format("{}: {} is not between {} and {}", map->Origin(key), value, least, most));
  return static_cast<int>(value);
}

/// A list of numbers from 0 to `most`.
std::vector<int> ReadNumbers(YamlMap* map, const std::string& key, int most) {
  std::vector<int> numbers;
  for (const YAML::Node& node : map->List(key)) {
    const std::int64_t value = ParseInteger(node.IsScalar() ? node.Scalar() : "", map->Origin(key));
    if (value < 0 || value > most)
      throw UsageError(fmt::format("{}: {} is not between 0 and {}", map->Origin(key), value, most));
    numbers.push_back(static_cast<int>(value));
  }
  return numbers;
}

/// The default burst is two packets of the class, so that a full bucket never holds one up.
std::optional<Maximum> ReadMaximum(YamlMap* owner, const TrafficClass& one, const Units& units) {
  const YAML::Node node = owner->Find("maximum");
  if (!node.IsDefined()) return std::nullopt;
  Maximum maximum;
  maximum.burst = 2 * one.mtu;
  if (node.IsScalar()) {
    maximum.share = ParseShare(node.Scalar(), units, owner->Origin("maximum"));
    return maximum;
  }
  YamlMap map(node, owner->file(), fmt::format("maximum of class {}", one.name));
  maximum.share = ParseShare(map.Text("rate"), units, map.Origin("rate"));
  maximum.burst = ParseCredits(map.Text("burst", fmt::format("{} credits", maximum.burst)), units, map.Origin("burst"));
  map.Finish();
  return maximum;
}

void ReadLatency(YamlMap* map, TrafficClass* one) {
  const bool distance = map->Find("distance").IsDefined();
  if (map->Find("latency").IsDefined()) {
    if (distance)
      throw UsageError(fmt::format("{}: beside it stands a distance; give one of the two", map->Origin("latency")));
    one->rank = ReadInteger(map, "latency", 0, 1, 64);
  } else if (distance) {
    one->distance = ReadInteger(map, "distance", 0, 1, kMaxEntries);
  }
}

void ReadShare(YamlMap* map, const Units& units, bool required, TrafficClass* one) {
  const std::string text = required ? map->Text("bandwidth") : map->Text("bandwidth", "");
  if (text == "rest") {
    if (!required)
      throw UsageError(fmt::format("{}: 'rest' is for wish lists; give a share", map->Origin("bandwidth")));
    one->rest = true;
  } else if (!text.empty()) {
    one->share = ParseShare(text, units, map->Origin("bandwidth"));
  }
}

TrafficClass ReadClass(const YAML::Node& node, const std::string& file, int index, const Units& units, bool shares) {
  YamlMap map(node, file, fmt::format("class {}", index));
  TrafficClass one;
  one.name = map.Text("name");
  constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  if (one.name.empty() || one.name.size() > 16 || one.name == "empty" ||
      one.name.find_first_not_of(kLetters) != std::string::npos)
    throw UsageError(fmt::format("{}: '{}' is no name of a class: 1 to 16 letters, digits, '_' or '-', and not 'empty'",
                                 map.Origin("name"), one.name));
  one.level = ReadInteger(&map, "level", index, 0, kDefaults.classes - 1);
  one.group = ReadInteger(&map, "group", 0, 0, kMaxGroup);
  one.mtu = ParseCredits(map.Text("mtu"), units, map.Origin("mtu"));
  if (one.mtu > units.gmtu)
    throw UsageError(fmt::format("{}: class {} has an MTU of {} credits, {} more than the general MTU (gmtu)",
                                 map.Origin("mtu"), one.name, one.mtu, one.mtu - units.gmtu));
  ReadShare(&map, units, shares, &one);
  ReadLatency(&map, &one);
  one.maximum = ReadMaximum(&map, one, units);
  one.ordered = ParseSwitch(map.Text("ordered", "off"), map.Origin("ordered"));
  one.lossy = ParseSwitch(map.Text("lossy", "off"), map.Origin("lossy"));
  one.routing = map.Text("routing", kRouting);
  if (golden::FindRouteName(one.routing) == nullptr)
    ThrowUnknown(map.Origin("routing"), one.routing, golden::RouteNames());
  one.lanes = ReadNumbers(&map, "lanes", kDefaults.vls - 1);
  one.own_lanes = !one.lanes.empty();
  one.dscp = ReadNumbers(&map, "dscp", kMostDscp);
  one.pcp = ReadNumbers(&map, "pcp", kMostPcp);
  one.buffer = ReadBuffer(&map, one, units);
  map.Finish();
  return one;
}

/// Throws when two classes claim the same `value`.
template <typename Key>
void Claim(std::map<Key, std::string>* owners, const Key& value, const TrafficClass& one, const char* what,
           const std::string& origin) {
  const auto [found, fresh] = owners->emplace(value, one.name);
  if (!fresh)
    throw UsageError(fmt::format("{}: {} {} belongs to class {} and to class {}; give each its own", origin, what,
                                 value, found->second, one.name));
}

/// Without lanes in the file each class has the lane of its level.
void AssignLanes(std::vector<TrafficClass>* classes, const std::string& origin) {
  const auto has_lanes = [](const TrafficClass& one) { return !one.lanes.empty(); };
  if (std::none_of(classes->begin(), classes->end(), has_lanes)) {
    for (TrafficClass& one : *classes) one.lanes = {one.level};
    return;
  }
  const auto without = std::find_if_not(classes->begin(), classes->end(), has_lanes);
  if (without != classes->end())
    throw UsageError(
        fmt::format("{}: class {} has no lanes, others have; give all of them lanes or none", origin, without->name));
}

}  // namespace

Units ReadUnits(YamlMap* root) {
  Units units;
  units.link_mbps = ParseRate(root->Text("link", "200Gbps"), root->Origin("link"));
  const auto bytes = [&](const char* key, const char* initial, std::int64_t least) {
    const std::int64_t value = ParseBytes(root->Text(key, initial), root->Origin(key));
    if (value < least || value > kMaxCreditBytes)
      throw UsageError(
          fmt::format("{}: {} B is not between {} B and {} B", root->Origin(key), value, least, kMaxCreditBytes));
    return static_cast<int>(value);
  };
  units.credit_bytes = bytes("credit", "48B", 1);
  units.header_bytes = bytes("header", "16B", 0);
  units.gmtu = ParseCredits(root->Text("gmtu", fmt::format("{}B", kDefaults.mtu_bytes)), units, root->Origin("gmtu"));
  return units;
}

std::vector<TrafficClass> ReadClasses(YamlMap* root, const Units& units, bool shares) {
  std::vector<TrafficClass> classes;
  const std::string origin = root->Origin("classes");
  const std::vector<YAML::Node> nodes = root->List("classes");
  if (nodes.empty() || nodes.size() > static_cast<std::size_t>(kDefaults.classes))
    throw UsageError(fmt::format("{}: {} classes; 1 to {} are possible", origin, nodes.size(), kDefaults.classes));
  std::map<std::string, std::string> names;
  std::map<int, std::string> levels;
  std::map<int, std::string> lanes, dscp, pcp;
  for (const YAML::Node& node : nodes) {
    classes.push_back(ReadClass(node, root->file(), static_cast<int>(classes.size()), units, shares));
    const std::string where = OriginOf(root->file(), node);
    Claim(&names, classes.back().name, classes.back(), "name", where);
    Claim(&levels, classes.back().level, classes.back(), "level", where);
    for (const int lane : classes.back().lanes) Claim(&lanes, lane, classes.back(), "lane", where);
    for (const int value : classes.back().dscp) Claim(&dscp, value, classes.back(), "dscp", where);
    for (const int value : classes.back().pcp) Claim(&pcp, value, classes.back(), "pcp", where);
  }
  AssignLanes(&classes, origin);
  return classes;
}

int FindClass(const std::vector<TrafficClass>& classes, const std::string& name, const std::string& what) {
  std::vector<std::string> names;
  for (const TrafficClass& one : classes) {
    if (one.name == name) return static_cast<int>(names.size());
    names.push_back(one.name);
  }
  ThrowUnknown(what, name, names);
}

std::string UnitsYaml(const Units& units) {
  return fmt::format("link: {}Mbps\ncredit: {}B\nheader: {}B\ngmtu: {} credits\n", units.link_mbps, units.credit_bytes,
                     units.header_bytes, units.gmtu);
}

std::string ClassYaml(const TrafficClass& one) {
  std::string text = fmt::format("  - name: {}\n    level: {}\n    group: {}\n    mtu: {} credits\n", one.name,
                                 one.level, one.group, one.mtu);
  if (one.share > 0) text += fmt::format("    bandwidth: {}\n", ShareText(one.share));
  if (one.distance > 0) text += fmt::format("    distance: {}\n", one.distance);
  if (one.maximum)
    text += fmt::format("    maximum: {{rate: {}, burst: {} credits}}\n", ShareText(one.maximum->share),
                        one.maximum->burst);
  text += fmt::format("    ordered: {}\n    lossy: {}\n    routing: {}\n", one.ordered ? "on" : "off",
                      one.lossy ? "on" : "off", one.routing);
  if (one.own_lanes) text += fmt::format("    lanes: [{}]\n", fmt::join(one.lanes, ", "));
  if (!one.dscp.empty()) text += fmt::format("    dscp: [{}]\n", fmt::join(one.dscp, ", "));
  if (!one.pcp.empty()) text += fmt::format("    pcp: [{}]\n", fmt::join(one.pcp, ", "));
  return text +
         fmt::format("    buffer: {{reserve: {} credits, most: {} credits}}\n", one.buffer.reserve, one.buffer.most);
}

}  // namespace tilefly::qos
