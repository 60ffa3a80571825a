// SPDX-License-Identifier: Apache-2.0
#include "runs/system/congestion_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "network/flow_window.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;
using network::FlowCounts;
using network::WorstFlow;

// Bits on control slots (docs/blocks/flow_channel.md, Reverse overhead).
constexpr double kInformationBits = 1 + 12 + 12, kAckBits = 107, kPauseBits = 44, kBitsOfByte = 8;

/// Bytes for each packet, null when there is none.
Json PerPacket(double bits, std::int64_t packets) {
  return packets > 0 ? Json(bits / kBitsOfByte / static_cast<double>(packets)) : Json(nullptr);
}

void AddOverhead(const network::Figures& figures, Json* json) {
  const auto acks = static_cast<double>(figures.statistics.acks_on_links);
  const auto pauses = static_cast<double>(figures.flows.pauses);
  const std::int64_t packets = figures.flows.packets_on_links;
  (*json)["information_bytes_per_packet"] = PerPacket(acks * kInformationBits, packets);
  (*json)["ack_bytes_per_packet"] = PerPacket(acks * kAckBits, packets);
  (*json)["pause_bytes_per_packet"] = PerPacket(pauses * kPauseBits, packets);
  (*json)["reverse_bytes_per_packet"] = PerPacket(acks * kAckBits + pauses * kPauseBits, packets);
}

/// The least window of a flow, empty when it was never throttled.
std::string LeastWindow(const golden::FlowBook& book) {
  return book.least_window_cells < 0 ? "" : std::to_string(book.least_window_cells);
}

}  // namespace

Json CongestionJson(const network::Network& network, const network::Figures& figures) {
  if (!network.options().congestion.on) return nullptr;
  const FlowCounts& counts = figures.flows;
  Json json{{"full_cells", network.flow_mark().full}, {"acks", counts.acks},
            {"marks_made", counts.marks_made},        {"marks_in", counts.marks_in},
            {"held", counts.held},                    {"held_cycles", counts.held_cycles},
            {"throttled", counts.throttled},          {"full", counts.full},
            {"lost", counts.lost},                    {"stray", counts.stray},
            {"pauses", counts.pauses}};
  if (!SeesFlows(figures)) json["held_cycles"] = nullptr;
  AddOverhead(figures, &json);
  return json;
}

bool SeesFlows(const network::Figures& figures) { return figures.flows.unseen_ports == 0; }

std::string FlowsCsv(const network::Figures& figures) {
  std::string text =
      "source,destination,class,packets,bytes,acked_packets,marked,held,held_cycles,most_held_cells,least_window_cells,"
      "throttled_cycles\n";
  for (const WorstFlow& one : figures.worst_flows) {
    const golden::FlowBook& book = one.book;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", one.source, one.destination, one.tc, book.packets,
                        book.bytes, book.acked_packets, book.marked, book.held, book.held_cycles, book.most_held_cells,
                        LeastWindow(book), book.throttled_cycles);
  }
  return text;
}

std::string CongestionLine(const Json& results) {
  const Json& json = results.at("congestion_control");
  if (json.is_null()) return "";
  const auto acks = json["acks"].get<double>();
  return fmt::format("congestion control: {} of {} acks marked ({:.2f} %), {} packets held, flows throttled {} times, {} pauses",
                     json["marks_made"].dump(), json["acks"].dump(),
                     acks > 0 ? 100 * json["marks_made"].get<double>() / acks : 0.0, json["held"].dump(),
                     json["throttled"].dump(), json["pauses"].dump());
}

nlohmann::json FlowsReport(const network::Figures& figures) {
  nlohmann::json rows = nlohmann::json::array();
  for (const WorstFlow& one : figures.worst_flows) {
    const golden::FlowBook& book = one.book;
    rows.push_back({{"source", one.source},
                    {"destination", one.destination},
                    {"class", one.tc},
                    {"packets", book.packets},
                    {"marked", book.marked},
                    {"held", book.held},
                    {"held_cycles", book.held_cycles},
                    {"throttled_cycles", book.throttled_cycles},
                    {"least_window_cells",
                     book.least_window_cells < 0 ? nlohmann::json(nullptr) : nlohmann::json(book.least_window_cells)}});
  }
  return rows;
}

std::vector<std::string> CongestionWarnings(const network::Network& network, bool devices) {
  std::vector<std::string> warnings;
  const network::CongestionOptions& congestion = network.options().congestion;
  if (!congestion.on) return warnings;
  bool seen = true;
  for (int n = 0; n < network.nodes(); ++n) seen = seen && (!network.Has(n) || network.node(n).golden() != nullptr);
  if (!seen)
    warnings.push_back(
        "warning: how long a device's flow channels hold packets is not seen: held_cycles is null, and flows.csv is not "
        "written; a golden twin sees it (exact devices with --lockstep on)");
  const FlowMark& mark = network.flow_mark();
  const Cycle epoch = network::LeastFlowEpoch(network.profile(), mark.full);
  if (network.profile().flow_epoch_cycles < epoch) {
    Cycle longer = network.profile().flow_epoch_cycles;
    while (longer < epoch) longer *= 2;
    warnings.push_back(fmt::format(
        "warning: flow_epoch_cycles {} is shorter than the {} cycles in which {} cells, which fill a link here, "
        "leave it: an output counts too few sources; give {}",
        network.profile().flow_epoch_cycles, epoch, mark.full,
        devices ? fmt::format(
                      "--profile a profile of your own with flow_epoch_cycles: {} (docs/profiles.md): devices have the "
                      "number built in",
                      longer)
                : fmt::format("--set profile.flow_epoch_cycles={}", longer)));
  }
  const int growth = mark.full >> congestion.channel.grow;
  if (mark.hard - mark.on <= growth) {
    warnings.push_back(fmt::format(
        "warning: flow_mark_hard {} is {} cells above flow_mark_on {}, and windows grow by {} cells in a round trip: full "
        "links swing between the thresholds; give --set profile.flow_mark_hard={} or more",
        mark.hard, mark.hard - mark.on, mark.on, growth, std::min(4095, mark.on + growth + 1)));
  }
  Cycle delay = 0;
  for (int n = 0; n < network.nodes(); ++n) {
    for (int port = 0; port < network.profile().ports; ++port) {
      const network::FarEnd& far = network.wiring().far(n, port);
      if (far.endpoint >= 0) delay = std::max<Cycle>(delay, far.delay);
    }
  }
  constexpr Cycle kSweep = 1024, kPeriodCycles = 64;
  if (congestion.channel.period * kPeriodCycles <= kSweep + delay) {
    warnings.push_back(fmt::format(
        "warning: flow_period {}: a pause of {} cycles is over before it is repeated, {} cycles later; give --set "
        "profile.flow_period={} or more",
        congestion.channel.period, congestion.channel.period * kPeriodCycles, kSweep + delay,
        std::min<Cycle>(255, (kSweep + delay) / kPeriodCycles + 1)));
  }
  return warnings;
}

}  // namespace tilefly::runs
