// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network.h"
#include "runs/common/sample_table.h"
#include "runs/system/net_settings.h"

namespace tilefly::runs {

/// Time series of a run of a system that has ended and kept them: the system, classes, groups, links. What is referred
/// to must outlive the table.
SampleTable NetSamples(const network::Network& network, const network::Figures& figures, const NetRunOptions& options);

}  // namespace tilefly::runs
