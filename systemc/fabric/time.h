// SPDX-License-Identifier: Apache-2.0
// Cycles as simulated time (docs/systemc.md): cycle c is the time c * 1.28 ns, a multiple of the resolution of 10 ps.
#pragma once

#include <systemc>

#include "golden/common/types.h"

namespace tilefly::fabric {

using golden::Cycle;

/// Steps of the time resolution in a cycle of 1.28 ns.
inline constexpr std::uint64_t kTicksOfCycle = 128;

/// Sets the resolution of the simulation. To be called once, before the first `sc_time` that is not zero is made.
inline void SetResolution() { sc_core::sc_set_time_resolution(10, sc_core::SC_PS); }

/// The simulated time of so many cycles, which are not negative.
inline sc_core::sc_time TimeOf(Cycle cycles) {
  return sc_core::sc_time::from_value(static_cast<std::uint64_t>(cycles) * kTicksOfCycle);
}
/// The cycle in which `time` is, or begins.
inline Cycle CycleAt(const sc_core::sc_time& time) {
  return static_cast<Cycle>((time.value() + kTicksOfCycle - 1) / kTicksOfCycle);
}
/// The cycle of a call with the annotation `delay`.
inline Cycle CycleOfCall(const sc_core::sc_time& delay) { return CycleAt(sc_core::sc_time_stamp() + delay); }
/// The annotation that makes a call one of cycle `cycle`, which is not before now.
inline sc_core::sc_time UntilCycle(Cycle cycle) { return TimeOf(cycle) - sc_core::sc_time_stamp(); }

}  // namespace tilefly::fabric
