// SPDX-License-Identifier: Apache-2.0
#include "runs/system/manager_results.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilefly::runs {
namespace {

using network::ManagerAct;

/// What the manager began by the end of the run.
std::vector<ManagerAct> ActsOf(const network::Network& network) {
  std::vector<ManagerAct> acts;
  if (network.manager() == nullptr) return acts;
  for (const ManagerAct& act : network.manager()->acts()) {
    if (act.from <= network.cycle()) acts.push_back(act);
  }
  return acts;
}

std::string NamesOf(const ManagerAct& act, const network::Network& network, const LinkNames& names) {
  std::string text;
  for (const int link : act.links) {
    const topology::Port& end = network.topology().links[static_cast<std::size_t>(link)].a;
    text += (text.empty() ? "" : " ") + names.Of(end.at, end.port).link;
  }
  return text;
}

/// For a column of a table.
std::string WithoutCommas(std::string text) {
  std::replace(text.begin(), text.end(), ',', ';');
  return text;
}

}  // namespace

std::vector<FaultLine> ManagerLines(const network::Network& network, const LinkNames& names) {
  std::vector<FaultLine> lines;
  const Cycle begin = network.nics().begin;
  for (const ManagerAct& act : ActsOf(network)) {
    const std::string links = NamesOf(act, network, names);
    const auto add = [&](const char* what, std::string value) {
      lines.push_back({act.from - begin, links, "", what, std::move(value), "manager"});
    };
    if (!act.refusal.empty()) {
      add("no tables", WithoutCommas(act.refusal));
      continue;
    }
    if (act.writes > 0) {
      add("tables", fmt::format("{} writes in {} switches until {}", act.writes, act.switches, act.till - begin));
    } else {
      add("same tables", "the switches have the tables of this state already");
    }
    if (act.cut_pairs > 0) add("cut off", fmt::format("{} pairs of switches", act.cut_pairs));
  }
  return lines;
}

nlohmann::ordered_json ManagerJson(const network::Network& network) {
  if (network.manager() == nullptr) return nullptr;
  const std::vector<ManagerAct> acts = ActsOf(network);
  std::int64_t refused = 0, writes = 0, cut = 0;
  for (const ManagerAct& act : acts) {
    refused += !act.refusal.empty();
    writes += act.writes;
    cut = std::max(cut, act.cut_pairs);
  }
  return nlohmann::ordered_json{{"delay_cycles", network.faults().manager()->delay},
                                {"lanes", network.lanes().plan().lanes},
                                {"changes", acts.size()},
                                {"refused", refused},
                                {"writes", writes},
                                {"cut_pairs", cut}};
}

std::string ManagerText(const network::Network& network) {
  const nlohmann::ordered_json json = ManagerJson(network);
  if (json.is_null() || json["changes"] == 0) return "";
  return fmt::format(
      "manager: links changed {} times; {} register writes of new tables{}", json["changes"].dump(),
      json["writes"].dump(),
      json["cut_pairs"] > 0 ? fmt::format("; up to {} pairs of switches were cut off", json["cut_pairs"].dump()) : "");
}

std::vector<std::string> ManagerWarnings(const network::Network& network) {
  constexpr std::size_t kMost = 10;
  std::vector<std::string> warnings;
  if (network.manager() == nullptr) return warnings;
  const std::string& origin = network.faults().manager()->origin;
  const Cycle begin = network.nics().begin;
  const std::vector<ManagerAct> acts = ActsOf(network);
  if (acts.empty())
    warnings.push_back(
        fmt::format("warning: {}: tables: on has no effect: no link between switches went down {} cycles (delay) or "
                    "more before the run ended in cycle {}; leave the key out, or give a shorter delay or a longer run",
                    origin, network.faults().manager()->delay, network.cycle() - begin));
  std::size_t more = 0;
  for (const ManagerAct& act : acts) {
    if (act.refusal.empty()) continue;
    if (warnings.size() < kMost) {
      warnings.push_back(
          fmt::format("warning: {}: no new tables in cycle {}: {}", origin, act.from - begin, act.refusal));
    } else {
      ++more;
    }
  }
  if (more > 0) warnings.push_back(fmt::format("warning: {}: no new tables {} times more", origin, more));
  return warnings;
}

}  // namespace tilefly::runs
