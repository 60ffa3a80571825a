// SPDX-License-Identifier: Apache-2.0
// Captures as traffic of a system: every frame for another endpoint arrives once, in order within its pair of
// endpoints, and is created at its time.
//
//   captures/lan24.pcapng: 24 hosts, 3,980 frames, 368 of them to groups; its README tells the rest
#include "runs/system/net_capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "runs/system/net_settings.h"
#include "support/errors.h"
#include "testbenches/network/delivery_probe.h"
#include "topology/builder.h"

namespace tilefly::cosim {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLan = "captures/lan24.pcapng";

runs::NetSettings With(const std::vector<std::pair<std::string, std::string>>& values) {
  runs::NetSettings settings;
  for (const auto& [path, value] : values) settings.Set(path, value, "test");
  settings.Resolve();
  return settings;
}

std::string RefusalOf(const std::vector<std::pair<std::string, std::string>>& values) {
  try {
    With(values).ToRunOptions();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// Lengths of the packets of each pair of fabric addresses, in the order of their arrival.
using Arrivals = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<int>>;

Arrivals Run(const runs::NetRunOptions& options) {
  network::NetworkOptions stepped = options.network;
  stepped.halves = false;  // the probe looks at switches after each step
  network::Network network(*options.topology, stepped);
  network::DeliveryProbe probe(network.wiring());
  network.set_probe(&probe);
  EXPECT_EQ(network.Run(), network::Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  EXPECT_EQ(network.statistics().dropped(), 0);
  EXPECT_EQ(network.Remaining().packets, 0);
  std::stable_sort(probe.deliveries.begin(), probe.deliveries.end(),
                   [](const auto& a, const auto& b) { return a.last < b.last; });
  Arrivals arrivals;
  for (const network::Delivery& one : probe.deliveries) arrivals[{one.source, one.destination}].push_back(one.length);
  return arrivals;
}

/// What the capture says of frames between hosts that both send, by an own reading: each host has an address of its
/// own.
std::vector<std::vector<int>> Conversations(const std::string& file) {
  const Capture capture = ReadCapture(file, 64, 4224);
  std::map<Mac, int> hosts;
  for (const CapturedFrame& frame : capture.frames) hosts.emplace(MacAt(frame.bytes, 6), 0);
  std::map<std::pair<Mac, Mac>, std::vector<int>> pairs;
  for (const CapturedFrame& frame : capture.frames) {
    if (hosts.count(MacAt(frame.bytes, 0)) > 0)
      pairs[{MacAt(frame.bytes, 6), MacAt(frame.bytes, 0)}].push_back(static_cast<int>(frame.bytes.size()));
  }
  std::vector<std::vector<int>> conversations;
  for (const auto& [pair, lengths] : pairs) conversations.push_back(lengths);
  std::sort(conversations.begin(), conversations.end());
  return conversations;
}

void ExpectConversations(const std::string& file, const std::string& pace) {
  const runs::NetRunOptions options =
      With({{"capture.file", file}, {"capture.pace", pace}, {"routing", "in_order"}, {"traffic.classes", "0"}})
          .ToRunOptions();
  std::vector<std::vector<int>> arrived;
  for (const auto& [pair, lengths] : Run(options)) arrived.push_back(lengths);
  std::sort(arrived.begin(), arrived.end());
  EXPECT_EQ(arrived, Conversations(file)) << file << " " << pace;
}

TEST(NetCapture, EveryFrameArrivesOnceInTheOrderOfItsPair) {
  for (const char* pace : {"back-to-back", "x0.00002"}) ExpectConversations(kLan, pace);
}

TEST(NetCapture, SoDoThoseOfOtherCaptures) {
  const char* const data = std::getenv("TILEFLY_DATA");
  if (data == nullptr) GTEST_SKIP() << "TILEFLY_DATA is not set";
  for (const char* name : {"AoE_Linux.pcap", "mptcp-v0.pcap"})
    ExpectConversations(std::string(data) + "/pcap/" + name, "back-to-back");
}

TEST(NetCapture, EveryFrameIsSentOrCounted) {
  for (const char* by : {"mac", "interface", "round-robin"}) {
    const runs::NetRunOptions options = With({{"capture.file", kLan}, {"capture.ports_by", by}}).ToRunOptions();
    const runs::NetCapture& capture = *options.capture;
    EXPECT_EQ(capture.hosts, 24) << by;
    EXPECT_EQ(capture.frames, static_cast<std::int64_t>(options.network.traffic.plan.size())) << by;
    EXPECT_EQ(capture.frames + capture.local + capture.nobody + capture.file.too_long, 3980) << by;
    EXPECT_EQ(capture.nobody, 368) << by << ": those to groups";
    EXPECT_EQ(capture.local > 0, by == std::string("round-robin")) << by;
    for (const network::PlannedPacket& packet : options.network.traffic.plan)
      ASSERT_NE(packet.source, packet.destination) << by;
  }
}

TEST(NetCapture, AHostWithAnEndpointsAddressSitsThere) {
  // h01, h03, ... have the addresses of ports 11, 33, 55, 13, ... of switch 0, which has 32 endpoints.
  const runs::NetRunOptions options = With({{"capture.file", kLan}, {"topology", "tree:k=32,n=1"}}).ToRunOptions();
  const Capture capture = ReadCapture(kLan, 64, 4224);
  std::size_t next = 0, algorithmic = 0;
  std::map<Mac, int> hosts;
  for (const CapturedFrame& frame : capture.frames) hosts.emplace(MacAt(frame.bytes, 6), 0);
  for (const CapturedFrame& frame : capture.frames) {
    const Mac from = MacAt(frame.bytes, 6);
    if (hosts.count(MacAt(frame.bytes, 0)) == 0) continue;
    const network::PlannedPacket& packet = options.network.traffic.plan[next++];
    if (from[0] != 0x02 || from[1] != 0 || from[5] >= 32) continue;
    ++algorithmic;
    EXPECT_EQ(packet.source, from[5]);
  }
  EXPECT_EQ(next, options.network.traffic.plan.size());
  EXPECT_GT(algorithmic, 500u);
}

TEST(NetCapture, PacesAreThoseOfTheFrames) {
  const Capture capture = ReadCapture(kLan, 64, 4224);
  std::vector<std::int64_t> times;
  std::map<Mac, int> hosts;
  for (const CapturedFrame& frame : capture.frames) hosts.emplace(MacAt(frame.bytes, 6), 0);
  for (const CapturedFrame& frame : capture.frames) {
    if (hosts.count(MacAt(frame.bytes, 0)) > 0) times.push_back(frame.time_ns);
  }
  const auto plan = [](const char* pace) {
    return With({{"capture.file", kLan}, {"capture.pace", pace}}).ToRunOptions().network.traffic;
  };
  const auto kept = plan("kept"), faster = plan("x0.5"), at_once = plan("back-to-back");
  ASSERT_EQ(kept.plan.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    ASSERT_EQ(kept.plan[i].at, times[i] * 25 / 32) << i;  // 1.28 ns a cycle
    ASSERT_EQ(faster.plan[i].at, times[i] * 25 / 64) << i;
    ASSERT_EQ(at_once.plan[i].at, 0) << i;
  }
  EXPECT_GT(kept.period, kept.plan.back().at);
  EXPECT_EQ(at_once.period, 0);
}

TEST(NetCapture, ClassesAreThoseOfTheMarks) {
  std::map<int, int> packets;
  for (const auto& packet : With({{"capture.file", kLan}}).ToRunOptions().network.traffic.plan) ++packets[packet.tc];
  // DSCP 0, 8, 18, 34, 46: 0, 1, 2, 4, 5.
  for (const int tc : {0, 1, 2, 4, 5}) EXPECT_GT(packets[tc], 0) << tc;
  EXPECT_EQ(packets.size(), 5u);
  const runs::NetRunOptions one = With({{"capture.file", kLan}, {"traffic.classes", "3"}}).ToRunOptions();
  for (const auto& packet : one.network.traffic.plan) ASSERT_EQ(packet.tc, 3);
}

TEST(NetCapture, LastsUntilAllIsSentOrAsLongAsItMay) {
  runs::NetSettings settings = With({{"capture.file", kLan}});
  EXPECT_EQ(settings.Get("traffic.pattern"), "none");
  EXPECT_EQ(settings.Get("max_cycles"), "0");
  EXPECT_EQ(settings.Get("warmup"), "0");
  EXPECT_EQ(settings.TrafficName(), "lan24.pcapng");
  EXPECT_TRUE(settings.ToRunOptions().network.till_sent);
  const runs::NetRunOptions limited = With({{"capture.file", kLan}, {"max_cycles", "900"}}).ToRunOptions();
  EXPECT_TRUE(limited.network.till_sent);
  EXPECT_EQ(limited.network.cycles, 900);
}

TEST(NetCapture, LongTimesWithoutAFrameAreSaidAndHarmNothing) {
  const runs::NetRunOptions options =
      With({{"capture.file", kLan}, {"capture.pace", "x1e15"}, {"capture.repeat", "1048576"}, {"max_cycles", "900"}})
          .ToRunOptions();
  EXPECT_THAT(options.capture->Text(4224), HasSubstr("no frame comes for "));
  EXPECT_THAT(With({{"capture.file", kLan}}).ToRunOptions().capture->Text(4224), Not(HasSubstr("no frame comes")));
  for (const network::PlannedPacket& packet : options.network.traffic.plan) ASSERT_GE(packet.at, 0);
  EXPECT_GT(options.network.traffic.period, Cycle{1} << 40);
  EXPECT_LT(options.network.traffic.period, Cycle{1} << 42) << "times a million it has 62 bits";
  network::Network network(*options.topology, options.network);
  EXPECT_EQ(network.Run(), network::Ending::kDrained);
}

TEST(NetCapture, WhatCannotBeSentIsRefused) {
  EXPECT_THAT(RefusalOf({{"capture.file", kLan}, {"topology", "dragonfly:p=1,a=2,h=1"}}),
              AllOf(HasSubstr("lan24.pcapng: 24 hosts"), HasSubstr("6 endpoints"), HasSubstr("--ports-by interface")));
  EXPECT_THAT(RefusalOf({{"capture.file", kLan}, {"traffic.pattern", "uniform"}}), HasSubstr("--traffic uniform"));
  EXPECT_THAT(RefusalOf({{"capture.file", kLan}, {"traffic.pattern", "alltoall"}}), HasSubstr("exclude each other"));
  EXPECT_THAT(RefusalOf({{"capture.file", kLan}, {"traffic.classes", "0,3"}}), HasSubstr("--classes 0,3"));
  EXPECT_THAT(RefusalOf({{"capture.file", "/nowhere/at.all"}}), HasSubstr("/nowhere/at.all"));
  EXPECT_THAT(RefusalOf({{"capture.file", kLan}, {"capture.repeat", "0"}}), HasSubstr("capture.repeat"));
  EXPECT_THAT(RefusalOf({{"capture.file", kLan}, {"capture.pace", "x1e15"}}),
              AllOf(HasSubstr("lan24.pcapng"), HasSubstr("a run has at most"), HasSubstr("--pace back-to-back")));
}

}  // namespace
}  // namespace tilefly::cosim
