// SPDX-License-Identifier: Apache-2.0
#include "runs/system/link_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using golden::LinkState;
using golden::LinkStatistics;
using network::FarEnd;
using network::Figures;
using network::Network;
using network::Nic;

constexpr std::array<const char*, golden::kLinkStates> kStateNames = {
    "busy", "retry", "crossing", "arbitration", "no_credit", "no_room", "scheduler",
    "throttled", "nothing"};

/// What the NIC's link did in the measured cycles.
LinkStatistics::Times TimesOf(const Nic::Counters& counters, Cycle measured) {
  LinkStatistics::Times times{};
  times[static_cast<int>(LinkState::kBusy)] = counters.measured_busy;
  times[static_cast<int>(LinkState::kRetry)] = counters.measured_retry;
  times[static_cast<int>(LinkState::kNoCredit)] = counters.measured_stalled;
  times[static_cast<int>(LinkState::kScheduler)] = counters.measured_window;
  times[static_cast<int>(LinkState::kThrottled)] = counters.measured_throttled;
  times[static_cast<int>(LinkState::kNothing)] = measured - counters.measured_busy - counters.measured_retry -
                                                 counters.measured_stalled - counters.measured_window -
                                                 counters.measured_throttled;
  return times;
}

/// Classes that sent anything.
std::vector<int> ClassesOf(const Figures& figures) {
  std::vector<int> classes;
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    if (figures.statistics.classes[tc].sent > 0) classes.push_back(tc);
  }
  return classes;
}

/// One direction of a link.
struct Direction {
  std::string from;
  int from_port;
  std::string to;
  int to_port;
  const FarEnd* link;
  std::int64_t packets;
  std::int64_t words;
  std::int64_t busy;  ///< measured cycles in which it sent
};

/// Calls `visit(direction, node, port, nic)` for all directions of all links; `nic` sends when it is not null, else the
/// node's port.
template <typename Visit>
void ForEachDirection(const Network& network, const Figures& figures, Visit&& visit) {
  for (int n = 0; n < network.nodes(); ++n) {
    const std::string own = fmt::format("s{}", n);
    const Nic::Counters* nic = figures.nodes[n].nics.data();
    for (int port = 0; port < network.profile().ports; ++port) {
      const FarEnd& far = network.wiring().far(n, port);
      if (!far.connected()) continue;
      const network::Node::PortCounts& counts = figures.nodes[n].ports[port];
      const std::string other = far.node >= 0 ? fmt::format("s{}", far.node) : fmt::format("e{}", far.endpoint);
      const Nic::Counters* const nothing = nullptr;
      visit(Direction{own, port, other, far.port, &far, counts.packets, counts.words, counts.busy}, n, port, nothing);
      if (far.endpoint < 0) continue;
      visit(Direction{other, 0, own, port, &far, nic->packets, nic->measured_words, nic->measured_busy}, n, port, nic);
      ++nic;
    }
  }
}

/// Columns of links with retry, empty without it: what was sent again, and for how long the link was down, or slower.
std::string RetryColumns(const Network& network, const Figures& figures, int node, int port, const Nic::Counters* nic) {
  if (!network.options().retry) return ",,,,";
  const network::NodeFigures& own = figures.nodes[node];
  const std::vector<network::DirectionCounts>& all = nic != nullptr ? own.sent_by_nics : own.sent;
  const network::DirectionCounts one = all.empty() ? network::DirectionCounts() : all[port];
  return fmt::format(",{},{},{},{}", one.resent_words, one.replays, one.down_cycles, one.degraded_cycles);
}

/// Whether links have the state: without retry none has `retry`, without congestion control none `throttled`.
bool HasState(const Network& network, std::size_t state) {
  const auto which = static_cast<LinkState>(state);
  return (network.options().retry || which != LinkState::kRetry) &&
         (network.options().congestion.on || which != LinkState::kThrottled);
}

/// Columns of a line beyond those of every run: cycles by what the link did, words by class.
std::string BookColumns(const Network& network, const Figures& figures, Cycle measured, int node, int port,
                        const Nic::Counters* nic, const std::vector<int>& classes) {
  const network::NodeFigures& own = figures.nodes[node];
  const LinkStatistics::Times times = nic != nullptr ? TimesOf(*nic, measured) : own.times[port];
  std::string text;
  for (std::size_t i = 0; i < times.size(); ++i) text += HasState(network, i) ? fmt::format(",{}", times[i]) : ",";
  for (const int tc : classes) text += nic != nullptr ? "," : fmt::format(",{}", own.words[port][tc]);
  return text;
}

}  // namespace

Cycle MeasuredCycles(const Network& network) {
  const network::Measured& measured = network.nics().measured;
  return std::max<Cycle>(1, measured.to - measured.from);
}

bool HasMeasured(const Network& network) {
  const network::Measured& measured = network.nics().measured;
  return measured.to > measured.from;
}

std::string NetStatsCsv(const Network& network, const Figures& figures) {
  const std::vector<int> classes = ClassesOf(figures);
  const bool books = network.options().stalls;
  std::string text =
      "from,from_port,to,to_port,kind,delay_cycles,packets,words,utilisation,"
      "resent_words,replays,down_cycles,degraded_cycles";
  if (books) {
    for (const char* name : kStateNames) text += fmt::format(",{}_cycles", name);
    for (const int tc : classes) text += fmt::format(",words_class_{}", tc);
  }
  text += "\n";
  const Cycle measured = HasMeasured(network) ? MeasuredCycles(network) : 0;
  const auto cycles = static_cast<double>(measured);
  ForEachDirection(network, figures, [&](const Direction& one, int node, int port, const Nic::Counters* nic) {
    const std::string used = HasMeasured(network) ? fmt::format("{:.6f}", static_cast<double>(one.busy) / cycles) : "";
    text += fmt::format("{},{},{},{},{},{},{},{},{}{}{}\n", one.from, one.from_port, one.to, one.to_port,
                        NameOf(one.link->kind), one.link->delay, one.packets, one.words, used,
                        RetryColumns(network, figures, node, port, nic),
                        books ? BookColumns(network, figures, measured, node, port, nic, classes) : "");
  });
  return text;
}

Json LinkCyclesJson(const Network& network, const Figures& figures) {
  struct Sum {
    std::int64_t links = 0;
    LinkStatistics::Times times{};
  };
  const Cycle measured = HasMeasured(network) ? MeasuredCycles(network) : 0;
  std::array<Sum, topology::kKinds + 1> sums;  // the last one: NICs
  ForEachDirection(network, figures, [&](const Direction& one, int node, int port, const Nic::Counters* nic) {
    Sum& sum = sums[nic != nullptr ? topology::kKinds : static_cast<int>(one.link->kind)];
    const LinkStatistics::Times times = nic != nullptr ? TimesOf(*nic, measured) : figures.nodes[node].times[port];
    ++sum.links;
    for (std::size_t i = 0; i < times.size(); ++i) sum.times[i] += times[i];
  });
  Json json;
  json["measured"] = measured;
  for (int kind = 0; kind <= topology::kKinds; ++kind) {
    if (sums[kind].links == 0) continue;
    Json& entry = json[kind == topology::kKinds ? "nic" : topology::kKindNames[kind]];
    entry["links"] = sums[kind].links;
    for (std::size_t i = 0; i < kStateNames.size(); ++i) {
      if (HasState(network, i)) entry[kStateNames[i]] = sums[kind].times[i];
    }
  }
  return json;
}

}  // namespace tilefly::runs
