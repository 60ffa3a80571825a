// SPDX-License-Identifier: Apache-2.0
// The `tilefly` command for a program of one's own (docs/extending.md), and the registries to which it adds what it has.
#pragma once

#include <functional>

#include "network/counters.h"
#include "network/routing_rules.h"
#include "network/schedulers.h"
#include "topology/builder.h"
#include "traffic/patterns.h"

namespace tilefly {

/// Does what the arguments of `main` say, and returns its exit code. `extend` adds to the registries, before the arguments
/// are read. A sweep starts the program itself again for each run.
int RunCommand(int argc, char** argv, const std::function<void()>& extend = {});

}  // namespace tilefly
