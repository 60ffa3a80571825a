// SPDX-License-Identifier: Apache-2.0
// The golden reduction ring against the closed forms of docs/blocks/reduction.md and reduction-trees.md.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "testbenches/reduction/stream_hosts.h"

namespace tilefly::golden {
namespace {

std::vector<std::uint8_t> Repeat(std::int32_t value, int bytes) {
  std::vector<std::uint8_t> data(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i + sizeof value <= data.size(); i += sizeof value)
    std::memcpy(&data[i], &value, sizeof value);
  return data;
}

std::int32_t ValueAt(const std::vector<std::uint8_t>& data, int element) {
  std::int32_t value = 0;
  std::memcpy(&value, data.data() + static_cast<std::size_t>(element) * sizeof value, sizeof value);
  return value;
}

PortMask Ports(const std::vector<int>& ports) {
  PortMask mask = 0;
  for (const int p : ports) mask |= Bit(p);
  return mask;
}

/// One word of int32 sums.
Red ShortSum(int group, int seq) {
  Red red = ShortHeader(group, seq, RedAction::kReduce);
  red.op = static_cast<std::uint8_t>(RedOp::kSum);
  red.dtype = static_cast<std::uint8_t>(RedType::kInt32);
  red.bytes = 32;
  return red;
}

TEST(Short, AQuietOneTakesTheCyclesOfThePage) {
  RedRig rig(kTile8);
  rig.SetTree(2, {Ports({1, 6}), 0, -1, false, 0});
  rig.Send(1, rig.now(), ShortSum(2, 5), Repeat(40, 32));
  const Cycle last = rig.Send(6, rig.now() + 50, ShortSum(2, 5), Repeat(2, 32));
  rig.Drain();
  ASSERT_EQ(rig.got.size(), 2u);
  for (const RedRig::Got& packet : rig.got) {
    const Cycle e = last + 4;
    const Cycle complete = e + 2 + rig.profile().red_delay + packet.port / 2 + 2;
    EXPECT_EQ(packet.take, complete + 1 + 1 + 25) << "port " << packet.port;
    EXPECT_EQ(packet.red.what, static_cast<int>(RedWhat::kShortResult));
    EXPECT_EQ(packet.red.contributions, 2u);
    EXPECT_EQ(packet.red.seq, 5);
    EXPECT_EQ(packet.red.code, 0);
    EXPECT_EQ(packet.length, 52);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(ValueAt(packet.data, i), 42);
    EXPECT_EQ(packet.header.dst, 0x100u + static_cast<unsigned>(packet.port));
    EXPECT_EQ(packet.header.kind, static_cast<int>(Kind::kRed));
    EXPECT_TRUE(packet.header.an);
    EXPECT_TRUE(packet.header.ordered);
    EXPECT_EQ(packet.header.mode, static_cast<int>(RouteMode::kInOrder));
    EXPECT_EQ(packet.header.hop, 1);
    EXPECT_EQ(packet.header.vl, RedRig::kVl);
    EXPECT_EQ(packet.header.tc, 2);
  }
  EXPECT_EQ(rig.Sum(Counter::kRxRed), 2u);
  EXPECT_EQ(rig.Count(1, Drop::kRed), 0u);
  EXPECT_EQ(rig.bytes_kept(), 0u);
}

TEST(Stream, CreditAndResultLeaveInTheCyclesOfThePage) {
  RedRig rig(kTile8);
  const PortMask children = Ports({0, 5});
  rig.SetTree(1, {children, 0, -1, false, 0});
  StreamHosts hosts(rig, 1, children, 1, {}, nullptr);
  const int tag = hosts.Lock(0, 0);
  ASSERT_EQ(tag, 1);
  const Red red = SegmentHeader(1, tag, 0, RedOp::kSum, RedType::kInt32, 64);
  rig.RunTo(rig.now() + 300);
  rig.Send(0, rig.now(), red, Repeat(3, 64));
  const Cycle last = rig.Send(5, rig.now(), red, Repeat(4, 64));
  rig.Drain();
  const Cycle t = last + 4 + 2;
  for (const int port : {0, 5}) {
    const auto credits = rig.GotAt(port, RedWhat::kCredit);
    ASSERT_EQ(credits.size(), 1u);
    EXPECT_EQ(credits[0].take, t + 28);
    EXPECT_EQ(credits[0].red.credit, 1);
    EXPECT_EQ(credits[0].red.tag, tag);
    EXPECT_EQ(credits[0].length, 32);
    const auto results = rig.GotAt(port, RedWhat::kResult);
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].take, t + rig.profile().red_delay + port / 2 + 3 + 1 + 1 + 25);
    EXPECT_EQ(results[0].red.seq, 0);
    for (int i = 0; i < 16; ++i) EXPECT_EQ(ValueAt(results[0].data, i), 7);
  }
}

TEST(Ring, ThePublishedExampleTakesFiveStepsLeftOneRightOneInTheCfu) {
  RedRig rig(kTile16);
  const std::vector<int> ports = {0, 1, 2, 3, 4, 7, 9, 13};
  rig.SetTree(0, {Ports(ports), 0, -1, false, 0});
  StreamHosts hosts(rig, 0, Ports(ports), 1, {}, nullptr);
  const int tag = hosts.Lock(0, 0);
  ASSERT_EQ(tag, 1);
  rig.RunTo(rig.now() + 300);
  const float base[] = {1e8f, 1.0f, -1e8f, 3.0f, 1e-3f, 7.0f, 1e7f, -2.5f};
  Red red = SegmentHeader(0, tag, 0, RedOp::kSum, RedType::kFloat32, 32);
  Cycle last = 0;
  std::vector<float> operands;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    std::vector<std::uint8_t> data(32);
    for (std::size_t k = 0; k < 8; ++k) std::memcpy(&data[4 * k], &base[i], 4);
    operands.push_back(base[i]);
    last = rig.Send(ports[i], rig.now(), red, data);
  }
  const Cycle t = last + 4 + 2;
  std::vector<std::pair<Cycle, int>> steps;
  std::vector<Cycle> meets;
  while (rig.now() < t + rig.profile().red_delay) {
    const Cycle now = rig.now();
    rig.Step();
    for (int p = 0; p < rig.profile().ports; ++p) {
      const RedObs& seen = rig.observed().reds[p];
      if (seen.step_valid && seen.step_part && seen.step_operands == 3) steps.emplace_back(now - t, p);
    }
    if (rig.observed().cfu.meet_valid && rig.observed().cfu.meet_operands == 3) meets.push_back(now - t);
  }
  const std::vector<std::pair<Cycle, int>> expected = {{7, 1}, {13, 2}, {19, 3}, {25, 4}, {31, 13}, {43, 7}};
  std::sort(steps.begin(), steps.end());
  EXPECT_EQ(steps, expected);
  EXPECT_EQ(meets, std::vector<Cycle>{49});
  rig.Drain();
  const auto results = rig.GotAt(13, RedWhat::kResult);
  ASSERT_EQ(results.size(), 1u);
  volatile float left = operands[0];
  for (int i = 1; i < 6; ++i) left = left + operands[static_cast<std::size_t>(i)];
  volatile float right = operands[6] + operands[7];
  volatile float sum = left + right;
  float told;
  std::memcpy(&told, results[0].data.data(), 4);
  EXPECT_EQ(told, sum);
}

}  // namespace
}  // namespace tilefly::golden
