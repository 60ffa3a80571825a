// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/endpoint/link_sender.h"

namespace tilefly::cosim {

/// Frames of all ports of a run.
class TrafficSource : public FrameSource {
 public:
  /// The time of the first arrivals; called once, before any NextFrame.
  virtual void Begin(Cycle now) = 0;
  /// Frames have times of their own; without, the port's link takes the next whenever it is free, and there is no
  /// offered load.
  virtual bool HasLoad() const { return true; }
  /// The cycle in which the time of the frame came that the port took last; -1: it had none of its own.
  virtual Cycle Created(int /*port*/) const { return -1; }
  /// Word slots of the port's frames whose time came before `now`.
  virtual double OfferedSlots(int port, Cycle now) = 0;
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
