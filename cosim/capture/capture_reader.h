// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/setup/frame.h"

namespace tilefly::cosim {

/// A frame of a capture file. Captures have no FCS, so the reader pads the frame to the smallest size and appends an
/// FCS.
struct CapturedFrame {
  std::int64_t time_ns;  ///< since the earliest frame
  int interface;         ///< of a pcapng file; 0 in a pcap file
  Bytes bytes;           ///< with FCS
};

/// What a capture file held.
struct Capture {
  /// The same capture without its frames.
  Capture Summary() const { return {file, {}, interfaces, cut, padded, too_long, notice}; }

  std::string file;
  std::vector<CapturedFrame> frames;
  int interfaces = 1;
  std::int64_t cut = 0;       ///< records shorter than their frame (snap length); the rest was filled with zeros
  std::int64_t padded = 0;    ///< frames below 64 B
  std::int64_t too_long = 0;  ///< frames above the MTU
  std::string notice;         ///< what the user is to be told before the capture is sent; empty: nothing
};

/// Reads a pcap or pcapng file (micro- or nanoseconds, either byte order) of link type Ethernet. `min_frame_bytes` and
/// `max_frame_bytes` include the FCS. Throws UsageError with file, record number and remedy when the file is of another
/// kind or is truncated.
Capture ReadCapture(const std::string& file, int min_frame_bytes, int max_frame_bytes);

}  // namespace tilefly::cosim
