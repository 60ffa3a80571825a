// SPDX-License-Identifier: Apache-2.0
// When the switches of a run are visited (docs/network.md, Order of events): domains in rounds, and in a round the
// switches of a domain in slices. A slice is as long as the lookahead between switches, a round as that between
// domains, so nothing that is decided in one is an event of another switch, or another domain, in the same.
#pragma once

#include <vector>

#include "network/calendar.h"
#include "network/domain.h"

namespace tilefly::network {

class Timetable {
 public:
  /// Nothing is due. `domains` must outlive the timetable.
  explicit Timetable(const Domains& domains) : domains_(domains), rounds_(domains.count()) { Clear(); }

  /// Cycles of a slice, slices of a round.
  void SetLengths(Cycle lookahead, Cycle slices_of_round) {
    lookahead_ = lookahead;
    slices_of_round_ = slices_of_round;
  }
  /// Nothing is due.
  void Clear();

  /// Cycles of a slice.
  Cycle lookahead() const { return lookahead_; }
  /// Cycles of a round.
  Cycle round() const { return slices_of_round_ * lookahead_; }
  Cycle RoundOf(Cycle cycle) const { return cycle / round(); }
  /// The first round in which something is due, kNever without one.
  Cycle NextRound() const { return rounds_.Next(); }

  /// Something is due at the switch in cycle `due`: of a domain that is not being visited.
  void Enter(int node, Cycle due) {
    EnterInDomain(node, due);
    rounds_.Enter(domains_.domain_of[node], RoundOf(due));
  }
  /// The same, of the domain that is being visited.
  void EnterInDomain(int node, Cycle due) {
    slices_[domains_.domain_of[node]].Enter(domains_.place_of[node], due / lookahead_);
  }

  /// The domains of round NextRound(). They are due no more.
  std::vector<int>* TakeDomains(Cycle round) {
    rounds_.PopDue(round, &visited_domains_);
    return &visited_domains_;
  }
  /// The first slice of `round` in which a switch of the domain is due; kNever: none is, and the domain is entered for
  /// the round in which one will be.
  Cycle NextSlice(int domain, Cycle round);
  /// The switches of that slice, by their places in the domain. They are due no more.
  std::vector<int>* TakeSwitches(int domain, Cycle slice) {
    slices_[domain].PopDue(slice, &visited_);
    return &visited_;
  }

 private:
  const Domains& domains_;
  Cycle lookahead_ = 0;
  Cycle slices_of_round_ = 0;
  Calendar rounds_;               ///< of domains
  std::vector<Calendar> slices_;  ///< of each domain's switches
  std::vector<int> visited_domains_;
  std::vector<int> visited_;
};

}  // namespace tilefly::network
