// SPDX-License-Identifier: Apache-2.0
#include "network/rounds.h"

#include <algorithm>
#include <stdexcept>

#include "golden/common/stage_times.h"
#include "network/background.h"
#include "support/random.h"

namespace tilefly::network {

namespace {

/// What a link takes, and an ack that arrives, is on the wire no earlier than a credit return that is decided in the
/// same cycle: GoldenNode::kLead is the least of them.
static_assert(golden::kTakeToWire >= golden::kCreditToWire && golden::kAckToWire >= golden::kCreditToWire);
/// Cycles of a slice without links between switches, slices of a round without links between domains.
constexpr Cycle kLoneSlice = 256;
constexpr Cycle kLoneRound = 16;

}  // namespace

Rounds::Rounds(const NetworkOptions& options, const Wiring& wiring, const Domains& domains, const Nodes& nodes,
               NodeContext* context, Mail* mail)
    : options_(options),
      wiring_(wiring),
      domains_(domains),
      nodes_(nodes),
      context_(*context),
      mail_(*mail),
      timetable_(domains) {
  const Cycle lookahead = Lookahead();
  timetable_.SetLengths(lookahead, SlicesOfRound(lookahead));
}

/// The fewest cycles from the begin of a switch's run to an event of another that it causes; `part_of`: only of
/// switches whose value in it differs. kNever without such links.
Cycle Rounds::FewestToAnother(const std::vector<int>& part_of) const {
  Cycle smallest = kNever;
  for (int n = 0; n < nodes_.count(); ++n) {
    const Cycle delay = wiring_.SmallestDelay(n, part_of);
    if (delay == kNever) continue;
    const Cycle lead = nodes_.Has(n) ? nodes_[n].lead() : GoldenNode::kLead;
    smallest = std::min(smallest, lead + delay + golden::kWireToEvent);
  }
  return smallest;
}

/// Nothing that a switch decides in a slice is an event of another in the same slice.
Cycle Rounds::Lookahead() const {
  const Cycle fewest = FewestToAnother({});
  const Cycle longest = options_.background ? kMostRoundOfBackground : kNever;
  const Cycle most = std::min(longest, fewest == kNever ? kLoneSlice : fewest);
  return options_.lookahead > 0 ? std::min(options_.lookahead, most) : most;
}

/// The same for domains: whole slices.
Cycle Rounds::SlicesOfRound(Cycle lookahead) const {
  const Cycle fewest = FewestToAnother(domains_.domain_of);
  const Cycle most = options_.background ? kMostRoundOfBackground / lookahead : kNever;
  return std::min(most, fewest == kNever ? kLoneRound : std::max<Cycle>(1, fewest / lookahead));
}

void Rounds::EnterAll() {
  timetable_.Clear();
  for (int n = 0; n < nodes_.count(); ++n) {
    if (!nodes_.Has(n)) continue;
    if (const Cycle due = nodes_[n].Due(); due != kNever) timetable_.Enter(n, due);
  }
}

void Rounds::Receive(const LinkMessage& message) {
  nodes_[message.node].Receive(message);
  timetable_.Enter(message.node, message.Due());
}

/// The order of visits, when it is to be drawn.
void Rounds::Shuffle(Cycle number, std::vector<int>* order) const {
  if (options_.order == 0) return;
  Stream stream(options_.order, 0, static_cast<std::uint64_t>(number), Purpose::kOrder);
  for (std::size_t i = order->size(); i > 1; --i) std::swap((*order)[i - 1], (*order)[stream.Below(i)]);
}

void Rounds::Run(Cycle round) {
  std::vector<int>* const domains = timetable_.TakeDomains(round);
  Shuffle(round, domains);
  for (const int domain : *domains) {
    bool fetch = true;
    for (Cycle slice; (slice = timetable_.NextSlice(domain, round)) != kNever; fetch = false)
      RunSlice(slice, domain, fetch);
  }
}

/// `fetch`: the switches are not in the cache.
void Rounds::RunSlice(Cycle slice, int domain, bool fetch) {
  const std::vector<int>& members = domains_.members[domain];
  std::vector<int>* const visited = timetable_.TakeSwitches(domain, slice);
  Shuffle(slice, visited);
  const auto node = [&](std::size_t i) { return &nodes_[members[(*visited)[i]]]; };
  const std::size_t count = visited->size();
  const Cycle end = (slice + 1) * timetable_.lookahead();
  for (std::size_t i = 0; i < count; ++i) {
    if (fetch) {
      if (i + 3 < count) node(i + 3)->PrefetchSelf();
      if (i + 2 < count) node(i + 2)->PrefetchParts();
      if (i + 1 < count) node(i + 1)->PrefetchMessages();
    }
    node(i)->Run(end);
    SendOutgoing(domain, end);
    const int number = members[(*visited)[i]];
    if (const Cycle due = nodes_[number].Due(); due != kNever) timetable_.EnterInDomain(number, due);
  }
}

/// What a switch of the domain has for others in the slice that ends with `end`.
void Rounds::SendOutgoing(int domain, Cycle end) {
  for (const LinkMessage& message : context_.outgoing) {
    if (nodes_.Has(message.node)) nodes_[message.node].PrefetchInbox(message);
  }
  for (const LinkMessage& message : context_.outgoing) {
    if (nodes_.Has(message.node)) nodes_[message.node].PrefetchTail(message);
  }
  const Cycle round_end = (timetable_.RoundOf(end - 1) + 1) * timetable_.round();
  for (const LinkMessage& message : context_.outgoing) {
    const Cycle due = message.Due();
    const bool inside = domains_.domain_of[message.node] == domain;
    if (due < (inside ? end : round_end)) throw std::logic_error("network: a message for a slice that has begun");
    if (!nodes_.Has(message.node)) {
      mail_.Send(message, nodes_.ProcessOf(message.node), timetable_.RoundOf(due));
      continue;
    }
    nodes_[message.node].Receive(message);
    if (inside) {
      timetable_.EnterInDomain(message.node, due);
    } else {
      timetable_.Enter(message.node, due);
    }
  }
  context_.outgoing.clear();
}

}  // namespace tilefly::network
