// SPDX-License-Identifier: Apache-2.0
// Shares of the classes in an input buffer (docs/blocks/ingress.md, Class shares). A credit is a cell of the switch.
#pragma once

#include <string>
#include <vector>

#include "generated/profile.h"
#include "qos/check.h"
#include "qos/table.h"
#include "support/yaml_map.h"

namespace tilefly::qos {

/// Key buffer of a class: what is absent is two MTU of the class, and the most cells of a lane. Throws UsageError.
Buffer ReadBuffer(YamlMap* owner, const TrafficClass& one, const Units& units);

/// Key shared_buffer of a file; nothing when it is absent.
std::optional<int> ReadSharedBuffer(YamlMap* root, const Units& units);

/// Cells that the classes share in a buffer of this profile: what the file says, else what their reserves leave; may be
/// negative.
int SharedBuffer(const std::vector<TrafficClass>& classes, std::optional<int> stated, const Profile& profile);

/// What is wrong with the shares where a class is lossy: too much is given away, or the class could never get a packet
/// in.
std::vector<Finding> CheckBuffers(const std::vector<TrafficClass>& classes, std::optional<int> stated,
                                  const Profile& profile);

}  // namespace tilefly::qos
