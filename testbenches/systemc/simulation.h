// SPDX-License-Identifier: Apache-2.0
// A process has one simulation: each test runs its own in a child.
#pragma once

#include <functional>

namespace tilefly::systemc {

/// Runs `body` in a child process, with the time resolution set. The test fails when an expectation of it does, or when it
/// ends in another way than by coming to its end.
void InChild(const std::function<void()>& body);

}  // namespace tilefly::systemc
