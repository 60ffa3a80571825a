// SPDX-License-Identifier: Apache-2.0
// Cycles as simulated time (docs/systemc.md): cycle c is the time c * 1.28 ns, in ticks of the resolution in force.
#pragma once

#include <systemc>

#include "golden/common/types.h"

namespace tilefly::fabric {

/// Sets a time resolution that holds a cycle, 10 ps. As every choice of a resolution, it comes before the first
/// module and the first `sc_time` that is not zero.
inline void SetResolution() { sc_core::sc_set_time_resolution(10, sc_core::SC_PS); }

/// Ticks of a time resolution in a cycle of 1.28 ns; 0: a cycle is not a whole number of ticks.
std::uint64_t TicksIn(double resolution_s);
/// Ticks of the resolution in force in a cycle: 128 with 10 ps, 1280 with SystemC's own 1 ps. The call fixes the
/// resolution. Throws UsageError when a cycle is not a whole number of ticks.
std::uint64_t RequireTicksOfCycle();
inline std::uint64_t TicksOfCycle() {
  static const std::uint64_t ticks = RequireTicksOfCycle();
  return ticks;
}

/// The simulated time of `cycles` cycles; not negative.
inline sc_core::sc_time TimeOf(Cycle cycles) {
  return sc_core::sc_time::from_value(static_cast<std::uint64_t>(cycles) * TicksOfCycle());
}
/// The cycle in which `time` lies, or which begins with it.
inline Cycle CycleAt(const sc_core::sc_time& time) {
  return static_cast<Cycle>((time.value() + TicksOfCycle() - 1) / TicksOfCycle());
}
/// The cycle of a call with the annotation `delay`.
inline Cycle CycleOfCall(const sc_core::sc_time& delay) { return CycleAt(sc_core::sc_time_stamp() + delay); }
/// The annotation that makes a call a call of cycle `cycle`, which must not be past.
inline sc_core::sc_time UntilCycle(Cycle cycle) { return TimeOf(cycle) - sc_core::sc_time_stamp(); }

}  // namespace tilefly::fabric
