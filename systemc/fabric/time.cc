// SPDX-License-Identifier: Apache-2.0
#include "systemc/fabric/time.h"

#include <cmath>

#include "support/errors.h"

namespace tilefly::fabric {
namespace {

constexpr double kCycleS = 1.28e-9;
constexpr double kWithin = 0.01;  // of a tick: more than doubles are off, less than a resolution's next power of ten

}  // namespace

std::uint64_t TicksIn(double resolution_s) {
  const double ticks = kCycleS / resolution_s;
  const double whole = std::round(ticks);
  return whole >= 1 && std::abs(ticks - whole) < kWithin ? static_cast<std::uint64_t>(whole) : 0;
}

std::uint64_t RequireTicksOfCycle() {
  const sc_core::sc_time resolution = sc_core::sc_get_time_resolution();
  if (const std::uint64_t ticks = TicksIn(resolution.to_seconds())) return ticks;
  throw UsageError(
      "a cycle of 1.28 ns is no whole number of ticks of the time resolution in force, " + resolution.to_string() +
      ": set one of 10 ps or finer, by fabric::SetResolution() or sc_set_time_resolution, before the first module");
}

}  // namespace tilefly::fabric
