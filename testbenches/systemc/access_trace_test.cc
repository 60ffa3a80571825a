// SPDX-License-Identifier: Apache-2.0
// Transactions of platforms in the trace: what is put and got at a NIC's host, and what its memory is asked for.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "systemc/trace/transaction_trace.h"
#include "testbenches/bench/process_folder.h"
#include "testbenches/systemc/fst_contents.h"
#include "testbenches/systemc/nic_pair.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/system_bench.h"

namespace tilefly::systemc {
namespace {

constexpr Cycle kLatency = 50;  // of the memory
constexpr std::uint64_t kPs = 1280;

struct Sides final : sc_core::sc_module {
  Sides(sc_core::sc_module_name name, bool loosely_timed, int window)
      : sc_module(name), nics(loosely_timed, loosely_timed, window) {
    nics.right.memory().bind(memory.socket);
    nics.left.memory().bind(unused.socket);
    idle.socket.bind(nics.right.host());
  }
  NicPair nics;
  Memory memory{"bytes", kMemory, fabric::TimeOf(kLatency)};
  Memory unused{"unused", 0, sc_core::SC_ZERO_TIME};
  Cpu idle{"idle", [](Cpu&) {}};
};

/// What a trace of `sides` has.
class Recorded {
 public:
  Recorded() : trace_(new TransactionTrace("sides", file_)) {}
  ~Recorded() { std::filesystem::remove(file_); }
  void Read() {
    trace_->Close();
    contents_ = std::make_unique<FstContents>(file_);
  }
  bool Has(const std::string& row) const { return contents_->variables.count(row + ".stage") != 0; }
  /// Texts of a variable that are not empty, in order, with their cycles.
  std::vector<std::pair<Cycle, std::string>> Texts(const std::string& variable) const {
    std::vector<std::pair<Cycle, std::string>> texts;
    for (const auto& [time, text] : contents_->variables.at(variable))
      if (time != 0 || !text.empty()) texts.emplace_back(static_cast<Cycle>(time / kPs), text);
    return texts;
  }
  std::uint64_t At(const std::string& variable, Cycle cycle) const {
    return contents_->At(variable, static_cast<std::uint64_t>(cycle) * kPs);
  }

