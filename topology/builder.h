// SPDX-License-Identifier: Apache-2.0
// From a short description to a system (docs/topology.md has families, keys and presets).
#pragma once

#include <string>
#include <vector>

#include "topology/topology.h"

namespace tilefly::topology {

/// "FAMILY:key=value,...", "preset:NAME" (with keys to override its own: "preset:malbec,links=16") or a file's path
/// that ends in .yaml or .yml. The result is valid. Throws UsageError for what is not understood, cannot be wired or
/// cannot be addressed, with the reason and a remedy.
/// `profile`: of the switches, in place of the description's own or of the smallest with enough ports; empty: none.
Topology Build(const std::string& description, const std::string& profile = "");

/// The family that a description names; throws UsageError for a file or a preset that there is not.
std::string FamilyOf(const std::string& description);

/// Whether a description is a file's path.
bool IsFile(const std::string& description);

/// A named system and the description it stands for.
struct Preset {
  std::string name;
  std::string description;  ///< "dragonfly:p=16,a=32,h=17,g=511"
};
const std::vector<Preset>& Presets();

}  // namespace tilefly::topology
