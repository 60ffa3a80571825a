// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conform/run/conform_session.h"
#include "conform/run/one_test.h"

namespace tilefly::conform {

/// The command line of a test, by which it can be repeated.
std::vector<std::string> CommandOf(const ConformOptions& options, const OneTest& one);

/// Where the capability file names a library: has a child process load it, make a device, and hold that against the file.
/// Throws UsageError when it is no device, or another one than the file says: no test is to be run then.
/// What becomes of a device that crashes there, the tests say.
void RequireLoads(const ConformOptions& options, const Capability& capability, const std::atomic<bool>* stop);

/// Runs a test in a child process with a limit of time. Whatever becomes of the device there, this process goes on: a
/// crash, an exit and a hang are results, too. Adds `seconds`.
nlohmann::ordered_json RunInChild(const ConformOptions& options, const OneTest& one, const std::atomic<bool>* stop);

}  // namespace tilefly::conform
