// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "runs/system/link_figures.h"
#include "runs/system/net_report.h"

namespace tilefly::runs {
namespace {

using golden::CeilDiv;
using network::FarEnd;
using network::Figures;
using network::Network;
using nlohmann::json;

constexpr int kMostBlocks = 64;
constexpr int kSwitchesOfPage = 64;

/// Share of the measured cycles in which the port's link was sending.
double Utilisation(const Network& network, const Figures& figures, int node, int port) {
  return static_cast<double>(figures.nodes[node].ports[port].busy) / static_cast<double>(MeasuredCycles(network));
}

/// The group of a switch; of Aries one of the system's, which has several of the address.
int GroupOfSwitch(const topology::Topology& topology, int node) {
  const topology::Switch& one = topology.switches[node];
  const bool grouped = topology.family == "dragonfly" || topology.family == "aries";
  return grouped && !one.place.empty() ? one.place.front() : one.group;
}

/// Switches by group, in the order of the groups.
std::map<int, std::vector<int>> SwitchesByGroup(const Network& network) {
  std::map<int, std::vector<int>> groups;
  for (int n = 0; n < network.nodes(); ++n) groups[GroupOfSwitch(network.topology(), n)].push_back(n);
  return groups;
}

/// Blocks of groups against blocks of groups.
json GroupMap(const Network& network, const Figures& figures, const std::map<int, std::vector<int>>& groups) {
  struct Cell {
    double sum = 0;
    double most = 0;
    int links = 0;
  };
  const int count = static_cast<int>(groups.size());
  const int per_block = CeilDiv(count, kMostBlocks);
  const int blocks = CeilDiv(count, per_block);
  std::vector<int> block_of(network.nodes());
  int index = 0;
  for (const auto& [group, members] : groups) {
    for (const int n : members) block_of[n] = index / per_block;
    ++index;
  }
  std::vector<Cell> cells(static_cast<std::size_t>(blocks) * blocks);
  for (int n = 0; n < network.nodes(); ++n) {
    for (int port = 0; port < network.profile().ports; ++port) {
      const int far = network.wiring().far(n, port).node;
      if (far < 0 || GroupOfSwitch(network.topology(), far) == GroupOfSwitch(network.topology(), n)) continue;
      Cell& cell = cells[static_cast<std::size_t>(block_of[n]) * blocks + block_of[far]];
      const double used = Utilisation(network, figures, n, port);
      cell.sum += used;
      cell.most = std::max(cell.most, used);
      ++cell.links;
    }
  }
  json map{{"groups", count}, {"groups_of_block", per_block}, {"mean", json::array()}, {"most", json::array()}};
  for (int row = 0; row < blocks; ++row) {
    json mean = json::array(), most = json::array();
    for (int col = 0; col < blocks; ++col) {
      const Cell& cell = cells[static_cast<std::size_t>(row) * blocks + col];
      mean.push_back(cell.links > 0 ? json(static_cast<int>(1000 * cell.sum / cell.links + 0.5)) : json(nullptr));
      most.push_back(cell.links > 0 ? json(static_cast<int>(1000 * cell.most + 0.5)) : json(nullptr));
    }
    map["mean"].push_back(std::move(mean));
    map["most"].push_back(std::move(most));
  }
  return map;
}

json Page(const Network& network, const Figures& figures, const std::string& name, const int* first,
          std::size_t count) {
  json page{{"name", name}, {"switches", json::array()}, {"ports", json::array()}};
  for (std::size_t i = 0; i < count; ++i) {
    std::string row;
    for (int port = 0; port < network.profile().ports; ++port) {
      row += network.wiring().far(first[i], port).connected()
                 ? fmt::format("{:02x}", static_cast<int>(100 * Utilisation(network, figures, first[i], port) + 0.5))
                 : "..";
    }
    page["switches"].push_back(first[i]);
    page["ports"].push_back(row);
  }
  return page;
}

/// A page for each group; small systems, and those of many small groups, by the number of the switch.
json Pages(const Network& network, const Figures& figures, const std::map<int, std::vector<int>>& groups) {
  json pages = json::array();
  const auto several = [](const auto& one) { return one.second.size() > 1; };
  if (network.nodes() > kSwitchesOfPage && std::any_of(groups.begin(), groups.end(), several)) {
    for (const auto& [group, members] : groups) {
      pages.push_back(Page(network, figures, fmt::format("group {}", group), members.data(), members.size()));
    }
    return pages;
  }
  std::vector<int> all(network.nodes());
  for (int n = 0; n < network.nodes(); ++n) all[n] = n;
  for (std::size_t from = 0; from < all.size(); from += kSwitchesOfPage) {
    const std::size_t count = std::min<std::size_t>(kSwitchesOfPage, all.size() - from);
    pages.push_back(
        Page(network, figures, fmt::format("switches {} to {}", from, from + count - 1), &all[from], count));
  }
  return pages;
}

}  // namespace

json SystemMap(const Network& network, const Figures& figures) {
  const std::map<int, std::vector<int>> groups = SwitchesByGroup(network);
  json map{{"pages", Pages(network, figures, groups)}};
  if (groups.size() > 1) map["groups"] = GroupMap(network, figures, groups);
  return map;
}

}  // namespace tilefly::runs
