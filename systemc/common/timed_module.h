// SPDX-License-Identifier: Apache-2.0
// A module that acts in the cycles for which it asked: no clock, one kernel event for all that is due in a cycle.
//
// Step(t) runs at the time of cycle t: first the *events* of cycles before t, then the *decisions* of t
// (docs/timing.md), so a decision sees the state that the events up to t - 1 left. What one module tells another
// belongs to a cycle after the cycle of the call, so the order in which the kernel runs the modules of one cycle
// changes nothing. A decision that depends on the state of another module is made in AfterSteps(t), a delta cycle
// later, when all modules have had their step of t.
#pragma once

#include <functional>
#include <queue>
#include <vector>

#include "systemc/fabric/time.h"

namespace tilefly::systemc {

class TimedModule : public sc_core::sc_module {
 public:
  /// Number of kernel events that this module has had.
  std::uint64_t kernel_events() const { return kernel_events_; }

 protected:
  explicit TimedModule(sc_core::sc_module_name name);

  /// Asks for Step(cycle). `cycle` must be later than the cycle of the running Step.
  void Wake(Cycle cycle);
  /// Asks for the step after the event of `cycle`.
  void WakeAfter(Cycle cycle) { Wake(cycle + 1); }
  virtual void Step(Cycle now) = 0;
  /// Asks for AfterSteps in the cycle of the running steps.
  void WakeAfterSteps() { stepped_.notify(sc_core::SC_ZERO_TIME); }
  virtual void AfterSteps(Cycle) {}

 private:
  void Run();

  sc_core::sc_event due_;
  sc_core::sc_event stepped_;
  std::priority_queue<Cycle, std::vector<Cycle>, std::greater<>> wanted_;
  std::uint64_t kernel_events_ = 0;
};

}  // namespace tilefly::systemc
