// SPDX-License-Identifier: Apache-2.0
// Runs made up for the tests of the report: the same numbers every time, of the size and shape of real ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tilefly::testing {

struct Sample {
  nlohmann::json results;
  nlohmann::json detail;
};

/// Sets the latency of both from `histogram` (cycles to packets), at 1.28 ns a cycle.
inline void SetLatency(Sample& sample, const std::map<int, std::int64_t>& histogram) {
  std::int64_t packets = 0;
  double weighted = 0;
  sample.detail["latency_histogram"] = nlohmann::json::array();
  for (const auto& [cycles, count] : histogram) {
    packets += count;
    weighted += static_cast<double>(cycles) * static_cast<double>(count);
    sample.detail["latency_histogram"].push_back({cycles, count});
  }
  const auto quantile = [&](double q) {
    std::int64_t left = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(q * static_cast<double>(packets))));
    for (const auto& [cycles, count] : histogram) {
      if ((left -= count) <= 0) return cycles;
    }
    return histogram.rbegin()->first;
  };
  const std::map<std::string, double> statistics = {
      {"min", quantile(0)},    {"p1", quantile(.01)},   {"median", quantile(.5)},    {"mean", weighted / static_cast<double>(packets)},
      {"p99", quantile(.99)},  {"p999", quantile(.999)}, {"max", quantile(1)}};
  for (const auto& [name, cycles] : statistics) {
    if (name == "mean") sample.results["latency_cycles"][name] = cycles;
    else sample.results["latency_cycles"][name] = static_cast<int>(cycles);
    sample.results["latency_ns"][name] = cycles * 1.28;
  }
}

