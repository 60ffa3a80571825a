// SPDX-License-Identifier: Apache-2.0
// Time, in all rooms.
#pragma once

#include <cstdint>

namespace tilefly {

/// Number of a clock cycle.
using Cycle = std::int64_t;
/// No cycle: later than any.
inline constexpr Cycle kNever = INT64_MAX;

}  // namespace tilefly
