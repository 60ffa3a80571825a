// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conform/bench/books.h"
#include "conform/bench/scenario.h"

namespace tilefly::conform {

/// A frame that came out.
struct Arrival {
  Passage passage;
  Cycle first = 0;  ///< its first beat was shown
  Cycle last = 0;
};

/// Takes what an output sends, hesitating as told, and holds the output to the rules of AXI-Stream (ARM IHI 0051): a
/// beat stays as it is until it is taken; bytes are kept from byte 0 on, all but in the last beat.
class PortReceiver {
 public:
  PortReceiver(const Capability& capability, const Scenario& scenario, std::uint64_t seed, int port);

  /// tready of cycle `now`; `open`: the traffic is over, nothing is held up any more; `shut`: all is.
  bool Ready(Cycle now, bool open, bool shut);
  /// What the output showed while tready was `ready`. Throws Breach.
  std::optional<Arrival> Look(Cycle now, const Beat& beat, bool ready, Books* books);
  void Reset();
  bool in_frame() const { return !bytes_.empty(); }
  /// The output shows a beat that is not taken.
  bool held() const { return held_.valid; }
  std::int64_t beats() const { return beats_; }

 private:
  void Check(Cycle now, const Beat& beat) const;

  const Capability& capability_;
  const Scenario& scenario_;
  std::uint64_t seed_;
  int port_;
  Beat held_;         ///< shown and not taken in the cycle before
  Cycle shown_ = -1;  ///< the frame's first beat
  std::uint32_t dest_ = 0;
  std::uint32_t id_ = 0;
  std::vector<std::uint8_t> bytes_;
  Cycle stalled_until_ = 0;
  std::int64_t beats_ = 0;
};

}  // namespace tilefly::conform
