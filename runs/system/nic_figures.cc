// SPDX-License-Identifier: Apache-2.0
#include "runs/system/nic_figures.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "golden/common/archive.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using network::Figures;
using network::Network;
using network::Nic;

/// Cycles from packets' first words to their acks, summed; null when that is not known: without channels an ack is
/// anybody's, and only of all packets together the sum is that of their own times.
Json CumulativeLatency(const Network& network, const Nic::Counters& counters) {
  const bool known = network.nics().channels.count > 0 || (network.acks() && counters.acks == counters.packets);
  return known ? Json(counters.acked_cycles) : Json(nullptr);
}

struct Column {
  const char* name;
  Json value;
};

/// In the order of the results.
std::vector<Column> ColumnsOf(const Network& network, const Nic::Counters& counters, std::int64_t link_down_cycles) {
  const auto with_acks = [&](std::int64_t count) { return network.acks() ? Json(count) : Json(nullptr); };
  const bool numbers = network.nics().numbers.window > 0;
  const bool control = network.options().congestion.on;
  return {{"request_packets", counters.packets},
          {"request_flits", counters.words},
          {"stalled_cycles", counters.stalled_cycles},
          {"cumulative_latency_cycles", CumulativeLatency(network, counters)},
          {"window_cycles", counters.window_cycles},
          {"acks", with_acks(counters.acks)},
          {"late_acks", with_acks(counters.late_acks)},
          {"resends", counters.resends},
          {"given_up", counters.given_up},
          {"duplicates", counters.duplicates},
          {"late_copies", numbers ? Json(counters.late_copies) : Json(nullptr)},
          {"link_down_cycles", network.options().retry ? Json(link_down_cycles) : Json(nullptr)},
          {"throttled_cycles", control ? Json(counters.throttled_cycles) : Json(nullptr)},
          {"pauses", control ? Json(counters.pauses) : Json(nullptr)}};
}

Nic::Counters SumOf(const Figures& figures) {
  Nic::Counters sum;
  for (const network::NodeFigures& node : figures.nodes) {
    for (const Nic::Counters& nic : node.nics) AddTo(&sum, nic);
  }
  return sum;
}

/// Cycles in which the links of the NICs at a port were down.
std::int64_t LinkDownCycles(const network::NodeFigures& node, int port) {
  return node.sent_by_nics.empty() ? 0 : node.sent_by_nics[static_cast<std::size_t>(port)].down_cycles;
}

std::int64_t SumOfLinkDownCycles(const Figures& figures) {
  std::int64_t sum = 0;
  for (const network::NodeFigures& node : figures.nodes) {
    for (const network::DirectionCounts& one : node.sent_by_nics) sum += one.down_cycles;
  }
  return sum;
}

}  // namespace

Json NicJson(const Network& network, const Figures& figures) {
  const Nic::Counters sum = SumOf(figures);
  Json json;
  for (const Column& column : ColumnsOf(network, sum, SumOfLinkDownCycles(figures))) json[column.name] = column.value;
  const Json& latency = json["cumulative_latency_cycles"];
  json["ack_cycles_mean"] = latency.is_null() || sum.acks == 0
                                ? Json(nullptr)
                                : Json(static_cast<double>(sum.acked_cycles) / static_cast<double>(sum.acks));
  return json;
}

Json ChosenModesJson(const Network& network, const Figures& figures) {
  if (network.nics().app_aware == nullptr) return nullptr;
  const Nic::Counters sum = SumOf(figures);
  const auto share = [](std::int64_t part, std::int64_t all) {
    return all > 0 ? Json(static_cast<double>(part) / static_cast<double>(all)) : Json(nullptr);
  };
  return Json{{"messages", sum.messages},
              {"bytes", sum.message_bytes},
              {"high_bias_messages_share", share(sum.biased_messages, sum.messages)},
              {"high_bias_bytes_share", share(sum.biased_bytes, sum.message_bytes)}};
}

std::string NicsCsv(const Network& network, const Figures& figures) {
  std::string text = "endpoint,switch,port";
  for (const Column& column : ColumnsOf(network, {}, 0)) text += fmt::format(",{}", column.name);
  text += ",messages,high_bias_messages\n";
  std::vector<std::string> lines(network.topology().endpoints.size());
  for (int n = 0; n < network.nodes(); ++n) {
    auto nic = figures.nodes[n].nics.begin();
    for (int port = 0; port < network.profile().ports; ++port) {
      const int endpoint = network.wiring().far(n, port).endpoint;
      if (endpoint < 0) continue;
      std::string& line = lines[static_cast<std::size_t>(endpoint)];
      line = fmt::format("{},s{},{}", endpoint, n, port);
      for (const Column& column : ColumnsOf(network, *nic, LinkDownCycles(figures.nodes[n], port)))
        line += "," + (column.value.is_null() ? "" : column.value.dump());
      line += fmt::format(",{},{}\n", nic->messages, nic->biased_messages);
      ++nic;
    }
  }
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace tilefly::runs
