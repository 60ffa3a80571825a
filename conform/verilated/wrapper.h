// SPDX-License-Identifier: Apache-2.0
// The SystemVerilog around somebody's switch: its ports, however they are named, become arrays of `tfd_beat`
// (tilefly_device.h), which the C++ around the Verilated model copies.
#pragma once

#include <string>
#include <vector>

#include "conform/capability/capability.h"

namespace tilefly::conform {

inline constexpr const char* kWrapper = "tilefly_conform_top";

/// A port that the top has to have.
struct NeededPort {
  std::string name;
  std::string key;  ///< of the capability file, that says so
  bool input = false;
  int bits = 0;      ///< of an element; 0: any
  int elements = 0;  ///< of an unpacked array, 0: it is none
};
std::vector<NeededPort> NeededPorts(const Capability& capability);

/// A module `kWrapper` that has the top of `capability` with its parameters, and nothing connected to it.
std::string UnconnectedText(const Capability& capability);
/// The module `kWrapper` around the top of `capability`.
std::string WrapperText(const Capability& capability);

}  // namespace tilefly::conform
