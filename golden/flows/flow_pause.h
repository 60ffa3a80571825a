// SPDX-License-Identifier: Apache-2.0
// A pause for one flow of a NIC (docs/blocks/flow_channel.md, "Fields of the wire"), and its place in the control slot.
#pragma once

#include <cstdint>
#include <optional>

#include "generated/wire.h"

namespace tilefly::golden {

/// A pause for one flow of the NIC.
struct FlowPause {
  friend bool operator==(const FlowPause& a, const FlowPause& b) {
    return a.destination == b.destination && a.credit == b.credit && a.tc == b.tc && a.period == b.period;
  }

  std::uint32_t destination = 0;  ///< fabric address
  std::uint16_t credit = 0;       ///< cells that the NIC may send during the pause
  std::uint8_t tc = 0;
  std::uint8_t period = 0;        ///< times 64 cycles; 0: the pause of the flow is over
};

/// The pause of a control slot, if it carries one.
inline std::optional<FlowPause> PauseOf(const Ctrl& ctrl) {
  if (!ctrl.pause_valid) return std::nullopt;
  FlowPause pause;
  pause.destination = ctrl.pause_dst;
  pause.credit = ctrl.pause_credit;
  pause.tc = ctrl.pause_tc;
  pause.period = ctrl.pause_period;
  return pause;
}

/// Puts the pause into a control slot.
inline void PutPause(const FlowPause& pause, Ctrl* ctrl) {
  ctrl->pause_valid = true;
  ctrl->pause_tc = pause.tc;
  ctrl->pause_dst = pause.destination;
  ctrl->pause_period = pause.period;
  ctrl->pause_credit = pause.credit;
}

}  // namespace tilefly::golden
