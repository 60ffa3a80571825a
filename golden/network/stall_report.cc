// SPDX-License-Identifier: Apache-2.0
#include "golden/network/stall_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace tilefly::golden {
namespace {

using Lane = std::tuple<int, int, int>;  ///< node, output port, VL

bool HasCredit(const Network& network, const Lane& lane) {
  const auto [node, port, vl] = lane;
  const Switch& device = network.node(node).device();
  const PortRegisters& registers = device.registers().port(port);
  return device.credits(port).LaneOk(vl, *registers.credit, network.profile().mtu_cells);
}

/// The first cycle of the graph in depth-first order; empty without one.
class CycleFinder {
 public:
  explicit CycleFinder(const std::vector<StalledLane>& lanes) : lanes_(lanes), state_(lanes.size(), kNew) {}

  std::vector<int> Find() {
    for (int start = 0; start < static_cast<int>(lanes_.size()); ++start) {
      if (state_[start] == kNew && Visit(start)) return {std::find(way_.begin(), way_.end(), closing_), way_.end()};
      way_.clear();
    }
    return {};
  }

 private:
  enum State : std::uint8_t { kNew, kOnWay, kDone };

  /// Whether a way from `start` comes back to itself; then it is in `way_`.
  bool Visit(int start) {
    std::vector<std::size_t> next = {0};
    way_ = {start};
    state_[start] = kOnWay;
    while (!way_.empty()) {
      const std::vector<int>& after = lanes_[way_.back()].waits_for;
      if (next.back() == after.size()) {
        state_[way_.back()] = kDone;
        way_.pop_back();
        next.pop_back();
        continue;
      }
      const int lane = after[next.back()++];
      if (state_[lane] == kOnWay) {
        closing_ = lane;
        return true;
      }
      if (state_[lane] == kDone) continue;
      state_[lane] = kOnWay;
      way_.push_back(lane);
      next.push_back(0);
    }
    return false;
  }

  const std::vector<StalledLane>& lanes_;
  std::vector<State> state_;
  std::vector<int> way_;
  int closing_ = -1;
};

}  // namespace

StallReport::StallReport(const Network& network) {
  std::map<Lane, int> waiting;
  const auto for_each_queued = [&](const auto& visit) {
    for (int n = 0; n < network.nodes(); ++n) {
      network.node(n).device().ForEachQueued([&](const Packet& packet) {
        visit(n, packet, Lane{n, packet.output, packet.vl});
      });
    }
  };
  for_each_queued([&](int, const Packet&, const Lane& lane) { ++waiting[lane]; });
  std::map<Lane, int> index;
  for (const auto& [lane, packets] : waiting) {
    if (HasCredit(network, lane)) continue;
    const auto [node, port, vl] = lane;
    index[lane] = static_cast<int>(lanes.size());
    lanes.push_back({node, port, vl, packets, network.node(node).device().credits(port).used(vl), {}});
  }
  for_each_queued([&](int n, const Packet& packet, const Lane& lane) {
    const FarEnd& from = network.wiring().far(n, packet.input);
    if (from.node < 0 || index.count(lane) == 0) return;
    const auto sender = index.find(Lane{from.node, from.port, packet.vl_in});
    if (sender == index.end()) return;
    std::vector<int>& waits_for = lanes[sender->second].waits_for;
    if (std::find(waits_for.begin(), waits_for.end(), index[lane]) == waits_for.end()) waits_for.push_back(index[lane]);
  });
  cycle = CycleFinder(lanes).Find();
  for (int n = 0; n < network.nodes(); ++n) {
    for (const Nic& nic : network.node(n).nics()) blocked_nics += nic.blocked_lane() >= 0;
  }
}

std::string StallReport::Text(const Network& network) const {
  constexpr std::size_t kMost = 20;
  const auto line = [&](const StalledLane& lane) {
    const FarEnd& far = network.wiring().far(lane.node, lane.port);
    const std::string to =
        far.node >= 0 ? fmt::format("switch {} port {}", far.node, far.port) : fmt::format("endpoint {}", far.endpoint);
    return fmt::format("  switch {} port {} lane {}: {} packets wait, {} holds {} cells\n", lane.node, lane.port,
                       lane.vl, lane.packets, to, lane.used);
  };
  std::string text =
      fmt::format("no progress: {} packets inside, {} outputs' lanes without credit, {} NICs without credit\n",
                  network.statistics().in_flight(), lanes.size(), blocked_nics);
  if (!cycle.empty())
    text += fmt::format("a cycle of {}, each waits for room that the next one must make:\n", cycle.size());
  for (std::size_t i = 0; i < cycle.size() && i < kMost; ++i) text += line(lanes[cycle[i]]);
  if (cycle.size() > kMost) text += fmt::format("  and {} more\n", cycle.size() - kMost);
  if (cycle.empty()) {
    text += "no cycle among them\n";
    for (std::size_t i = 0; i < lanes.size() && i < kMost; ++i) text += line(lanes[i]);
  }
  return text;
}

}  // namespace tilefly::golden
