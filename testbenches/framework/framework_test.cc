// SPDX-License-Identifier: Apache-2.0
// The test framework of testbenches/bench: a comparison that finds nothing must have compared something, and every way to
// fail does fail.
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "golden/link/check.h"
#include "support/temporary_folder.h"
#include "testbenches/bench/comparison.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/bench/process_folder.h"
#include "testbenches/bench/save_files.h"
#include "testbenches/bench/word_source.h"

namespace tilefly::bench {
namespace {

/// A run of ten cycles whose outputs differ in cycle `differs`.
int RunOfTen(int differs, bool busy) {
  Comparison run({1, 128, 10});
  const Bin bin = run.AddBin("even cycles", 5);
  int cycles = 0;
  while (run.Next()) {
    ++cycles;
    run.Event("cycle", {run.cycle()});
    if (busy) run.Busy();
    if (run.cycle() % 2 == 0) run.Hit(bin);
    run.Compare("signal", 7, run.cycle() == differs ? 8 : 7);
  }
  return cycles;
}

TEST(Comparison, PassesWhenAllIsEqual) { EXPECT_EQ(RunOfTen(-1, true), 10); }

TEST(Comparison, StopsAtTheFirstDifferenceAndNamesIt) {
  int cycles = 0;
  EXPECT_NONFATAL_FAILURE(cycles = RunOfTen(4, true), "DIVERGENCE in cycle 4: signal: RTL 0x7, golden 0x8");
  EXPECT_EQ(cycles, 5);
  EXPECT_NONFATAL_FAILURE(RunOfTen(4, true), "cycle 3: cycle 3");
  EXPECT_NONFATAL_FAILURE(RunOfTen(4, true), "--gtest_filter=Comparison.StopsAtTheFirstDifferenceAndNamesIt");
}

/// Run by the test below, in a program of its own.
TEST(Comparison, DISABLED_DiffersInCycle5) {
  Comparison run(Comparison::Options{1, 0, 300});
  while (run.Next()) run.Compare("x", run.cycle() == 5 ? 1 : 0, 0);
  std::printf("left in cycle %lld\n", static_cast<long long>(run.cycle()));
}

TEST(Comparison, TracedItGoesOnAfterTheDifference) {
  const std::string command = "TILEFLY_WAVES=" + (ProcessFolder() / "goes_on.fst").string() + " " +
                              std::filesystem::read_symlink("/proc/self/exe").string() +
                              " --gtest_also_run_disabled_tests --gtest_filter=Comparison.DISABLED_DiffersInCycle5 --gtest_repeat=2";
  std::FILE* const program = popen(command.c_str(), "r");
  std::string said;
  for (int c; (c = std::fgetc(program)) != EOF;) said += static_cast<char>(c);
  EXPECT_NE(pclose(program), 0) << "the difference fails it";
  const std::size_t first = said.find("left in cycle 5\n");
  ASSERT_NE(first, std::string::npos) << said;
  EXPECT_NE(said.find("left in cycle 105\n", first), std::string::npos) << said;
}

TEST(Comparison, FailsWhenItWasNeverBusy) {
  EXPECT_NONFATAL_FAILURE(RunOfTen(-1, false), "compared_busy 0 of 10 cycles");
}

void RunWithAnEmptyBin() {
  Comparison run({1, 0, 3});
  run.AddBin("never", 1);
  while (run.Next()) run.Compare("signal", 1, 1);
}

TEST(Comparison, FailsWhenABinIsNotReached) {
  EXPECT_NONFATAL_FAILURE(RunWithAnEmptyBin(), "bin 'never': 0 of at least 1");
}

void RunWithoutComparing() {
  Comparison run({1, 0, 3});
  while (run.Next()) {
  }
}

TEST(Comparison, FailsWhenNothingWasCompared) {
  EXPECT_NONFATAL_FAILURE(RunWithoutComparing(), "compared 0 values in 3 cycles");
}

TEST(Comparison, FailsWhenItIsLeftBeforeItsEnd) {
  EXPECT_NONFATAL_FAILURE(Comparison({1, 0, 3}), "left before its end");
}

/// A run of ten cycles, of which the last three are its drain; nothing is inside from cycle `empty` on. Returns its
/// cycles.
int RunUntilEmpty(int empty) {
  Comparison run({1, 0, 10, 3});
  int cycles = 0;
  while (run.Next()) {
    ++cycles;
    run.Compare("signal", 1, 1);
    run.DrainUntil(run.cycle() >= empty);
    EXPECT_EQ(run.drained(), run.cycle() >= std::max(empty, 9));
  }
  return cycles;
}

TEST(Comparison, GoesOnUntilItIsDrained) {
  EXPECT_EQ(RunUntilEmpty(0), 10);
  EXPECT_EQ(RunUntilEmpty(9), 10);
  EXPECT_EQ(RunUntilEmpty(40), 41);
}

TEST(Comparison, FailsWhenItDoesNotDrain) {
  EXPECT_NONFATAL_FAILURE(RunUntilEmpty(1'000'000), "not empty 50003 cycles after the last stimulus");
}

void RunWithoutAWordOfItsEnd() {
  Comparison run({1, 0, 10, 3});
  while (run.Next()) run.Compare("signal", 1, 1);
}

TEST(Comparison, FailsWhenItsEndIsNotJudged) {
  EXPECT_NONFATAL_FAILURE(RunWithoutAWordOfItsEnd(), "the run ends undrained");
}

void RunWithDifferentStructs() {
  Comparison run({1, 0, 1});
  Grant rtl, golden;
  rtl.vl = 3;
  while (run.Next()) run.CompareStruct("gnt", rtl, golden);
}

TEST(Comparison, NamesTheFieldsOfAStructThatDiffer) {
  EXPECT_NONFATAL_FAILURE(RunWithDifferentStructs(), "gnt.vl: RTL 0x3, golden 0x0");
}

/// A variable of the environment, while this object lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(Comparison, TakesItsCyclesFromTheEnvironment) {
  const Variable cycles("TILEFLY_CYCLES", "50");
  Comparison run(2.0, kZeros);
  run.AddBin("never: so few cycles are not held to it", 1);
  EXPECT_EQ(run.cycles(), 100);
  while (run.Next()) run.Compare("signal", 1, 1);
  const Variable wrong("TILEFLY_CYCLES", "0x10");
  EXPECT_THROW(CyclesFromEnvironment(), std::invalid_argument);
}

TEST(Comparison, RecordsWhatItCompared) {
  const std::string file = (ProcessFolder() / "record").string();
  {
    const Variable record("TILEFLY_RECORD", file);
    RunOfTen(-1, true);
    EXPECT_NONFATAL_FAILURE(RunOfTen(4, true), "DIVERGENCE in cycle 4");
  }
  std::ifstream in(file);
  std::string first, second;
  std::getline(in, first);
  std::getline(in, second);
  std::remove(file.c_str());
  EXPECT_THAT(first, testing::HasSubstr(R"("cycles":10,"compared":10,"compared_busy":10,"bins":{"even cycles":{"hits":5,"minimum":5}},"failed_at":-1)"));
  EXPECT_THAT(second, testing::HasSubstr(R"("failed_at":4,"failure":"signal: RTL 0x7, golden 0x8","events":["cycle 0: cycle 0")"));
}

TEST(ComparedValues, TellsSignalsOfOneNameApartAndLearnsTheirWidth) {
  ComparedValues values;
  for (int cycle = 0; cycle < 2; ++cycle) {
    values.NextCycle();
    values.Note("gnt.vl", 1, 1);
    values.Note("gnt.vl", 5, cycle == 0 ? 5 : 9);
  }
  ASSERT_EQ(values.signals().size(), 2u);
  EXPECT_EQ(values.signals()[0].name, "gnt_vl");
  EXPECT_EQ(values.signals()[0].width, 1);
  EXPECT_EQ(values.signals()[1].name, "gnt_vl_1");
  EXPECT_EQ(values.signals()[1].width, 4);
  EXPECT_EQ(values.signals()[1].golden, 9u);
}

std::string TextOf(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(SaveFiles, ShowAStoryStepByStepOrElseAllValues) {
  ComparedValues values;
  values.Note("gnt.vl", 5, 5);
  values.Note("idle", 0, 1);
  WavePlan plan;
  const std::string base = (ProcessFolder() / "waves").string();
  plan.file = base + ".fst";
  plan.values = values;
  plan.from = 600;
  plan.marker = 1000;
  WriteSaveFiles(plan, 1000);
  EXPECT_THAT(TextOf(base + ".gtkw"), testing::HasSubstr("rtl.idle\n@28\n[color] 3\ngolden.idle\n@22\n[color] 0\nrtl.gnt_vl[2:0]"))
      << "what differs comes first";
  EXPECT_THAT(TextOf(base + ".gtkw"), testing::HasSubstr("[timestart] 905000\n")) << "the difference is in the middle";
  EXPECT_THAT(TextOf(base + ".gtkw"), testing::HasSubstr(" 1000000 1000000 -1")) << "a named marker";
  EXPECT_THAT(TextOf(base + ".gtkw"), testing::HasSubstr("[markername] Athe values differ\n"));
  plan.values = ComparedValues();
  plan.values.Note("gnt.vl", 5, 5);
  plan.story = WaveStory{"a grant", 10, 19, 12, {{"granted", {"gnt.vl"}, {{"top.u_x.data", 256}}}}};
  plan.marker = 12;
  WriteSaveFiles(plan, 1000);
  const std::string save = TextOf(base + ".gtkw");
  EXPECT_THAT(save, testing::HasSubstr("[timestart] 10000\n"));
  EXPECT_THAT(save, testing::HasSubstr(" 12000 -1"));
  EXPECT_THAT(save, testing::EndsWith("-a grant\n@200\n-\n@200\n-granted\n@22\n[color] 0\nrtl.gnt_vl[2:0]\n@22\n[color] 3\n"
                                      "golden.gnt_vl[2:0]\n@22\n[color] 0\ntop.u_x.data[255:0]\n"));
  EXPECT_EQ(TextOf(base + ".sucl"), "load_file " + base.substr(base.rfind('/') + 1) + ".fst\ndivider_add a grant\ndivider_add granted\n"
                                    "variable_add rtl.gnt_vl\nvariable_add golden.gnt_vl\nvariable_add top.u_x.data\n"
                                    "cursor_set 12000\ngoto_cursor\n");
  plan.story->steps[0].compared = {"gnt.lv"};
  EXPECT_THROW(WriteSaveFiles(plan, 1000), std::runtime_error) << "a value that is never compared";
  std::remove((base + ".gtkw").c_str());
  std::remove((base + ".sucl").c_str());
}

TEST(TemporaryFolder, HasANameOfItsOwnAndGoesWithTheObject) {
  std::filesystem::path first, second;
  {
    const TemporaryFolder one("framework"), other("framework");
    first = one.path(), second = other.path();
    EXPECT_NE(first, second);
    for (const auto& path : {first, second}) EXPECT_TRUE(std::filesystem::is_empty(path)) << path;
    std::ofstream(first / "file") << "text";
  }
  for (const auto& path : {first, second}) EXPECT_FALSE(std::filesystem::exists(path)) << path;
}

TEST(Settings, SeedsDifferByTestAndByRoot) {
  const std::set<std::uint32_t> seeds = {SeedOf(1, "A.B"), SeedOf(2, "A.B"), SeedOf(1, "A.C"), SeedOf(2, "A.C")};
  EXPECT_EQ(seeds.size(), 4u);
  EXPECT_EQ(SeedOf(1, "A.B"), SeedOf(1, "A.B"));
}

TEST(Stimulus, DrawsAreFunctionsOfSeedPurposeCycleAndIndex) {
  const Stimulus a(1), same(1), other(2);
  EXPECT_EQ(a.Bits("x", 5, 2), same.Bits("x", 5, 2));
  const std::set<std::uint64_t> draws = {a.Bits("x", 5, 2), other.Bits("x", 5, 2), a.Bits("y", 5, 2), a.Bits("x", 6, 2), a.Bits("x", 5, 3)};
  EXPECT_EQ(draws.size(), 5u);
}

TEST(Stimulus, BelowReachesAllValuesAndChanceItsShare) {
  const Stimulus random(3);
  std::array<int, 5> counts{};
  int hits = 0;
  for (int i = 0; i < 10'000; ++i) {
    ++counts[random.Below(5, "below", i)];
    hits += random.Chance(64, "chance", i);
  }
  for (const int count : counts) EXPECT_NEAR(count, 2000, 200);
  EXPECT_NEAR(hits, 2500, 200);
}

TEST(Stimulus, LevelsHaveSilentAndFullStretches) {
  const Stimulus random(4);
  std::set<int> levels;
  for (int i = 0; i < 100'000; i += 64) levels.insert(random.Level("level", i));
  EXPECT_TRUE(levels.count(0) == 1 && levels.count(256) == 1 && levels.size() > 4);
}

TEST(PortBits, PutAndGetAgreeOnNarrowAndWidePorts) {
  std::uint16_t narrow = 0xffff;
  Put(&narrow, 4, 5, 9);
  EXPECT_EQ(narrow, 0xfe9f);
  EXPECT_EQ(Get(narrow, 4, 5), 9u);
  std::array<std::uint32_t, 4> wide{};
  Put(&wide, 30, 40, 0xab'cdef'0123);
  EXPECT_EQ(Get(wide, 30, 40), 0xab'cdef'0123u);
  EXPECT_EQ(Get(wide, 0, 30), 0u);
  Clear(&wide);
  EXPECT_EQ(Get(wide, 30, 40), 0u);
}

TEST(WordSource, UndamagedPacketsComeWholeAndAtTheirPace) {
  const Stimulus random(5);
  WordSource source(random, [&](Cycle now) { return MakeBare(random, now, 100, [](std::uint8_t*) {}); }, 0, 0);
  source.set_level(256);
  source.set_lanes(2);
  std::vector<std::uint8_t> bytes;
  std::vector<Cycle> cycles;
  for (Cycle now = 0; cycles.size() < 4; ++now) {
    const Word word = source.Next(now, false);
    if (!word.valid) continue;
    cycles.push_back(now);
    EXPECT_EQ(word.sop, cycles.size() == 1);
    EXPECT_EQ(word.eop, cycles.size() == 4);
    bytes.insert(bytes.end(), word.data.begin(), word.data.begin() + word.last + 1);
  }
  EXPECT_EQ(cycles, (std::vector<Cycle>{0, 2, 4, 6}));
  ASSERT_EQ(bytes.size(), 100u);
  EXPECT_EQ(golden::CheckFrame(bytes.data(), bytes.size()), golden::CheckResult::kGood);
}

TEST(WordSource, DamagesAreOfEveryKind) {
  const Stimulus random(6);
  WordSource source(random, [&](Cycle now) { return MakeBare(random, now, 100, [](std::uint8_t*) {}); }, 256, 0);
  for (Cycle now = 0; now < 20'000; ++now) source.Next(now, false);
  EXPECT_EQ(source.started(Damage::kNone), 0);
  for (int kind = 1; kind < static_cast<int>(Damage::kCount); ++kind) EXPECT_GT(source.started(static_cast<Damage>(kind)), 20);
}

}  // namespace
}  // namespace tilefly::bench
