// SPDX-License-Identifier: Apache-2.0
// A process has one simulation: each test runs its own in a child.
#pragma once

#include <functional>

namespace tilefly::systemc {

/// Sets no time resolution: SystemC's own, 1 ps, is in force.
inline void KeepResolution() {}

/// Runs `body` in a child process, whose time resolution `set_resolution` sets (10 ps if none is given). The test fails
/// when an expectation of it does, or when it ends in another way than by coming to its end; with the address sanitizer
/// also when `body` leaves something behind that nobody can reach.
void InChild(const std::function<void()>& body);
void InChild(const std::function<void()>& set_resolution, const std::function<void()>& body);

/// Whether this is a build with the address sanitizer, in which InChild finds leaks.
bool LeaksAreFound();

}  // namespace tilefly::systemc
