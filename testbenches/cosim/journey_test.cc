// SPDX-License-Identifier: Apache-2.0
// Journeys as tables: stages add up to the latency, a quiet packet waits for nothing, and every wait has a reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "runs/common/journey_table.h"
#include "runs/system/journey_figures.h"
#include "runs/system/net_report.h"
#include "support/errors.h"
#include "testbenches/bench/process_folder.h"
#include "topology/builder.h"

namespace tilefly::cosim {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

network::NetworkOptions Loaded(const std::string& pattern, double load) {
  network::NetworkOptions options;
  options.traffic.pattern = pattern;
  options.traffic.load = load;
  options.traffic.size = "64,512,4224";
  options.cycles = 4000;
  options.warmup = 0;
  options.journeys.slowest = 10000;
  return options;
}

Json JourneysOf(const topology::Topology& topology, const network::NetworkOptions& options) {
  network::Network network(topology, options);
  EXPECT_EQ(network.Run(), network::Ending::kDrained);
  const std::vector<network::Journey> journeys = network::Figures(network).journeys;
  EXPECT_THAT(runs::MissingJourneys(network, journeys), ::testing::IsEmpty());
  Json all = Json::array();
  for (const network::Journey& journey : journeys) all.push_back(runs::JourneyJson(network, journey));
  return all;
}

/// Sums of a journey's stages; every stage has a reason for each cycle that it waits.
void ExpectAddsUp(const Json& journey) {
  Cycle cycles = 0, quiet = 0, at = journey["created"];
  for (const Json& stage : journey["stages"]) {
    SCOPED_TRACE(journey["packet"].dump() + stage.dump());
    cycles += stage["cycles"].get<Cycle>();
    quiet += stage["quiet_cycles"].get<Cycle>();
    at += stage["cycles"].get<Cycle>();
    EXPECT_EQ(stage["cycle"], at);
    const Cycle wait = stage["wait_cycles"];
    EXPECT_GE(wait, 0);
    EXPECT_EQ(wait, stage["cycles"].get<Cycle>() - stage["quiet_cycles"].get<Cycle>());
    Cycle named = 0;
    for (const auto& [reason, of_it] : stage["waits"].items()) {
      EXPECT_GT(of_it, 0) << reason;
      named += of_it.get<Cycle>();
    }
    EXPECT_EQ(named, wait);
  }
  EXPECT_EQ(cycles, journey["latency_cycles"]);
  EXPECT_EQ(quiet, journey["quiet_cycles"]);
}

TEST(Journey, AQuietPacketWaitsForNothing) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const int lanes : {4, 2}) {
    for (const bool bench : {false, true}) {
      network::NetworkOptions options;
      options.bench_timing = bench;
      options.nic_lanes = lanes;
      options.traffic.plan = {{0, 0, 1, 512}, {20000, 0, 71, 64}, {40000, 5, 60, 3856}};
      options.cycles = 50000;
      options.journeys.packets = {{0, 1}, {0, 2}, {5, 1}};
      const Json journeys = JourneysOf(topology, options);
      ASSERT_EQ(journeys.size(), 3u);
      for (const Json& journey : journeys) {
        EXPECT_EQ(journey["latency_cycles"], journey["quiet_cycles"]) << journey.dump();
        EXPECT_TRUE(journey["waits"].empty());
        ExpectAddsUp(journey);
      }
      EXPECT_EQ(journeys[0]["hops"], 1);
      // docs/network.md, Cycles: n = 1, t the terminal link's delay, m the lanes.
      const Cycle t = bench ? 1 : 210, words = 17, tail = 4 * (words - 1) / lanes;
      EXPECT_EQ(journeys[0]["latency_cycles"], (t + tail + 63) + t + tail);
    }
  }
}

TEST(Journey, StagesOfAllPacketsAddUpAndEveryWaitHasAReason) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  std::set<std::string> reasons;
  for (const auto& [pattern, load] : {std::pair{"uniform", 0.9}, {"hotspot:0:0.5", 1.0}, {"adversarial:1", 0.8}}) {
    const Json journeys = JourneysOf(topology, Loaded(pattern, load));
    EXPECT_GT(journeys.size(), 1000u);
    for (const Json& journey : journeys) {
      ExpectAddsUp(journey);
      for (const auto& [reason, cycles] : journey["waits"].items()) reasons.insert(reason);
    }
  }
  EXPECT_THAT(reasons, ::testing::IsSupersetOf({"packets before it", "no credit", "no room", "arbitration",
                                                "input busy", "link busy", "words to come"}));
}

TEST(Journey, TheTableHasALineForEachStage) {
  const auto topology = topology::Build("dragonfly:p=1,a=2,h=1");
  network::NetworkOptions options;
  options.traffic.plan = {{0, 0, 3, 64}, {0, 0, 3, 64}};
  options.cycles = 2000;
  options.journeys.packets = {{0, 2}};
  const Json journeys = JourneysOf(topology, options);
  const std::string csv = runs::JourneyCsvLines(journeys[0]);
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), journeys[0]["stages"].size());
  EXPECT_THAT(csv, HasSubstr("e0:2,e0,e3,0,64,e0,0,0,link free,,3,3,0,3,packets before it 3\n"));
}

