// SPDX-License-Identifier: Apache-2.0
// The SystemVerilog around somebody's switch: its ports, however they are named, become arrays of `tfd_beat`
// (tilefly_device.h), which the C++ around the Verilated model copies.
#pragma once

#include <string>

#include "conform/capability/capability.h"

namespace tilefly::conform {

inline constexpr const char* kWrapper = "tilefly_conform_top";

/// The module `kWrapper` around the top of `capability`.
std::string WrapperText(const Capability& capability);

}  // namespace tilefly::conform
