// SPDX-License-Identifier: Apache-2.0
#include "network/sample_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "topology/graph.h"

namespace tilefly::network {
namespace {

constexpr double kLanes = 4;  ///< of a link between switches, a word a cycle

/// Names of the groups; `*group_of` becomes the index of each switch's.
std::vector<std::string> NameGroups(const topology::Topology& topology, std::vector<int>* group_of) {
  const std::vector<int> numbers = topology::GroupsOf(topology);
  group_of->assign(topology.switches.size(), 0);
  std::map<int, int> index;
  for (const int number : numbers) index.emplace(number, 0);
  if (index.size() < 2) return {""};
  const int in_block = golden::CeilDiv(static_cast<int>(index.size()), SampleFrame::kMostGroups);
  std::vector<std::string> names;
  int count = 0, first = 0;
  for (auto& [number, own] : index) {
    if (count++ % in_block == 0) {
      first = number;
      names.push_back(fmt::format("{}", number));
    } else {
      names.back() = fmt::format("{}-{}", first, number);
    }
    own = static_cast<int>(names.size()) - 1;
  }
  for (std::size_t s = 0; s < numbers.size(); ++s) (*group_of)[s] = index.at(numbers[s]);
  return names;
}

}  // namespace

SampleFrame::SampleFrame(const topology::Topology& topology, const Wiring& wiring, int nic_lanes)
    : ports(wiring.ports()), groups(NameGroups(topology, &group_of_node)) {
  for (const topology::Endpoint& endpoint : topology.endpoints)
    group_of_endpoint.push_back(group_of_node[static_cast<std::size_t>(endpoint.port.at)]);
  const auto directions = 2 * (topology.links.size() + topology.endpoints.size());
  each_link = directions <= static_cast<std::size_t>(kMostLinks);
  link_of_port.assign(static_cast<std::size_t>(wiring.nodes() * ports), -1);
  link_of_nic.assign(topology.endpoints.size(), -1);
  std::map<std::pair<int, std::string>, int> sums;  // series, by group and kind
  const auto add = [&](int group, const std::string& kind, const std::string& name, int lanes) {
    const std::string sum = groups[group].empty() ? kind : fmt::format("{} {}", groups[group], kind);
    auto found = sums.find({group, kind});
    if (each_link || found == sums.end()) {
      links.push_back({each_link ? name : sum});
      found = sums.insert_or_assign({group, kind}, static_cast<int>(links.size()) - 1).first;
    }
    Link& link = links[static_cast<std::size_t>(found->second)];
    link.words_per_cycle += lanes / kLanes;
    return found->second;
  };
  for (int n = 0; n < wiring.nodes(); ++n) {
    for (int port = 0; port < ports; ++port) {
      const FarEnd& far = wiring.far(n, port);
      if (!far.connected()) continue;
      const int group = group_of_node[n];
      const std::string own = fmt::format("s{}.{}", n, port);
      const bool is_nic = far.endpoint >= 0;
      const std::string other = is_nic ? fmt::format("e{}", far.endpoint) : fmt::format("s{}.{}", far.node, far.port);
      const int lanes = is_nic ? nic_lanes : static_cast<int>(kLanes);
      const int out = add(group, NameOf(far.kind), fmt::format("{}->{}", own, other), lanes);
      links[static_cast<std::size_t>(out)].to_nic = is_nic;
      link_of_port[static_cast<std::size_t>(n * ports + port)] = out;
      if (!is_nic) continue;
      const int in = add(group, "nic", fmt::format("{}->{}", other, own), lanes);
      links[static_cast<std::size_t>(in)].from_nic = true;
      link_of_nic[static_cast<std::size_t>(far.endpoint)] = in;
    }
  }
}

}  // namespace tilefly::network
