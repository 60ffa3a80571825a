// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "cosim/setup/frame.h"

namespace tilefly::cosim {

/// How the packets of a file begin and end.
enum class Packets {
  kHeader,           ///< with the internal header (link type USER0)
  kEthernet,         ///< Ethernet with FCS
  kEthernetWithout,  ///< Ethernet without FCS
};

/// A pcapng file of one interface with nanosecond times. It is written under a temporary name and gets its own name
/// when it is closed, so a file with that name is complete.
class CaptureWriter {
 public:
  /// Throws std::runtime_error with the file and the reason when it cannot be written.
  CaptureWriter(std::filesystem::path file, const std::string& interface, Packets packets);
  CaptureWriter(CaptureWriter&&) = default;
  /// Writes a packet of time `time_ns`. `header`, which may be null, goes before the frame.
  void Write(std::int64_t time_ns, const Header* header, const Bytes& frame);
  void Close();

 private:
  void PutBlock(std::uint32_t type, const Bytes& body);

  std::filesystem::path file_;
  std::ofstream out_;
};

}  // namespace tilefly::cosim
