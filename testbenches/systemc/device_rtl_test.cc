// SPDX-License-Identifier: Apache-2.0
// The transaction models as a device of words: the scoreboard's demands, the contract with golden, and what breaks it
// (docs/systemc.md, As a device).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "cosim/errors.h"
#include "cosim/golden_device.h"
#include "golden/common/register_write.h"
#include "systemc/device/systemc_device.h"
#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/device_session.h"
#include "testbenches/systemc/late_devices.h"

namespace tilefly::systemc {
namespace {

using ::testing::HasSubstr;

/// Known by name to this suite.
bool Register(const char* name, std::size_t cycles) {
  return cosim::RegisterDevice(
      name,
      [cycles](const Profile& profile, const cosim::DeviceOptions&) { return std::make_unique<LateDevice>(profile, cycles); },
      cosim::Contract::kBounded);
}

[[maybe_unused]] const bool kLate = Register("late", 10);
[[maybe_unused]] const bool kSlow = Register("slow", 100);
[[maybe_unused]] const bool kSilent = cosim::RegisterDevice(
    "silent", [](const Profile& profile, const cosim::DeviceOptions&) { return std::make_unique<SilentDevice>(profile); },
    cosim::Contract::kBounded);

void ExpectPass(const std::string& name, const std::vector<std::pair<std::string, std::string>>& values) {
  constexpr std::int64_t kFewest = 300;  // packets that are worth a comparison
  runs::Session session = Make(name, values);
  EXPECT_EQ(session.Run(), kPassed) << name << ": " << LogOf(session);
  const auto& results = session.results();
  EXPECT_EQ(results["contract"], "bounded") << name;
  EXPECT_TRUE(results["measured"]["broken"].empty()) << name << ": " << results["measured"];
  EXPECT_GE(results["books"]["delivered"].get<std::int64_t>(), kFewest) << name;
  EXPECT_THAT(LogOf(session), HasSubstr("PASS (bounded) "));
}

TEST(SystemcDevice, KeepsTheContractWithGolden) {
  ExpectPass("small", {{"traffic.load", "0.5"}, {"traffic.size", "64"}});
  ExpectPass("mixed", {{"traffic.load", "0.7"}, {"traffic.size", "64*3,1024"}, {"traffic.classes", "0,1,2"}});
  ExpectPass("full", {{"traffic.load", "1"}, {"traffic.size", "64,4096"}});
  ExpectPass("routed", {{"traffic.load", "0.4"}, {"traffic.routed", "0.5"}, {"traffic.acks", "0.5"}});
}

/// Marks, shares and lost acks are drawn, and so is which endpoints obey pauses.
TEST(SystemcDevice, KeepsItWithFlowChannels) {
  ExpectPass("flows", {{"traffic.flow_channels", "on"}, {"traffic.acks", "on"}, {"traffic.load", "0.5"},
                       {"traffic.size", "64,1024"}});
  ExpectPass("some flows", {{"traffic.flow_channels", "0.5"}, {"traffic.acks", "0.5"}, {"traffic.load", "0.3"},
                            {"traffic.routed", "0.5"}, {"traffic.classes", "0,1"}});
}

TEST(SystemcDevice, KeepsItOnPortsOfAllKinds) {
  ExpectPass("kinds", {{"ports.kind", "mixed"}, {"traffic.load", "0.4"}, {"traffic.size", "64,512"}, {"traffic.replicated", "0.1"}});
  ExpectPass("faults", {{"ports.kind", "mixed"}, {"traffic.load", "0.4"}, {"traffic.size", "64,512"}, {"traffic.faults", "0.2"}});
}

TEST(SystemcDevice, KeepsItWhenLinkPartnersStall) {
  ExpectPass("stalls", {{"traffic.load", "0.5"}, {"traffic.size", "64,1024"}, {"stalls.share", "0.1"}, {"stalls.max_cycles", "200"}});
}

/// PAUSE frames that the switch sent, of all ports.
int PausesReceived(const runs::Session& session) {
  std::ifstream file(session.folder() / "stats.csv");
  std::string line;
  std::getline(file, line);
  const auto name = static_cast<std::ptrdiff_t>(line.find("pauses_received"));
  const auto columns = std::count(line.begin(), line.begin() + name, ',');
  int sum = 0;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (auto column = columns; column >= 0; --column) std::getline(cells, cell, ',');
    sum += std::stoi(cell);
  }
  return sum;
}

/// Standard ports; frames of PAUSE that go to the switch and come from it.
void ExpectPauses(const std::string& name, std::vector<std::pair<std::string, std::string>> values, int to_switch,
                  int from_switch) {
  values.insert(values.begin(), {{"ports.kind", "standard"},
                                 {"traffic.size", "64,512,1518"},
                                 {"max_cycles", std::to_string(CyclesOf(20000))}});
  runs::Session session = Make(name, values);
  EXPECT_EQ(session.Run(), kPassed) << name << ": " << LogOf(session);
  EXPECT_TRUE(session.results()["measured"]["broken"].empty()) << name << ": " << session.results()["measured"];
  const auto& drops = session.results()["books"]["drops"];
  EXPECT_GE(drops.value("CONTROL", 0), to_switch) << name;
  EXPECT_EQ(drops.value("BUFFER_FULL", 0), 0) << name;
  EXPECT_GE(PausesReceived(session), from_switch) << name;
}

TEST(SystemcDevice, ObeysAndSendsPauseOnStandardPorts) {
  ExpectPauses("incast", {{"traffic.pattern", "incast:5"}, {"traffic.load", "0.5"}}, 0, 20);
  ExpectPauses("paused",
               {{"traffic.load", "0.4"}, {"stalls.share", "0.2"}, {"stalls.kinds", "pause"}, {"stalls.max_cycles", "200"}},
               20, 0);
}

TEST(SystemcDevice, SaysWhatWasMeasured) {
  runs::Session session = Make("measured", {{"traffic.load", "0.5"}, {"traffic.size", "64"}});
  EXPECT_EQ(session.Run(), kPassed);
  const auto& results = session.results();
  EXPECT_EQ(results["devices"].dump(), R"(["systemc","golden"])");
  EXPECT_EQ(results["measured"]["against"], "golden");
  EXPECT_EQ(results["bounds"]["mean"], 0.02);
  for (const char* figure : {"packets", "throughput", "mean", "p99"}) {
    EXPECT_LE(std::abs(results["measured"][figure].get<double>()), 0.001) << figure;  // nearly all in golden's cycle
  }
  EXPECT_THAT(LogOf(session), HasSubstr("bounded by golden: mean latency +0.0"));
  EXPECT_THAT(LogOf(session), ::testing::Not(HasSubstr("words compared")));
}

/// Peers of the drawn trees compare every result with what it must be.
void ExpectReductions(const std::string& name, const std::string& mishaps, const std::string& load, bool fail) {
  runs::Session session = Make(name, {{"traffic.reductions", "8"}, {"traffic.mishaps", mishaps}, {"traffic.load", load},
                                       {"max_cycles", std::to_string(CyclesOf(30000))}});
  EXPECT_EQ(session.Run(), kPassed) << name << ": " << LogOf(session);
  EXPECT_EQ(session.results()["contract"], "bounded") << name;
  const auto& reductions = session.results()["reductions"];
  EXPECT_GE(reductions["episodes"].get<int>(), 20) << name;
  EXPECT_GE(reductions["packets"].get<int>(), 800) << name;
  EXPECT_EQ(reductions["failures"].get<int>() > 0, fail) << name;
}

TEST(SystemcDevice, ReducesWhatItsPeersExpect) {
  ExpectReductions("alone", "0", "0.01", false);
  ExpectReductions("among", "0", "0.3", false);
  ExpectReductions("mishaps", "0.3", "0.2", true);
}

TEST(SystemcDevice, AloneIsHeldAgainstNothing) {
  runs::Session session = Make("alone", {{"devices", "systemc"}, {"traffic.load", "0.3"}});
  EXPECT_EQ(session.Run(), kPassed) << LogOf(session);
  EXPECT_EQ(session.results()["contract"], "bounded");
  EXPECT_TRUE(session.results()["measured"].is_null());
  EXPECT_THAT(LogOf(session), HasSubstr("held against nothing"));
}

TEST(SystemcDevice, RunsEachSeedInAKernelOfItsOwn) {
  runs::Session session = Make("reseeds", {{"reseeds", "3"}, {"traffic.load", "0.5"}});
  EXPECT_EQ(session.Run(), kPassed) << LogOf(session);
  ASSERT_EQ(session.results()["runs"].size(), 3u);
  for (const auto& run : session.results()["runs"]) EXPECT_EQ(run["contract"], "bounded");
}

TEST(SystemcDevice, ThatIsLateBreaksTheContract) {
  runs::Session session = Make("late", {{"devices", "late,golden"}, {"traffic.load", "0.5"}, {"traffic.size", "64"}});
  EXPECT_EQ(session.Run(), kCheckFailed);
  EXPECT_EQ(session.results()["verdict"], "fail");
  EXPECT_THAT(session.results()["message"].get<std::string>(), HasSubstr("contract broken: mean latency"));
  EXPECT_FALSE(session.results()["measured"]["broken"].empty());
  EXPECT_GT(session.results()["measured"]["mean"].get<double>(), 0.02);
  EXPECT_THAT(LogOf(session), HasSubstr("FAIL switch/uniform"));
}

TEST(SystemcDevice, RefusesWhatItCannotDo) {
  EXPECT_THROW(Make("two", {{"devices", "systemc,late"}}), UsageError);
  EXPECT_THROW(Make("scheduler", {{"qos.scheduler", "strict"}}), UsageError);
  EXPECT_THROW(Make("outages", {{"stalls.outages", "1000"}}), UsageError);
}

cosim::Device::Inputs Idle() {
  cosim::Device::Inputs inputs;
  inputs.links.resize(static_cast<std::size_t>(kTile8.ports));
  inputs.link_up.assign(static_cast<std::size_t>(kTile8.ports), true);
  return inputs;
}

/// All ports are fabric ports from cycle 8 on.
void Enable(SystemcDevice* device) {
  cosim::Device::Inputs inputs = Idle();
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  inputs.cfg = golden::WriteRegister(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
  device->Step(inputs);
}

TEST(SystemcDevice, RunsItsKernelOnlyWhenSomethingIsDue) {
  SystemcDevice device(kTile8);
  Enable(&device);
  cosim::Device::Inputs inputs = Idle();
  while (device.cycle() < 1000) device.Step(inputs);
  const std::uint64_t quiet = device.runs();
  EXPECT_LE(quiet, 10u);
  while (device.cycle() < 20000) device.Step(inputs);
  EXPECT_EQ(device.runs(), quiet);

  // A packet, whose hop takes 63 cycles.
  cosim::Frame frame;
  frame.enh = true;
  frame.header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  frame.header.len = 64;
  frame.header.dst = 5;
  frame.bytes.resize(64);
  cosim::Seal(&frame.bytes);
  for (int k = 0; k < frame.words(); ++k) {
    inputs.links[2].word = cosim::MakeWord(frame, k);
    device.Step(inputs);
  }
  inputs.links[2].word = Word{};
  for (; device.cycle() < 20063; device.Step(inputs)) EXPECT_FALSE(device.Outputs()[5].word.valid) << device.cycle();
  EXPECT_TRUE(device.Outputs()[5].word.sop);
  EXPECT_EQ(device.Outputs()[5].word.data, [&] {
    frame.header.hop = 1;
    return cosim::MakeWord(frame, 0).data;
  }());
  while (device.cycle() < 30000) device.Step(inputs);
  EXPECT_LE(device.runs(), quiet + 70);
  EXPECT_EQ(device.Counter(5, static_cast<int>(Counter::kTxPackets)), 1u);
  EXPECT_THROW(device.CheckDrained(), cosim::DeviceError);  // the credit of what left never came

  inputs.link_up[1] = false;
  EXPECT_THROW(device.Step(inputs), cosim::DeviceError);
}

TEST(SystemcDevice, DropsPacketsOfGroupsThatItDoesNotKnow) {
  SystemcDevice device(kTile8);
  Enable(&device);
  cosim::Device::Inputs inputs = Idle();
  while (device.cycle() < 20) device.Step(inputs);
  cosim::Frame frame;
  frame.enh = true;
  frame.header.kind = static_cast<std::uint8_t>(Kind::kRed);
  frame.header.an = true;
  frame.header.len = 128;
  frame.bytes.resize(128);
  cosim::Seal(&frame.bytes);
  for (int k = 0; k < frame.words(); ++k) {
    inputs.links[0].word = cosim::MakeWord(frame, k);
    device.Step(inputs);
  }
  inputs.links[0].word = Word{};
  int drops = 0;
  for (; device.cycle() < 200; device.Step(inputs)) {
    for (const Link& link : device.Outputs()) EXPECT_FALSE(link.word.valid) << device.cycle();
    for (const cosim::LateDrop& drop : device.Observe().late_drops) drops += drop.port == 0 && drop.reason == Drop::kRed;
  }
  EXPECT_EQ(drops, 1);
  EXPECT_EQ(device.Counter(0, static_cast<int>(Counter::kRedRefused)), 1u);
  EXPECT_EQ(device.Counter(0, static_cast<int>(Drop::kRed)), 1u);
  EXPECT_EQ(device.Counter(0, static_cast<int>(Counter::kRxRed)), 0u);
}

TEST(SystemcDevice, SkipsToTheNextWord) {
  SystemcDevice device(kTile8);
  device.SkipIdle(1'000'000);
  EXPECT_EQ(device.cycle(), 1'000'000);
  EXPECT_LE(device.runs(), 10u);
}

}  // namespace
}  // namespace tilefly::systemc
