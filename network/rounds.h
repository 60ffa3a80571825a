// SPDX-License-Identifier: Apache-2.0
// Runs the switches of a process: domains in rounds, on its threads, and in a round the switches of a domain in slices
// (docs/network.md, Order of events, Several threads).
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
  /// At first nothing is due. All arguments must outlive the rounds. Messages to other processes go into `mail`. There
  /// are as many threads as contexts. `own_cores`: each thread has a core of its own.
  Rounds(const NetworkOptions& options, const Wiring& wiring, const Domains& domains, const Nodes& nodes,
         Contexts* contexts, Mail* mail, bool own_cores);

  /// The cycles of a slice.
  Cycle lookahead() const { return timetable_.lookahead(); }
  /// The cycles of a round.
  Cycle length() const { return timetable_.round(); }
  /// The first round in which something is due in this process; kNever: nothing is.
  Cycle Next() const { return std::min(timetable_.NextRound(), post_.due()); }

  /// Forgets what is due, and asks all nodes anew.
  void EnterAll();
  /// Between two rounds: takes a message of another process.
  void Receive(const LinkMessage& message) {
    post_.SendBetween(domains_.domain_of[message.node], message, timetable_.RoundOf(message.Due()));
  }
  /// Between two rounds: something new is due at the switch.
  void Enter(int node) {
    const Cycle due = nodes_[node].Due();
    nodes_[node].set_entered(std::min(nodes_[node].entered(), due));
    timetable_.Enter(node, due);
  }
  /// Runs round Next(). When domains fail, all others are still run; then the exception of the first failed domain is
  /// thrown.
  void Run(Cycle round);
  /// Between two rounds: brings all messages to their nodes, and gives all nodes the first context. No message that
  /// comes later is due before cycle `from`.
  void Settle(Cycle from);

 private:
  /// The domains of a round with which a thread begins. It takes the first that no thread has taken.
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
  void Deliver(const std::vector<LinkMessage>& messages, Cycle from);
  void RunSlice(Cycle slice, int domain, bool first, Worker* worker);
  void SendOutgoing(int domain, Cycle end, Worker* worker);
  /// A message for the node, of a domain that is being visited, is due in cycle `due`.
  void EnterFor(int node, Cycle due) {
    if (due >= nodes_[node].entered()) return;
    nodes_[node].set_entered(due);
    timetable_.EnterInDomain(node, due);
  }
  void EndRound();

  const NetworkOptions& options_;
  const Wiring& wiring_;
  const Domains& domains_;
  const Nodes& nodes_;
  Contexts& contexts_;
  Mail& mail_;
  Timetable timetable_;
  Post post_;
  std::vector<char> pinned_;       ///< by domain: the first thread must run it, because a device is not golden
  std::vector<int> thread_of_;     ///< by domain: the thread whose context its nodes use
  std::vector<int> due_;           ///< domains of the round that any thread may run
  std::vector<int> due_of_first_;  ///< domains of the round that the first thread must run
  std::vector<Share> shares_;      ///< by thread
  std::vector<Worker> workers_;
  std::vector<std::exception_ptr> errors_;  ///< by domain: its exception in this round
  Crew crew_;                               ///< the last member, because it uses the others
};

}  // namespace tilefly::network
