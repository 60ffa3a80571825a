// SPDX-License-Identifier: Apache-2.0
#include "systemc/rtl/node_clock.h"

#include <algorithm>
#include <utility>

namespace tilefly::systemc {

NodeClock::NodeClock(sc_core::sc_module_name name, std::function<Cycle(Cycle)> next)
    : sc_module(name), next_(std::move(next)) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&tick_);
  sc_core::sc_spawn([this] { Tick(); }, sc_core::sc_gen_unique_name("tick"), &options);
}

/// While the clock is high, the falling edge of this cycle asks everybody.
void NodeClock::Ask(Cycle cycle) {
  if (!high_) Rise(cycle);
}

void NodeClock::Rise(Cycle cycle) {
  if (cycle >= due_) return;
  due_ = cycle;
  tick_.notify(fabric::UntilCycle(cycle));
}

void NodeClock::Tick() {
  high_ = !high_;
  clk_o.write(high_);
  if (high_) {
    due_ = kNever;
    return tick_.notify(fabric::TimeOf(1) / 2);
  }
  const Cycle now = fabric::CycleAt(sc_core::sc_time_stamp()) - 1;  // whose middle this is
  const Cycle next = next_(now);
  if (next != kNever) Rise(std::max(next, now + 1));
}

}  // namespace tilefly::systemc
