// SPDX-License-Identifier: Apache-2.0
// How the switches of a process are run: domains in rounds, by its threads, and in a round the switches of a domain in
// slices (docs/network.md, Order of events, Several threads).
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <vector>

#include "golden/common/prefetch.h"
#include "network/contexts.h"
#include "network/crew.h"
#include "network/mail.h"
#include "network/network_options.h"
#include "network/nodes.h"
#include "network/post.h"
#include "network/timetable.h"
#include "network/wiring.h"

namespace tilefly::network {

class Rounds {
 public:
  /// Nothing is due. All must outlive the rounds; messages for other processes go into `mail`. As many threads run
  /// domains as there are contexts. `own_cores`: each has one.
  Rounds(const NetworkOptions& options, const Wiring& wiring, const Domains& domains, const Nodes& nodes,
         Contexts* contexts, Mail* mail, bool own_cores);

  /// Cycles that a switch is run at a time.
  Cycle lookahead() const { return timetable_.lookahead(); }
  /// Cycles of a round.
  Cycle length() const { return timetable_.round(); }
  /// The first round in which something is due here, kNever without one.
  Cycle Next() const { return std::min(timetable_.NextRound(), post_.due()); }

  /// Forgets who is due when, and asks all nodes.
  void EnterAll();
  /// A message of another process, between two rounds.
  void Receive(const LinkMessage& message) {
    post_.SendBetween(domains_.domain_of[message.node], message, timetable_.RoundOf(message.Due()));
  }
  /// Runs round Next(). Of several domains that fail all are run; what the first of them has thrown is thrown.
  void Run(Cycle round);
  /// Between two rounds: what was sent to a node is at the node, and all nodes use the first context.
  void Settle();

 private:
  /// Domains of a round that a thread begins with: it takes the first that nobody has taken.
  struct alignas(golden::kCacheLine) Share {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };
  /// What a thread needs while it runs a domain.
  struct alignas(golden::kCacheLine) Worker {
    int number = 0;
    std::vector<int> visited;
  };

  Cycle FewestToAnother(const std::vector<int>& part_of) const;
  Cycle Lookahead() const;
  Cycle SlicesOfRound(Cycle lookahead) const;
  void Shuffle(Cycle number, int which, std::vector<int>* order) const;
  void FindPinned();
  void DealOut(Cycle round);
  void RunShare(int thread, Cycle round);
  int TakeDomain(int thread);
  void Visit(int domain, Cycle round, Worker* worker);
  void RunDomain(int domain, Cycle round, Worker* worker);
  void Use(int domain, int thread);
  void Deliver(int domain, const std::vector<LinkMessage>& messages);
  void RunSlice(Cycle slice, int domain, bool fetch, Worker* worker);
  void SendOutgoing(int domain, Cycle end, Worker* worker);
  void EndRound();

  const NetworkOptions& options_;
  const Wiring& wiring_;
  const Domains& domains_;
  const Nodes& nodes_;
  Contexts& contexts_;
  Mail& mail_;
  Timetable timetable_;
  Post post_;
  std::vector<char> pinned_;       ///< by domain: the first thread runs it, for it has a device that is not golden
  std::vector<int> thread_of_;     ///< by domain: whose context its nodes use
  std::vector<int> due_;           ///< domains of the round that any thread may run
  std::vector<int> due_of_first_;  ///< and those that are pinned
  std::vector<Share> shares_;      ///< by thread
  std::vector<Worker> workers_;
  std::vector<std::exception_ptr> errors_;  ///< by domain, of the round
  Crew crew_;                               ///< the last member: it uses the others
};

}  // namespace tilefly::network
