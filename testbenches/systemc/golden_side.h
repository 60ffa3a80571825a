// SPDX-License-Identifier: Apache-2.0
// A golden switch between ideal link partners that send offers.
#pragma once

#include "testbenches/systemc/offers.h"
#include "testbenches/systemc/red_peers.h"

namespace tilefly::systemc {

/// The offers, until nothing happens any more. `peers`: of reductions; their packets go first.
Outcome RunGolden(const ContractSetup& setup, const Offers& offers, RedPeers* peers = nullptr);

}  // namespace tilefly::systemc
