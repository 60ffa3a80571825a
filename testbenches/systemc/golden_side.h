// SPDX-License-Identifier: Apache-2.0
// A golden switch between ideal link partners that send offers.
#pragma once

#include "golden/common/register_write.h"
#include "golden/scheduler/schedulers.h"
#include "testbenches/systemc/offers.h"

namespace tilefly::systemc {

/// Register writes in bus cycle 0; then the offers, until nothing happens any more.
Outcome RunGolden(const Profile& profile, const std::vector<Cfg>& writes, const Offers& offers,
                  const golden::SchedulerChoice& scheduler = {});

}  // namespace tilefly::systemc
