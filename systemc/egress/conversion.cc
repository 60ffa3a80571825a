// SPDX-License-Identifier: Apache-2.0
#include "systemc/egress/conversion.h"

#include <utility>

#include "golden/link/check.h"

namespace tilefly::systemc {
namespace {

/// What is left of the stored frame stays with it: a device of words sends that one's bytes.
struct Converted {
  fabric::Frame bytes;
  std::shared_ptr<const fabric::Frame> stored;
};

}  // namespace

std::shared_ptr<const fabric::Frame> Convert(std::shared_ptr<const fabric::Frame> frame, const golden::FrameFormat& format,
                                             const EthHeader& eth) {
  using golden::Conversion;
  if (frame == nullptr || format.conversion == Conversion::kHeader || format.conversion == Conversion::kNone) return frame;
  const auto converted = std::make_shared<Converted>();
  fabric::Frame& bytes = converted->bytes;
  bytes.reserve(format.bytes);
  if (format.conversion == Conversion::kEthernet) bytes.assign(eth.begin(), eth.end());
  bytes.insert(bytes.end(), frame->begin(), frame->end() - golden::kFcsBytes);
  bytes.resize(format.bytes - golden::kFcsBytes);
  const std::uint32_t crc = golden::Crc32(0, bytes.data(), bytes.size());
  for (int i = 0; i < golden::kFcsBytes; ++i) bytes.push_back(static_cast<std::uint8_t>(crc >> 8 * i));
  converted->stored = std::move(frame);
  return {converted, &bytes};
}

}  // namespace tilefly::systemc
