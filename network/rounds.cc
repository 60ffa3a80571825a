// SPDX-License-Identifier: Apache-2.0
// How a network runs: rounds of domains, slices of their switches (docs/network.md, Order of events).
#include <algorithm>
#include <functional>
#include <stdexcept>

#include "golden/common/stage_times.h"
#include "network/background.h"
#include "network/network.h"
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

/// The fewest cycles from the begin of a switch's run to an event of another that it causes; `part_of`: only of
/// switches whose value in it differs. kNever without such links.
Cycle Network::FewestToAnother(const std::vector<int>& part_of) const {
  Cycle smallest = kNever;
  for (int n = 0; n < nodes(); ++n) {
    const Cycle delay = wiring_.SmallestDelay(n, part_of);
    if (delay == kNever) continue;
    const Cycle lead = Has(n) ? nodes_[n]->lead() : GoldenNode::kLead;
    smallest = std::min(smallest, lead + delay + golden::kWireToEvent);
  }
  return smallest;
}

/// Nothing that a switch decides in a slice is an event of another in the same slice.
Cycle Network::Lookahead() const {
  const Cycle fewest = FewestToAnother({});
  const Cycle longest = options_.background ? kMostRoundOfBackground : kNever;
  const Cycle most = std::min(longest, fewest == kNever ? kLoneSlice : fewest);
  return options_.lookahead > 0 ? std::min(options_.lookahead, most) : most;
}

/// The same for domains: whole slices.
Cycle Network::SlicesOfRound(Cycle lookahead) const {
  const Cycle fewest = FewestToAnother(timetable_.domains.domain_of);
  const Cycle most = options_.background ? kMostRoundOfBackground / lookahead : kNever;
  return std::min(most, fewest == kNever ? kLoneRound : std::max<Cycle>(1, fewest / lookahead));
}

/// The order of visits, when it is to be drawn.
void Network::Shuffle(Cycle number, std::vector<int>* order) const {
  if (options_.order == 0) return;
  Stream stream(options_.order, 0, static_cast<std::uint64_t>(number), Purpose::kOrder);
  for (std::size_t i = order->size(); i > 1; --i) std::swap((*order)[i - 1], (*order)[stream.Below(i)]);
}

void Network::RunRound(Cycle round) {
  std::vector<int>* const domains = timetable_.TakeDomains(round);
  Shuffle(round, domains);
  for (const int domain : *domains) {
    bool fetch = true;
    for (Cycle slice; (slice = timetable_.NextSlice(domain, round)) != kNever; fetch = false)
      RunSlice(slice, domain, fetch);
  }
}

/// `fetch`: the switches are not in the cache.
void Network::RunSlice(Cycle slice, int domain, bool fetch) {
  const std::vector<int>& members = timetable_.domains.members[domain];
  std::vector<int>* const visited = timetable_.TakeSwitches(domain, slice);
  Shuffle(slice, visited);
  const auto node = [&](std::size_t i) { return nodes_[members[(*visited)[i]]].get(); };
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
    if (const Cycle due = nodes_[number]->Due(); due != kNever) timetable_.EnterInDomain(number, due);
  }
}

/// What a switch of the domain has for others in the slice that ends with `end`.
void Network::SendOutgoing(int domain, Cycle end) {
  for (const LinkMessage& message : context_.outgoing) {
    if (Has(message.node)) nodes_[message.node]->PrefetchInbox(message);
  }
  for (const LinkMessage& message : context_.outgoing) {
    if (Has(message.node)) nodes_[message.node]->PrefetchTail(message);
  }
  const Cycle round_end = (timetable_.RoundOf(end - 1) + 1) * timetable_.round();
  for (const LinkMessage& message : context_.outgoing) {
    const Cycle due = message.Due();
    const bool inside = timetable_.domains.domain_of[message.node] == domain;
    if (due < (inside ? end : round_end)) throw std::logic_error("network: a message for a slice that has begun");
    if (!Has(message.node)) {
      SendAway(message, due);
      continue;
    }
    nodes_[message.node]->Receive(message);
    if (inside) {
      timetable_.EnterInDomain(message.node, due);
    } else {
      timetable_.Enter(message.node, due);
    }
  }
  context_.outgoing.clear();
}

