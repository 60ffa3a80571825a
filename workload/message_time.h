// SPDX-License-Identifier: Apache-2.0
// The time that a message takes, as the application-aware routing paper (De Sensi, Di Girolamo, Hoefler, SC 2019)
// models it from a NIC's counters.
#pragma once

#include <cmath>
#include <cstdint>

namespace tilefly::workload {

/// Packets that a NIC may have outstanding in the paper (section 2.4).
inline constexpr double kOutstanding = 1024;

/// Equation 1: a message whose packets are never too many outstanding. `latency`: L, cycles from a packet's first flit
/// to its response; `flits`: f, of the message; `stall`: s, mean cycles that a flit waits.
inline double FewPacketsTime(double latency, double flits, double stall) { return latency / 2 + flits * (stall + 1); }

/// How often the latency counts: the factor of L in equation 2, (p + 512) / 1024.
inline double LatencyFactor(double packets) { return (packets + kOutstanding / 2) / kOutstanding; }
/// The same in the authors' program, which rounds up: ceil((p - 1 + 512) / 1024).
inline double WholeLatencyFactor(double packets) { return std::ceil((packets - 1 + kOutstanding / 2) / kOutstanding); }

/// Equation 2 with a factor of L.
inline double MessageTime(double factor, double latency, double flits, double stall) {
  return factor * latency + flits * (stall + 1);
}
/// Equation 2: T = (p + 512) / 1024 * L + f * (s + 1).
inline double MessageTimeOf(double packets, double latency, double flits, double stall) {
  return MessageTime(LatencyFactor(packets), latency, flits, stall);
}

}  // namespace tilefly::workload
