// SPDX-License-Identifier: Apache-2.0
// A table as register writes, what they mean for frames, and what is refused.
#include "cosim/setup/class_setup.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cosim/errors.h"
#include "golden/common/register_write.h"
#include "runs/switch/results.h"
#include "runs/switch/switch_run.h"
#include "testbenches/qos/files.h"

namespace tilefly::cosim {
namespace {

using golden::kAllPorts;
using golden::WriteRegister;

using qos::testing::Refusal;
using qos::testing::TemporaryFile;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Data of the last write of each index of a space.
std::map<int, std::uint64_t> Written(const ClassSetup& classes, CfgSpace space,
                                     const std::vector<int>& port_classes = {0, 1}) {
  std::map<int, std::uint64_t> written;
  for (const Cfg& write : classes.Writes(port_classes)) {
    EXPECT_TRUE(write.valid);
    EXPECT_EQ(write.port, 127);
    if (write.space == static_cast<int>(space)) written[write.index] = write.data;
  }
  return written;
}

ClassSetup SetupOf(const std::string& yaml, int lanes = 4) {
  const TemporaryFile file(yaml);
  return ClassSetup(file.path(), kTile8, lanes);
}

constexpr const char* kTwo =
    "classes:\n"
    "  - {name: A, level: 5, mtu: 10 credits, lanes: [4, 9], dscp: [46], pcp: [0, 7], lossy: on, routing: valiant,\n"
    "     maximum: {rate: 7%, burst: 33 credits}, buffer: {reserve: 12 credits, most: 345 credits}}\n"
    "  - {name: B, level: 2, mtu: 89 credits, ordered: on, group: 1, maximum: 50%, lanes: [2]}\n"
    "table:\n  - {class: A, weight: 11}\n  - empty\n  - {class: B, weight: 100}\n  - {class: B, weight: 101}\n";

TEST(ClassSetup, WritesEntriesAndThenChangesTheBanks) {
  const ClassSetup classes = SetupOf(kTwo);
  const auto entries = Written(classes, CfgSpace::kDtable);
  EXPECT_EQ(entries.size(), 65u);
  EXPECT_EQ(entries.at(0), DtableEntry::Of(11, 5).ToBits());
  EXPECT_EQ(entries.at(1), 0u);
  EXPECT_EQ(entries.at(2), DtableEntry::Of(100, 2).ToBits());
  EXPECT_EQ(entries.at(3), DtableEntry::Of(101, 2).ToBits());
  for (int e = 4; e < 64; ++e) EXPECT_EQ(entries.at(e), 0u);
  EXPECT_EQ(classes.SchedulerWrites().back().index, 1024);
}

TEST(ClassSetup, WritesWhatAClassHas) {
  const auto registers = Written(SetupOf(kTwo), CfgSpace::kClass);
  const auto of = [&](int tc, ClassReg reg) { return registers.at(golden::IndexOf(tc, reg)); };
  EXPECT_EQ(of(5, ClassReg::kGroup), 0u);
  EXPECT_EQ(of(2, ClassReg::kGroup), 1u);
  EXPECT_EQ(of(5, ClassReg::kShare), ClassShare::Of(12, 345, true).ToBits());
  EXPECT_EQ(of(2, ClassReg::kShare), ClassShare::Of(178, 930, false).ToBits());
  EXPECT_EQ(of(5, ClassReg::kMtu), 10u);
  EXPECT_EQ(of(2, ClassReg::kMtu), 89u);
  EXPECT_EQ(of(5, ClassReg::kRouting), ClassRouting::Of(5, false).ToBits());
  EXPECT_EQ(of(2, ClassReg::kRouting), ClassRouting::Of(0, true).ToBits());
  EXPECT_EQ(registers.at(golden::IndexOf(TableReg::kClassShared)), 2560u - 267 - 12 - 178);
  // Classes that the file does not have are as its last one, without its reserve.
  EXPECT_EQ(of(0, ClassReg::kShare), ClassShare::Of(0, 930, false).ToBits());
  EXPECT_EQ(of(7, ClassReg::kMtu), 89u);
}

/// A cell of 48 B takes 1.5 cycles of the link: at the share s, 384 / s parts of 1/256 cycle.
TEST(ClassSetup, AMaximumIsNeverExceededByRounding) {
  const auto maximum = [](const char* yaml, int lanes) {
    return Written(SetupOf(yaml, lanes), CfgSpace::kClass).at(golden::IndexOf(5, ClassReg::kMaximum));
  };
  EXPECT_EQ(maximum(kTwo, 4), ClassMaximum::Of(5486, 33 * 5486).ToBits());  // 5485.7
  EXPECT_EQ(maximum(kTwo, 3), ClassMaximum::Of(7315, 33 * 7315).ToBits());  // 7314.3
  EXPECT_EQ(Written(SetupOf(kTwo), CfgSpace::kClass).at(golden::IndexOf(2, ClassReg::kMaximum)),
            ClassMaximum::Of(768, 178 * 768).ToBits());
}

TEST(ClassSetup, LanesBelongToTheirClassesAndTheRestToTheLast) {
  const ClassSetup classes = SetupOf(kTwo);
  const auto owners = Written(classes, CfgSpace::kVlClass);
  for (int lane = 0; lane < 16; ++lane) {
    const auto found = owners.find(lane);
    EXPECT_EQ(found == owners.end() ? lane % 8 : static_cast<int>(found->second), lane == 4 || lane == 9 ? 5 : 2)
        << lane;
  }
  const auto map = Written(classes, CfgSpace::kVlmap);
  for (int tc = 0; tc < 8; ++tc) {
    for (int lane = 0; lane < 16; ++lane) {
      for (const int in : {0, 1}) {
        for (const int out : {0, 1}) {
          const auto found = map.find(tc << 8 | lane << 4 | in << 2 | out);
          const int leaves = found == map.end() ? (in == 0 ? tc : lane) : static_cast<int>(found->second);
          const int expected = tc != 5 ? 2 : in == 1 && lane == 9 ? 9 : 4;
          EXPECT_EQ(leaves, expected) << tc << ' ' << lane << ' ' << in;
          EXPECT_EQ(classes.Lane(tc, in, lane), expected);
        }
      }
    }
  }
}

TEST(ClassSetup, ClassesWithoutLanesGetAsManyAsASystemNeeds) {
  constexpr const char* kNone =
      "classes:\n  - {name: A, level: 5, mtu: 10 credits}\n  - {name: B, level: 2, mtu: 89 credits}\n"
      "table:\n  - {class: A, weight: 11}\n  - {class: B, weight: 100}\n";
  ClassSetup classes = SetupOf(kNone);
  classes.SpreadLanes(1);
  EXPECT_EQ(classes.Of(5).lanes, std::vector<int>{5});
  classes.SpreadLanes(3);
  EXPECT_EQ(classes.Of(5).lanes, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(classes.Of(2).lanes, (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(Written(classes, CfgSpace::kVlClass).at(1), 5u);
  classes.SpreadLanes(9);
  EXPECT_EQ(classes.Of(2).lanes, (std::vector<int>{3, 4, 5})) << "18 of 16 lanes";
  ClassSetup given = SetupOf(kTwo);
  given.SpreadLanes(2);
  EXPECT_EQ(given.Of(2).lanes, std::vector<int>{2}) << "the file's own";
}

TEST(ClassSetup, MarksChooseTheirClassAndTheOthersTheLast) {
  const ClassSetup classes = SetupOf(kTwo);
  const auto dscp = Written(classes, CfgSpace::kDscp);
  const auto pcp = Written(classes, CfgSpace::kPcp);
  for (int d = 0; d < 64; ++d) {
    const int expected = d == 46 || d >> 3 == 5 ? 5 : 2;
    EXPECT_EQ(classes.OfDscp(d), expected) << d;
    EXPECT_EQ(dscp.count(d) ? static_cast<int>(dscp.at(d)) : d >> 3, expected) << d;
  }
  SwitchSetup setup(kTile8, std::vector<PortKind>(8, PortKind::kStandard), 4);
  setup.SetClasses(classes);
  Frame silent;
  silent.bytes.resize(64);
  EXPECT_EQ(setup.ClassOf(silent), 5) << "as PCP 0";
  for (int p = 0; p < 8; ++p) {
    const int expected = p == 0 || p == 5 || p == 7 ? 5 : 2;
    EXPECT_EQ(classes.OfPcp(p), expected) << p;
    EXPECT_EQ(pcp.count(p) ? static_cast<int>(pcp.at(p)) : p, expected) << p;
  }
}

TEST(ClassSetup, WritesNothingThatIsSoAtPowerUp) {
  const ClassSetup classes(std::filesystem::path("plans/study7.yaml"), kTile8, 4);
  EXPECT_EQ(Written(classes, CfgSpace::kPcp).size(), 1u);      // the study has no class 7
  EXPECT_EQ(Written(classes, CfgSpace::kVlClass).size(), 8u);  // nor lanes for all 16
}

TEST(ClassSetup, RefusesWhatTheSwitchCannotHold) {
  std::string large = "classes:\n  - {name: A, mtu: 1 credit}\ntable:\n";
  for (int e = 0; e < 128; ++e) large += "  - {class: A, weight: 9}\n";
  EXPECT_THAT(
      Refusal([&] { SetupOf(large); }),
      AllOf(HasSubstr(".yaml: table: 128 entries, 64 more than the 64 of profile tile8"), HasSubstr("entries: 64")));
  EXPECT_THAT(Refusal([] {
                SetupOf("gmtu: 90 credits\nclasses: [{name: A, mtu: 90 credits}]\ntable: [{class: A, weight: 90}]\n");
              }),
              AllOf(HasSubstr("class A: its mtu of 90 credits is 1 more"), HasSubstr("mtu_bytes")));
  const auto slow = [](const char* rate) {
    return Refusal([&] {
      SetupOf(
          fmt::format("classes: [{{name: A, mtu: 9 credits, maximum: {}}}]\ntable: [{{class: A, weight: 9}}]\n", rate));
    });
  };
  EXPECT_EQ(slow("0.586%"), "");
  EXPECT_THAT(slow("0.585%"), AllOf(HasSubstr("class A: maximum 0.585% is less than 0.585"), HasSubstr("raise it")));
}

TEST(ClassSetup, SaysWhenTheFileHasOtherUnits) {
  EXPECT_EQ(SetupOf(kTwo).Units(), "");
  EXPECT_THAT(SetupOf(kTwo, 2).Units(), HasSubstr("shares of 200000Mbps: taken of the ports' 100000Mbps"));
  EXPECT_THAT(ClassSetup(std::filesystem::path("plans/study7.yaml"), kTile8, 4).Units(),
              AllOf(HasSubstr("credits of 64 B"), HasSubstr("NC 128 B")));
}

runs::RunOptions Options(const std::string& file, const std::string& ports) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.devices = {"golden"};
  options.kinds = runs::ParsePortKinds(ports, kTile8.ports);
  options.classes.emplace(file, kTile8, 4);
  options.generator.classes = "table";
  options.generator.size = "64,300,4224";
  options.generator.load = 0.9;
  options.max_cycles = 6000;
  return options;
}

/// Every class through golden: lanes, marks, header, MTU, and whole packets of lossy classes alone lost.
TEST(ClassesInGolden, MeetTheFateThatTheTableSays) {
  for (const char* ports : {"fabric", "enhanced", "standard", "mixed"}) {
    SCOPED_TRACE(ports);
    runs::RunOptions options = Options("testbenches/lockstep/classes.yaml", ports);
    options.generator.traffic = "hotspot:1:0.6";
    options.generator.faults = 0.05;
    runs::SwitchRun run(options);
    const runs::Outcome outcome = run.Run({});
    ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
    const Books& books = run.scoreboard().books();
    EXPECT_GT(books.drops[static_cast<std::size_t>(Drop::kClassMtu)], 0);
    std::int64_t offered = 0;
    for (const qos::TrafficClass& one : options.classes->table().classes) {
      const ClassStatistics& of = run.scoreboard().class_statistics()[static_cast<std::size_t>(one.level)];
      EXPECT_GT(of.delivered, 0) << one.name;
      EXPECT_EQ(of.offered, of.delivered + of.dropped) << one.name;
      offered += of.offered;
    }
    EXPECT_EQ(offered, books.offered - books.drops[static_cast<std::size_t>(Drop::kControl)]);
  }
}

TEST(ClassesInGolden, OnlyLossyOnesLosePacketsForWantOfRoom) {
  runs::RunOptions options = Options("testbenches/lockstep/classes.yaml", "fabric");
  options.generator.traffic = "incast:2";
  options.generator.classes = "VO,CL,BE";
  options.generator.load = 1;
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  const auto& classes = run.scoreboard().class_statistics();
  EXPECT_EQ(classes[1].dropped, 0);
  EXPECT_EQ(classes[3].dropped, 0);
  EXPECT_GT(classes[5].dropped, 100);
  EXPECT_EQ(run.scoreboard().books().drops[static_cast<std::size_t>(Drop::kClassFull)], classes[5].dropped);
}

/// Even inputs send BD to port 2, odd ones BE: a class that is held back does not hold back the other.
class OneClassAnInput final : public TrafficSource {
 public:
  OneClassAnInput(const SwitchSetup& setup, std::uint32_t seed)
      : bd_(setup, Of("BD"), seed), be_(setup, Of("BE"), seed) {}
  void Begin(Cycle now) override {
    bd_.Begin(now);
    be_.Begin(now);
  }
  FramePtr NextFrame(int port, Cycle now, LaneMask held) override {
    return closed() ? nullptr : (port % 2 == 0 ? bd_ : be_).NextFrame(port, now, held);
  }
  ClassSlots Offered(int port, Cycle now) override { return bd_.Offered(port, now); }
  bool Exhausted() const override { return false; }

 private:
  static GeneratorOptions Of(const char* name) {
    GeneratorOptions options;
    options.traffic = "incast:2";
    options.size = "1024";
    options.classes = name;
    options.load = 1;
    return options;
  }

  Generator bd_;
  Generator be_;
};

/// A switch that was told otherwise behind the scoreboard's back.
TEST(ClassesInGolden, ALossOfAnotherClassIsAFailure) {
  runs::RunOptions options = Options("testbenches/lockstep/classes.yaml", "fabric");
  options.generator.traffic = "incast:2";
  options.generator.classes = "CL";
  options.generator.load = 1;
  const int share = golden::IndexOf(3, ClassReg::kShare);
  options.rewrites = {{0, {WriteRegister(kAllPorts, CfgSpace::kClass, share, ClassShare::Of(0, 200, true).ToBits())}}};
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kFail);
  EXPECT_THAT(outcome.message, HasSubstr("of class 3, which is not lossy, is dropped (CLASS_FULL)"));
}

/// Two drops in one cycle, of which the record shows one: counters and order say which packet the other was.
void ExpectHiddenLossesAreFound(const char* ports, double faults, Drop other) {
  std::int64_t others = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    runs::RunOptions options = Options("testbenches/lockstep/classes.yaml", ports);
    options.generator.traffic = "incast:3";
    options.generator.classes = "VO,CL,EE,BE";
    options.generator.size = "64,300,1500";
    options.generator.load = 1;
    options.generator.faults = faults;
    options.stalls.ignore_pause = true;
    options.max_cycles = 12000;
    options.seed = seed;
    runs::SwitchRun run(options);
    const runs::Outcome outcome = run.Run({});
    ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << seed << ": " << outcome.message;
    EXPECT_GT(run.scoreboard().books().drops[static_cast<std::size_t>(Drop::kClassFull)], 0);
    others += run.scoreboard().books().drops[static_cast<std::size_t>(other)];
  }
  EXPECT_GT(others, 0);
}

TEST(ClassesInGolden, LossesHiddenByAFullBufferAreFound) {
  ExpectHiddenLossesAreFound("standard", 0, Drop::kBufferFull);
}

TEST(ClassesInGolden, LossesHiddenByABadHeaderAreFound) { ExpectHiddenLossesAreFound("enhanced", 0.3, Drop::kHeader); }

std::vector<double> SharesOf(const runs::RunOptions& options) {
  runs::SwitchRun run(options);
  const nlohmann::ordered_json results = runs::Results(run, run.Run({}));
  EXPECT_EQ(results["verdict"], "pass") << results.dump();
  std::vector<double> shares;
  for (const auto& one : results["classes"]) shares.push_back(one["share"]);
  return shares;
}

/// Frames of a class with a small MTU are smaller, and so there are more of them.
/// Lossy classes without room, of whose frames outputs refuse some that were let in, whatever else is dropped
/// meanwhile.
TEST(ClassesInGolden, WhatOutputsWouldRefuseMayFindNoRoomBefore) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    for (const double faults : {0.0, 0.2}) {
      runs::RunOptions options;
      options.profile = &kTile8;
      options.kinds = runs::ParsePortKinds("mixed", 8);
      options.classes.emplace("testbenches/lockstep/classes.yaml", kTile8, 4);
      options.generator.classes = "table";
      options.generator.load = 1;
      options.generator.size = "700,4000";
      options.generator.replicated = faults;
      options.generator.faults = faults;
      options.eth_header = false;
      options.max_cycles = 6000;
      options.seed = seed;
      runs::SwitchRun run(options, MakeDevice("golden", kTile8), nullptr);
      const runs::Outcome outcome = run.Run({});
      EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << seed << " " << faults << ": " << outcome.message;
      const auto& drops = run.scoreboard().books().drops;
      EXPECT_GT(drops[static_cast<std::size_t>(Drop::kClassFull)], 0);
      EXPECT_GT(drops[static_cast<std::size_t>(Drop::kNoEthHeader)], 0);
    }
  }
}

