// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "qos/table.h"

namespace tilefly::qos {

/// Credits that others may be granted while class `c` waits for a grant: the greatest, over the ways from one of its
/// entries to the next, of the weights between and one deficit of each class that has an entry there; priority groups
/// above it add their maximums. Nothing when the class has no entry, or when groups above it may take the whole link.
/// Derivation: docs/qos.md.
std::optional<std::int64_t> WaitCredits(const Table& table, int c);

/// Cycles of the switch in which a fabric link of this rate sends so many credits and the MTU that must leave the
/// output buffer before the scheduler runs again. A link of all lanes sends a word a cycle.
std::int64_t WaitCycles(const Units& units, std::int64_t credits);

}  // namespace tilefly::qos
