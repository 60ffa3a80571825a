// SPDX-License-Identifier: Apache-2.0
// The contract over reductions (docs/systemc.md, Contract): what the peers of the trees got from both sides.
#pragma once

#include <string>
#include <vector>

#include "testbenches/systemc/contract.h"
#include "testbenches/systemc/red_peers.h"

namespace tilefly::systemc {

struct RedComparison {
  std::size_t packets = 0;  ///< of golden, CREDITs included
  std::size_t results = 0;  ///< of which the peer had sent a part: they have a latency
  Figures golden{};         ///< of results: from the part ready to the result's first word
  Figures systemc{};
  std::size_t same_cycle = 0;
  std::vector<std::string> broken;

  std::string Row() const;
};

/// Whose order is compared: that of streams and short operations, or of streams only.
enum class Order : std::uint8_t { kOfAll, kOfStreams };

/// Compares the same packets, bit by bit, once each, in the same order for each (peer, group, stream or short
/// operation); of CREDITs, which may be put together, what the last one of a lock says; then the latencies.
RedComparison CompareReductions(const std::vector<RedArrival>& golden, const std::vector<RedArrival>& systemc,
                                const Bounds& bounds = {}, Order order = Order::kOfAll);

struct RedDemands {
  const TrafficOptions* traffic = nullptr;  ///< other traffic
  bool finishes = true;                     ///< all children come to the end of their steps
  std::vector<RedCode> failures;            ///< codes of which groups fail; others may be among them
  std::vector<Counter> counters;            ///< that count something at some port
};

/// Runs golden and the transaction model with these trees in a child, prints their rows, and demands what ExpectBounded
/// does, of the reductions too, the same STATUS in all samples, and these.
void ExpectReduces(const char* name, ContractSetup setup, const std::vector<RedTreePlan>& trees,
                   const RedDemands& demands = {});

}  // namespace tilefly::systemc
