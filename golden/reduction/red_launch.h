// SPDX-License-Identifier: Apache-2.0
// A launch of the reduction ring (docs/blocks/reduction.md, CFU: launches): what the CFU chose, and what names it on
// the collect and return lanes.
#pragma once

#include "golden/common/types.h"
#include "golden/reduction/red_candidate.h"
#include "golden/reduction/red_part.h"

namespace tilefly::golden {

/// What is launched.
struct RedLaunch {
  bool is_stream() const { return IsStream(candidate); }
  bool is_notice() const { return candidate == RedCandidate::kNotice; }
  bool is_brief() const { return !is_stream() && !is_notice(); }
  bool goes_down() const { return GoesDown(candidate); }
  /// Slot; {group, engine}; of a notice the group.
  int index() const { return is_stream() ? slot : is_notice() ? group : kRedEngines * group + engine; }

  Cycle at = 0;
  RedCandidate candidate = RedCandidate::kUp0;
  std::uint8_t slot = 0;
  std::uint8_t group = 0;
  std::uint8_t engine = 0;
  bool root = false;
  bool small = false;
  std::uint8_t tag = 0;         ///< of the group
  std::uint16_t segment = 0;    ///< number of a streamed one
  RedCode code = RedCode::kOk;  ///< of a notice
  RedLane lane = RedLane::kS;   ///< of the packet
  PortMask parts = 0;           ///< ports that take part
  PortMask to = 0;              ///< ports that the packet is for
};

}  // namespace tilefly::golden
