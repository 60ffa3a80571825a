// SPDX-License-Identifier: Apache-2.0
#include "network/stall_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "network/first_cycle.h"

namespace tilefly::network {
namespace {

using Lane = std::tuple<int, int, int>;  ///< node, output port, VL

/// Lines of a part of the report.
constexpr std::size_t kMostLanes = 20;

std::string FarEndText(const Network& network, int node, int port) {
  const FarEnd& far = network.wiring().far(node, port);
  if (far.node < 0) return fmt::format("endpoint {}", far.endpoint);
  return fmt::format("switch {} port {}", far.node, far.port);
}

bool HasCredit(const Network& network, const Lane& lane) {
  const auto [node, port, vl] = lane;
  const golden::PortRegisters& registers = network.node(node).registers()->port(port);
  return network.node(node).Credits(port).LaneOk(vl, *registers.credit, network.profile().mtu_cells);
}

}  // namespace

/// What the switches of a process know.
struct StallReport::Facts {
  /// A packet of lane (port, vl) of `node` that has come by (input, vl_in).
  struct Held {
    bool operator==(const Held& other) const {
      return std::tie(node, input, vl_in, port, vl) ==
             std::tie(other.node, other.input, other.vl_in, other.port, other.vl);
    }
    int node;
    std::uint8_t input, vl_in, port, vl;
  };

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(down, silent, lanes, held, blocked, to_send_again, unknown_switches);
  }
  void Append(const Facts& other);
  void Collect(const Network& network, int n);
  void CollectLinksOfDevice(const Network& network, int n);

  std::vector<DownLink> down;
  std::vector<SilentLink> silent;
  std::vector<StalledLane> lanes;
  std::vector<Held> held;
  std::vector<int> blocked;
  int to_send_again = 0;
  int unknown_switches = 0;
};

void StallReport::Facts::Append(const Facts& other) {
  down.insert(down.end(), other.down.begin(), other.down.end());
  lanes.insert(lanes.end(), other.lanes.begin(), other.lanes.end());
  held.insert(held.end(), other.held.begin(), other.held.end());
  silent.insert(silent.end(), other.silent.begin(), other.silent.end());
  blocked.insert(blocked.end(), other.blocked.begin(), other.blocked.end());
  to_send_again += other.to_send_again;
  unknown_switches += other.unknown_switches;
}

void StallReport::Facts::Collect(const Network& network, int n) {
  const Node& node = network.node(n);
  for (const Nic& nic : node.nics()) {
    if (nic.without_credit()) blocked.push_back(nic.endpoint());
    to_send_again += nic.to_send_again();
  }
  if (!node.is_golden()) {
    ++unknown_switches;
    CollectLinksOfDevice(network, n);
    return;
  }
  const auto own = static_cast<std::ptrdiff_t>(held.size());
  std::map<Lane, int> waiting;
  node.ForEachQueued([&](int, int, int output, int vl) { ++waiting[Lane{n, output, vl}]; });
  std::map<int, int> granted;  // by output; reduction packets are in no books
  const golden::Switch* const stepped = node.golden();  // null: halves, whose links neither go down nor repeat
  if (stepped != nullptr) {
    stepped->ForEachInOutputBuffers(
        [&](const golden::Packet& packet) { granted[packet.output] += packet.header.is_red() ? 0 : 1; });
  }
  for (int port = 0; port < network.profile().ports; ++port) {
    const Cycle since = node.DownSince(port, network.cycle());
    const bool given_up = node.HasGivenUp(port);
    const bool is_down = since != kNever || given_up;
    const int of_nic = is_down ? 0 : node.CountHeldByNic(port), of_port = node.CountHeld(port);
    const bool no_credits = !is_down && stepped != nullptr && !stepped->knows_credits(port);
    if (of_nic > 0) silent.push_back({n, port, true, false, of_nic, 0});
    if (!is_down && !no_credits && of_port == 0) continue;
    const auto first = waiting.lower_bound(Lane{n, port, 0}), end = waiting.lower_bound(Lane{n, port + 1, 0});
    const int queued = std::accumulate(first, end, 0, [](int sum, const auto& lane) { return sum + lane.second; });
    if (is_down) {
      down.push_back({n, port, given_up ? kNever : since - network.nics().begin, granted[port] + of_port + queued});
    } else if (of_port > 0 || queued > 0) {
      silent.push_back({n, port, false, no_credits, of_port, queued});
    }
    waiting.erase(first, end);
  }
  for (auto lane = waiting.begin(); lane != waiting.end();) {
    if (HasCredit(network, lane->first)) {
      lane = waiting.erase(lane);
      continue;
    }
    const auto [at, port, vl] = lane->first;
    lanes.push_back({at, port, vl, lane->second, node.Credits(port).used(vl), {}});
    ++lane;
  }
  node.ForEachQueued([&](int input, int vl_in, int output, int vl) {
    if (waiting.count(Lane{n, output, vl}) == 0) return;
    const Held one{n, static_cast<std::uint8_t>(input), static_cast<std::uint8_t>(vl_in),
                   static_cast<std::uint8_t>(output), static_cast<std::uint8_t>(vl)};
    if (std::find(held.begin() + own, held.end(), one) == held.end()) held.push_back(one);
  });
}

