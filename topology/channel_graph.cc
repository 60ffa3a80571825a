// SPDX-License-Identifier: Apache-2.0
#include "topology/channel_graph.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <utility>

namespace tilefly::topology {
namespace {

using Sparse = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                  boost::no_property, std::uint32_t, std::uint64_t>;

}  // namespace

ChannelGraph::ChannelGraph(const Wiring& wiring, int lanes) : wiring_(wiring), lanes_(lanes), slot_(wiring.arcs()) {
  for (int at = 0; at < wiring.switches(); ++at) {
    const auto& out = wiring.Out(at);
    for (std::size_t i = 0; i < out.size(); ++i) slot_[out[i]] = static_cast<int>(i);
  }
  first_.reserve(size());
  std::size_t masks = 0;
  for (int channel = 0; channel < size(); ++channel) {
    first_.push_back(masks);
    masks += wiring.Out(wiring.Head(channel / lanes)).size();
  }
  lanes_wanted_.resize(masks);
}

void ChannelGraph::Add(const Channel& held, const Channel& wanted) {
  std::uint16_t& mask = lanes_wanted_[first_[held.arc * lanes_ + held.lane] + slot_[wanted.arc]];
  const auto bit = static_cast<std::uint16_t>(1u << wanted.lane);
  turns_ += (mask & bit) == 0 ? 1 : 0;
  mask |= bit;
}

std::vector<int> ChannelGraph::Wanted(int channel) const {
  std::vector<int> wanted;
  const auto& out = wiring_.Out(wiring_.Head(channel / lanes_));
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (unsigned mask = lanes_wanted_[first_[channel] + i]; mask != 0; mask &= mask - 1) {
      wanted.push_back(out[i] * lanes_ + __builtin_ctz(mask));
    }
  }
  return wanted;
}

/// Breadth first inside the component, back to `start`.
std::vector<int> ChannelGraph::CycleThrough(int start, const std::vector<int>& component) const {
  std::vector<int> before(size(), -1), queue{start};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const int wanted : Wanted(queue[i])) {
      if (component[wanted] != component[start] || before[wanted] >= 0) continue;
      before[wanted] = queue[i];
      queue.push_back(wanted);
    }
    if (before[start] >= 0) break;
  }
  std::vector<int> cycle{start};
  for (int channel = before[start]; channel != start; channel = before[channel]) cycle.push_back(channel);
  std::reverse(cycle.begin() + 1, cycle.end());
  return cycle;
}

std::vector<Channel> ChannelGraph::FindCycle() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arrows;
  arrows.reserve(turns_);
  for (int channel = 0; channel < size(); ++channel) {
    for (const int wanted : Wanted(channel)) arrows.emplace_back(channel, wanted);
  }
  const Sparse graph(boost::edges_are_sorted, arrows.begin(), arrows.end(), size());
  std::vector<int> component(size());
  const auto index = boost::get(boost::vertex_index, graph);
  boost::strong_components(graph, boost::make_iterator_property_map(component.begin(), index));
  // Of two ends of an arrow inside one component each is on a cycle: a channel that wants itself is one too.
  for (const auto& [held, wanted] : arrows) {
    if (component[held] != component[wanted]) continue;
    std::vector<Channel> cycle;
    for (const int channel : CycleThrough(static_cast<int>(held), component)) {
      cycle.push_back({channel / lanes_, channel % lanes_});
    }
    return cycle;
  }
  return {};
}

}  // namespace tilefly::topology
