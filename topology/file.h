// SPDX-License-Identifier: Apache-2.0
// Systems as YAML files: any graph. docs/topology.md has the keys.
#pragma once

#include <filesystem>
#include <string>

#include "topology/topology.h"

namespace tilefly::topology {

/// Reads strictly: UsageError with file, line, key. The result is valid; its name is the file's.
/// `profile` takes the place of the file's; empty: it does not.
Topology ReadTopology(const std::filesystem::path& file, const std::string& profile = "");

/// A file whose reading gives the same system under another name.
std::string TopologyYaml(const Topology& topology);

}  // namespace tilefly::topology
