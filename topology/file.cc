// SPDX-License-Identifier: Apache-2.0
#include "topology/file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "support/errors.h"
#include "support/text.h"
#include "support/yaml_map.h"
#include "topology/families.h"
#include "topology/parameters.h"
#include "topology/validate.h"

namespace tilefly::topology {
namespace {

int Number(const std::string& text, const std::string& what) {
  const std::int64_t value = ParseInteger(text, what);
  if (value < 0 || value > std::numeric_limits<int>::max() / 2)
    throw UsageError(fmt::format("{}: {} is out of range", what, value));
  return static_cast<int>(value);
}

/// A list of plain numbers under `key`; none when it is absent.
std::vector<int> Numbers(YamlMap* map, const std::string& key) {
  std::vector<int> numbers;
  for (const YAML::Node& item : map->List(key)) {
    if (!item.IsScalar()) throw UsageError(fmt::format("{}: plain numbers were expected", map->Origin(key)));
    numbers.push_back(Number(item.Scalar(), map->Origin(key)));
  }
  return numbers;
}

/// "[switch, port]" under a key that must be there.
Port PortAt(YamlMap* map, const std::string& key) {
  const std::vector<int> numbers = Numbers(map, key);
  if (numbers.size() != 2)
    throw UsageError(fmt::format("{}: write the end of a cable as {}: [switch, port]", map->Origin(key), key));
  return {numbers[0], numbers[1]};
}

double Length(YamlMap* map, double initial) {
  const std::string text = map->Text("length", MetresText(initial));
  return ParseMetres(text, map->Origin("length"));
}

/// `switches: 4` or a list of their addresses and coordinates.
void ReadSwitches(YamlMap* root, Topology* topology) {
  const YAML::Node given = root->Find("switches");
  if (given.IsDefined() && given.IsScalar()) {
    const int count = Number(given.Scalar(), root->Origin("switches"));
    if (count > kMaxGroups)
      throw UsageError(
          fmt::format("{}: {} switches without an address are a group each, and there are {} (9 bits, group "
                      "511 is kept for all ones); list them with group and index",
                      root->Origin("switches"), count, kMaxGroups));
    for (int s = 0; s < count; ++s) topology->switches.push_back({s, 0, {}});
    return;
  }
  for (const YAML::Node& item : root->List("switches")) {
    const auto s = static_cast<int>(topology->switches.size());
    YamlMap map(item, root->file(), fmt::format("switch {}", s));
    Switch one;
    one.group = Number(map.Text("group", std::to_string(s)), map.Origin("group"));
    one.index = Number(map.Text("index", "0"), map.Origin("index"));
    one.place = Numbers(&map, "place");
    map.Finish();
    topology->switches.push_back(one);
  }
}

void ReadLinks(YamlMap* root, Topology* topology) {
  const std::vector<std::string> kinds(std::next(std::begin(kKindNames)), std::end(kKindNames));
  for (const YAML::Node& item : root->List("links")) {
    YamlMap map(item, root->file(), fmt::format("link {}", topology->links.size()));
    Link link;
    link.a = PortAt(&map, "a");
    link.b = PortAt(&map, "b");
    const std::string name = map.Text("kind", NameOf(LinkKind::kLocal));
    const auto kind = std::find(kinds.begin(), kinds.end(), name);
    if (kind == kinds.end()) ThrowUnknown("kind (" + map.Origin("kind") + ")", name, kinds);
    link.kind = static_cast<LinkKind>(kind - kinds.begin() + 1);
    link.metres = Length(&map, link.kind == LinkKind::kGlobal ? kOpticalMetres : kCopperMetres);
    map.Finish();
    topology->links.push_back(link);
  }
  NumberTrunks(topology);
}

void ReadEndpoints(YamlMap* root, Topology* topology) {
  for (const YAML::Node& item : root->List("endpoints")) {
    const std::size_t e = topology->endpoints.size();
    YamlMap map(item, root->file(), fmt::format("endpoint {}", e));
    Endpoint endpoint;
    endpoint.port = PortAt(&map, "at");
    endpoint.node = Number(map.Text("node", std::to_string(e)), map.Origin("node"));
    endpoint.metres = Length(&map, kCopperMetres);
    map.Finish();
    topology->endpoints.push_back(endpoint);
  }
}

/// The profile that is wanted or named, or the smallest that has all ports that are used.
void ReadProfile(YamlMap* root, const std::string& wanted, Topology* topology) {
  int needed = 1;
  for (const Link& link : topology->links) needed = std::max({needed, link.a.port + 1, link.b.port + 1});
  for (const Endpoint& endpoint : topology->endpoints) needed = std::max(needed, endpoint.port.port + 1);
  const std::string named = root->Text("profile", "");
  SetProfile(wanted.empty() ? named : wanted, needed, root->file(), topology);
}

std::string ListText(const std::vector<int>& numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); }

}  // namespace

Topology ReadTopology(const std::filesystem::path& file, const std::string& profile) {
  YamlMap root(LoadYaml(file), file.string(), "topology");
  Topology topology;
  topology.name = file.string();
  const std::vector<std::string>& families = FamilyKinds();
  topology.family = root.Text("family", families.front());
  if (std::find(families.begin(), families.end(), topology.family) == families.end())
    ThrowUnknown("family (" + root.Origin("family") + ")", topology.family, families);
  topology.dimensions = Numbers(&root, "dimensions");
  ReadSwitches(&root, &topology);
  ReadLinks(&root, &topology);
  ReadEndpoints(&root, &topology);
  ReadProfile(&root, profile, &topology);
  root.Finish();
  Validate(topology, file.string());
  return topology;
}

std::string TopologyYaml(const Topology& topology) {
  std::string yaml = fmt::format("# {}\nfamily: {}\nprofile: {}\n", topology.name, topology.family, topology.profile);
  if (!topology.dimensions.empty()) yaml += fmt::format("dimensions: {}\n", ListText(topology.dimensions));
  auto out = std::back_inserter(yaml);
  yaml += "switches:\n";
  for (const Switch& one : topology.switches) {
    fmt::format_to(out, "- {{group: {}, index: {}", one.group, one.index);
    if (!one.place.empty()) fmt::format_to(out, ", place: {}", ListText(one.place));
    yaml += "}\n";
  }
  yaml += topology.links.empty() ? "links: []\n" : "links:\n";
  for (const Link& link : topology.links)
    fmt::format_to(out, "- {{a: [{}, {}], b: [{}, {}], kind: {}, length: {}}}\n", link.a.at, link.a.port, link.b.at,
                   link.b.port, NameOf(link.kind), MetresText(link.metres));
  yaml += topology.endpoints.empty() ? "endpoints: []\n" : "endpoints:\n";
  for (const Endpoint& endpoint : topology.endpoints)
    fmt::format_to(out, "- {{at: [{}, {}], node: {}, length: {}}}\n", endpoint.port.at, endpoint.port.port,
                   endpoint.node, MetresText(endpoint.metres));
  return yaml;
}

}  // namespace tilefly::topology
