// SPDX-License-Identifier: Apache-2.0
// Room for devices in libraries: one with much thread-local data, as large Verilated models are, loads only into a process
// that was started with more room for such data than glibc gives by itself.
#pragma once

#include <string>
#include <utility>

namespace tilefly::conform {

/// Name and value of the environment variable with which a process has that room. A room that this process' environment
/// names stays as it is.
std::pair<std::string, std::string> LibraryRoom();

/// Begins this program again, with the same arguments, unless it was started with that room. Comes back when it was, or
/// when the system does not let it begin again.
void BeginWithLibraryRoom();

}  // namespace tilefly::conform