std::optional<Ending> Network::RunTo(Cycle to, const std::function<bool(Cycle)>& poll) {
  for (;;) {
    Synchronize(poll);
    const bool cut = context_.until != kNever;
    if (standing_.next == kNever) {
      if (cut) return Finish(Ending::kStopped, context_.until);
      const Ending ending = EndingWhenQuiet();
      // Hosts and NICs that are late have been given all their cycles, whether anything happened in the last or not.
      const bool late = ending == Ending::kLate || (ending == Ending::kDrained && PacketsAreLate());
      return Finish(ending, std::max(standing_.last_event, late ? nics_.end - 1 : 0), late);
    }
    const Cycle begins = standing_.next * timetable_.round();
    if (begins >= to && (cut || !standing_.stop)) return std::nullopt;
    const Cycle patience = std::max(standing_.last_progress, nics_.begin) + options_.stall_cycles;
    if (standing_.in_flight > 0 && begins > patience && !HostsWork())
      return Finish(Ending::kStuck, std::min(begins, std::max(patience, standing_.last_event)));
    if (!cut) {
      EndBackgroundWhenDue(begins);
      JudgeWhenDue(begins);
      save_times_.SaveWhenDue(begins, standing_.stop);
      if (standing_.stop) context_.until = CutBehind(begins);
    }
    if (begins >= context_.until) return Finish(Ending::kStopped, context_.until);
    if (timetable_.NextRound() == standing_.next) RunRound(standing_.next);
  }
}

/// Where a run is cut that is to end when round `begins` begins: packets count as soon as it is known when their last
/// words are at their NICs, so the run goes on to the end of the round in which the latest of these is.
Cycle Network::CutBehind(Cycle begins) const {
  const Cycle known = std::max(begins, std::min(KnownBefore(begins), standing_.last_progress + 1));
  const Cycle cycles = timetable_.round();
  return (known + cycles - 1) / cycles * cycles;
}

void Network::GiveUp() {
  Synchronize({});
  Finish(Ending::kStopped, standing_.next == kNever ? standing_.last_event : standing_.next * timetable_.round());
}

/// Collective.
bool Network::AnyNic(bool (Nic::*is)() const) const {
  const auto any = [&](const std::unique_ptr<Node>& node) {
    return node != nullptr && std::any_of(node->nics().begin(), node->nics().end(), std::mem_fn(is));
  };
  return processes_.Largest(std::any_of(nodes_.begin(), nodes_.end(), any) ? 1 : 0) > 0;
}

/// Some host does something at a time that is known, or its NIC does. Collective.
bool Network::HostsWork() const { return AnyNic(&Nic::working); }

/// Nothing is due any more. Collective.
Ending Network::EndingWhenQuiet() const {
  if (standing_.in_flight > 0) return Ending::kStuck;
  bool waits = false, late = false;
  for (const auto& node : nodes_) {
    if (node == nullptr) continue;
    for (const Nic& nic : node->nics()) {
      if (nic.host() == nullptr || nic.host()->over()) continue;
      (nic.host()->busy() ? late : waits) = true;
    }
  }
  const int worst = processes_.Largest(late ? 2 : waits ? 1 : 0);
  return worst == 2 ? Ending::kLate : worst == 1 ? Ending::kWaiting : Ending::kDrained;
}

/// Packets of a plan are left that are created when traffic is over. Collective.
bool Network::PacketsAreLate() const { return options_.till_sent && AnyNic(&Nic::late); }

/// The run is over in `cycle`. What would have come later counts for nothing. `late`: traffic lasts as long as it may.
Ending Network::Finish(Ending ending, Cycle cycle, bool late) {
  cycle_ = cycle;
  ended_ = true;
  if (!late && (ending != Ending::kDrained || options_.EndsByItself())) {
    nics_.end = std::min(nics_.end, cycle);
    nics_.measured.to = std::min(nics_.measured.to, cycle);
  }
  EndSamples(cycle + 1);
  for (const auto& node : nodes_) {
    if (node != nullptr) node->Settle();
  }
  return ending;
}

}  // namespace tilefly::network
