// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/frame.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilefly::conform {

std::string Frame::Name() const {
  const std::string where = destination >= 0 ? fmt::format("port {} to {}", source, destination)
                            : outputs != 0   ? fmt::format("port {} to several", source)
                                             : fmt::format("port {} to nobody", source);
  return fmt::format("frame {} ({}, {} bytes)", number, where, bytes.size());
}

std::size_t BeatsOf(const Frame& frame, int bytes) {
  return (frame.bytes.size() + static_cast<std::size_t>(bytes) - 1) / static_cast<std::size_t>(bytes);
}

Beat BeatOf(const Frame& frame, std::size_t k, int bytes, std::uint32_t bad_bits) {
  const auto width = static_cast<std::size_t>(bytes);
  const std::size_t begin = k * width;
  const std::size_t size = std::min(width, frame.bytes.size() - begin);
  Beat beat;
  beat.valid = true;
  beat.last = begin + size == frame.bytes.size();
  beat.keep = size == kMostBytes ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
  const bool bad = beat.last ? frame.marked : (frame.within >> k % 64 & 1) != 0;
  beat.user = frame.user | (bad ? bad_bits : 0);
  beat.dest = frame.dest;
  beat.id = frame.id;
  std::copy_n(frame.bytes.begin() + static_cast<std::ptrdiff_t>(begin), size, beat.data.begin());
  return beat;
}

}  // namespace tilefly::conform