 private:
  const std::filesystem::path file_ = bench::ProcessFolder() / "accesses.fst";
  std::unique_ptr<TransactionTrace> trace_;
  std::unique_ptr<FstContents> contents_;
};

using Stages = std::vector<std::pair<Cycle, std::string>>;

/// A put of 5000 bytes in cycle 100, in two frames; a get of 64 in cycle 5000; one of a NIC that is not there in 9000.
struct Program {
  static constexpr std::uint64_t kOffset = 0x1234;
  void operator()(Cpu& cpu) {
    const std::uint64_t address = Nic::AddressOf(NicPair::kRight, kOffset);
    const auto at = [&](Cycle cycle) {
      sc_core::wait(fabric::TimeOf(cycle) - sc_core::sc_time_stamp());
      cpu.ahead = sc_core::SC_ZERO_TIME;
    };
    const auto now = [&] { return fabric::CycleAt(sc_core::sc_time_stamp() + cpu.ahead); };
    at(100);
    EXPECT_EQ(cpu.Write(address, Pattern(5000, 1)), tlm::TLM_OK_RESPONSE);
    put_ended = now();
    at(5000);
    std::vector<std::uint8_t> data(64);
    EXPECT_EQ(cpu.Read(address, &data), tlm::TLM_OK_RESPONSE);
    get_ended = now();
    at(9000);
    EXPECT_EQ(cpu.Read(Nic::AddressOf(99, 0), &data), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  Cycle put_ended = 0;
  Cycle get_ended = 0;
};

void ExpectRecorded(bool loosely_timed) {
  Sides sides("sides", loosely_timed, 64);
  Program program;
  Cpu cpu("cpu", [&](Cpu& own) { program(own); });
  cpu.socket.bind(sides.nics.left.host());
  Recorded trace;
  sc_core::sc_start();
  ASSERT_TRUE(cpu.finished);
  trace.Read();
  const std::string host = "sides.left.host.access_0";
  EXPECT_EQ(trace.Texts(host + ".stage"),
            (Stages{{100, "under way"}, {program.put_ended, ""}, {5000, "under way"}, {program.get_ended, ""},
                    {9000, "refused"}, {9001, ""}}));
  EXPECT_EQ(trace.Texts(host + ".command"),
            (Stages{{100, "write"}, {program.put_ended, ""}, {5000, "read"}, {program.get_ended, ""}, {9000, "read"}, {9001, ""}}));
  EXPECT_EQ(trace.Texts(host + ".response"),
            (Stages{{100, "ok"}, {program.put_ended, ""}, {5000, "ok"}, {program.get_ended, ""},
                    {9000, "address error"}, {9001, ""}}));
  EXPECT_EQ(trace.At(host + ".nic", 100), NicPair::kRight);
  EXPECT_EQ(trace.At(host + ".offset", 100), Program::kOffset);
  EXPECT_EQ(trace.At(host + ".bytes", 100), 5000u);
  EXPECT_EQ(trace.At(host + ".bytes", 5000), 64u);
  EXPECT_FALSE(trace.Has("sides.left.host.access_1"));
  EXPECT_FALSE(trace.Has("sides.left.memory.access_0"));

  // Two writes of a frame each, and the read: as long as the memory takes, within the host's transaction.
  std::vector<Cycle> begins;
  for (const auto& [cycle, text] : trace.Texts("sides.right.memory.access_0.command"))
    if (!text.empty()) begins.push_back(cycle);
  const bool side_by_side = trace.Has("sides.right.memory.access_1");
  ASSERT_EQ(begins.size(), side_by_side ? 2u : 3u);
  EXPECT_GT(begins.front(), 100);
  EXPECT_EQ(trace.At("sides.right.memory.access_0.offset", begins.front()), Program::kOffset);
  EXPECT_EQ(trace.At("sides.right.memory.access_0.bytes", begins.front()), 4096u);
  EXPECT_THROW(trace.At("sides.right.memory.access_0.nic", begins.front()), std::runtime_error);
  EXPECT_GT(begins.back(), 5000);
  EXPECT_LT(begins.back() + kLatency, program.get_ended);
  EXPECT_EQ(trace.At("sides.right.memory.access_0.bytes", begins.back()), 64u);
  const Stages stages = trace.Texts("sides.right.memory.access_0.stage");
  EXPECT_EQ(stages.back(), (std::pair<Cycle, std::string>{begins.back() + kLatency, ""}));
  EXPECT_EQ(trace.Texts("sides.right.memory.access_0.response").front().second, "ok");
}

TEST(AccessTrace, HasWhatIsPutAndGotAtTheHostAndAskedOfTheMemory) {
  InChild([] { ExpectRecorded(false); });
}

TEST(AccessTrace, HasTheSameOfLooselyTimedNics) {
  InChild([] { ExpectRecorded(true); });
}

TEST(AccessTrace, ShowsWhatWaitsForTheWindowAndUntilWhenAResponseIsOpen) {
  InChild([] {
    Sides sides("sides", false, 1);
    Dma dma("dma");
    dma.socket.bind(sides.nics.left.host());
    for (int i = 0; i < 2; ++i) {
      dma.Ask(tlm::TLM_WRITE_COMMAND, Nic::AddressOf(NicPair::kRight, 100u * static_cast<unsigned>(i)), Pattern(64, i));
    }
    Recorded trace;
    sc_core::sc_start();
    trace.Read();
    const Stages first = trace.Texts("sides.left.host.access_0.stage");
    const Stages second = trace.Texts("sides.left.host.access_1.stage");
    ASSERT_GE(first.size(), 2u);
    ASSERT_GE(second.size(), 3u);
    EXPECT_EQ(first[0], (std::pair<Cycle, std::string>{0, "under way"}));
    EXPECT_EQ(first.back().second, "");
    EXPECT_EQ(second[0], (std::pair<Cycle, std::string>{0, "waiting"}));
    EXPECT_EQ(second[1].second, "under way");
    EXPECT_GE(second[1].first, first[1].first) << "the window is 1";
    EXPECT_EQ(trace.At("sides.left.host.access_1.offset", 0), 100u);
  });
}

TEST(AccessTrace, HasNoResponseOfWhatIsLeftUnderWay) {
  InChild([] {
    NicPair nics(false, false);
    DeadMemory dead("dead");
    Memory unused("unused", 0, sc_core::SC_ZERO_TIME);
    nics.right.memory().bind(dead.socket);
    nics.left.memory().bind(unused.socket);
    Cpu idle("idle", [](Cpu&) {});
    idle.socket.bind(nics.right.host());
    Cpu cpu("cpu", [](Cpu& own) { own.Write(Nic::AddressOf(NicPair::kRight, 0), Pattern(64, 1)); });
    cpu.socket.bind(nics.left.host());
    const std::filesystem::path file = bench::ProcessFolder() / "dead.fst";
    TransactionTrace trace("left", file);
    sc_core::sc_start(fabric::TimeOf(5000));
    trace.Close();
    const FstContents read(file);
    std::filesystem::remove(file);
    const FstContents::Changes& response = read.variables.at("left.host.access_0.response");
    ASSERT_GE(response.size(), 1u);
    EXPECT_EQ(response.back().second == "" ? response[response.size() - 2].second : response.back().second, "none");
  });
}

}  // namespace
}  // namespace tilefly::systemc
