// SPDX-License-Identifier: Apache-2.0
// CREDIT registers of a system's ports (docs/network.md, Timing options).
#pragma once

#include <optional>
#include <vector>

#include "golden/common/register_write.h"
#include "golden/credit/credit_sender.h"

namespace tilefly::network {

/// The credits of `--timing bench`, in cells: the lanes in use share the input buffer in fixed parts. `minimal`:
/// routing takes the fewest lanes that are possible. `retry`: links repeat, and the buffer needs room for copies that were
/// broken off. Throws UsageError when the buffer is too small.
golden::CreditTable BenchCredits(const Profile& profile, const std::vector<int>& lanes, bool minimal, bool retry);

/// The credits, in cells, for a link between two switches that are `delay` cycles apart and use `lanes`. The caps are
/// such that one lane alone fills the link, as far as the buffer allows. Empty: the credits of power-up suffice.
std::optional<golden::CreditTable> LongLinkCredits(const Profile& profile, const std::vector<int>& lanes, Cycle delay);

/// The same for a link that repeats: room for two copies that were broken off is taken from the shared part
/// (docs/blocks/link_retry.md, Credits).
golden::CreditTable RepeatingLinkCredits(const Profile& profile, const std::vector<int>& lanes, Cycle delay);

/// The writes that put the table into the registers of `port`.
std::vector<Cfg> CreditWrites(int port, const golden::CreditTable& table);

}  // namespace tilefly::network
