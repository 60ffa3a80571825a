// SPDX-License-Identifier: Apache-2.0
// Schedulers of one's own, by name (docs/extending.md).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "golden/scheduler/schedulers.h"
#include "support/key_values.h"
#include "support/registry.h"

namespace tilefly::network {

/// For an output of a switch. It may throw UsageError; keys that it does not ask for are refused.
using SchedulerMaker =
    std::function<std::unique_ptr<golden::OwnScheduler>(const Profile& profile, int output, KeyValues* keys)>;

/// `--scheduler NAME:key=value,...` of `net` and `cosim`.
Registry<SchedulerMaker>& Schedulers();

/// Of the switch's own or of Schedulers(). Throws UsageError naming the nearest known name; `what` begins it.
golden::SchedulerChoice ChooseScheduler(const std::string& text, const std::string& what);

}  // namespace tilefly::network
