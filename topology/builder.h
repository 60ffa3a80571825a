// SPDX-License-Identifier: Apache-2.0
// From a short description to a system (docs/topology.md has families, keys and presets).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/registry.h"
#include "topology/families.h"
#include "topology/topology.h"

namespace tilefly::topology {

/// "FAMILY:key=value,...", "preset:NAME" (with keys to override its own: "preset:malbec,links=16") or a file's path
/// that ends in .yaml or .yml. The result is valid. Throws UsageError for what is not understood, cannot be wired or
/// cannot be addressed, with the reason and a remedy.
/// `profile`: of the switches, in place of the description's own or of the smallest with enough ports; empty: none.
Topology Build(const std::string& description, const std::string& profile = "");

/// A system of the keys behind the family's name. It may throw UsageError; keys that it does not ask for are refused. Of
/// the result `name`, the numbers of parallel links, and an empty `family` ("graph") and `profile` (the smallest with
/// ports enough, or key `profile`) are filled in; then it is validated as all systems are.
using FamilyBuilder = std::function<Topology(Parameters* parameters)>;
/// Families of one's own (docs/extending.md): `--topology NAME:key=value,...` of `net` and `topo`.
Registry<FamilyBuilder>& Families();

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
