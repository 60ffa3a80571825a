// SPDX-License-Identifier: Apache-2.0
// Standard ports that send PAUSE, and traffic for them.
#pragma once

#include <cstdint>
#include <string>

#include "testbenches/systemc/offers.h"

namespace tilefly::systemc {

inline constexpr golden::PortMask kAllOf8 = 0xFF;

/// Thresholds of an input buffer, in cells.
struct Thresholds {
  int xoff = kTile8.pause_xoff_cells;
  int xon = kTile8.pause_xon_cells;
};

/// `ports` of 8 are standard Ethernet, send PAUSE and know classes by tags.
ContractSetup Standard(golden::PortMask ports, const Thresholds& thresholds = {});

/// Frames of three sizes and classes, bare on the ports `standard`.
TrafficOptions Traffic(golden::PortMask standard, double load, const std::string& pattern, Cycle cycles);

/// Sum of a counter over all ports.
std::uint64_t Count(const Outcome& outcome, int index);

/// Golden sends at least `sent` PAUSE frames and hears at least `obeyed`, so that a comparison is one of what a test is about.
void ExpectPauses(const ContractSetup& setup, const Offers& offers, std::size_t sent, std::uint64_t obeyed);

}  // namespace tilefly::systemc
