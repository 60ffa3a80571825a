// SPDX-License-Identifier: Apache-2.0
// The SerDes lanes of one direction of a link whose lanes a fault plan takes down (docs/blocks/link_retry.md, SerDes
// lanes): the receiving end judges them, the sending end leaves out those that the receiver does not want. Each is a
// half of golden::SerdesLanes, and is stepped only in cycles in which something can change.
#pragma once

#include "generated/registers.h"
#include "golden/link/serdes_lanes.h"
#include "golden/retry/retry_wire.h"
#include "network/dead_lanes.h"
#include "network/messages.h"
#include "network/retry_counts.h"

namespace tilefly::network {

/// At the receiving end.
class LaneJudge {
 public:
  /// `cable`: SerDes lanes of the link. `registers`: of this end. `wire` must outlive the judge.
  LaneJudge(int cable, const PortLanes& registers, const DeadLanes& wire)
      : cable_(cable), registers_(registers), wire_(wire) {}

  /// The next cycle from `now` on that must be stepped, beside those with a report of this end and those in which the
  /// link goes down or comes up.
  Cycle Due(Cycle now) const;
  /// Makes cycle `now`. `reports`: this end has a report, which is in the slot of the next cycle. Returns the mask of
  /// that slot.
  LaneMask Step(Cycle now, bool up, bool reports, RetryCounts* counts);

  /// State between two cycles. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(lanes_);
  }

 private:
  unsigned Open() const;

  const int cable_;
  const PortLanes registers_;
  const DeadLanes& wire_;
  golden::SerdesLanes lanes_;
};

/// At the sending end.
class LaneChoice {
 public:
  /// `cable`: SerDes lanes of the link, all in use at first.
  explicit LaneChoice(int cable) : cable_(cable), used_((1u << cable) - 1), lanes_(golden::SerdesLanes::Of(cable)) {}

  /// How many lanes are in use in the next cycle, and which, a bit each.
  int count() const { return lanes_.m(); }
  unsigned used() const { return used_; }
  /// Whether a packet may be taken in the next cycle: as many lanes are in use as are wanted.
  bool take_ok() const { return lanes_.take_ok(cable_); }
  /// Whether nothing changes until something is heard.
  bool at_rest() const { return take_ok() && !lanes_.again(); }
  /// Makes cycle `now`. `heard`: what the slot of the cycle says. `mac_empty`: no word is to come of the packets taken.
  /// Returns the report that the end gives its own retry block, or that which was heard.
  golden::RetryReport Step(Cycle now, bool up, bool mac_empty, const LinkReport& heard);

  /// State between two cycles. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(used_, lanes_);
  }

 private:
  const int cable_;
  unsigned used_;
  golden::SerdesLanes lanes_;
};

}  // namespace tilefly::network
