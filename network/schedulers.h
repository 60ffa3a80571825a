// SPDX-License-Identifier: Apache-2.0
// Schedulers of a user's own, by name (docs/extending.md).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "golden/scheduler/schedulers.h"
#include "support/key_values.h"
#include "support/registry.h"

namespace tilefly::network {

/// Makes the scheduler of an output. It may throw UsageError; keys that it does not ask for are refused.
using SchedulerMaker =
    std::function<std::unique_ptr<golden::OwnScheduler>(const Profile& profile, int output, KeyValues* keys)>;

/// The registry of schedulers, for `--scheduler NAME:key=value,...` of `net` and `cosim`.
Registry<SchedulerMaker>& Schedulers();

/// Chooses one of the switch's own schedulers or of Schedulers(). Throws UsageError, whose text begins with `what` and
/// has the nearest known name.
golden::SchedulerChoice ChooseScheduler(const std::string& text, const std::string& what);

}  // namespace tilefly::network