/// A switch run of rows x cols tiles at about the given load; deterministic.
inline Sample SwitchRun(int rows, int cols, double load) {
  constexpr int kCycles = 20000;
  std::mt19937 random(7);
  const auto uniform = [&] { return static_cast<double>(random() >> 8) / (1 << 24); };
  Sample sample;
  sample.results = {{"verdict", "pass"},   {"level", "switch"}, {"profile", "rosetta64"}, {"devices", {"rtl", "golden"}},
                    {"traffic", "uniform"}, {"seed", 7},         {"cycles", kCycles},      {"version", "0.1.0"}};
  sample.results["classes"] = {{{"class", 0}, {"name", "NC"}, {"offered", 4711}, {"delivered", 4711}, {"dropped", 0}, {"share", 0.094},
                                {"latency_ns", {{"min", 80.6}, {"median", 90.5}, {"p99", 640.25}, {"p999", 777.5}, {"max", 901.5}}}}};
  std::int64_t offered = 0;
  std::int64_t delivered = 0;
  std::int64_t words = 0;
  for (int port = 0; port < 2 * rows * cols; ++port) {
    const double hot = port == 19 || port == 40 ? 1.35 : 1;
    const double in = std::min(0.985, load * (0.94 + 0.12 * uniform()) * (port == 40 ? 1.2 : 1));
    const double out = std::min(0.99, load * (0.9 + 0.16 * uniform()) * hot);
    const double wanted = port == 40 ? std::min(1.0, in * 1.12) : in;
    const int drops = port == 40 ? 37 : port % 13 == 5 ? 1 + static_cast<int>(random() % 6) : 0;
    const auto received = static_cast<std::int64_t>(in * kCycles / 17);
    const auto sent = static_cast<std::int64_t>(out * kCycles / 17);
    sample.detail["ports"].push_back({{"port", port},
                                      {"offered_slots", static_cast<std::int64_t>(wanted * kCycles)},
                                      {"in_slots", static_cast<std::int64_t>(in * kCycles)},
                                      {"out_slots", static_cast<std::int64_t>(out * kCycles)},
                                      {"rx_packets", received},
                                      {"tx_packets", sent},
                                      {"drops", drops},
                                      {"peak_used_cells", 180 + static_cast<int>(random() % 900)}});
    offered += received;
    words += static_cast<std::int64_t>(out * kCycles);
  }
  delivered = offered - 61 - 122;
  sample.results["books"] = {{"offered", offered}, {"delivered", delivered}, {"in_flight", 122},
                             {"drops", {{"BUFFER_FULL", 44}, {"FCS", 12}, {"UNKNOWN_MAC", 5}, {"HOP_LIMIT", 0}}}};
  sample.results["offered_load"] = load * 1.004;
  sample.results["accepted_load"] = load;
  sample.results["compared"] = 2 * static_cast<std::int64_t>(kCycles) * rows * cols;
  sample.results["compared_busy"] = words;
  sample.results["machine"] = {{"cpu_s", 5.31}, {"cycles_per_s", 3766.5}, {"peak_memory_bytes", 182456320}, {"threads", 2}};

  std::map<int, std::int64_t> histogram;
  for (std::int64_t i = 0; i < delivered; ++i) {
    const double queueing = -std::log(1 - uniform()) * (i % 40 == 0 ? 130 : 26);
    ++histogram[273 + 32 * (random() % 3 == 0) + static_cast<int>(queueing)];
  }
  SetLatency(sample, histogram);

  sample.detail["rows"] = rows;
  sample.detail["cols"] = cols;
  sample.detail["traffic_slots"] = kCycles;
  sample.detail["slot_ns"] = 1.28;
  sample.detail["stalls"] = {{"no_request_credit", 4210}, {"no_link_credit", 18992}, {"turn_lost", 30715}, {"output_busy", 61284},
                             {"channel_owned", 912},      {"pause", 0}};
  sample.detail["bins"] = {{"buffer_full", 12},        {"no_credit", 3321},       {"all_16_requesters", 204}, {"pointer_wrap", 51211},
                           {"counter_wrap", 0},        {"drop_fcs", 12},          {"drop_buffer_full", 44},   {"drop_unknown_mac", 5},
                           {"drop_hop_limit", 0},      {"pause_obeyed", 88},      {"cut_through", 200133},    {"store_and_forward", 81002},
                           {"longest_frame", 1290},    {"shortest_frame", 90221}, {"column_owner_change", 60112}};
  sample.detail["bins_not_asked"] = {{"drop_hop_limit", "--faults at fabric or enhanced ports"}};
  sample.detail["waves"] = {{{"path", "waves/packet.fst"}, {"what", "packet 0x1a2f from port 19 to port 56, cycles 1 180 to 1 420"}},
                            {{"path", "waves/packet.gtkw"}, {"what", "GTKWave save file that opens on it"}},
                            {{"path", "waves/packet.surf"}, {"what", "Surfer commands"}}};
  for (int port = 0; port < 2 * rows * cols; ++port) {
    const std::string number = (port < 10 ? "0" : "") + std::to_string(port);
    sample.detail["captures"].push_back("captures/port" + number + "_in.pcapng");
    sample.detail["captures"].push_back("captures/port" + number + "_out.pcapng");
  }
  return sample;
}

/// A run that diverged.
inline Sample FailedRun() {
  Sample sample = SwitchRun(2, 2, 0.3);
  sample.results["verdict"] = "fail";
  sample.results["profile"] = "tile8";
  sample.results["cycles"] = 18204;
  sample.results["seed"] = 48213;
  sample.detail["failure"]["text"] =
      "FAIL switch/uniform [reseed 2] seed=48213\n"
      "  first divergence: cycle 18204, port 5, packet 0x1a2f: rtl grant vl=2, golden grant vl=1\n"
      "  waves:  out/run/waves/fail.fst   (view: gtkwave out/run/waves/fail.gtkw)\n"
      "  repro:  tilefly cosim --config out/run/config.resolved.yaml --seed 48213 --waves full";
  return sample;
}

