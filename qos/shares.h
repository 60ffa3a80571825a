// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "qos/table.h"

namespace tilefly::qos {

/// Share of the link that each class gets while all are backlogged: the groups in order of priority, inside a group by
/// weight, none above its maximum; what a class leaves goes to the others of its group, then to the next group.
std::vector<double> ExpectedShares(const Table& table);

}  // namespace tilefly::qos
