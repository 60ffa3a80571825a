// SPDX-License-Identifier: Apache-2.0
// A launch of the CFU (docs/blocks/reduction.md, CFU: launches), and the reports of reduction ports to the CFU.
#pragma once

#include "generated/registers.h"
#include "golden/common/types.h"
#include "golden/reduction/red_candidate.h"
#include "golden/reduction/red_part.h"

namespace tilefly::systemc {

using golden::PortMask;

/// Fifos of results, and the return lanes U, D, S that lead to them.
enum class ResultLane : std::uint8_t { kUp = 0, kDown = 1, kShort = 2 };
inline constexpr int kResultLanes = 3;

/// A slot's binding to a group, as the CFU tells it to all ports.
struct Binding {
  bool valid = false;
  std::uint8_t group = 0;
  std::uint8_t tag = 0;
};
using Bindings = std::array<Binding, golden::kRedSlots>;

/// A report of a port.
struct Report {
  int port = 0;
  RedEv ev = RedEv::kNone;
  int slot = 0;
  int group = 0;
  int engine = 0;
  bool wants = false;
  bool ends = false;
  RedCode code = RedCode::kOk;
  std::uint8_t credit = 0;
};

struct Launch {
  bool streams() const { return golden::IsStream(candidate); }
  bool down() const { return golden::GoesDown(candidate); }
  bool is_notice() const { return candidate == RedCandidate::kNotice; }

  Cycle at = 0;  ///< decided in
  RedCandidate candidate = RedCandidate::kUp0;
  int slot = 0;
  int group = 0;
  int engine = 0;
  bool root = false;
  bool small = false;
  std::uint8_t tag = 0;                  ///< of the group
  std::uint16_t segment = 0;             ///< number of a streamed one
  RedCode code = RedCode::kOk;           ///< of a notice
  ResultLane lane = ResultLane::kShort;  ///< of its packet
  PortMask parts = 0;                    ///< ports that take part
  PortMask to = 0;                       ///< ports that the packet is for
};

}  // namespace tilefly::systemc
