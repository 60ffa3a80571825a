// SPDX-License-Identifier: Apache-2.0
// What both descriptions of a switch get, and what they make of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "golden/common/generated/wire.h"
#include "golden/common/header_bits.h"
#include "golden/common/types.h"

namespace tilefly::systemc {

using golden::Cycle;

/// A packet that is to be sent: as soon as its time has come, the link is free and there is credit.
struct Offer {
  std::uint32_t id;           ///< its own
  Cycle at;
  golden::HeaderBits header;  ///< kind ENH_ETH; lane, class, destination, length
  bool bad = false;
};

/// Offers of each port, in order of time.
using Offers = std::vector<std::vector<Offer>>;

struct TrafficOptions {
  double load = 0.5;               ///< share of word slots
  std::vector<int> sizes = {64};   ///< bytes, equally often
  int classes = 1;                 ///< 0 .. classes - 1, equally often; each on the lane of its number
  std::string pattern = "uniform"; ///< see Pattern
  double replicated = 0;           ///< share of the packets
  double bad = 0;                  ///< share of the packets
  Cycle cycles = 20000;            ///< in which packets are offered
  std::uint64_t seed = 1;
};

/// Bernoulli arrivals at every port of a switch.
Offers MakeOffers(int ports, const TrafficOptions& options);

/// A packet that left.
struct Delivery {
  std::uint32_t id;
  std::uint8_t port;
  Cycle first_word;
  golden::HeaderBits header;
  bool bad;
};

/// What came of the offers.
struct Outcome {
  std::vector<Delivery> deliveries;                   ///< in order of each port
  std::vector<std::vector<std::uint64_t>> counters;   ///< of each port, after the drain
  std::vector<std::vector<std::uint16_t>> acks;       ///< of each port: flow of each ack that came back
  Cycle end = 0;                                      ///< cycle of the last delivery
  bool drained = false;                               ///< nothing is left inside, all credits are home
};

}  // namespace tilefly::systemc
