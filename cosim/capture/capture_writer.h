// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "cosim/setup/frame.h"

namespace tilefly::cosim {

/// What the packets of a file begin and end with.
enum class Packets {
  kHeader,           ///< with the internal header (link type USER0)
  kEthernet,         ///< Ethernet with FCS
  kEthernetWithout,  ///< Ethernet without FCS
};

/// A pcapng file of one interface with nanosecond times. It is written under a temporary name and gets its own when it
/// is closed, so that a file with that name is whole.
class CaptureWriter {
 public:
  /// Throws std::runtime_error with the file and the reason.
  CaptureWriter(std::filesystem::path file, const std::string& interface, Packets packets);
  CaptureWriter(CaptureWriter&&) = default;
  /// `header_bytes` (may be null) go before the frame.
  void Write(std::int64_t time_ns, const Header* header, const Bytes& frame);
  void Close();

 private:
  void PutBlock(std::uint32_t type, const Bytes& body);

  std::filesystem::path file_;
  std::ofstream out_;
};

}  // namespace tilefly::cosim
