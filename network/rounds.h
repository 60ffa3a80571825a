// SPDX-License-Identifier: Apache-2.0
// How the switches of a process are run: domains in rounds, and in a round the switches of a domain in slices
// (docs/network.md, Order of events).
#pragma once

#include <vector>

#include "network/mail.h"
#include "network/network_options.h"
#include "network/nodes.h"
#include "network/timetable.h"
#include "network/wiring.h"

namespace tilefly::network {

class Rounds {
 public:
  /// Nothing is due. All must outlive the rounds; messages for other processes go into `mail`.
  Rounds(const NetworkOptions& options, const Wiring& wiring, const Domains& domains, const Nodes& nodes,
         NodeContext* context, Mail* mail);

  /// Cycles that a switch is run at a time.
  Cycle lookahead() const { return timetable_.lookahead(); }
  /// Cycles of a round.
  Cycle length() const { return timetable_.round(); }
  /// The first round in which something is due here, kNever without one.
  Cycle Next() const { return timetable_.NextRound(); }

  /// Forgets who is due when, and asks all nodes.
  void EnterAll();
  /// A message of another process, between two rounds.
  void Receive(const LinkMessage& message);
  /// Runs round Next().
  void Run(Cycle round);

 private:
  Cycle FewestToAnother(const std::vector<int>& part_of) const;
  Cycle Lookahead() const;
  Cycle SlicesOfRound(Cycle lookahead) const;
  void Shuffle(Cycle number, std::vector<int>* order) const;
  void RunSlice(Cycle slice, int domain, bool fetch);
  void SendOutgoing(int domain, Cycle end);

  const NetworkOptions& options_;
  const Wiring& wiring_;
  const Domains& domains_;
  const Nodes& nodes_;
  NodeContext& context_;
  Mail& mail_;
  Timetable timetable_;
};

}  // namespace tilefly::network
