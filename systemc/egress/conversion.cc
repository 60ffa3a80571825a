// SPDX-License-Identifier: Apache-2.0
#include "systemc/egress/conversion.h"

#include "golden/link/check.h"

namespace tilefly::systemc {

std::shared_ptr<const fabric::Frame> Convert(std::shared_ptr<const fabric::Frame> frame, const golden::FrameFormat& format,
                                             const EthHeader& eth) {
  using golden::Conversion;
  if (frame == nullptr || format.conversion == Conversion::kHeader || format.conversion == Conversion::kNone) return frame;
  auto converted = std::make_shared<fabric::Frame>();
  converted->reserve(format.bytes);
  if (format.conversion == Conversion::kEthernet) converted->assign(eth.begin(), eth.end());
  converted->insert(converted->end(), frame->begin(), frame->end() - golden::kFcsBytes);
  converted->resize(format.bytes - golden::kFcsBytes);
  const std::uint32_t crc = golden::Crc32(0, converted->data(), converted->size());
  for (int i = 0; i < golden::kFcsBytes; ++i) converted->push_back(static_cast<std::uint8_t>(crc >> 8 * i));
  return converted;
}

}  // namespace tilefly::systemc