TEST(ClassesInGolden, AreOfferedTheirSharesOfTheWords) {
  runs::RunOptions options = Options("plans/fabric5.yaml", "enhanced");
  options.max_cycles = 60000;
  const std::vector<double> shares = SharesOf(options);
  const std::vector<double> expected = {0.02, 0.20, 0.40, 0.25, 0.13};
  ASSERT_EQ(shares.size(), expected.size());
  for (std::size_t c = 0; c < expected.size(); ++c) EXPECT_NEAR(shares[c], expected[c], 0.02) << c;
  options.generator.classes = "BD*0.3,BE*0.7";
  EXPECT_NEAR(SharesOf(options)[0], 0.3, 0.02);
}

/// LL may have 5% of a link: packets of 6 cells in 9 words, each every 6 x 30 cycles, and two at once in the beginning.
TEST(ClassesInGolden, KeepTheirMaximum) {
  runs::RunOptions options = Options("plans/fabric5.yaml", "enhanced");
  options.generator.traffic = "permutation:shift:1";
  options.generator.classes = "LL";
  options.generator.size = "256";
  options.max_cycles = 20000;
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  EXPECT_NEAR(run.accepted_load(), 0.05 + 2 * 9.0 / 20000, 0.0003);
}

/// Offered alike to one output, two classes come out by their weights, whatever is offered.
TEST(ClassesInGolden, ShareAnOutputByWeight) {
  runs::RunOptions options = Options("plans/fabric5.yaml", "enhanced");
  options.max_cycles = 60000;
  options.source = [](const SwitchSetup& setup, std::uint32_t seed) {
    return std::make_unique<OneClassAnInput>(setup, seed);
  };
  EXPECT_NEAR(SharesOf(options)[0], 1.0 / 3, 0.02);
  options.device.scheduler.kind = golden::SchedulerKind::kRoundRobin;
  EXPECT_NEAR(SharesOf(options)[0], 0.5, 0.02);
}

}  // namespace
}  // namespace tilefly::cosim
