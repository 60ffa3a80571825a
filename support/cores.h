// SPDX-License-Identifier: Apache-2.0
// How many cores a process may use: those of its affinity (taskset, a launcher, a container), and no more than its
// control group has time for.
#pragma once

namespace tilefly {

/// At least 1.
int UsableCores();

}  // namespace tilefly
