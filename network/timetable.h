// SPDX-License-Identifier: Apache-2.0
// When the switches of a run are visited (docs/network.md, Order of events): domains in rounds, and in a round the
// switches of a domain in slices. A slice is as long as the lookahead between switches, and a round as long as that
// between domains. So what is decided in a slice (or round) is an event of another switch (or domain) only after it.
#pragma once

#include <vector>

#include "network/calendar.h"
#include "network/domain.h"

namespace tilefly::network {

class Timetable {
 public:
  /// At first nothing is due. `domains` must outlive the timetable.
  explicit Timetable(const Domains& domains) : domains_(domains), rounds_(domains.count()) { Clear(); }

  /// Sets the cycles of a slice, and the slices of a round.
  void SetLengths(Cycle lookahead, Cycle slices_of_round) {
    lookahead_ = lookahead;
    slices_of_round_ = slices_of_round;
  }
  /// Makes nothing due.
  void Clear();

  /// The cycles of a slice.
  Cycle lookahead() const { return lookahead_; }
  /// The cycles of a round.
  Cycle round() const { return slices_of_round_ * lookahead_; }
  Cycle RoundOf(Cycle cycle) const { return cycle / round(); }
  /// The first round in which a domain is due; kNever: none is.
  Cycle NextRound() const { return rounds_.Next(); }

  /// Between two rounds: something is due at the switch in cycle `due`.
  void Enter(int node, Cycle due) {
    EnterInDomain(node, due);
    EnterRound(domains_.domain_of[node], RoundOf(due));
  }
  /// The domain is due in the round.
  void EnterRound(int domain, Cycle round) { rounds_.Enter(domain, round); }
  /// Takes the domains of round NextRound(), which are then no longer due.
  void TakeDomains(Cycle round, std::vector<int>* domains) { rounds_.PopDue(round, domains); }

  // For a domain that is being visited. Several threads may call these functions, each for a domain of its own.

  /// Something is due at the switch in cycle `due`.
  void EnterInDomain(int node, Cycle due) {
    slices_[domains_.domain_of[node]].Enter(domains_.place_of[node], due / lookahead_);
  }
  /// The first slice of `round` in which a switch of the domain is due; kNever: none is.
  Cycle NextSlice(int domain, Cycle round) const {
    const Cycle slice = slices_[domain].Next();
    return slice != kNever && slice < (round + 1) * slices_of_round_ ? slice : kNever;
  }
  /// The first round in which a switch of the domain is due; kNever: none is.
  Cycle NextRoundOf(int domain) const {
    const Cycle slice = slices_[domain].Next();
    return slice == kNever ? kNever : slice / slices_of_round_;
  }
  /// Takes the switches of a slice, by their places in the domain. They are then no longer due.
  void TakeSwitches(int domain, Cycle slice, std::vector<int>* switches) { slices_[domain].PopDue(slice, switches); }

 private:
  const Domains& domains_;
  Cycle lookahead_ = 0;
  Cycle slices_of_round_ = 0;
  Calendar rounds_;               ///< of domains
  std::vector<Calendar> slices_;  ///< by domain: of its switches
};

}  // namespace tilefly::network