/// What is seen of a device from outside: its links, and the replay buffers at them.
void StallReport::Facts::CollectLinksOfDevice(const Network& network, int n) {
  const Node& node = network.node(n);
  for (int port = 0; port < network.profile().ports; ++port) {
    const Cycle since = node.DownSince(port, network.cycle());
    if (since != kNever || node.HasGivenUp(port)) {
      down.push_back({n, port, node.HasGivenUp(port) ? kNever : since - network.nics().begin, kUnknown});
      continue;
    }
    if (const int held = node.CountHeldByNic(port); held > 0) silent.push_back({n, port, true, false, held, 0});
    if (const int held = node.CountHeld(port); held > 0) silent.push_back({n, port, false, false, held, kUnknown});
  }
}

StallReport::StallReport(const Network& network) {
  Facts facts;
  for (int n = 0; n < network.nodes(); ++n) {
    if (network.Has(n)) facts.Collect(network, n);
  }
  SavedBytes own;
  Saver save(&own);
  if (!network.processes().first()) save(facts);
  for (const SavedBytes& bytes : network.processes().Gather(own)) {
    if (!bytes.empty()) facts.Append(Loader(bytes).Get<Facts>());
  }
  Link(network, facts);
}

/// Whose packets wait for whom.
void StallReport::Link(const Network& network, const Facts& facts) {
  blocked = facts.blocked;
  std::sort(blocked.begin(), blocked.end());
  blocked_nics = static_cast<int>(blocked.size());
  silent = facts.silent;
  std::sort(silent.begin(), silent.end(), [](const SilentLink& a, const SilentLink& b) {
    return std::tie(a.node, a.port, a.of_nic) < std::tie(b.node, b.port, b.of_nic);
  });
  to_send_again = facts.to_send_again;
  unknown_switches = facts.unknown_switches;
  down = facts.down;
  std::sort(down.begin(), down.end(),
            [](const DownLink& a, const DownLink& b) { return std::tie(a.node, a.port) < std::tie(b.node, b.port); });
  lanes = facts.lanes;
  std::sort(lanes.begin(), lanes.end(), [](const StalledLane& a, const StalledLane& b) {
    return std::tie(a.node, a.port, a.vl) < std::tie(b.node, b.port, b.vl);
  });
  std::map<Lane, int> index;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    index[{lanes[i].node, lanes[i].port, lanes[i].vl}] = static_cast<int>(i);
  }
  std::vector<Facts::Held> held = facts.held;
  std::stable_sort(held.begin(), held.end(),
                   [](const Facts::Held& a, const Facts::Held& b) { return a.node < b.node; });
  for (const Facts::Held& one : held) {
    const FarEnd& from = network.wiring().far(one.node, one.input);
    const auto sender = index.find(Lane{from.node, from.port, one.vl_in});
    if (from.node < 0 || sender == index.end()) continue;
    const int lane = index.at(Lane{one.node, one.port, one.vl});
    std::vector<int>& waits_for = lanes[sender->second].waits_for;
    if (std::find(waits_for.begin(), waits_for.end(), lane) == waits_for.end()) waits_for.push_back(lane);
  }
  std::vector<std::vector<int>> next;
  for (const StalledLane& lane : lanes) next.push_back(lane.waits_for);
  cycle = FirstCycle(next);
}

