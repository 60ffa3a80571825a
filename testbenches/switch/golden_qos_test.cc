// SPDX-License-Identifier: Apache-2.0
// Classes through the whole golden switch (docs/blocks/scheduler.md, Shares and bounds): an output of Table 4's weights,
// packets of different sizes, sources anywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/bench/settings.h"
#include "testbenches/scheduler/table4.h"
#include "testbenches/switch/saturation.h"

namespace tilefly::golden {
namespace {

constexpr int kOutput = 40;

/// What each class sends: always, unless it is not in `classes`.
struct ClassTraffic {
  std::array<int, kMaxPorts> class_of;  ///< of each input, -1: silent
  std::array<int, kMaxClasses> least_cells;
  std::array<int, kMaxClasses> most_cells;
  unsigned classes;
};

void Use(const std::vector<TableSlot>& table, PacketRig* rig) {
  Cfg write;
  write.valid = true;
  write.port = kAllPorts;
  write.space = static_cast<std::uint8_t>(CfgSpace::kDtable);
  for (std::size_t e = 0; e <= table.size(); ++e) {
    write.index = static_cast<std::uint16_t>(e < table.size() ? e : kSwapIndex);
    write.data = e < table.size() ? DtableEntry::Of(table[e].weight, table[e].tc).ToBits() : 0;
    rig->device().Write(rig->cycle(), write);
  }
}

/// What leaves by kOutput.
struct Measured {
  std::array<double, kMaxClasses> share{};  ///< of the cells, by class
  double link = 0;                          ///< word slots with a word
};

Measured Measure(const ClassTraffic& traffic, const Span& span, PacketRig* rig) {
  Random random;
  rig->set_source([&](int port) {
    const int c = traffic.class_of[static_cast<std::size_t>(port)];
    if (c < 0 || ((traffic.classes >> c) & 1) == 0) return PacketRig::Request{0, 64, 0, kNever};
    const auto i = static_cast<std::size_t>(c);
    const int cells = traffic.least_cells[i] + random.Below(traffic.most_cells[i] - traffic.least_cells[i] + 1);
    return PacketRig::Request{kOutput, 48 * cells - 16, c};
  });
  rig->RunTo(rig->cycle() + span.warm_up);
  Measured measured;
  double all = 0;
  rig->on_departure([&](const Departure& departure) {
    measured.share[departure.header.tc()] += CellsOf(departure.length);
    all += CellsOf(departure.length);
  });
  rig->ResetCounts();
  rig->RunTo(rig->cycle() + span.window);
  for (double& share : measured.share) share /= all;
  measured.link = Share(*rig, kOutput, span);
  rig->on_departure(nullptr);
  rig->Drain();
  EXPECT_TRUE(rig->AllHome());
  return measured;
}

/// The first classes of Table 4 with packets of 1 cell up to their MTU; class c is sent by the inputs `inputs[c]`.
ClassTraffic Table4Traffic(const std::vector<std::vector<int>>& inputs, unsigned classes) {
  ClassTraffic traffic{};
  traffic.class_of.fill(-1);
  for (std::size_t c = 0; c < inputs.size(); ++c) {
    for (const int input : inputs[c]) traffic.class_of[static_cast<std::size_t>(input)] = static_cast<int>(c);
    traffic.least_cells[c] = 1;
    traffic.most_cells[c] = kTable4Mtu[c];
  }
  traffic.classes = classes;
  return traffic;
}

/// `share` by weight to three digits. Returns the link's use.
double ExpectTable4(const ClassTraffic& traffic, const Span& span) {
  PacketRig rig(kRosetta64);
  Use(Table4(), &rig);
  const Measured measured = Measure(traffic, span, &rig);
  int weights = 0;
  ForEachBit(traffic.classes, [&](int c) { weights += kTable4Weight[static_cast<std::size_t>(c)]; });
  ForEachBit(traffic.classes, [&](int c) {
    const auto i = static_cast<std::size_t>(c);
    EXPECT_NEAR(measured.share[i], static_cast<double>(kTable4Weight[i]) / weights, 0.0005) << "class " << c << " of " << traffic.classes;
  });
  return measured.link;
}

constexpr Span kLong = {20000, 1500000};
constexpr unsigned kSeven = 0x7F;

TEST(Classes, SevenBackloggedOnesShareByWeightToThreeDigits) {
  const double link = ExpectTable4(Table4Traffic({{0}, {9}, {18}, {27}, {36}, {45}, {54}}, kSeven), kLong);
  EXPECT_GE(link, 0.99);
}

/// Each change of class is one of the channel's owner: entries of 3 to 11 cells do not cover its 25 cycles, so the link is not
/// full; the shares are the same.
TEST(Classes, ShareByWeightThoughTheyShareAChannel) {
  const double link = ExpectTable4(Table4Traffic({{17}, {19}, {21}, {23}, {25}, {27}, {29}}, kSeven), kLong);
  EXPECT_NEAR(link, 0.696, 0.005);
}

TEST(Classes, ShareByWeightWhereverTheirInputsAre) {
  for (std::uint64_t placement = 1; placement <= 4; ++placement) {
    Random random(placement * 0x9E3779B97F4A7C15u);
    std::vector<int> ports(kMaxPorts);
    for (int p = 0; p < kMaxPorts; ++p) ports[static_cast<std::size_t>(p)] = p;
    for (int p = kMaxPorts - 1; p > 0; --p) std::swap(ports[static_cast<std::size_t>(p)], ports[static_cast<std::size_t>(random.Below(p + 1))]);
    std::vector<std::vector<int>> inputs(7);
    for (std::size_t i = 0; i < 21; ++i) inputs[i % 7].push_back(ports[i]);
    ClassTraffic traffic = Table4Traffic(inputs, kSeven);
    if (placement % 2 == 0) traffic.least_cells = traffic.most_cells;  // the largest packets only
    EXPECT_GE(ExpectTable4(traffic, kLong), 0.95) << "placement " << placement;
  }
}

TEST(Classes, WhateverSubsetIsIdleTheOthersShareByWeight) {
  const bool quick = bench::TierFromEnvironment() == bench::Tier::kQuick;
  std::vector<std::vector<int>> inputs;
  for (int c = 0; c < 7; ++c) inputs.push_back({c, 16 + 2 * c, 39 + c});  // three rows each
  for (unsigned subset = 1; subset <= kSeven; subset += quick ? 9 : 1) ExpectTable4(Table4Traffic(inputs, subset), {20000, 800000});
}

/// A class of 64 B, from one input or several, against one of 4 KiB from one input, with equal weights: its share, while the
/// link is full.
double SmallAgainstLarge(SchedulerKind kind, int request_credits, const std::vector<int>& inputs, int weight = 178,
                         int class_hold = kRosetta64.class_hold) {
  Profile profile = kRosetta64;
  profile.request_credits = request_credits;
  profile.class_hold = class_hold;
  PacketRig rig(profile, {kind});
  std::vector<TableSlot> table;
  for (int e = 0; e < profile.dtable_entries; ++e) table.push_back({e % 2, weight});
  Use(table, &rig);
  ClassTraffic traffic = Table4Traffic({inputs, {22}}, 3);
  traffic.least_cells[0] = traffic.most_cells[0] = CellsOf(64);
  traffic.least_cells[1] = traffic.most_cells[1] = CellsOf(4096);
  const Measured measured = Measure(traffic, {20000, 400000}, &rig);
  EXPECT_GE(measured.link, 0.999);
  return measured.share[0];
}

TEST(Classes, OfLargePacketsAndOfSmallOnesDoNotStarveEachOther) {
  for (const int weight : {89, 178, 400}) {
    for (const int request_credits : {12, 16, 20, 22, 48}) {
      EXPECT_NEAR(SmallAgainstLarge(SchedulerKind::kDeficitTable, request_credits, {5}, weight), 0.5, 0.001)
          << request_credits << " credits, weight " << weight;
    }
  }
  // The loop of 21 cycles less the twelve requests in sight.
  EXPECT_NEAR(SmallAgainstLarge(SchedulerKind::kDeficitTable, 12, {5}, 178, 9), 0.5, 0.001);
  EXPECT_LT(SmallAgainstLarge(SchedulerKind::kDeficitTable, 12, {5}, 178, 8), 0.13);
  EXPECT_NEAR(SmallAgainstLarge(SchedulerKind::kDeficitTable, 12, {17}), 0.5, 0.001) << "on the channel of the large ones";
  EXPECT_NEAR(SmallAgainstLarge(SchedulerKind::kDeficitTable, 12, {5, 14}), 0.5, 0.001);
}

/// A queue's requests come back after 21 cycles and an output grants one a cycle, so 22 credits keep a queue in sight. With
/// fewer, the turn of a class with a single queue of small packets ends when its requests are granted, unless it is waited for.
TEST(Classes, OfSmallPacketsNeedRequestCreditsForTheLoopWhenNobodyWaitsForThem) {
  constexpr SchedulerKind kPaper = SchedulerKind::kPaperTable;
  EXPECT_NEAR(SmallAgainstLarge(kPaper, 12, {5}, 89), 0.212, 0.001);
  EXPECT_NEAR(SmallAgainstLarge(kPaper, 12, {5}), 0.119, 0.001);
  EXPECT_NEAR(SmallAgainstLarge(kPaper, 20, {5}), 0.183, 0.001);
  EXPECT_NEAR(SmallAgainstLarge(kPaper, 22, {5}), 0.5, 0.001);
  EXPECT_NEAR(SmallAgainstLarge(kPaper, 48, {5}), 0.5, 0.001);
  EXPECT_NEAR(SmallAgainstLarge(kPaper, 12, {5, 14}), 0.5, 0.001) << "two queues are 24 requests";
}

/// Eight classes of 64 B, an input each, two of them in each row, to eight outputs: share of the word slots used.
double EightToEight(SchedulerKind kind) {
  PacketRig rig(kRosetta64, {kind});
  Random random;
  rig.set_source([&](int port) {
    return port % 8 == 0 ? PacketRig::Request{random.Below(8) * 8, 64, port / 8} : PacketRig::Request{0, 64, 0, kNever};
  });
  const Span span = {20000, 300000};
  rig.RunTo(span.warm_up);
  rig.ResetCounts();
  rig.RunTo(span.warm_up + span.window);
  double mean = 0;
  for (int p = 0; p < kMaxPorts; p += 8) mean += Share(rig, p, span) / 8;
  return mean;
}

/// An input that serves other outputs too requests late.
TEST(Classes, WaitingForRequestsCostsTheLinkWhereInputsServeManyOutputs) {
  EXPECT_NEAR(EightToEight(SchedulerKind::kDeficitTable), 0.950, 0.01);
  EXPECT_NEAR(EightToEight(SchedulerKind::kPaperTable), 0.997, 0.005);
}

/// Uniform 64 B of eight classes from saturated inputs: what is missing is the wait at classes with busy channels.
TEST(Classes, WaitingForBusyChannelsCostsTheLink) {
  for (const auto& [kind, share] : {std::pair(SchedulerKind::kDeficitTable, 0.755), std::pair(SchedulerKind::kRoundRobin, 0.754),
                                    std::pair(SchedulerKind::kSelfClocked, 0.996)}) {
    PacketRig rig(kRosetta64, {kind});
    Random random;
    rig.set_source([&](int) {
      const int tc = random.Below(kMaxClasses);
      return PacketRig::Request{random.Below(kMaxPorts), 64, tc};
    });
    const Span span = {20000, 30000};
    rig.RunTo(span.warm_up);
    rig.ResetCounts();
    rig.RunTo(span.warm_up + span.window);
    double mean = 0;
    for (int p = 0; p < kMaxPorts; ++p) mean += Share(rig, p, span) / kMaxPorts;
    EXPECT_NEAR(mean, share, 0.005);
  }
}

}  // namespace
}  // namespace tilefly::golden
