// SPDX-License-Identifier: Apache-2.0
// A golden switch between ideal link partners that send offers.
#pragma once

#include "testbenches/systemc/offers.h"

namespace tilefly::systemc {

/// The offers, until nothing happens any more.
Outcome RunGolden(const SwitchSetup& setup, const Offers& offers);

}  // namespace tilefly::systemc
