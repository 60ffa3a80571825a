// SPDX-License-Identifier: Apache-2.0
// The trace of transactions, read back: begins, ends and headers of known packets.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "support/errors.h"
#include "systemc/trace/transaction_trace.h"
#include "testbenches/bench/process_folder.h"
#include "testbenches/systemc/fst_contents.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/switch_bench.h"

namespace tilefly::systemc {
namespace {

using Changes = FstContents::Changes;

constexpr Cycle kDelay = 10;  // of the cables
constexpr const char* kInput = "switch.tile_0.input_1.";
constexpr const char* kOutput = "switch.tile_3.output_0.";

/// A file that goes with the test.
struct TemporaryFile {
  ~TemporaryFile() { std::filesystem::remove(path); }
  const std::filesystem::path path = bench::ProcessFolder() / "transactions.fst";
};

/// Times in cycles as those of a file.
Changes Cycles(Changes changes) {
  for (auto& [time, value] : changes) time *= 1280;
  return changes;
}

void EnableAll(Cpu& cpu) {
  EXPECT_EQ(WriteRegister(&cpu, golden::kAllPorts, CfgSpace::kPort, kMode, Enabled()), tlm::TLM_OK_RESPONSE);
}

/// Packets of 64 bytes to port 6, on the cable in `cycles`.
FstContents Record(const std::string& module, const std::vector<Cycle>& cycles) {
  const TemporaryFile file;
  Bench bench(kDelay, EnableAll);
  TransactionTrace trace(module, file.path);
  for (const Cycle cycle : cycles) bench.source.Send(cycle, 6);
  sc_core::sc_start();
  EXPECT_FALSE(trace.full());
  trace.Close();
  return FstContents(file.path);
}

TEST(TransactionTrace, HasTheStagesOfAQuietPacketInThePicosecondsOfWaves) {
  InChild([] {
    const FstContents trace = Record("switch", {100});
    EXPECT_EQ(trace.time_exponent, -12);
    const Cycle a = 100 + kDelay;
    const auto at = [](Cycle cycle) { return static_cast<std::uint64_t>(cycle); };
    const auto stages = [&](const std::string& row) { return trace.variables.at(row + ".stage"); };
    EXPECT_EQ(stages(std::string(kInput) + "in_0"), Cycles({{0, ""}, {at(a), "words"}, {at(a + 3), ""}}));
    EXPECT_EQ(stages(std::string(kInput) + "vl0_0"),
              Cycles({{0, ""}, {at(a), "admission"}, {at(a + 18), "queue stage"}, {at(a + 20), "queued"},
                      {at(a + 21), "requested"}, {at(a + 41), "granted"}, {at(a + 42), "picked"}, {at(a + 48), ""}}));
    EXPECT_EQ(stages(std::string(kOutput) + "vl0_0"),
              Cycles({{0, ""}, {at(a + 29), "requested"}, {at(a + 30), "granted"}, {at(a + 54), "buffered"},
                      {at(a + 55), "taken"}, {at(a + 59), ""}}));
    EXPECT_EQ(stages(std::string(kOutput) + "out_0"), Cycles({{0, ""}, {at(a + 63), "words"}, {at(a + 66), ""}}));
  });
}

TEST(TransactionTrace, HasTheHeaderOfEachPacketWhileItIsThere) {
  InChild([] {
    const FstContents trace = Record("switch", {100, 300});
    const auto value = [&](const std::string& variable, Cycle cycle) {
      return trace.At(variable, static_cast<std::uint64_t>(cycle) * 1280);
    };
    const std::string in = std::string(kInput) + "in_0.";
    const std::string out = std::string(kOutput) + "out_0.";
    EXPECT_EQ(value(in + "packet", 110), 1u);
    EXPECT_EQ(value(in + "packet", 312), 2u);
    EXPECT_EQ(value(in + "dst", 110), 6u);
    EXPECT_EQ(value(in + "len", 110), 64u);
    EXPECT_EQ(value(in + "bytes", 110), 64u);
    EXPECT_EQ(value(in + "kind", 110), static_cast<std::uint64_t>(Kind::kEnhEth));
    EXPECT_EQ(value(in + "hop", 110), 0u);
    EXPECT_EQ(value(out + "packet", 110 + 63), 1u);
    EXPECT_EQ(value(out + "hop", 110 + 63), 1u);  // as it leaves
    EXPECT_THROW(value(in + "packet", 109), std::runtime_error);
    EXPECT_THROW(value(in + "packet", 113), std::runtime_error);
  });
}

TEST(TransactionTrace, PacketsOfALaneAtATimeHaveRowsOfTheirOwn) {
  InChild([] {
    const FstContents trace = Record("switch", {100, 103, 400});
    const auto packet = [&](const std::string& row, Cycle cycle) {
      return trace.At(kInput + row + ".packet", static_cast<std::uint64_t>(cycle) * 1280);
    };
    EXPECT_EQ(packet("vl0_0", 120), 1u);
    EXPECT_EQ(packet("vl0_1", 120), 2u);
    EXPECT_EQ(packet("vl0_0", 420), 3u);  // the first row that is free
    EXPECT_EQ(trace.variables.count(std::string(kInput) + "vl0_2.stage"), 0u);
    EXPECT_EQ(trace.variables.count(std::string(kInput) + "in_1.stage"), 0u);  // one behind the other on the link
    const auto& words = trace.variables.at(std::string(kInput) + "in_0.packet");
    ASSERT_EQ(words.size(), 6u);  // unknown, 1, 2 at once, unknown, 3, unknown
    EXPECT_EQ(words[2].first, 113u * 1280);
  });
}

TEST(TransactionTrace, IsOfTheSubtreeAlone) {
  InChild([] {
    const FstContents trace = Record("switch.tile_3", {100});
    ASSERT_FALSE(trace.variables.empty());
    for (const auto& [name, changes] : trace.variables) EXPECT_EQ(name.rfind("switch.tile_3.", 0), 0u) << name;
  });
}

TEST(TransactionTrace, HasTheWordsOfLooselyTimedPackets) {
  InChild([] {
    const TemporaryFile file;
    Bench bench(kDelay, EnableAll);
    TransactionTrace trace("switch", file.path);
    bench.source.Block(100, 6);
    sc_core::sc_start();
    trace.Close();
    const FstContents read(file.path);
    EXPECT_EQ(read.variables.at(std::string(kInput) + "in_0.stage"), Cycles({{0, ""}, {110, "words"}, {113, ""}}));
    EXPECT_EQ(read.variables.at(std::string(kOutput) + "out_0.stage"), Cycles({{0, ""}, {173, "words"}, {176, ""}}));
  });
}

TEST(TransactionTrace, EndsWithTheMostTransactions) {
  InChild([] {
    const TemporaryFile file;
    Bench bench(kDelay, EnableAll);
    TransactionTrace trace("switch", file.path, 2);
    bench.source.Send(100, 6);
    sc_core::sc_start();
    EXPECT_TRUE(trace.full());
    EXPECT_EQ(trace.recorded(), 2u);
    trace.Close();
    const FstContents read(file.path);
    EXPECT_EQ(read.variables.count(std::string(kInput) + "in_0.stage"), 1u);
    EXPECT_EQ(read.variables.count(std::string(kOutput) + "out_0.stage"), 0u);
  });
}

/// Who does not close it has no file, and the modules go on without it.
TEST(TransactionTrace, StopsWhenItGoes) {
  InChild([] {
    const TemporaryFile file;
    Bench bench(kDelay, EnableAll);
    { const TransactionTrace trace("switch", file.path); }
    bench.source.Send(100, 6);
    sc_core::sc_start();
    EXPECT_EQ(bench.sink.first_words.size(), 1u);
    EXPECT_FALSE(std::filesystem::exists(file.path));
  });
}

TEST(TransactionTrace, RefusesModulesThatHaveNone) {
  InChild([] {
    Bench bench(kDelay, EnableAll);
    EXPECT_THROW(TransactionTrace("switsch", "none.fst"), UsageError);
    EXPECT_THROW(TransactionTrace("cpu", "none.fst"), UsageError);
    TransactionTrace nowhere("switch", "/nowhere/none.fst");
    EXPECT_THROW(nowhere.Close(), std::runtime_error);
  });
}

}  // namespace
}  // namespace tilefly::systemc