std::string StallReport::DownLines(const Network& network) const {
  std::string text;
  for (std::size_t i = 0; i < down.size() && i < kMostLanes; ++i) {
    const std::string how = down[i].since == kNever
                                ? "was given up: its replays brought no packet"
                                : fmt::format("is down since cycle {} ({})", down[i].since,
                                              network.options().faults.empty() ? "--fault-plan" : "--fail-link");
    text += fmt::format(
        "  switch {} port {}: the link to {} {}, {} wait for it\n", down[i].node, down[i].port,
        FarEndText(network, down[i].node, down[i].port), how,
        down[i].packets == kUnknown ? "it is not known how many packets" : fmt::format("{} packets", down[i].packets));
  }
  if (down.size() > kMostLanes) text += fmt::format("  and {} more links that are down\n", down.size() - kMostLanes);
  return text;
}

std::string StallReport::SilentLines(const Network& network) const {
  std::string text;
  for (std::size_t i = 0; i < silent.size() && i < kMostLanes; ++i) {
    const SilentLink& link = silent[i];
    const std::string port = fmt::format("switch {} port {}", link.node, link.port), far = FarEndText(network, link.node, link.port);
    text += fmt::format("  {}: ", link.of_nic ? far : port);
    if (link.no_credits)
      text += fmt::format("{} has sent no credits since the link came up, {} packets wait", link.of_nic ? port : far, link.waiting);
    else
      text += fmt::format(
          "{} accepts nothing: {} packets in the replay buffer, {} wait", link.of_nic ? port : far, link.held,
          link.waiting == kUnknown ? "it is not known how many more" : fmt::format("{} more", link.waiting));
    text += "\n";
  }
  if (silent.size() > kMostLanes) text += fmt::format("  and {} more links whose far ends say nothing\n", silent.size() - kMostLanes);
  return text;
}

std::string StallReport::Text(const Network& network) const {
  const auto line = [&](const StalledLane& lane) {
    return fmt::format("  switch {} port {} lane {}: {} packets wait, {} holds {} cells\n", lane.node, lane.port,
                       lane.vl, lane.packets, FarEndText(network, lane.node, lane.port), lane.used);
  };
  std::string text =
      fmt::format("no progress: {} packets inside, {} outputs' lanes without credit, {} NICs without credit\n",
                  network.standing().in_flight, lanes.size(), blocked_nics);
  if (to_send_again > 0) text += fmt::format("{} packets timed out, and their NICs cannot send them again\n", to_send_again);
  if (unknown_switches > 0)
    text += fmt::format("what waits in {} of the switches is not known: they are no golden ones\n", unknown_switches);
  text += DownLines(network) + SilentLines(network);
  const auto named = static_cast<std::ptrdiff_t>(std::min(blocked.size(), kMostLanes));
  if (named > 0)
    text += fmt::format("  without credit: endpoints {}{}\n", fmt::join(blocked.begin(), blocked.begin() + named, ", "),
                        blocked.size() > kMostLanes ? " and more" : "");
  if (!cycle.empty())
    text += fmt::format("a cycle of {}, each waits for room that the next one must make:\n", cycle.size());
  for (std::size_t i = 0; i < cycle.size() && i < kMostLanes; ++i) text += line(lanes[cycle[i]]);
  if (cycle.size() > kMostLanes) text += fmt::format("  and {} more\n", cycle.size() - kMostLanes);
  if (cycle.empty() && !lanes.empty()) {
    text += "no cycle among them\n";
    for (std::size_t i = 0; i < lanes.size() && i < kMostLanes; ++i) text += line(lanes[i]);
  }
  return text;
}

}  // namespace tilefly::network
