// SPDX-License-Identifier: Apache-2.0
// What the input and the output of a port say to each other for PAUSE (docs/systemc.md, PAUSE): a frame that comes by
// the input stops the output, and the cells of the input's buffer make the output send one.
#pragma once

#include <systemc>

#include "golden/link/control_frame.h"

namespace tilefly::systemc {

/// Of the input: cells in its buffer.
class BufferLevel : public virtual sc_core::sc_interface {
 public:
  /// Cells accounted after the events of `cycle`; asked when all steps of the next cycle are over.
  virtual int Used(Cycle cycle) = 0;
  /// The next event in which cells go free, kNever: none is known.
  virtual Cycle NextFreed() const = 0;
};

/// Of the output: what the input tells it.
class PauseSide : public virtual sc_core::sc_interface {
 public:
  /// The end of a control frame is known in `event`, which is to come.
  virtual void HearPause(Cycle event, const golden::PauseRequest& request) = 0;
  /// In the event before this cycle's step cells were accounted, `most` at most are so.
  virtual void Filled(int most) = 0;
  /// Cells go free in `event`, which is to come or the one before this cycle's step.
  virtual void Drained(Cycle event) = 0;
};

}  // namespace tilefly::systemc
