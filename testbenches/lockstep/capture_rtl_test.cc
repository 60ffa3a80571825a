// SPDX-License-Identifier: Apache-2.0
// Captures of real frames through the switch, RTL and golden in lockstep: each frame is delivered or dropped as it
// deserves, nothing else; the captures written at the ports are read again and hold the same bytes.
//
//   captures/lan24.pcapng         24 hosts, 3,980 frames, 368 of them to groups; its README tells the rest
//   $TILEFLY_DATA/pcap/AoE_Linux.pcap   ATA over Ethernet (type 88a2) between two hosts over 190 s, 186 frames of 32 to
//   1,060 B,
//                                 13 of them broadcasts; 12 of 32 B were captured before the network card padded them
//   $TILEFLY_DATA/pcap/mptcp-v0.pcap    multipath TCP over IPv4 between two hosts over 9 s, 264 frames of 74 to 934 B;
//   one
//                                 time stamp is before its predecessor's
// Both are classic pcap, microseconds, little endian, Ethernet, snap length 65,535, no frame cut. None of the three
// files has a frame above the MTU or to an address that nobody has: nothing may be dropped.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "runs/switch/port_captures.h"
#include "runs/switch/switch_run.h"
#include "testbenches/bench/process_folder.h"
#include "testbenches/bench/settings.h"

