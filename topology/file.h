// SPDX-License-Identifier: Apache-2.0
// Systems as YAML files: any graph. docs/topology.md has the keys.
#pragma once

#include <filesystem>
#include <string>

#include "topology/topology.h"

namespace tilefly::topology {

/// Reads strictly: UsageError with file, line, key. The result is valid; its name is the file's.
Topology ReadTopology(const std::filesystem::path& file);

/// A file whose reading gives the same system under another name.
std::string TopologyYaml(const Topology& topology);

}  // namespace tilefly::topology
