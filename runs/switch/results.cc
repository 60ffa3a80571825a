// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "runs/common/figures.h"
#include "runs/switch/asked_bins.h"
#include "runs/switch/mark_results.h"
#include "runs/switch/retry_results.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

Json BooksJson(const cosim::Books& books) {
  Json drops = Json::object();
  for (std::size_t i = 1; i < cosim::kDropReasons; ++i) {
    if (books.drops[i] > 0) drops[ToString(static_cast<Drop>(i))] = books.drops[i];
  }
  return Json{{"offered", books.offered}, {"delivered", books.delivered},
              {"copies", books.copies},   {"copies_dropped", books.copies_dropped},
              {"drops", drops},           {"in_flight", books.in_flight()}};
}

/// Of attempts that links with retry broke off: how many there were, copies of them that came out, and drops.
Json BrokenJson(const cosim::Books& books) {
  Json drops = Json::object();
  for (std::size_t i = 1; i < cosim::kDropReasons; ++i) {
    if (books.broken_drops[i] > 0) drops[ToString(static_cast<Drop>(i))] = books.broken_drops[i];
  }
  return Json{{"attempts", books.broken_off}, {"copies", books.broken_out}, {"drops", drops}, {"lost", books.broken_lost}};
}

double CycleNs(const SwitchRun& run) { return 1e6 / run.options().profile->clock_khz; }
Cycle Channel(const SwitchRun& run) { return run.options().chip_timing ? run.options().profile->channel_cycles : 0; }

/// The value, null when it was not measured.
template <typename Value>
Json Measured(bool measured, Value value) {
  return measured ? Json(value) : Json(nullptr);
}

/// A port as the report shows it: its word slots while traffic flowed, its counters after the drain.
nlohmann::json PortJson(SwitchRun& run, int port) {
  const PortLoad& load = run.port_loads()[static_cast<std::size_t>(port)];
  nlohmann::json json = {{"port", port}, {"in_slots", load.in}, {"out_slots", load.out}};
  if (run.has_offered_load()) json["offered_slots"] = load.offered;
  if (!run.drained() || run.lockstep().counting() == nullptr) return json;
  const auto read = [&](int index) { return run.lockstep().counting()->Counter(port, index); };
  std::uint64_t drops = 0;
  for (Drop drop : kDropValues) {
    if (drop != Drop::kNone) drops += read(static_cast<int>(drop));
  }
  json.update({{"rx_packets", read(static_cast<int>(Counter::kRxPackets))},
               {"tx_packets", read(static_cast<int>(Counter::kTxPackets))},
               {"drops", drops}});
  return json;
}

/// Of each class that had frames; with a table its name too.
Json ClassesJson(const SwitchRun& run) {
  std::int64_t words = 0;
  for (const cosim::ClassStatistics& books : run.scoreboard().class_statistics()) words += books.words;
  const std::optional<cosim::ClassSetup>& table = run.options().classes;
  Json classes = Json::array();
  for (int tc = 0; tc < run.options().profile->classes; ++tc) {
    const cosim::ClassStatistics& books = run.scoreboard().class_statistics()[static_cast<std::size_t>(tc)];
    if (books.offered == 0) continue;
    Json one{{"class", tc}};
    if (table) one["name"] = table->Has(tc) ? table->Of(tc).name : std::to_string(tc);
    one.update(Json{{"offered", books.offered},
                    {"delivered", books.delivered},
                    {"dropped", books.dropped},
                    {"share", Measured(words > 0, static_cast<double>(books.words) / static_cast<double>(words))},
                    {"latency_ns", Quantiles(books.latency, Channel(run), CycleNs(run))}});
    classes.push_back(std::move(one));
  }
  return classes;
}