TEST(Journey, FilesAreTheWholeArrayAndAllLinesWrittenOneByOne) {
  const auto topology = topology::Build("dragonfly:p=1,a=2,h=1");
  network::NetworkOptions options;
  options.traffic.plan = {{0, 0, 3, 64}, {0, 0, 3, 64}, {0, 1, 2, 64}};
  options.cycles = 2000;
  for (const int count : {0, 1, 3}) {
    options.journeys = {};
    for (int i = 0; i < count; ++i) options.journeys.packets.push_back({i == 2 ? 1 : 0, i == 1 ? 2 : 1});
    const Json journeys = JourneysOf(topology, options);
    ASSERT_EQ(journeys.size(), static_cast<std::size_t>(count));
    const auto folder = bench::ProcessFolder() / fmt::format("journey-files-{}", count);
    std::filesystem::remove_all(folder);
    const runs::RunDirectory directory(folder);
    runs::JourneyFiles files(directory);
    std::size_t lines = 1;
    for (const Json& journey : journeys) {
      files.Add(journey);
      lines += journey["stages"].size();
    }
    files.Close();
    const auto text_of = [&](const char* name) {
      std::ifstream in(folder / name, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(in), {});
    };
    EXPECT_EQ(text_of("journeys.json"), journeys.dump(2) + "\n");
    const std::string csv = text_of("journeys.csv");
    EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), lines);
    EXPECT_EQ(files.OfReport()["followed"], count);
    EXPECT_EQ(files.OfReport()["shown"], nlohmann::json(journeys));
  }
}

TEST(Journey, BadChoicesAreRefusedWithTheRemedy) {
  const runs::JourneySources sources{'e', 72, "endpoint", "the system has endpoints"};
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      runs::ParseJourneys(text, sources);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("17"), AllOf(HasSubstr("'17'"), HasSubstr("slowest:K"), HasSubstr("e7:3")));
  EXPECT_THAT(refusal("e72:1"), HasSubstr("e0 to e71"));
  EXPECT_THAT(refusal("all"), AllOf(HasSubstr("one switch"), HasSubstr("slowest:K")));
  EXPECT_THAT(refusal("e1:0"), HasSubstr("from 1"));
  EXPECT_THAT(refusal("slowest:0"), HasSubstr("1 to 10000"));
  EXPECT_THAT(refusal("slowest:many"), HasSubstr("many"));
  EXPECT_EQ(refusal("slowest:3,e71:5"), "");
  EXPECT_EQ(runs::ParseJourneys("slowest:3,e71:5,e0:1", sources).packets.size(), 2u);
  EXPECT_FALSE(runs::ParseJourneys("", sources).any());
}

TEST(SystemMap, HasEveryLinkInItsPlace) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  network::NetworkOptions options = Loaded("adversarial:1", 0.3);
  options.journeys = {};
  network::Network network(topology, options);
  ASSERT_EQ(network.Run(), network::Ending::kDrained);
  const nlohmann::json map = runs::SystemMap(network, network::Figures(network));
  const nlohmann::json& groups = map["groups"];
  EXPECT_EQ(groups["groups"], 9);
  ASSERT_EQ(groups["mean"].size(), 9u);
  for (int from = 0; from < 9; ++from) {
    for (int to = 0; to < 9; ++to) {
      const nlohmann::json& mean = groups["mean"][from][to];
      ASSERT_EQ(mean.is_null(), from == to);
      if (from == to) continue;
      EXPECT_LE(mean, groups["most"][from][to]);
      if (to == (from + 1) % 9) {
        EXPECT_GT(mean, 500);
      } else {
        EXPECT_EQ(mean, 0);
      }
    }
  }
  ASSERT_EQ(map["pages"].size(), 1u);
  EXPECT_EQ(map["pages"][0]["switches"].size(), 36u);
  for (const auto& row : map["pages"][0]["ports"]) {
    const std::string ports = row;
    ASSERT_EQ(ports.size(), 16u);
    EXPECT_EQ(ports.substr(14), "..") << "p + (a - 1) + h = 7 ports of 8";
  }
}

TEST(SystemMap, ManyGroupsAreDrawnInBlocks) {
  const auto topology = topology::Build("dragonfly:p=1,a=2,h=40,g=81,profile=rosetta64");
  network::NetworkOptions options;
  options.cycles = 300;
  options.warmup = 0;
  network::Network network(topology, options);
  network.Run();
  const nlohmann::json map = runs::SystemMap(network, network::Figures(network));
  EXPECT_EQ(map["groups"]["groups_of_block"], 2);
  EXPECT_EQ(map["groups"]["mean"].size(), 41u);
  EXPECT_EQ(map["pages"].size(), 81u);
}

}  // namespace
}  // namespace tilefly::cosim
