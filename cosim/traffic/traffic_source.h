// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "cosim/setup/frame_source.h"

namespace tilefly::cosim {

/// Word slots by traffic class.
using ClassSlots = std::array<std::int64_t, 8>;

/// Frames of all ports of a run.
class TrafficSource : public FrameSource {
 public:
  /// The time of the first arrivals; called once, before any NextFrame.
  virtual void Begin(Cycle now) = 0;
  /// Frames have times of their own; without, the port's link takes the next whenever it is free, and there is no
  /// offered load.
  virtual bool HasLoad() const { return true; }
  /// Word slots of the port's frames whose time came before `now`, which is not before that of the last call.
  virtual ClassSlots Offered(int port, Cycle now) = 0;
  double OfferedSlots(int port, Cycle now) {
    const ClassSlots slots = Offered(port, now);
    return static_cast<double>(std::accumulate(slots.begin(), slots.end(), std::int64_t{0}));
  }
  /// Nothing will ever come again (a generator never ends).
  virtual bool Exhausted() const = 0;
  /// Frames of a source that comes to an end which no port has taken.
  virtual std::int64_t Left() const { return 0; }
  /// No more frames are handed out.
  void Close() { closed_ = true; }

 protected:
  bool closed() const { return closed_; }

 private:
  bool closed_ = false;
};

}  // namespace tilefly::cosim
