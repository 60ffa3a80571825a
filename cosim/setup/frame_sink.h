// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/setup/frame.h"
#include "golden/common/cycle.h"

namespace tilefly::cosim {

/// A packet that an endpoint received, whole and with a consistent frame check.
struct Reception {
  int port;
  Cycle first;  ///< cycle of the first word on `link_o`
  Cycle last;
  bool enh;
  Header header;  ///< when enh
  const Bytes& bytes;
  Check check;      ///< good or stomped
  int origin = -1;  ///< input at which it came in, as the observation record told; -1: not known
  Cycle accepted = -1;  ///< cycle of the first word on `link_o` of the attempt that the endpoint accepted; `first` is of the first
};

/// Interface to which endpoints report.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  /// The frame's first word is on the link in cycle `first`, its last one in `last`.
  virtual void Sent(const FramePtr& frame, Cycle first, Cycle last) = 0;
  virtual void Received(const Reception& reception) = 0;
  /// On a link with retry the switch took `words` words of the frame, the first in cycle `first`, and then the link broke
  /// off the attempt, whose last word was due in cycle `last`. The frame is sent again, or lost with the link.
  virtual void BrokenOff(const FramePtr&, Cycle /*first*/, Cycle /*last*/, int /*words*/) {}
  /// On a link with retry the sender gives the frame to its replay buffer. Its first word is to be at the switch in cycle
  /// `first`, if the link sends nothing else before. Sent tells of the frame when the switch has accepted it.
  virtual void Given(const FramePtr&, Cycle /*first*/) {}
  /// The first attempt of the frame starts: its first word is at the switch in cycle `first`, unless the wire loses it.
  virtual void Tried(const FramePtr&, Cycle /*first*/) {}
  /// The frame was sent, and its link went down before the switch had it.
  virtual void Lost(const FramePtr&) {}
};

}  // namespace tilefly::cosim