namespace tilefly::cosim {
namespace {

namespace fs = std::filesystem;

Capture Read(const std::string& file) { return ReadCapture(file, kRosetta64.min_std_bytes, kRosetta64.mtu_bytes); }

/// Frames by port, as they go in and as they come out in any order.
struct PortFrames {
  explicit PortFrames(int ports) : in(static_cast<std::size_t>(ports)), out(in.size()) {}
  std::vector<std::vector<Bytes>> in;
  std::vector<std::vector<Bytes>> out;
};

/// Ports that a frame goes to: its host's, or all others where a host is.
std::uint64_t OutputsOf(const Bytes& frame, int source, const PortPlacement& placement) {
  const auto host = placement.hosts.find(MacAt(frame, 0));
  if (host != placement.hosts.end()) return std::uint64_t{1} << host->second;
  return placement.used_ports & ~(std::uint64_t{1} << source);
}

/// What the first `frames` of a capture are to do at the ports.
PortFrames Expected(const Capture& capture, std::size_t frames, int ports) {
  const PortPlacement placement = PlaceAtPorts(capture, PortsBy::kMac, ports);
  PortFrames expected(ports);
  for (std::size_t i = 0; i < frames; ++i) {
    const Bytes& bytes = capture.frames[i].bytes;
    expected.in[static_cast<std::size_t>(placement.of_frame[i])].push_back(bytes);
    for (std::uint64_t left = OutputsOf(bytes, placement.of_frame[i], placement); left != 0; left &= left - 1)
      expected.out[static_cast<std::size_t>(__builtin_ctzll(left))].push_back(bytes);
  }
  return expected;
}

/// The frames of a file that PortCaptures wrote; none when there is no file.
std::vector<Bytes> ReadBack(const fs::path& file) {
  std::vector<Bytes> frames;
  if (!fs::exists(file)) return frames;
  for (CapturedFrame& frame : Read(file.string()).frames) {
    frame.bytes.resize(frame.bytes.size() - kFcsBytes);  // these captures have their FCS: the reader added a second one
    frames.push_back(std::move(frame.bytes));
  }
  return frames;
}

/// Every frame at its ports, byte for byte.
void ExpectFiles(const fs::path& folder, PortFrames expected) {
  for (std::size_t port = 0; port < expected.in.size(); ++port) {
    const auto file = [&](const char* way) { return folder / fmt::format("port{:02}_{}.pcapng", port, way); };
    EXPECT_EQ(ReadBack(file("in")), expected.in[port]) << "into port " << port;
    std::vector<Bytes> out = ReadBack(file("out"));
    std::sort(out.begin(), out.end());
    std::sort(expected.out[port].begin(), expected.out[port].end());
    EXPECT_EQ(out, expected.out[port]) << "out of port " << port;
  }
}

runs::RunOptions OptionsOf(const std::string& file, const std::string& pace, const Profile& profile) {
  runs::RunOptions options;
  options.profile = &profile;
  options.kinds = runs::ParsePortKinds("standard", profile.ports);
  options.capture.file = file;
  options.capture.pace = ParsePace(pace);
  options.max_cycles = 0;
  return options;
}

/// Runs the first `frames` of the capture and expects that all are delivered, `copies` in all.
void ExpectDelivered(const runs::RunOptions& options, std::size_t frames, std::int64_t copies) {
  std::string name = "tilefly_" + bench::CurrentTest();
  std::replace(name.begin(), name.end(), '/', '_');
  const fs::path folder = bench::ProcessFolder() / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  runs::SwitchRun run(options);
  runs::PortCaptures captures(run.setup(), folder);
  runs::RunControl control;
  control.taps.push_back(&captures);
  const runs::Outcome outcome = run.Run(control);
  captures.Close();
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  const Books& books = run.scoreboard().books();
  EXPECT_EQ(books.offered, static_cast<std::int64_t>(frames));
  EXPECT_EQ(books.delivered, books.offered);
  EXPECT_EQ(books.copies, copies);
  EXPECT_EQ(std::accumulate(books.drops.begin(), books.drops.end(), std::int64_t{0}), 0);
  EXPECT_EQ(books.in_flight(), 0);
  if (options.devices.size() == 2) {
    EXPECT_EQ(run.lockstep().compared(), run.lockstep().cycle() * options.profile->ports);
    EXPECT_GE(run.lockstep().compared_busy(), 2 * copies) << "no frame has less than two words";
  }
  ExpectFiles(folder, Expected(Read(options.capture.file), frames, options.profile->ports));
  fs::remove_all(folder);
}

constexpr const char* kLan = "captures/lan24.pcapng";
constexpr std::size_t kLanFrames = 3980;
constexpr std::int64_t kLanCopies = 12076;

/// As fast as the links take them; and at the capture's pace, 50,000 times as fast (4.7 s are 3.7 billion cycles).
class Lan24 : public ::testing::TestWithParam<const char*> {};

TEST_P(Lan24, EveryFrameIsDeliveredByRtlAndGolden) {
  ExpectDelivered(OptionsOf(kLan, GetParam(), kRosetta64), kLanFrames, kLanCopies);
}

TEST_P(Lan24, EveryFrameIsDeliveredByGoldenAlone) {
  runs::RunOptions options = OptionsOf(kLan, GetParam(), kRosetta64);
  options.devices = {"golden"};
  ExpectDelivered(options, kLanFrames, kLanCopies);
}

INSTANTIATE_TEST_SUITE_P(Paces, Lan24, ::testing::Values("back-to-back", "x0.00002"),
                         [](const auto& info) { return info.param[0] == 'x' ? "Scaled" : "BackToBack"; });

/// The capture's own times, as far as the tier goes.
TEST(Lan24Kept, FramesAreSentAtTheirTimes) {
  const bench::Tier tier = bench::TierFromEnvironment();
  runs::RunOptions options = OptionsOf(kLan, "kept", kRosetta64);
  options.max_cycles = tier == bench::Tier::kQuick ? 100'000 : tier == bench::Tier::kCi ? 1'000'000 : 10'000'000;
  const Capture capture = Read(kLan);
  const auto due = [&](const CapturedFrame& frame) { return frame.time_ns * kRosetta64.clock_khz / 1'000'000; };
  const auto end = std::find_if(capture.frames.begin(), capture.frames.end(),
                                [&](const CapturedFrame& frame) { return due(frame) >= options.max_cycles; });
  const auto frames = static_cast<std::size_t>(end - capture.frames.begin());
  std::int64_t copies = 0;
  for (const auto& port : Expected(capture, frames, kRosetta64.ports).out)
    copies += static_cast<std::int64_t>(port.size());
  ASSERT_GT(frames, 0u);
  ExpectDelivered(options, frames, copies);
}

struct File {
  const char* name;
  std::size_t frames;
  std::int64_t padded;
  const char* pace;  ///< about 100,000 cycles
};

class DataCapture : public ::testing::TestWithParam<File> {
 protected:
  void SetUp() override {
    const char* const data = std::getenv("TILEFLY_DATA");
    if (data == nullptr) GTEST_SKIP() << "set TILEFLY_DATA to the folder of data that has pcap/" << GetParam().name;
    file_ = (fs::path(data) / "pcap" / GetParam().name).string();
  }
  std::string file_;
};

TEST_P(DataCapture, IsReadAsItIs) {
  const Capture capture = Read(file_);
  EXPECT_EQ(capture.frames.size(), GetParam().frames);
  EXPECT_EQ(capture.interfaces, 1);
  EXPECT_EQ(capture.padded, GetParam().padded);
  EXPECT_EQ(capture.cut, 0);
  EXPECT_EQ(capture.too_long, 0);
}

/// Two hosts: a broadcast goes to the other one, so every frame comes out once.
TEST_P(DataCapture, EveryFrameIsDeliveredOnceAtEachPace) {
  for (const char* const pace : {"back-to-back", GetParam().pace}) {
    for (const Profile* const profile : {&kTile8, &kRosetta64}) {
      SCOPED_TRACE(std::string(pace) + " " + profile->name);
      ExpectDelivered(OptionsOf(file_, pace, *profile), GetParam().frames,
                      static_cast<std::int64_t>(GetParam().frames));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, DataCapture,
                         ::testing::Values(File{"AoE_Linux.pcap", 186, 12, "x0.0000005"},
                                           File{"mptcp-v0.pcap", 264, 0, "x0.00001"}),
                         [](const auto& info) { return std::string(info.param.name).substr(0, 3); });

}  // namespace
}  // namespace tilefly::cosim
