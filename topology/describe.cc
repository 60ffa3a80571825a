// SPDX-License-Identifier: Apache-2.0
#include "topology/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "topology/graph.h"

namespace tilefly::topology {
namespace {

constexpr double kLinkTbPerS = 0.025;  ///< 200 Gb/s, one direction

Range RangeOf(const std::vector<int>& values) {
  if (values.empty()) return {};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {*least, *most};
}

void CountPorts(const Topology& topology, Description* description) {
  std::vector<int> degree(topology.switches.size());
  for (const Link& link : topology.links) {
    ++degree[link.a.at];
    ++degree[link.b.at];
    const int kind = static_cast<int>(link.kind);
    ++description->links[kind];
    description->metres[kind] += link.metres;
  }
  std::vector<int> ports = degree;
  for (const Endpoint& endpoint : topology.endpoints) {
    ++ports[endpoint.port.at];
    description->metres[0] += endpoint.metres;
    description->nodes = std::max(description->nodes, endpoint.node + 1);
  }
  description->links[0] = static_cast<std::int64_t>(topology.endpoints.size());
  description->degree = RangeOf(degree);
  description->ports = RangeOf(ports);
  description->mean_degree =
      2.0 * static_cast<double>(topology.links.size()) / static_cast<double>(topology.switches.size());
}

/// Links between groups; pairs without a link count as 0.
void CountGroups(const Topology& topology, Description* description) {
  std::vector<int> group = GroupsOf(topology);
  std::vector<int> names = group;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto count = static_cast<int>(names.size());
  description->groups = count;
  if (count < 2) return;
  for (int& g : group) g = static_cast<int>(std::lower_bound(names.begin(), names.end(), g) - names.begin());
  std::vector<int> pairs(static_cast<std::size_t>(count) * (count - 1) / 2);
  std::int64_t between = 0;
  for (const Link& link : topology.links) {
    const auto [i, j] = std::minmax(group[link.a.at], group[link.b.at]);
    if (i == j) continue;
    ++pairs[static_cast<std::size_t>(j) * (j - 1) / 2 + i];
    ++between;
  }
  description->pair_links = RangeOf(pairs);
  const auto [least, most] = description->pair_links;
  if (least != most || count % 2 != 0) return;
  const std::int64_t cut = static_cast<std::int64_t>(count / 2) * (count / 2) * least;
  description->halves = {cut, 2 * kLinkTbPerS * static_cast<double>(cut),
                         2 * kLinkTbPerS * static_cast<double>(between) * count / (count - 1)};
}

std::string RangeText(const Range& range) {
  return range.least == range.most ? fmt::format("{}", range.most) : fmt::format("{} to {}", range.least, range.most);
}

nlohmann::ordered_json RangeJson(const Range& range) { return {{"min", range.least}, {"max", range.most}}; }

}  // namespace

Description Describe(const Topology& topology) {
  Description description;
  description.switches = static_cast<int>(topology.switches.size());
  description.endpoints = static_cast<int>(topology.endpoints.size());
  CountPorts(topology, &description);
  CountGroups(topology, &description);
  description.distances = MeasureDistances(topology);
  return description;
}

std::string DescriptionText(const Topology& topology, const Description& d) {
  std::string text;
  const auto line = [&](const char* name, const std::string& value) { text += fmt::format("{:<14}{}\n", name, value); };
  line("topology", topology.name);
  line("switches", fmt::format("{}{} of profile {}, {} of {} ports used", d.switches,
                               d.groups > 1 ? fmt::format(" in {} groups", d.groups) : "", topology.profile,
                               RangeText(d.ports), topology.radix));
  line("endpoints", d.endpoints == d.nodes ? fmt::format("{}, one a node", d.endpoints)
                                           : fmt::format("{} of {} nodes", d.endpoints, d.nodes));
  std::string kinds;
  for (int kind = 1; kind < kKinds; ++kind) {
    if (d.links[kind] > 0)
      kinds +=
          fmt::format("{}{} {} ({:.0f}m)", kinds.empty() ? "" : ", ", d.links[kind], kKindNames[kind], d.metres[kind]);
  }
  line("links", kinds.empty() ? "none" : kinds + fmt::format("; {} a switch", RangeText(d.degree)));
  if (d.groups > 1) line("", fmt::format("{} for each pair of groups", RangeText(d.pair_links)));
  line("distance", fmt::format("{} links at most, {:.3f} on average between switches, {:.3f} between endpoints",
                               d.distances.diameter(), d.distances.mean, d.distances.endpoints_mean));
  if (d.halves)
    line("group halves", fmt::format("{} links between them, {:.6g} TB/s both ways (no smaller than the minimum "
                                     "bisection); all to all at most {:.6g} TB/s over global links",
                                     d.halves->links, d.halves->bisection_tb_per_s, d.halves->all_to_all_tb_per_s));
  return text;
}

nlohmann::ordered_json DescriptionJson(const Topology& topology, const Description& d) {
  nlohmann::ordered_json json = {{"name", topology.name},   {"family", topology.family}, {"profile", topology.profile},
                                 {"radix", topology.radix}, {"switches", d.switches},    {"endpoints", d.endpoints},
                                 {"nodes", d.nodes},        {"groups", d.groups}};
  for (int kind = 0; kind < kKinds; ++kind) {
    json["links"][kKindNames[kind]] = d.links[kind];
    json["cable_m"][kKindNames[kind]] = d.metres[kind];
  }
  if (d.groups > 1) json["links_per_group_pair"] = RangeJson(d.pair_links);
  json["degree"] = RangeJson(d.degree);
  json["degree"]["mean"] = d.mean_degree;
  json["ports_used"] = RangeJson(d.ports);
  json["distance"] = {{"diameter", d.distances.diameter()},
                      {"mean", d.distances.mean},
                      {"mean_endpoints", d.distances.endpoints_mean},
                      {"pairs", d.distances.pairs}};
  if (d.halves)
    json["group_halves"] = {{"links", d.halves->links},
                            {"bisection_tb_per_s", d.halves->bisection_tb_per_s},
                            {"all_to_all_tb_per_s", d.halves->all_to_all_tb_per_s}};
  return json;
}

}  // namespace tilefly::topology
