// SPDX-License-Identifier: Apache-2.0
// The keys that wish lists and tables share: units and classes.
#pragma once

#include <vector>

#include "qos/traffic_class.h"
#include "support/yaml_map.h"

namespace tilefly::qos {

/// Keys link, credit, header and gmtu; what is absent is that of the profile rosetta64.
Units ReadUnits(YamlMap* root);

/// Key classes. `shares`: each class must have a bandwidth. Names, levels and lanes are distinct; throws UsageError.
std::vector<TrafficClass> ReadClasses(YamlMap* root, const Units& units, bool shares);

/// Index of the class `name`; throws UsageError with the nearest known name.
int FindClass(const std::vector<TrafficClass>& classes, const std::string& name, const std::string& what);

/// The same as YAML, in the order of the reader.
std::string UnitsYaml(const Units& units);
std::string ClassYaml(const TrafficClass& one);

}  // namespace tilefly::qos
