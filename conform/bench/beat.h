// SPDX-License-Identifier: Apache-2.0
// What is on the ports of a stream device in a cycle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tilefly::conform {

using Cycle = std::int64_t;
inline constexpr int kMostBytes = 64;  ///< of a beat

/// A beat of AXI-Stream as its sender drives it. Fields that the ports do not have are 0; of a port without tkeep all
/// bytes are kept.
struct Beat {
  bool valid = false;
  bool last = false;
  std::uint64_t keep = 0;  ///< bit i: byte i is of the frame
  std::uint32_t user = 0;
  std::uint32_t dest = 0;
  std::uint32_t id = 0;
  std::array<std::uint8_t, kMostBytes> data{};

  bool operator==(const Beat& other) const {
    return valid == other.valid && last == other.last && keep == other.keep && user == other.user &&
           dest == other.dest && id == other.id && data == other.data;
  }
  bool operator!=(const Beat& other) const { return !(*this == other); }
};

/// An entry of the forwarding table, as it is written in a cycle.
struct TableWrite {
  bool valid = false;
  std::array<std::uint8_t, 6> mac{};
  int port = 0;
  int index = 0;  ///< of the entry, from 0
};

/// What the bench drives in a cycle; it depends on nothing that the device shows in it.
struct StreamInputs {
  std::vector<Beat> in;
  std::vector<bool> out_ready;
  TableWrite write;
};

/// What the device shows in the same cycle.
struct StreamOutputs {
  std::vector<bool> in_ready;
  std::vector<Beat> out;
  std::uint64_t drops = 0;  ///< its counter, of a device that has one
};

}  // namespace tilefly::conform
