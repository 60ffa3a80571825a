// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conform/bench/beat.h"
#include "conform/bench/frame_type.h"

namespace tilefly::conform {

/// A frame that an input sends.
struct Frame {
  enum class To { kPort, kNobody, kGroup, kAll };

  std::uint64_t number = 0;  ///< from 1, unique in a run
  int source = 0;
  int destination = -1;       ///< the only output, -1: none or several
  std::uint64_t outputs = 0;  ///< a bit for each output at which it has to come out; none: it must be dropped
  To to = To::kPort;          ///< whose address it has
  bool marked = false;        ///< goes in with the bad bit
  std::uint64_t within = 0;   ///< bit k % 64: beat k, which is not the last, has the bad bit, where it says nothing
  FrameType type = FrameType::kLocal;
  bool judged = true;         ///< false: what becomes of it is undefined
  std::uint32_t dest = 0;     ///< tdest
  std::uint32_t id = 0;       ///< tid
  std::uint32_t user = 0;     ///< tuser of all beats, without the bad bit
  int traffic_class = 0;
  std::vector<std::uint8_t> bytes;

  /// "frame 12 (port 3 to 5, 64 bytes)".
  std::string Name() const;
};
using FramePtr = std::shared_ptr<const Frame>;

/// Beat `k` of a frame on a port of `bytes` bytes a beat; the bad bit of the last one says whether it is bad.
Beat BeatOf(const Frame& frame, std::size_t k, int bytes, std::uint32_t bad_bits);
std::size_t BeatsOf(const Frame& frame, int bytes);
/// Beats of a frame of `length` bytes.
inline int BeatsOf(int length, int bytes) { return (length + bytes - 1) / bytes; }

}  // namespace tilefly::conform
