// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "qos/placement.h"

namespace tilefly::qos {

/// Searches all orders of a table, entry by entry; kImpossible is a proof.
Placement SearchPlacement(int size, const std::vector<Spacing>& classes);

}  // namespace tilefly::qos
