// SPDX-License-Identifier: Apache-2.0
#include "cosim/capture/capture_reader.h"

#include <fmt/format.h>
#include <pcap/pcap.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cosim/capture/pcapng_blocks.h"
#include "cosim/errors.h"

namespace tilefly::cosim {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kMostSeconds = 4'600'000'000;  ///< the year 2115; of two such times the difference fits, too
constexpr std::uint32_t kSmallestHeader = 14;
constexpr std::uint32_t kLargestFrame = 256 * 1024;

struct PcapCloser {
  void operator()(pcap_t* pcap) const { pcap_close(pcap); }
};

[[noreturn]] void Refuse(const std::string& file, std::size_t record, const std::string& reason,
                         const std::string& remedy) {
  throw UsageError(fmt::format("{}: record {}: {}; {}", file, record, reason, remedy));
}

/// Seconds of a pcap file have 32 bits and no sign, whatever libpcap makes of them.
std::int64_t SecondsOf(const pcap_pkthdr& header, bool is_pcapng) {
  const std::int64_t seconds = header.ts.tv_sec;
  return is_pcapng ? seconds : static_cast<std::uint32_t>(seconds);
}

void CountFromEarliest(std::vector<CapturedFrame>* frames) {
  const auto earlier = [](const CapturedFrame& a, const CapturedFrame& b) { return a.time_ns < b.time_ns; };
  const std::int64_t start = std::min_element(frames->begin(), frames->end(), earlier)->time_ns;
  for (CapturedFrame& frame : *frames) frame.time_ns -= start;
}

}  // namespace

Capture ReadCapture(const std::string& file, int min_frame_bytes, int max_frame_bytes) {
  if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file)) {
    throw UsageError(fmt::format(
        "--pcap {}: it cannot be read again from its begin, and is no file; write the capture to a file first", file));
  }
  char message[PCAP_ERRBUF_SIZE] = "";
  const std::unique_ptr<pcap_t, PcapCloser> pcap(
      pcap_open_offline_with_tstamp_precision(file.c_str(), PCAP_TSTAMP_PRECISION_NANO, message));
  if (!pcap) {
    throw UsageError(fmt::format(
        "{}: not a readable pcap or pcapng file ({}); give a capture of tcpdump, dumpcap or Wireshark", file, message));
  }
  const int link_type = pcap_datalink(pcap.get());
  if (link_type != DLT_EN10MB) {
    const char* const name = pcap_datalink_val_to_name(link_type);
    throw UsageError(fmt::format("{}: link type {} ({}) instead of Ethernet; capture on an Ethernet interface", file,
                                 link_type, name != nullptr ? name : "unknown"));
  }
  Capture capture;
  capture.file = file;
  const std::vector<int> interfaces = PcapngInterfaces(file);
  for (std::size_t record = 1;; ++record) {
    pcap_pkthdr* header = nullptr;
    const u_char* data = nullptr;
    const int status = pcap_next_ex(pcap.get(), &header, &data);
    if (status == PCAP_ERROR_BREAK) break;
    if (status != 1) {
      Refuse(
          file, record, pcap_geterr(pcap.get()),
          "the file is cut or damaged: capture again" +
              (record == 1 ? ""
                           : fmt::format(", or keep its whole records with `editcap -r FILE OUT 1-{}`", record - 1)));
    }
    if (header->caplen < kSmallestHeader || header->len > kLargestFrame) {
      Refuse(file, record, fmt::format("{} bytes captured of {}: not an Ethernet frame", header->caplen, header->len),
             fmt::format("remove the record with `editcap FILE OUT {}`", record));
    }
    const std::int64_t seconds = SecondsOf(*header, !interfaces.empty());
    if (seconds < -kMostSeconds || seconds > kMostSeconds || header->ts.tv_usec < 0 ||
        header->ts.tv_usec >= kNsPerSecond) {
      Refuse(file, record,
             fmt::format(
                 "its time is {} s and {} ns after 1970, which no clock says: the time resolution of its interface "
                 "is wrong, or the record damaged",
                 seconds, std::int64_t{header->ts.tv_usec}),
             fmt::format("capture again, or remove the record with `editcap FILE OUT {}`", record));
    }
    CapturedFrame frame;
    frame.time_ns = seconds * kNsPerSecond + header->ts.tv_usec;
    frame.interface = record <= interfaces.size() ? interfaces[record - 1] : 0;
    const std::size_t least = static_cast<std::size_t>(min_frame_bytes - kFcsBytes);
    capture.padded += header->len < least;
    capture.cut += header->caplen < header->len;
    frame.bytes.assign(data, data + header->caplen);
    frame.bytes.resize(std::max<std::size_t>({header->len, header->caplen, least}) + kFcsBytes, 0);
    Seal(&frame.bytes);
    capture.too_long += frame.bytes.size() > static_cast<std::size_t>(max_frame_bytes);
    capture.interfaces = std::max(capture.interfaces, frame.interface + 1);
    capture.frames.push_back(std::move(frame));
  }
  if (capture.frames.empty()) throw UsageError(fmt::format("{}: no frames in it", file));
  CountFromEarliest(&capture.frames);
  return capture;
}

}  // namespace tilefly::cosim
