// SPDX-License-Identifier: Apache-2.0
// Cycles as simulated time (docs/systemc.md): cycle c is the time c * 1.28 ns, in ticks of the resolution in force.
#pragma once

#include <systemc>

#include "golden/common/types.h"

namespace tilefly::fabric {

/// Sets a time resolution that holds a cycle, 10 ps. As every choice of a resolution, it comes before the first
/// module and the first `sc_time` that is not zero.
inline void SetResolution() { sc_core::sc_set_time_resolution(10, sc_core::SC_PS); }

/// Ticks of a time resolution in a cycle of 1.28 ns; 0: a cycle is no whole number of them.
std::uint64_t TicksIn(double resolution_s);
/// Of the resolution in force, which is fixed from then on: of 10 ps 128, of SystemC's own 1 ps 1280. Throws
/// UsageError when a cycle is no whole number of ticks.
std::uint64_t RequireTicksOfCycle();
inline std::uint64_t TicksOfCycle() {
  static const std::uint64_t ticks = RequireTicksOfCycle();
  return ticks;
}

/// The simulated time of so many cycles, which are not negative.
inline sc_core::sc_time TimeOf(Cycle cycles) {
  return sc_core::sc_time::from_value(static_cast<std::uint64_t>(cycles) * TicksOfCycle());
}
/// The cycle in which `time` is, or begins.
inline Cycle CycleAt(const sc_core::sc_time& time) {
  return static_cast<Cycle>((time.value() + TicksOfCycle() - 1) / TicksOfCycle());
}
/// The cycle of a call with the annotation `delay`.
inline Cycle CycleOfCall(const sc_core::sc_time& delay) { return CycleAt(sc_core::sc_time_stamp() + delay); }
/// The annotation that makes a call one of cycle `cycle`, which is not before now.
inline sc_core::sc_time UntilCycle(Cycle cycle) { return TimeOf(cycle) - sc_core::sc_time_stamp(); }

}  // namespace tilefly::fabric
