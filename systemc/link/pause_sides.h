// SPDX-License-Identifier: Apache-2.0
// What the input and the output of a port tell each other for PAUSE (docs/systemc.md, PAUSE): a PAUSE frame that comes
// in stops the output, and the number of cells in the input buffer makes the output send a PAUSE frame.
#pragma once

#include <systemc>

#include "golden/link/control_frame.h"

namespace tilefly::systemc {

/// Interface of the input for the output: cells in its buffer.
class BufferLevel : public virtual sc_core::sc_interface {
 public:
  /// Cells accounted after the events of `cycle`. It is asked for when all steps of the next cycle are over.
  virtual int Used(Cycle cycle) = 0;
  /// The next event in which cells go free, kNever: none is known.
  virtual Cycle NextFreed() const = 0;
};

/// Interface of the output for the input.
class PauseSide : public virtual sc_core::sc_interface {
 public:
  /// The end of a control frame will be known in the event cycle `event`, which is to come.
  virtual void HearPause(Cycle event, const golden::PauseRequest& request) = 0;
  /// Cells were accounted in the event before this cycle's step; at most `most` cells are accounted now.
  virtual void Filled(int most) = 0;
  /// Cells go free in the event cycle `event`, which is to come or is the one before this cycle's step.
  virtual void Drained(Cycle event) = 0;
};

}  // namespace tilefly::systemc
