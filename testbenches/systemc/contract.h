// SPDX-License-Identifier: Apache-2.0
// The contract of the approximately timed models with golden (docs/systemc.md, Contract), measured and judged.
#pragma once

#include <string>
#include <vector>

#include "testbenches/systemc/offers.h"

namespace tilefly::systemc {

/// Figures of one run.
struct Figures {
  std::size_t packets;  ///< deliveries
  double mean;          ///< of the latency, offered to first word, cycles
  double p99;
  double throughput;    ///< cells a cycle, of the middle half of the time in which packets were delivered
};

/// Both sides, and what does not hold.
struct Comparison {
  Figures golden;
  Figures systemc;
  std::size_t same_cycle;         ///< deliveries in the same cycle
  std::vector<std::string> broken;

  /// "mean 93.41 93.41 (+0.00 %)  p99 ..."
  std::string Row() const;
};

/// The bounds of the page, as shares.
struct Bounds {
  double mean = 0.02;
  double p99 = 0.05;
  double throughput = 0.01;
};

/// Compares the same packets, once each, in the same order of each flow, with the same headers and bytes; then the
/// figures.
Comparison Compare(const Offers& offers, const Outcome& golden, const Outcome& systemc, const Bounds& bounds = {});

}  // namespace tilefly::systemc
