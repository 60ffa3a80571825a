// SPDX-License-Identifier: Apache-2.0
// MAC control frames: PAUSE and PFC (docs/blocks/link.md, PAUSE).
#pragma once

#include <array>

#include "golden/common/types.h"
#include "golden/link/frame_format.h"

namespace tilefly::golden {

inline constexpr std::uint64_t kControlMac = 0x0180C2000001;

/// What a control frame asks for.
struct PauseRequest {
  bool obeyed = false;  ///< the frame is a PAUSE
  unsigned classes = 0;
  std::array<std::uint16_t, kMaxClasses> quanta{};
};

/// Cycles of a pause of `quanta` quanta on a link of `serdes_lanes` lanes. A quantum is 512 bit times.
constexpr Cycle PauseCycles(int quanta, int serdes_lanes) { return 8 * quanta / serdes_lanes; }

/// Whether a standard frame is a MAC control frame.
bool IsControl(const std::uint8_t* frame);
/// Reads a control frame of at least 64 bytes.
PauseRequest ParsePause(const std::uint8_t* frame);
/// The PAUSE frame that a port with this fabric address sends.
std::array<std::uint8_t, kMinStdBytes> MakePause(std::uint32_t address, std::uint16_t quanta);

}  // namespace tilefly::golden
