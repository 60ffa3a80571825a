// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <pcap/pcap.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "cosim/capture/capture_source.h"
#include "cosim/capture/capture_writer.h"
#include "cosim/errors.h"
#include "runs/switch/run_options.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::cosim {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMicro = 0xa1b2c3d4, kNano = 0xa1b23c4d;
constexpr std::uint32_t kEthernet = 1, kRawIp = 101;

Bytes FrameOf(std::uint8_t host, std::size_t size) {
  Bytes frame(size, 0x55);
  const Mac to = {0x02, 0x11, 0, 0, 0, 0x01}, from = {0x02, 0x22, 0, 0, 0, host};
  std::copy(to.begin(), to.end(), frame.begin());
  std::copy(from.begin(), from.end(), frame.begin() + 6);
  return frame;
}

/// A classic pcap file, built field by field.
class PcapFile {
 public:
  explicit PcapFile(std::uint32_t magic = kMicro, std::uint32_t link_type = kEthernet) {
    for (std::uint32_t value : {magic, 0x00040002u, 0u, 0u, 262144u, link_type}) Put(value);
  }
  void Add(std::uint32_t seconds, std::uint32_t fraction, const Bytes& bytes, std::uint32_t original) {
    for (std::uint32_t value : {seconds, fraction, static_cast<std::uint32_t>(bytes.size()), original}) Put(value);
    data_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void Cut(std::size_t bytes) { data_.resize(data_.size() - bytes); }
  std::string Save(const std::string& name) const {
    const fs::path file = bench::ProcessFolder() / name;
    std::ofstream(file, std::ios::binary) << data_;
    return file.string();
  }

 private:
  void Put(std::uint32_t value) { data_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  std::string data_;
};

std::string ErrorOf(const std::string& file) {
  try {
    ReadCapture(file, 64, 4224);
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(CaptureReader, MicroAndNanoseconds) {
  for (std::uint32_t magic : {kMicro, kNano}) {
    PcapFile file(magic);
    file.Add(10, 5, FrameOf(1, 100), 100);
    file.Add(11, 7, FrameOf(1, 100), 100);
    const Capture capture = ReadCapture(file.Save("times.pcap"), 64, 4224);
    ASSERT_EQ(capture.frames.size(), 2u);
    EXPECT_EQ(capture.frames[0].time_ns, 0);
    EXPECT_EQ(capture.frames[1].time_ns, 1'000'000'000 + (magic == kMicro ? 2000 : 2));
  }
}

TEST(CaptureReader, TimesCountFromTheEarliestRecord) {
  PcapFile file;
  for (const std::uint32_t second : {12, 10, 11}) file.Add(second, 0, FrameOf(1, 100), 100);
  const Capture capture = ReadCapture(file.Save("unsorted.pcap"), 64, 4224);
  EXPECT_EQ(capture.frames.at(0).time_ns, 2'000'000'000);
  EXPECT_EQ(capture.frames.at(1).time_ns, 0);
  EXPECT_EQ(capture.frames.at(2).time_ns, 1'000'000'000);
}

TEST(CaptureReader, SecondsHaveNoSign) {
  PcapFile file;
  for (const std::uint32_t second : {0x7fffffffu, 0x80000001u, 4'000'000'000u})
    file.Add(second, 0, FrameOf(1, 100), 100);
  const Capture capture = ReadCapture(file.Save("late.pcap"), 64, 4224);
  EXPECT_EQ(capture.frames.at(0).time_ns, 0);
  EXPECT_EQ(capture.frames.at(1).time_ns, 2'000'000'000);
  EXPECT_EQ(capture.frames.at(2).time_ns, 1'852'516'353'000'000'000);
}

TEST(CaptureReader, PadsAndAppendsTheFrameCheck) {
  PcapFile file;
  file.Add(0, 0, FrameOf(1, 42), 42);
  file.Add(0, 1, FrameOf(1, 200), 1000);  // cut by the snap length
  const Capture capture = ReadCapture(file.Save("short.pcap"), 64, 4224);
  EXPECT_EQ(capture.frames[0].bytes.size(), 64u);
  EXPECT_EQ(capture.frames[1].bytes.size(), 1004u);
  EXPECT_EQ(capture.frames[1].bytes[500], 0);
  EXPECT_EQ(capture.padded, 1);
  EXPECT_EQ(capture.cut, 1);
  for (const CapturedFrame& frame : capture.frames) EXPECT_EQ(CheckOf(frame.bytes), Check::kGood);
}

TEST(CaptureReader, ErrorsNameFileRecordAndRemedy) {
  PcapFile cut;
  cut.Add(0, 0, FrameOf(1, 100), 100);
  cut.Add(0, 1, FrameOf(1, 100), 100);
  cut.Cut(30);
  const std::string error = ErrorOf(cut.Save("cut.pcap"));
  EXPECT_NE(error.find("cut.pcap"), std::string::npos) << error;
  EXPECT_NE(error.find("record 2"), std::string::npos) << error;
  EXPECT_NE(error.find("editcap"), std::string::npos) << error;

  EXPECT_NE(ErrorOf(PcapFile(kMicro, kRawIp).Save("raw.pcap")).find("instead of Ethernet"), std::string::npos);
  EXPECT_NE(ErrorOf(PcapFile().Save("empty.pcap")).find("no frames"), std::string::npos);
  EXPECT_NE(ErrorOf("/nowhere/at.all").find("/nowhere/at.all"), std::string::npos);
  const fs::path text = bench::ProcessFolder() / "text.pcap";
  std::ofstream(text) << "this is not a capture, whatever its name says";
  EXPECT_NE(ErrorOf(text.string()).find("not a readable"), std::string::npos);

  PcapFile tiny;
  tiny.Add(0, 0, Bytes(10, 0), 10);
  EXPECT_NE(ErrorOf(tiny.Save("tiny.pcap")).find("record 1"), std::string::npos);
}

/// A pcapng file with a section, an Ethernet interface whose clock counts whole seconds, and a frame at each of
/// `seconds`.
std::string CoarseFile(const std::vector<std::uint64_t>& seconds) {
  std::string data;
  const auto put = [&data](std::initializer_list<std::uint32_t> values) {
    for (const std::uint32_t value : values) data.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put({0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0xffffffff, 0xffffffff, 28});
  put({1, 32, kEthernet, 262144, 9 | 1 << 16, 0, 0, 32});  // if_tsresol 0: 10^0 s; end of options
  for (const std::uint64_t time : seconds) {
    const auto high = static_cast<std::uint32_t>(time >> 32), low = static_cast<std::uint32_t>(time);
    put({6, 96, 0, high, low, 64, 64});
    const Bytes frame = FrameOf(1, 64);
    data.append(reinterpret_cast<const char*>(frame.data()), frame.size());
    put({96});
  }
  const fs::path file = bench::ProcessFolder() / "coarse.pcapng";
  std::ofstream(file, std::ios::binary) << data;
  return file.string();
}

TEST(CaptureReader, TimesThatNoClockSaysAreRefused) {
  const Capture capture = ReadCapture(CoarseFile({1'700'000'000, 1'700'000'003}), 64, 4224);
  EXPECT_EQ(capture.frames.at(1).time_ns, 3'000'000'000);
  const std::string error = ErrorOf(CoarseFile({0, 10'000'000'000}));
  EXPECT_NE(error.find("coarse.pcapng: record 2: its time is 10000000000 s"), std::string::npos) << error;
  EXPECT_NE(error.find("time resolution"), std::string::npos) << error;
  EXPECT_NE(error.find("editcap FILE OUT 2"), std::string::npos) << error;
  EXPECT_NE(ErrorOf(CoarseFile({std::uint64_t{1} << 62})).find("record 1"), std::string::npos);
  EXPECT_NE(ErrorOf(CoarseFile({std::uint64_t{1} << 63})).find("record 1"), std::string::npos);
  PcapFile file;
  file.Add(1, 2'000'000, FrameOf(1, 100), 100);  // us
  EXPECT_NE(ErrorOf(file.Save("fraction.pcap")).find("record 1: its time is 1 s and 2000000000 ns"), std::string::npos);
}

TEST(CaptureWriter, IsReadBackByLibpcap) {
  const fs::path file = bench::ProcessFolder() / "written.pcapng";
  fs::remove(file);
  CaptureWriter writer(file, "port07_out", Packets::kEthernet);
  Bytes frame = FrameOf(3, 100);
  Seal(&frame);
  writer.Write(1'280, nullptr, frame);
  writer.Write(5'000'000'123, nullptr, frame);
  EXPECT_FALSE(fs::exists(file)) << "half a file looks whole";
  writer.Close();
  char message[PCAP_ERRBUF_SIZE];
  pcap_t* const pcap = pcap_open_offline_with_tstamp_precision(file.c_str(), PCAP_TSTAMP_PRECISION_NANO, message);
  ASSERT_NE(pcap, nullptr) << message;
  pcap_pkthdr* header;
  const u_char* data;
  ASSERT_EQ(pcap_next_ex(pcap, &header, &data), 1);
  EXPECT_EQ(header->ts.tv_usec, 1280);
  ASSERT_EQ(header->caplen, frame.size());
  EXPECT_EQ(std::memcmp(data, frame.data(), frame.size()), 0);
  ASSERT_EQ(pcap_next_ex(pcap, &header, &data), 1);
  EXPECT_EQ(header->ts.tv_sec, 5);
  EXPECT_EQ(header->ts.tv_usec, 123);
  pcap_close(pcap);
}

Capture CaptureOf(const std::vector<int>& hosts) {
  Capture capture;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    CapturedFrame frame{static_cast<std::int64_t>(i) * 100, static_cast<int>(i % 2),
                        FrameOf(static_cast<std::uint8_t>(hosts[i]), 64)};
    Seal(&frame.bytes);
    capture.frames.push_back(frame);
  }
  capture.interfaces = 2;
  return capture;
}

TEST(Placement, ByAddressAHostHasOnePort) {
  const PortPlacement placement = PlaceAtPorts(CaptureOf({9, 4, 9, 4, 7, 9}), PortsBy::kMac, 8);
  EXPECT_EQ(placement.hosts.size(), 3u);
  EXPECT_EQ(placement.of_frame[0], placement.of_frame[2]);
  EXPECT_EQ(placement.of_frame[1], placement.of_frame[3]);
  EXPECT_NE(placement.of_frame[0], placement.of_frame[1]);
  EXPECT_EQ(__builtin_popcountll(placement.used_ports), 3);
}

TEST(Placement, ByInterfaceAndInTurn) {
  const Capture capture = CaptureOf({1, 1, 1, 1});
  const Placement by_interface = PlaceAtPorts(capture, PortsBy::kInterface, 8);
  EXPECT_EQ(by_interface.of_frame[0], by_interface.of_frame[2]);
  EXPECT_NE(by_interface.of_frame[0], by_interface.of_frame[1]);
  EXPECT_EQ(PlaceAtPorts(capture, PortsBy::kRoundRobin, 3).of_frame, (std::vector<int>{0, 1, 2, 0}));
}

TEST(Placement, AFullSetIsRefusedWithItsAddresses) {
  SwitchSetup setup(kTile8, runs::ParsePortKinds("standard", 8), 4);
  for (std::uint8_t i = 0; i < 4; ++i) setup.AddHost({0x02, i, i, 0, 0, 0x55}, 1);
  try {
    setup.AddHost({0x02, 9, 9, 0, 0, 0x55}, 1);
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("02:03:03:00:00:55"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("02:09:09:00:00:55"), std::string::npos) << error.what();
  }
}

TEST(CaptureSource, KeepsScalesAndForgetsThePace) {
  const SwitchSetup setup(kTile8, runs::ParsePortKinds("standard", 8), 4);
  const auto first_of_second = [&](const char* pace, int repeat) {
    const Capture capture = CaptureOf({1, 1});
    CaptureSource source(setup, capture, PlaceAtPorts(capture, PortsBy::kMac, 8), ParsePace(pace), repeat);
    source.Begin(1000);
    EXPECT_EQ(source.NextFrame(0, 999, 0), nullptr);
    EXPECT_NE(source.NextFrame(0, 1000, 0), nullptr);
    Cycle now = 1000;
    while (!source.NextFrame(0, now, 0)) ++now;
    EXPECT_EQ(source.Exhausted(), repeat == 1);
    return now - 1000;
  };
  EXPECT_EQ(first_of_second("kept", 1), 78);  // 100 ns of 1.28 ns
  EXPECT_EQ(first_of_second("x10", 2), 781);
  EXPECT_EQ(first_of_second("back-to-back", 1), 0);
  EXPECT_THROW(ParsePace("quick"), UsageError);
  EXPECT_THROW(ParsePace("xfast"), UsageError);
  EXPECT_THROW(ParsePace("xinf"), UsageError);
  EXPECT_THROW(ParsePace("xnan"), UsageError);
}

TEST(CaptureSource, NoTimeIsTooLongForIt) {
  const SwitchSetup setup(kTile8, runs::ParsePortKinds("standard", 8), 4);
  Capture capture = CaptureOf({1, 1});
  capture.frames[1].time_ns = 9'000'000'000'000'000'000;
  for (const char* pace : {"kept", "x1e300", "back-to-back"}) {
    CaptureSource source(setup, capture, PlaceAtPorts(capture, PortsBy::kMac, 8), ParsePace(pace), 1 << 20);
    source.Begin(1000);
    EXPECT_NE(source.NextFrame(0, 1000, 0), nullptr);
    EXPECT_EQ(source.NextFrame(0, Cycle{1} << 40, 0) != nullptr, pace == std::string("back-to-back")) << pace;
    if (pace == std::string("back-to-back")) EXPECT_NE(source.NextFrame(0, 1000, 0), nullptr);  // of the second round
  }
}

TEST(PaceNotice, SaysOfLongTimesWithoutAFrame) {
  Capture capture = CaptureOf({1, 2, 3});
  capture.file = "slow.pcap";
  capture.frames[1].time_ns = 1'000'000'000;
  capture.frames[2].time_ns = 10'000'000'000;
  const auto notice = [&](const char* pace, int repeat, Cycle cycles) {
    return PaceNotice(capture, {"slow.pcap", PortsBy::kMac, ParsePace(pace), repeat, cycles}, kTile8.clock_khz);
  };
  EXPECT_EQ(notice("back-to-back", 1000, 0), "");
  EXPECT_EQ(notice("x0.01", 1, 0), "");
  const std::string said = notice("kept", 1, 0);
  EXPECT_NE(said.find("slow.pcap: no frame comes for 7031250000 cycles, 9 s of the capture, before record 3"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("--pace xFACTOR"), std::string::npos) << said;
  EXPECT_NE(notice("kept", 1, 100).find("before record 2"), std::string::npos) << "the last that begins in the run";
  std::swap(capture.frames[0], capture.frames[2]);
  EXPECT_NE(notice("kept", 1, 0).find("9 s of the capture, before record 1"), std::string::npos) << "in any order";
  std::swap(capture.frames[0], capture.frames[2]);
  const auto refusal = [&](const char* pace, int repeat) {
    try {
      notice(pace, repeat, 0);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal("kept", 1000).find("a run has at most 1099511627776"), std::string::npos) << refusal("kept", 1000);
  EXPECT_NE(refusal("x1e9", 1).find("before record 3"), std::string::npos);
  EXPECT_NE(notice("kept", 1000, 5000), "") << "with --max-cycles a part of it is sent";
}

}  // namespace
}  // namespace tilefly::cosim