/// A run of a system of `groups` groups of `size` switches with 8 ports, as `tilefly net` describes it.
inline Sample SystemRun(int groups, int size) {
  Sample sample;
  sample.results = {{"verdict", "pass"}, {"level", "net"},  {"profile", "tile8"}, {"topology", "dragonfly"},
                    {"routing", "min"},  {"seed", 1},       {"cycles", 9890},     {"traffic", "uniform"},
                    {"offered_load", 0.9}, {"accepted_load", 0.85}, {"steady_state", {{"verdict", "saturated"}}}};
  sample.results["books"] = {{"offered", 900}, {"delivered", 900}, {"in_flight", 0}, {"drops", nlohmann::json::object()}};
  SetLatency(sample, {{900, 300}, {950, 400}, {1400, 200}});
  const int per_block = (groups + 63) / 64;
  const int blocks = (groups + per_block - 1) / per_block;
  nlohmann::json& map = sample.detail["system"];
  map["groups"] = {{"groups", groups}, {"groups_of_block", per_block}, {"mean", nlohmann::json::array()}, {"most", nlohmann::json::array()}};
  for (int row = 0; row < blocks; ++row) {
    nlohmann::json mean = nlohmann::json::array(), most = nlohmann::json::array();
    for (int col = 0; col < blocks; ++col) {
      mean.push_back(row == col ? nlohmann::json(nullptr) : nlohmann::json((row * 7 + col * 131) % 800));
      most.push_back(row == col ? nlohmann::json(nullptr) : nlohmann::json((row * 7 + col * 131) % 800 + 200));
    }
    map["groups"]["mean"].push_back(mean);
    map["groups"]["most"].push_back(most);
  }
  for (int group = 0; group < groups; ++group) {
    nlohmann::json page = {{"name", "group " + std::to_string(group)}};
    for (int s = 0; s < size; ++s) {
      page["switches"].push_back(group * size + s);
      page["ports"].push_back("0a142832..4b5a64");
    }
    map["pages"].push_back(page);
  }
  sample.results["jobs"] = {{{"pattern", "allreduce:ring"}, {"text", "allreduce:ring,bytes=20000"}, {"ranks", 72}, {"ranks_done", 72},
                             {"completion_ns", 135161.6}, {"iterations", 1}, {"iterations_done", 1}, {"iteration_ns", {{"median", 135161.6}, {"max", 135161.6}}},
                             {"iteration_dispersion", 0.0}, {"messages", 10224}, {"goodput_bytes_per_s", 21011885032.4},
                             {"share_of_bound", nullptr}}};
  sample.detail["stalls"] = {{"local: arbitration", 32715}, {"global: no_credit", 5999}};
  sample.detail["command"] = "tilefly net --config config.resolved.yaml --seed 1";
  nlohmann::json stages = nlohmann::json::array();
  const auto stage = [&](const char* at, const char* name, int cycle, int cycles, int quiet, const nlohmann::json& waits) {
    stages.push_back({{"at", at}, {"port", 2}, {"lane", 0}, {"stage", name}, {"cycle", cycle}, {"cycles", cycles}, {"quiet_cycles", quiet},
                      {"wait_cycles", cycles - quiet}, {"waits", waits}});
  };
  stage("e3", "created", 49, 0, 0, nlohmann::json::object());
  stage("s1", "granted", 349, 300, 290, {{"no credit", 7}, {"arbitration", 3}});
  sample.detail["journeys"] = {{"followed", 60},
                               {"shown", {{{"packet", "e3:1"}, {"destination", "e0"}, {"bytes", 64}, {"end", "delivered"}, {"latency_cycles", 300},
                                           {"quiet_cycles", 290}, {"waits", {{"no credit", 7}, {"arbitration", 3}}}, {"stages", stages}}}}};
  stages.erase(1);
  sample.detail["journeys"]["shown"].push_back(
      {{"packet", "p3:2"}, {"destination", nullptr}, {"bytes", 64}, {"end", "dropped"}, {"drop", "FCS"}, {"latency_cycles", nullptr},
       {"quiet_cycles", 0}, {"waits", nlohmann::json::object()}, {"sender_waits", {{"packets before it", 5}}}, {"stages", stages}});
  return sample;
}

