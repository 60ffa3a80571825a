// SPDX-License-Identifier: Apache-2.0
// Bytes of reduction packets in a frame store, for those who simulate words (docs/blocks/reduction.md, Packets).
#pragma once

#include "golden/link/frame_store.h"
#include "golden/reduction/red_bytes.h"

namespace tilefly::golden {

class FrameRedBytes : public RedBytes {
 public:
  explicit FrameRedBytes(FrameStore& frames) : frames_(frames) {}

  Red HeaderOf(Payload payload) const override;
  const std::uint8_t* DataOf(Payload payload) const override;
  Payload Make(const Red& header, int length, const std::vector<std::uint8_t>& data) override;

 private:
  FrameStore& frames_;
};

}  // namespace tilefly::golden
