// SPDX-License-Identifier: Apache-2.0
// A loosely timed switch: initiators with temporal decoupling send the offers.
#pragma once

#include "testbenches/systemc/offers.h"
#include "testbenches/systemc/red_peers.h"

namespace tilefly::systemc {

struct LooseRun {
  Outcome outcome;               ///< deliveries in order of the calls
  std::size_t broken_rules;      ///< of the protocol
  std::size_t held;              ///< packets that somebody refers to at the end
  std::uint64_t kernel_events;   ///< of the switch's modules: none
};

/// As RunGolden, with initiators that run ahead by `quantum` cycles. Once a process. `late`: cycles by which every packet
/// leaves too late: a planted fault.
LooseRun RunLoosely(const ContractSetup& setup, const Offers& offers, Cycle quantum, RedPeers* peers = nullptr,
                    Cycle late = 0);

}  // namespace tilefly::systemc
