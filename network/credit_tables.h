// SPDX-License-Identifier: Apache-2.0
// CREDIT registers of a system's ports (docs/network.md, Timing options).
#pragma once

#include <optional>
#include <vector>

#include "golden/common/register_write.h"
#include "golden/credit/credit_sender.h"

namespace tilefly::network {

/// `--timing bench`: the lanes in use share the input buffer in fixed parts. `minimal`: routing takes the fewest lanes
/// that there can be. Throws UsageError when it is too small.
golden::CreditTable BenchCredits(const Profile& profile, const std::vector<int>& lanes, bool minimal);

/// Between switches `delay` cycles apart, of whose lanes `lanes` are in use: caps with which a lane by itself fills the
/// link, as far as the buffer allows. Empty: those of power-up suffice.
std::optional<golden::CreditTable> LongLinkCredits(const Profile& profile, const std::vector<int>& lanes, Cycle delay);

/// Writes the table to the registers of `port`.
std::vector<Cfg> CreditWrites(int port, const golden::CreditTable& table);

}  // namespace tilefly::network