template <typename Value>
Json OrNull(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// Of devices that do not show all: what was compared beside the links, and whose record and counters were read.
void AddWhatIsTold(SwitchRun& run, Json* json) {
  cosim::Lockstep& lockstep = run.lockstep();
  const auto name = [](const cosim::Device* device) { return device != nullptr ? Json(device->Name()) : Json(nullptr); };
  (*json)["observation_compared"] = OrNull(lockstep.observation_compared());
  (*json)["observation_of"] = name(lockstep.observed());
  const bool read = run.drained();
  (*json)["counters_compared"] = read ? OrNull(lockstep.counters_compared()) : Json(nullptr);
  (*json)["counters_of"] = read ? name(lockstep.counting()) : Json(nullptr);
}

}  // namespace

Json Results(SwitchRun& run, const Outcome& outcome) {
  const RunOptions& options = run.options();
  const Cycle channel = Channel(run);
  const Cycle cycles = run.lockstep().cycle();
  Json json;
  json["verdict"] = ToString(outcome.verdict);
  if (!outcome.message.empty()) json["message"] = outcome.message;
  json["profile"] = options.profile->name;
  if (!options.departed.departures.empty()) json["departures"] = DeparturesJson(options.departed.departures);
  json["devices"] = options.devices;
  if (std::find(options.devices.begin(), options.devices.end(), "rtl") != options.devices.end())
    json["rtl_assertions"] = options.device.assertions ? "on" : "off";
  json["seed"] = options.seed;
  json["cycles"] = cycles;
  json["traffic_cycles"] = run.traffic_cycles();
  const bool compares = run.lockstep().b() != nullptr;
  json["compared"] = Measured(compares, run.lockstep().compared());
  json["compared_busy"] = Measured(compares, run.lockstep().compared_busy());
  AddWhatIsTold(run, &json);
  json["books"] = BooksJson(run.scoreboard().books());
  if (run.setup().retry_ports() != 0) {
    json["books"]["lost"] = run.scoreboard().books().lost;
    json["books"]["copies_lost"] = run.scoreboard().books().copies_lost;
    json["books"]["broken"] = BrokenJson(run.scoreboard().books());
  }
  json["offered_load"] = Measured(run.traffic_cycles() > 0 && run.has_offered_load(), run.offered_load());
  json["accepted_load"] = Measured(run.traffic_cycles() > 0, run.accepted_load());
  json["timing"] = options.chip_timing ? "chip" : "bench";
  json["latency_ns"] = Quantiles(run.scoreboard().latency(), channel, CycleNs(run));
  json["latency_cycles"] = Quantiles(run.scoreboard().latency(), channel, 1);
  json["classes"] = ClassesJson(run);
  const bool observed = run.lockstep().observed() != nullptr;
  json["bins"] = Measured(observed, Json::object());
  for (const auto& [name, count] : run.bins().Entries()) {
    if (observed) json["bins"][name] = count;
  }
  if (const cosim::ReductionPeers* const peers = run.reductions()) {
    json["reductions"] = Json{{"groups", options.reductions.groups},
                              {"episodes", peers->episodes()},
                              {"failures", peers->failures()},
                              {"packets", peers->received()}};
  }
  if (options.outages.every > 0) json["outages"] = run.links_down();
  json["link_retry"] = LinkRetryJson(run);
  json["congestion_marks"] = CongestionMarksJson(run);
  if (run.capture_summary()) {
    json["capture"] = CaptureJson(*run.capture_summary());
    json["capture"]["not_sent"] = run.frames_left();
  }
  const double cpu = std::max(outcome.cpu_s, 1e-9);
  std::int64_t words = 0;
  for (const auto& endpoint : run.endpoints()) words += endpoint->receiver().words_received();
  json["machine"] = Json{{"cpu_s", outcome.cpu_s},
                         {"wall_s", outcome.wall_s},
                         {"cycles_per_s", static_cast<double>(cycles) / std::max(outcome.wall_s, 1e-9)},
                         {"flit_hops_per_cpu_s", static_cast<double>(words) / cpu},
                         {"bytes_per_port", PeakBytes() / options.profile->ports}};
  return json;
}

