// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conform/bench/books.h"
#include "conform/bench/frame_source.h"

namespace tilefly::conform {

/// Sends frames to an input, beat by beat, as AXI-Stream has it: a beat stays until it is taken.
class PortSender {
 public:
  PortSender(const Capability& capability, const Scenario& scenario, std::uint64_t seed, int port);

  /// What it drives in cycle `now`. `source` null: no frame begins.
  void Drive(Cycle now, FrameSource* source, bool empty, Beat* beat);
  /// The device showed tready in the cycle. Tells the books what went in; returns the frame whose last beat did, or null.
  FramePtr Look(Cycle now, bool ready, FrameSource* source, Books* books);
  /// The frame under way is given up.
  void Reset();
  bool idle() const { return frame_ == nullptr; }
  /// The beat is not taken.
  bool waits() const { return waits_; }
  /// It drives no beat amid a frame: the others of the frame are still to come.
  bool hesitates() const { return frame_ != nullptr && beat_ > 0 && !offered_; }
  /// Of a beat that is not taken: its frame, and the cycle from which on it is driven.
  const Frame& waiting() const { return *frame_; }
  Cycle waits_since() const { return driven_since_; }
  std::int64_t beats() const { return beats_; }

 private:
  const Capability& capability_;
  const Scenario& scenario_;
  std::uint64_t seed_;
  int port_;
  FramePtr frame_;
  std::size_t beat_ = 0;
  bool offered_ = false;     ///< a beat is driven
  Cycle offered_since_ = 0;  ///< the frame's first beat is driven
  Cycle driven_since_ = 0;   ///< the beat is
  bool waits_ = false;
  Cycle pause_until_ = 0;
  std::int64_t beats_ = 0;
};

}  // namespace tilefly::conform
