// SPDX-License-Identifier: Apache-2.0
// A run of both sides that must keep the contract.
#pragma once

#include <vector>

#include "testbenches/systemc/offers.h"

namespace tilefly::systemc {

/// Runs golden and the transaction model in a child, prints the row `name` of the table, and demands: the contract, the
/// same counters, the same acks, the same PAUSE frames and pauses of flows, no rule of the protocol broken, at most 30
/// kernel events a packet and hop, nothing left; and, beyond the contract, 99.9 % of the deliveries in golden's cycle.
void ExpectBounded(const char* name, const ContractSetup& setup, const TrafficOptions& traffic);

void ExpectBounded(const char* name, const ContractSetup& setup, const Offers& offers);

/// Both sent the same PAUSE frames, 99.9 % of them in the same cycle.
void ExpectSamePauses(std::vector<Told> golden, std::vector<Told> systemc);

/// Both sent the same pauses of flows, 99.9 % of them in the same cycle.
void ExpectSamePauses(std::vector<FlowTold> golden, std::vector<FlowTold> systemc);

/// The same acks came back at each port, in the same order.
void ExpectSameAcks(const Outcome& golden, const Outcome& systemc);

/// Traffic of `load` with packets of these sizes.
TrafficOptions Load(double load, std::vector<int> sizes, int classes = 1);

/// Cycles of a run: `quick` of the tiers quick and CI, ten times as many of the full one.
Cycle CyclesOf(Cycle quick);

}  // namespace tilefly::systemc