std::string WhyAboveOffered(const SwitchRun& run) {
  if (!run.has_offered_load() || run.accepted_load() <= run.offered_load()) return "";
  std::vector<std::string> reasons;
  const cosim::Books& books = run.scoreboard().books();
  if (books.copies > books.delivered) {
    reasons.push_back(fmt::format("a frame comes out {:.2f} times in the mean",
                                  static_cast<double>(books.copies) / static_cast<double>(books.delivered)));
  }
  if (run.reductions() != nullptr) reasons.emplace_back("packets of reductions are accepted, not offered");
  std::int64_t pauses = 0;
  for (const auto& endpoint : run.endpoints()) pauses += endpoint->receiver().pauses_received();
  if (pauses > 0) reasons.emplace_back("PAUSE frames are accepted, not offered");
  const std::vector<cosim::PortKind>& kinds = run.options().kinds;
  if (std::count(kinds.begin(), kinds.end(), kinds.front()) != static_cast<std::ptrdiff_t>(kinds.size()))
    reasons.emplace_back("a frame takes other slots at another kind of port");
  return fmt::format("{}", fmt::join(reasons, "; "));
}

nlohmann::json ReportDetail(SwitchRun& run, const Outcome& outcome) {
  const Profile& profile = *run.options().profile;
  nlohmann::json detail;
  const Cycle channel = Channel(run);
  detail["latency_histogram"] = nlohmann::json::array();
  for (const auto& [cycles, packets] : run.scoreboard().latency().Entries()) {
    detail["latency_histogram"].push_back({cycles + channel, packets});
  }
  detail["cycle_ns"] = CycleNs(run);
  detail["rows"] = profile.rows;
  detail["cols"] = profile.cols;
  if (run.lockstep().observed() != nullptr) {
    for (const auto& [name, count] : run.bins().Entries()) detail["bins"][name] = count;
    detail["bins_not_asked"] = BinsNotAskedFor(run);
  }
  if (run.traffic_slots() > 0) detail["traffic_slots"] = run.traffic_slots();
  detail["slot_ns"] = CycleNs(run) * 4 / run.options().lanes;
  if (const std::string why = WhyAboveOffered(run); !why.empty()) detail["above_offered"] = why;
  std::int64_t for_credits = 0, in_pauses = 0;
  for (const auto& endpoint : run.endpoints()) {
    const cosim::LinkSender& sender = endpoint->sender();
    (sender.uses_credits() ? for_credits : in_pauses) += sender.blocked_cycles();
  }
  for (int port = 0; port < profile.ports; ++port) detail["ports"].push_back(PortJson(run, port));
  detail["stalls"] = {{"waits_for_credits", for_credits}, {"waits_in_a_PAUSE", in_pauses}};
  if (!outcome.message.empty()) detail["failure"] = {{"text", outcome.message}};
  return detail;
}

std::string StatsCsv(SwitchRun& run) {
  std::string text =
      "port,kind,words_sent,slots_sent,words_received,slots_received,sender_blocked_cycles,pauses_received";
  for (Drop drop : kDropValues) {
    if (drop != Drop::kNone) text += fmt::format(",drop_{}", ToString(drop));
  }
  for (Counter counter : kCounterValues) text += fmt::format(",{}", ToString(counter));
  text += '\n';
  cosim::Device* const counting = run.lockstep().counting();
  for (int port = 0; port < run.options().profile->ports; ++port) {
    const cosim::Endpoint& endpoint = *run.endpoints()[static_cast<std::size_t>(port)];
    text += fmt::format("{},{},{},{},{},{},{},{}", port, ToString(run.setup().kind(port)),
                        endpoint.sender().words_sent(), endpoint.sender().slots_sent(),
                        endpoint.receiver().words_received(), endpoint.receiver().slots_received(),
                        endpoint.sender().blocked_cycles(), endpoint.receiver().pauses_received());
    const auto add = [&](int index) {
      text += ',';
      if (run.drained() && counting != nullptr) text += fmt::format("{}", counting->Counter(port, index));
    };
    for (Drop drop : kDropValues) {
      if (drop != Drop::kNone) add(static_cast<int>(drop));
    }
    for (Counter counter : kCounterValues) add(static_cast<int>(counter));
    text += '\n';
  }
  return text;
}

}  // namespace tilefly::runs
