// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/doorbell.h"

#include <algorithm>

namespace tilefly::systemc {

Doorbell::Doorbell(sc_core::sc_module_name name) : sc_module(name) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&due_);
  sc_core::sc_spawn([this] { Tell(); }, sc_core::sc_gen_unique_name("tell"), &options);
}

void Doorbell::Ring(const Arrival& arrival, Cycle at) {
  coming_.Enter(std::max(at, fabric::CycleAt(sc_core::sc_time_stamp())), arrival);
  due_.notify(fabric::UntilCycle(coming_.Next()));
}

/// What is due by now, and the level of the interrupt: this process alone writes it, as signals demand.
void Doorbell::Tell() {
  const bool kept = interrupt.size() != 0;
  const auto now = static_cast<Cycle>(sc_core::sc_time_stamp().value() / fabric::TicksOfCycle());
  coming_.Drain(now, [&](const Arrival& arrival) {
    if (kept) kept_.push_back(arrival);
    if (on_arrival_) on_arrival_(arrival);
    rung_.notify(sc_core::SC_ZERO_TIME);
  });
  if (kept) interrupt->write(!kept_.empty());
  if (coming_.Next() != kNever) due_.notify(fabric::UntilCycle(coming_.Next()));
}

std::optional<Arrival> Doorbell::Take() {
  if (kept_.empty()) return std::nullopt;
  const Arrival oldest = kept_.front();
  kept_.pop_front();
  if (kept_.empty()) due_.notify(sc_core::SC_ZERO_TIME);
  return oldest;
}

}  // namespace tilefly::systemc
