// SPDX-License-Identifier: Apache-2.0
// A shared library of somebody's Verilog: the wrapper, Verilated, behind tilefly_device.h.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "conform/capability/capability.h"

namespace tilefly::conform {

struct Built {
  std::filesystem::path library;
  std::string digest;   ///< of all that it was made of: sources, capability file, wrapper, Verilator's version
  bool reused = false;  ///< it was there already
};

/// What a library can do; the device is the same.
enum class BuildFor { kTests, kWaves };

/// Makes the library in `folder`, for waves in a folder of it, or finds it there. A capability file with `library` has
/// it already. Throws UsageError with the first errors of Verilator or of the compiler; all is in the folder's build.log.
/// Throws BuildInterrupted (steps.h) when it was stopped; nothing is left in the folder then.
Built BuildDevice(const Capability& capability, const std::filesystem::path& folder, const std::atomic<bool>* stop,
                  BuildFor purpose = BuildFor::kTests);

}  // namespace tilefly::conform
