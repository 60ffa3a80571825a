// SPDX-License-Identifier: Apache-2.0
// What errors cost a full link that sends damaged words again, in closed form (docs/blocks/retry.md, What an error
// costs). Packets of one length follow back to back over four SerDes lanes, and the sender never waits for room.
#pragma once

#include <cstdint>

#include "golden/common/types.h"

namespace tilefly::runs {

/// A full link.
struct FullLink {
  int words;    ///< of a packet: n
  Cycle delay;  ///< D, in cycles
};

/// Errors that happened.
struct LinkErrors {
  std::int64_t nacked;     ///< E: those that a nack repaired
  std::int64_t timed_out;  ///< E_T: those that only the replay timer repaired
};

/// j: packets that are sent again when word `k` of a packet is bad.
std::int64_t ResentPackets(const FullLink& link, int k);
/// C, in cycles: the mean cost of an error that a nack repairs, at a bit error rate above 0.
double NackCost(const FullLink& link, double ber);
/// C_T, in cycles: the cost of an error that only the replay timer repairs, with the timer of the reset values.
double TimerCost();
/// The share of the link's cycles that carry useful words, by the bit error rate alone.
double ExpectedEfficiency(const FullLink& link, double ber);
/// The same of a run in which useful words took `useful` cycles, and which had these errors.
double EfficiencyOfErrors(const FullLink& link, double ber, double useful, const LinkErrors& errors);

}  // namespace tilefly::runs
