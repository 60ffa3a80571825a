// SPDX-License-Identifier: Apache-2.0
// Interface of an observer that follows packets through a switch, stage by stage.
#pragma once

#include <cstdint>

#include "golden/state/packet.h"

namespace tilefly::golden {

/// What a packet reaches inside a switch, in this order (docs/timing.md, A packet's cycles), and what takes it back to
/// routing.
enum class Stage : std::uint8_t {
  kQueued,     ///< its virtual output queue; routing has chosen output and lane
  kRequested,  ///< its request leaves the input
  kStored,     ///< its request is at the output
  kGranted,    ///< the output grants it
  kGrantHere,  ///< the grant is at the input
  kPicked,     ///< its transfer starts
  kArrived,    ///< its first cell is in the output buffer
  kRerouted,   ///< in the place of kGrantHere: a grant with `reroute` is at the input, and routing chooses again
};
/// Those of a packet that goes through.
inline constexpr int kStages = 7;

class StageProbe {
 public:
  virtual ~StageProbe() = default;
  /// The event or decision of cycle `now`.
  virtual void Reached(Stage stage, Cycle now, const Packet& packet) = 0;
  /// The packet's flow channel holds it in its event a + 18, of cycle `now`, or lets it go (docs/blocks/flow_channel.md).
  virtual void Held(Cycle now, const Packet& packet) { (void)now, (void)packet; }
  virtual void Released(Cycle now, const Packet& packet) { (void)now, (void)packet; }
};

}  // namespace tilefly::golden
