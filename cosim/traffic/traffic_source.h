// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "cosim/setup/frame_source.h"

namespace tilefly::cosim {

/// Word slots for each traffic class.
using ClassSlots = std::array<std::int64_t, 8>;

/// Source of the frames of all ports of a run.
class TrafficSource : public FrameSource {
 public:
  /// Sets the time of the first arrivals. Called once, before any NextFrame.
  virtual void Begin(Cycle now) = 0;
  /// Whether frames have times of their own. Without times, the port's link takes the next frame whenever it is free,
  /// and there is no offered load.
  virtual bool HasLoad() const { return true; }
  /// Word slots of the port's frames whose time came before cycle `now`, by class. `now` does not decrease from call to
  /// call.
  virtual ClassSlots Offered(int port, Cycle now) = 0;
  double OfferedSlots(int port, Cycle now) {
    const ClassSlots slots = Offered(port, now);
    return static_cast<double>(std::accumulate(slots.begin(), slots.end(), std::int64_t{0}));
  }
  /// Whether no frame will ever come again (a generator never ends).
  virtual bool Exhausted() const = 0;
  /// For a source that comes to an end: the frames that no port has taken.
  virtual std::int64_t Left() const { return 0; }
  /// From now on no frame is handed out.
  void Close() { closed_ = true; }

 protected:
  bool closed() const { return closed_; }

 private:
  bool closed_ = false;
};

}  // namespace tilefly::cosim
