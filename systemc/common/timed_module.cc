// SPDX-License-Identifier: Apache-2.0
#include "systemc/common/timed_module.h"

namespace tilefly::systemc {

TimedModule::TimedModule(sc_core::sc_module_name name) : sc_module(name) {
  fabric::TicksOfCycle();  // a resolution that cannot hold a cycle ends the elaboration
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&due_);
  options.set_sensitivity(&stepped_);
  sc_core::sc_spawn([this] { Run(); }, sc_core::sc_gen_unique_name("run"), &options);
}

void TimedModule::Wake(Cycle cycle) {
  if (!wanted_.empty() && wanted_.top() == cycle) return;
  if (wanted_.empty() || cycle < wanted_.top()) due_.notify(fabric::UntilCycle(cycle));
  wanted_.push(cycle);
}

void TimedModule::Run() {
  ++kernel_events_;
  const Cycle now = fabric::CycleAt(sc_core::sc_time_stamp());
  if (wanted_.empty() || wanted_.top() > now) return AfterSteps(now);
  while (!wanted_.empty() && wanted_.top() <= now) wanted_.pop();
  Step(now);
  if (!wanted_.empty()) due_.notify(fabric::UntilCycle(wanted_.top()));
}

}  // namespace tilefly::systemc