/// A sweep of two settings; its last load is saturated, one point is undecided, one was refused.
inline Sample SweepRun() {
  Sample sample;
  sample.results = {{"verdict", "fail"}, {"level", "net sweep"}, {"runs", 9}};
  sample.detail["sweep"] = {{"axis", "load"},
                            {"swept", {{{"option", "load"}, {"range", "0.2:0.8:0.3"}}, {{"option", "size"}, {"range", "64:192:64"}}}},
                            {"columns", {"load", "size", "verdict", "steady_state", "accepted_load", "latency_mean_ns", "latency_p99_ns"}}};
  for (const double load : {0.2, 0.5, 0.8}) {
    for (const int size : {64, 128, 192}) {
      nlohmann::json point = {{"values", {{"load", load}, {"size", size}}}, {"verdict", "pass"}};
      if (load > 0.7 && size == 192) {
        point["verdict"] = "refused";
      } else {
        point.update({{"steady_state", load > 0.7 ? "saturated" : load > 0.4 && size == 64 ? "undecided" : "converged"}, {"offered_load", load},
                      {"accepted_load", std::min(load, 0.7)}, {"latency_mean_ns", 400 / (1.0 - load) + size}, {"latency_p99_ns", 700 / (0.9 - load)}});
        if (point["steady_state"] == "converged") point["steady_latency_half_width_ns"] = 20.5;
      }
      sample.detail["sweep"]["points"].push_back(point);
    }
  }
  return sample;
}

/// A reproduced figure beside one that was not measured; the first claim is missed, the other's curve has no point.
inline Sample ReproRun() {
  Sample sample;
  sample.results = {{"verdict", "pass"}, {"level", "repro"}, {"study", "sharp-bandwidth"}};
  const nlohmann::json points = {{4096, 1.5}, {65536, 0.7}, {1048576, 9.25}};
  const nlohmann::json curve = {{"name", "sharp"}, {"points", points}};
  const nlohmann::json none = {{"name", "sharp"}, {"points", nlohmann::json::array()}};
  const nlohmann::json figure = {{"title", "rate"}, {"x", "bytes"}, {"unit", "Gb/s"}, {"log_x", true}, {"log_y", false}};
  for (const auto& [name, one] : {std::pair{"rate", curve}, std::pair{"other", none}}) {
    nlohmann::json own = figure;
    own.update({{"name", name}, {"curves", nlohmann::json::array({one})}});
    sample.detail["figures"].push_back(own);
  }
  const nlohmann::json claim = {{"figure", "rate"},    {"curve", "sharp"}, {"claim", "at 64 KiB"}, {"value", 0.7},
                                {"low", 0.75},         {"high", 0.85},     {"fixed", false},       {"mark", {65536, 0.8}},
                                {"published", "about 80 %"}, {"verdict", "miss"}};
  nlohmann::json other = claim;
  other.update({{"figure", "other"}, {"value", nullptr}, {"verdict", "not measured"}});
  sample.detail["claims"] = {claim, other};
  return sample;
}

/// Almost nothing is known.
inline Sample SparseRun() { return {{{"verdict", "pass"}, {"cycles", 12}}, nlohmann::json::object()}; }

/// Every string tries to become markup or script.
inline Sample HostileRun() {
  Sample sample = SwitchRun(2, 2, 0.5);
  const std::string evil = "</script><script>document.title='owned'</script><!--<script><img src=x onerror=\"document.title='owned'\">";
  sample.results["verdict"] = "pass" + evil;
  sample.results["traffic"] = evil + "@RUN_JSON@";
  sample.results["profile"] = std::string("not UTF-8: \xff\xfe ") + evil;
  sample.results["books"]["drops"][evil] = 1;
  sample.results[evil] = evil;
  sample.detail["bins"][evil] = 3;
  sample.detail["failure"]["text"] = evil;
  sample.detail["waves"] = {{{"path", "javascript:document.title='owned'"}, {"what", evil}}, {{"path", evil}, {"what", "markup"}}};
  sample.detail["captures"] = {"data:text/html,<script>1</script>", "captures/port 1#?.pcapng", "//elsewhere/x"};
  return sample;
}

}  // namespace tilefly::testing
