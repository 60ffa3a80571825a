// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "cosim/errors.h"
#include "cosim/traffic/generator.h"
#include "runs/switch/run_options.h"
#include "testbenches/qos/files.h"

namespace tilefly::cosim {
namespace {

std::vector<int> Destinations(const std::string& traffic, int ports) {
  const Pattern pattern(traffic, ports, 1);
  std::vector<int> out;
  for (int port = 0; port < ports; ++port) out.push_back(pattern.Destination(port, 0));
  return out;
}

TEST(Pattern, Permutations) {
  EXPECT_EQ(Destinations("permutation:identity", 8), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(Destinations("permutation:shift:3", 8), (std::vector<int>{3, 4, 5, 6, 7, 0, 1, 2}));
  EXPECT_EQ(Destinations("permutation:bitreverse", 8), (std::vector<int>{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(Destinations("permutation:bitcomplement", 8), (std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(Destinations("permutation:transpose", 16),
            (std::vector<int>{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
  EXPECT_EQ(Destinations("permutation:tornado", 8), (std::vector<int>{3, 4, 5, 6, 7, 0, 1, 2}));
  const auto random = Destinations("permutation:random", 64);
  EXPECT_EQ(std::set<int>(random.begin(), random.end()).size(), 64u);
}

TEST(Pattern, UniformReachesAllOthersAndNeverItself) {
  const Pattern pattern("uniform", 8, 1);
  std::set<int> seen;
  for (std::uint64_t id = 0; id < 500; ++id) seen.insert(pattern.Destination(3, id));
  EXPECT_EQ(seen, (std::set<int>{0, 1, 2, 4, 5, 6, 7}));
}

TEST(Pattern, HotspotGetsItsShare) {
  const Pattern pattern("hotspot:2,5:0.5", 64, 1);
  int hot = 0;
  for (std::uint64_t id = 0; id < 10000; ++id) {
    const int port = pattern.Destination(9, id);
    hot += port == 2 || port == 5;
  }
  EXPECT_NEAR(hot, 5000 + 5000 * 2 / 63, 200);
}

TEST(Pattern, IncastTargetIsSilent) {
  const Pattern pattern("incast:4", 8, 1);
  EXPECT_FALSE(pattern.Sends(4));
  EXPECT_EQ(pattern.Destination(4, 0), -1);
  EXPECT_EQ(pattern.Destination(1, 0), 4);
}

TEST(Pattern, UnknownNamesTheNearest) {
  try {
    Pattern("unifrom", 8, 1);
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("'uniform'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(Pattern("permutation:bitrevers", 8, 1), UsageError);
  EXPECT_THROW(Pattern("incast:8", 8, 1), UsageError);
  for (const char* text : {"hotspot:1:1.5", "hotspot:1:nan", "hotspot:3,3:0.5"})
    EXPECT_THROW(Pattern(text, 8, 1), UsageError) << text;
}

TEST(Pattern, AWrongSeparatorIsNamed) {
  for (const char* text : {"incast,3", "incast=3", "incast;3"}) {
    try {
      Pattern(text, 8, 1);
      FAIL() << text;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("write incast:3"), std::string::npos) << error.what();
    }
  }
}

TEST(SizeMix, WeightsAreSharesOfFrames) {
  const SizeMix mix("64*0.75,1024*0.25", 64, 4224);
  int small = 0;
  for (std::uint64_t id = 0; id < 10000; ++id) small += mix.Pick(Draw(1, 0, id, Purpose::kSize)) == 64;
  EXPECT_NEAR(small, 7500, 200);
  EXPECT_DOUBLE_EQ(mix.Mean([](int size) { return static_cast<double>(size); }), 304);
}

TEST(SizeMix, RefusesWhatIsNotASize) {
  for (const char* text : {"", "63", "5000", "abc", "64*", "64*0", "64*-1", "64*1*1", "64*nan", "64*1e308"})
    EXPECT_THROW(SizeMix(text, 64, 4224), UsageError) << text;
}

class GeneratorTest : public ::testing::TestWithParam<std::tuple<PortKind, double, Process>> {};

TEST_P(GeneratorTest, OffersItsLoadInWellFormedFrames) {
  const auto [kind, load, process] = GetParam();
  const SwitchSetup setup(kTile8, std::vector<PortKind>(8, kind), 4);
  GeneratorOptions options;
  options.size = "64,333,1024";
  options.load = load;
  options.process = process;
  options.classes = "0,5";
  Generator generator(setup, options, 7);
  generator.Begin(100);
  constexpr Cycle kCycles = 200000;
  double slots = 0;
  std::set<std::uint64_t> ids;
  for (Cycle now = 0; now < 100 + kCycles; now += 1 + now % 3) {
    for (int port = 0; port < 8; ++port) {
      const FramePtr frame = generator.NextFrame(port, now, 0);
      if (!frame) continue;
      EXPECT_GE(now, 100);
      slots += frame->slots();
      EXPECT_TRUE(ids.insert(frame->id).second);
      EXPECT_EQ(CheckOf(frame->bytes), Check::kGood);
      EXPECT_EQ(setup.Predict(*frame).drop, Drop::kNone);
      EXPECT_NE(setup.Predict(*frame).outputs & 0xff, 0u);
    }
  }
  double offered = 0;
  for (int port = 0; port < 8; ++port) offered += generator.OfferedSlots(port, 100 + kCycles);
  EXPECT_NEAR(offered / (8.0 * kCycles), load, 0.01);
  EXPECT_NEAR(slots / (8.0 * kCycles), load, 0.02) << "what was taken";
}

INSTANTIATE_TEST_SUITE_P(Loads, GeneratorTest,
                         ::testing::Combine(::testing::Values(PortKind::kFabric, PortKind::kStandard),
                                            ::testing::Values(0.1, 0.5, 0.9),
                                            ::testing::Values(Process::kBernoulli, Process::kPeriodic)));

TEST(Generator, FramesFollowFromTheSeed) {
  const SwitchSetup setup(kTile8, std::vector<PortKind>(8, PortKind::kFabric), 4);
  GeneratorOptions options;
  options.load = 1;
  Generator one(setup, options, 7), same(setup, options, 7), other(setup, options, 8);
  for (Generator* generator : {&one, &same, &other}) generator->Begin(0);
  // The order in which ports are asked does not matter.
  same.NextFrame(6, 50, 0);
  const FramePtr a = one.NextFrame(2, 50, 0), b = same.NextFrame(2, 50, 0), c = other.NextFrame(2, 50, 0);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->bytes, b->bytes);
  EXPECT_EQ(a->header, b->header);
  EXPECT_NE(a->bytes, c->bytes);
}

std::string RefusalOf(const std::string& classes, const std::optional<ClassSetup>& table) {
  return qos::testing::Refusal([&] { ParseClasses(classes, table, kTile8); });
}

TEST(ClassMix, WeightsAreSharesOfTheLoad) {
  const std::vector<ClassPart> parts = ParseClasses("0,3*0.5,7*2.5", std::nullopt, kTile8);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].tc, 3);
  EXPECT_DOUBLE_EQ(parts[0].share, 0.25);
  EXPECT_DOUBLE_EQ(parts[1].share, 0.125);
  EXPECT_EQ(parts[2].largest, 4224);
  for (const char* text : {"", "8", "-1", "BE", "0*", "0*0", "0*-1", "0*1*1", "table"})
    EXPECT_NE(RefusalOf(text, std::nullopt), "") << text;
}

TEST(ClassMix, NamesAndMtusAreThoseOfTheTable) {
  const std::optional<ClassSetup> table(std::in_place, std::filesystem::path("plans/study7.yaml"), kTile8, 4);
  const std::vector<ClassPart> parts = ParseClasses("NC,VI*3", table, kTile8);
  EXPECT_EQ(parts[1].tc, 2);
  EXPECT_DOUBLE_EQ(parts[1].share, 0.75);
  EXPECT_EQ(parts[0].largest, 128);
  EXPECT_EQ(parts[1].largest, 1520);
  EXPECT_NEAR(ParseClasses("table", table, kTile8)[3].share, 0.35, 0.001);
  EXPECT_NE(RefusalOf("NV", table).find("did you mean 'NC'"), std::string::npos);
}

/// Each standard frame says its class by its tag, or by its DSCP where no tag does.
TEST(ClassMix, StandardFramesCarryTheMarkOfTheirClass) {
  const qos::testing::TemporaryFile file(
      "classes:\n  - {name: A, level: 5, mtu: 9 credits, bandwidth: 40%}\n"
      "  - {name: B, level: 2, mtu: 9 credits, bandwidth: 40%, pcp: [0, 1, 2, 3, 4, 5, 6, 7]}\n");
  SwitchSetup setup(kTile8, std::vector<PortKind>(8, PortKind::kStandard), 4);
  setup.SetClasses(ClassSetup(file.path(), kTile8, 4));
  GeneratorOptions options;
  options.classes = "A*0.25,B*0.75";
  options.size = "64,4224";
  options.load = 1;
  Generator generator(setup, options, 7);
  generator.Begin(0);
  std::array<double, 8> words{};
  for (Cycle now = 0; now < 50000; ++now) {
    const FramePtr frame = generator.NextFrame(3, now, 0);
    if (!frame) continue;
    EXPECT_LE(frame->bytes.size(), 416u);
    EXPECT_EQ(CheckOf(frame->bytes), Check::kGood);
    words[static_cast<std::size_t>(setup.ClassOf(*frame))] += frame->slots();
  }
  EXPECT_NEAR(words[5] / 50000, 0.25, 0.02);
  EXPECT_NEAR(words[2] / 50000, 0.75, 0.02);
  options.classes = "7";
  EXPECT_NE(qos::testing::Refusal([&] { Generator(setup, options, 7); }).find("traffic class 7"), std::string::npos);
}

TEST(PortKinds, MixedHasAll) {
  const auto kinds = runs::ParsePortKinds("mixed", 8);
  EXPECT_EQ(std::set<PortKind>(kinds.begin(), kinds.end()).size(), 3u);
  EXPECT_THROW(runs::ParsePortKinds("fabrik", 8), UsageError);
}

}  // namespace
}  // namespace tilefly::cosim
