// SPDX-License-Identifier: Apache-2.0
// Every option of a run changes its results where the table of options without effect (docs/options.md) does not speak;
// those that change none are named here with the reason.
#include <fstream>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "runs/switch/session.h"
#include "runs/system/net_session.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::cosim {
namespace {

namespace fs = std::filesystem;
using Given = std::vector<std::pair<std::string, std::string>>;

/// An option that changes the results of the runs of its kind.
struct Changes {
  std::string option;
  std::string value;
  Given context;  ///< beside which it does
};

runs::SessionOptions Quiet(const std::string& name) {
  runs::SessionOptions options;
  options.output_dir = bench::ProcessFolder() / name;
  options.verbosity = -1;
  fs::remove_all(options.output_dir);
  return options;
}

template <typename AnySettings>
AnySettings Made(const Given& given) {
  AnySettings settings;
  for (const auto& [option, value] : given) {
    for (const runs::Setting& setting : settings.table()) {
      if (option == setting.option) settings.Set(setting.path, value, "test");
    }
  }
  return settings;
}

std::string Figures(nlohmann::ordered_json results) {
  for (const char* other : {"machine", "profile", "devices", "topology"}) results.erase(other);
  if (results.contains("routing")) results["routing"].erase("mode");
  return results.dump();
}

std::string FiguresOf(const std::string& command, const Given& given) {
  if (command == "cosim") {
    Given all = {{"devices", "golden"}, {"profile", "tile8"}, {"max-cycles", "900"}, {"waves", "off"}};
    all.insert(all.end(), given.begin(), given.end());
    runs::Session session(Made<runs::Settings>(all), Quiet("cosim"));
    session.Run();
    return Figures(session.results());
  }
  Given all = {{"topology", "dragonfly:p=1,a=4,h=2"}, {"max-cycles", "1500"}, {"timing", "bench"}};
  all.insert(all.end(), given.begin(), given.end());
  network::Alone alone;
  runs::NetSession session(Made<runs::NetSettings>(all), Quiet("net"), {}, &alone);
  session.Run();
  return Figures(session.results());
}

void ExpectChanges(const std::string& command, const std::vector<runs::Setting>& table,
                   const std::vector<Changes>& changes, const std::map<std::string, std::string>& change_none) {
  for (const runs::Setting& setting : table) {
    if (setting.by_path) continue;  // profile.KEY: testbenches/departures
    const auto same = [&](const Changes& one) { return one.option == setting.option; };
    const auto found = std::find_if(changes.begin(), changes.end(), same);
    EXPECT_NE(found != changes.end(), change_none.count(setting.option) > 0) << setting.option;
    if (found == changes.end()) continue;
    Given with = found->context;
    with.emplace_back(found->option, found->value);
    EXPECT_NE(FiguresOf(command, found->context), FiguresOf(command, with)) << command << " --" << setting.option;
  }
}

TEST(OptionChanges, OfARunOfASwitch) {
  const std::string capture = "captures/lan24.pcapng";
  ExpectChanges(
      "cosim", runs::Settings::Table(),
      {{"profile", "tile16", {}},
       {"seed", "2", {}},
       {"reseeds", "2", {}},
       {"sample", "100ns", {}},
       {"max-cycles", "700", {}},
       {"timing", "bench", {}},
       {"ports", "standard", {}},
       {"lanes", "2", {}},
       {"eth-header", "off", {{"ports", "mixed"}}},
       {"qos", "plans/fabric4.yaml", {}},
       {"scheduler", "strict", {{"qos", "plans/fabric4.yaml"}, {"load", "1"}, {"traffic", "incast:1"}}},
       {"sender-queues", "one", {{"stalls", "0.3"}}},
       {"traffic", "incast:1", {}},
       {"load", "0.7", {}},
       {"size", "128", {}},
       {"process", "periodic", {}},
       {"classes", "1", {}},
       {"replicated", "0.3", {}},
       {"routed", "0.3", {}},
       {"faults", "0.3", {}},
       {"acks", "on", {}},
       {"flow-channels", "on", {{"acks", "on"}, {"load", "1"}, {"traffic", "incast:1"}}},
       {"reductions", "4", {}},
       {"mishaps", "1", {{"reductions", "4"}, {"max-cycles", "6000"}}},
       {"pcap", capture, {}},
       {"pace", "x0.5", {{"pcap", capture}}},
       {"ports-by", "round-robin", {{"pcap", capture}}},
       {"repeat", "2", {{"pcap", capture}, {"max-cycles", "0"}, {"size", "64"}}},
       {"stalls", "0.3", {}},
       {"stall-cycles", "50", {{"stalls", "0.3"}}},
       {"stall-kinds", "starts", {{"stalls", "0.3"}}},
       {"outages", "200", {}},
       {"retry", "on", {}},
       {"link-delay", "50", {{"load", "1"}, {"traffic", "incast:1"}, {"size", "1024"}, {"max-cycles", "6000"}}},
       {"fault-plan", "examples/faults/failing_wires.yaml", {{"retry", "on"}}},
       {"ignore-pause",
        "on",
        {{"ports", "standard"}, {"traffic", "incast:1"}, {"load", "1"}, {"size", "1024"}, {"max-cycles", "6000"}}}},
      {{"level", "another kind of run"},
       {"block", "of another kind of run"},
       {"devices", "all have the same results"},
       {"timeout", "ends a run"},
       {"captures", "more files"},
       {"fault-lines", "lines of a file"},
       {"journey", "more files"},
       {"waves", "more files"},
       {"trace-packet", "of waves"},
       {"trace-start", "of waves"},
       {"trace-end", "of waves"},
       {"trace-scope", "of waves"},
       {"trace-limit", "of waves"},
       {"first-cycle", "a run that is older"},
       {"rtl-threads", "speed"},
       {"rtl-assert", "speed"},
       {"rtl-evaluate-all", "a test of the models"},
       {"rtl-random-reset", "a test of the models"},
       {"rtl-shuffle", "a test of the models"}});
}

TEST(OptionChanges, OfARunOfASystem) {
  const std::string capture = "captures/lan24.pcapng";
  const Given frames = {{"timing", "chip"}, {"pcap", capture}, {"max-cycles", "3000"}};
  const Given jobs = {{"traffic", "alltoall:bytes=2000,ranks=8"}, {"max-cycles", "100000"}};
  const Given host = {{"traffic", "allreduce:ring,bytes=2000,ranks=8"}, {"max-cycles", "100000"}};
  const auto with = [](Given given, const std::string& option, const std::string& value) {
    given.emplace_back(option, value);
    return given;
  };
  const std::string plan = (bench::ProcessFolder() / "option_changes_faults.yaml").string();
  std::ofstream(plan) << "channel: {word_ber: 1e-5}\n";
  const Given chip = {{"timing", "chip"}, {"load", "1"}, {"traffic", "incast:1"}, {"max-cycles", "4000"}};
  ExpectChanges("net", runs::NetSettings::Table(),
                {{"topology", "dragonfly:p=2,a=4,h=2", {}},
                 {"profile", "tile16", {}},
                 {"routing", "valiant", {}},
                 {"app-aware",
                  "program",
                  {{"routing", "app_aware"},
                   {"traffic", "alltoall:bytes=100000,ranks=16"},
                   {"timing", "chip"},
                   {"max-cycles", "1000000"}}},
                 {"bias", "4095", {{"routing", "adaptive_0"}, {"traffic", "adversarial:1"}}},
                 {"seed", "2", {}},
                 {"max-cycles", "1200", {}},
                 {"until", "converged", {{"max-cycles", "60000"}, {"load", "0.3"}}},
                 {"warmup", "10", {}},
                 {"stall-cycles", "1", {{"load", "0.001"}, {"max-cycles", "20000"}}},
                 {"stalls", "on", {}},
                 {"sample", "100ns", {}},
                 {"timing", "chip", {}},
                 {"acks", "on", {}},
                 {"congestion-control", "on", {{"acks", "on"}}},
                 {"nic-rate", "100Gbps", {}},
                 {"window", "1", chip},
                 {"resend", "1us", chip},
                 {"resends", "1", with(chip, "resend", "1us")},
                 {"resend-window", "64", with(chip, "resend", "1us")},
                 {"flows", "1", {{"routing", "nmin_hash"}, {"timing", "chip"}, {"max-cycles", "4000"}}},
                 {"message-overhead", "100ns", jobs},
                 {"packet-overhead", "100ns", jobs},
                 {"host-send", "100ns", jobs},
                 {"host-receive", "100ns", jobs},
                 {"host-reduce", "100ns", host},
                 {"qos", "plans/fabric4.yaml", {{"timing", "chip"}}},
                 {"scheduler",
                  "strict",
                  {{"qos", "plans/fabric4.yaml"},
                   {"timing", "chip"},
                   {"load", "1"},
                   {"traffic", "incast:1"},
                   {"max-cycles", "5000"}}},
                 {"sender-queues", "one", {{"classes", "0,1"}, {"load", "0.9"}, {"traffic", "hotspot:1:0.4"}}},
                 {"traffic", "incast:1", {}},
                 {"allocation", "random", jobs},
                 {"background", "uniform:load=0.3", jobs},
                 {"only", "0", {{"traffic", "alltoall:bytes=2000,ranks=8+gather:ranks=4"}, {"max-cycles", "100000"}}},
                 {"load", "0.7", {}},
                 {"size", "128", {}},
                 {"process", "periodic", {}},
                 {"classes", "1", {}},
                 {"pcap", capture, {{"timing", "chip"}, {"max-cycles", "3000"}}},
                 {"pace", "x0.5", frames},
                 {"ports-by", "round-robin", frames},
                 {"repeat", "2", {{"timing", "chip"}, {"pcap", capture}, {"max-cycles", "0"}}},
                 {"fail-link", "0.3@100", {}},
                 {"retry", "on", {}},
                 {"fault-plan", plan, {{"retry", "on"}}}},
                {{"reseeds", "more runs, of a sweep"},
                 {"journey", "more files"},
                 {"timeout", "ends a run"},
                 {"goal", "as jobs"},
                 {"fault-lines", "of a file"},
                 {"worst-flows", "of a file"},
                 {"device", "all have the same results"},
                 {"lockstep", "compares"},
                 {"waves", "more files"},
                 {"trace-switch", "of waves"},
                 {"trace-start", "of waves"},
                 {"trace-end", "of waves"},
                 {"trace-scope", "of waves"},
                 {"trace-limit", "of waves"}});
}

}  // namespace
}  // namespace tilefly::cosim
