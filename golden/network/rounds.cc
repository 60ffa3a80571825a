// SPDX-License-Identifier: Apache-2.0
// How a network runs: rounds of domains, windows of their switches (docs/network.md, Order of events).
#include <algorithm>
#include <stdexcept>

#include "golden/network/network.h"
#include "support/random.h"

namespace tilefly::golden {

namespace {

/// From a cycle in which a switch decides on a credit return to the far switch's event, less the link's delay. What a
/// link takes needs longer.
constexpr Cycle kReturnToEvent = kCreditToWire + kCreditLatency;
static_assert(kTakeToWire + LinkPacket::kLatency >= kReturnToEvent);
/// Cycles of a window without links between switches, windows of a round without links between domains.
constexpr Cycle kLoneWindow = 256;
constexpr Cycle kLoneRound = 16;

}  // namespace

/// Nothing that a switch decides in a window is an event of another in the same window.
Cycle Network::WindowLength() const {
  const Cycle delay = wiring_.SmallestDelay();
  const Cycle lookahead = delay == kNever ? kLoneWindow : kReturnToEvent + delay;
  return options_.window > 0 ? std::min(options_.window, lookahead) : lookahead;
}

/// The same for domains: whole windows.
Cycle Network::RoundLength() const {
  const Cycle delay = wiring_.SmallestDelay(domains_.domain_of);
  return delay == kNever ? kLoneRound : std::max<Cycle>(1, (kReturnToEvent + delay) / window_);
}

void Network::EnterWhenDue(int node) {
  const Cycle due = nodes_[node]->Due();
  if (due != kNever) windows_[domains_.domain_of[node]].Enter(domains_.place_of[node], due / window_);
}

/// The order of visits, when it is to be drawn.
void Network::Shuffle(Cycle window, std::vector<int>* order) const {
  if (options_.order == 0) return;
  Stream stream(options_.order, 0, static_cast<std::uint64_t>(window), Purpose::kOrder);
  for (std::size_t i = order->size(); i > 1; --i) std::swap((*order)[i - 1], (*order)[stream.Below(i)]);
}

void Network::RunRound(Cycle round) {
  rounds_.Take(round, &visited_domains_);
  Shuffle(round, &visited_domains_);
  const Cycle end = (round + 1) * round_;
  for (const int domain : visited_domains_) {
    bool fetch = true;
    Cycle window;
    for (; (window = windows_[domain].Next()) < end; fetch = false) RunWindow(window, domain, fetch);
    if (window != kNever) rounds_.Enter(domain, window / round_);
  }
}

/// `fetch`: the switches are not in the cache.
void Network::RunWindow(Cycle window, int domain, bool fetch) {
  const std::vector<int>& members = domains_.members[domain];
  windows_[domain].Take(window, &visited_);
  Shuffle(window, &visited_);
  const auto node = [&](std::size_t i) { return nodes_[members[visited_[i]]].get(); };
  const std::size_t count = visited_.size();
  const Cycle end = (window + 1) * window_;
  const Cycle round_end = (window / round_ + 1) * round_ * window_;
  for (std::size_t i = 0; i < count; ++i) {
    if (fetch) {
      if (i + 3 < count) node(i + 3)->PrefetchSelf();
      if (i + 2 < count) node(i + 2)->PrefetchParts();
      if (i + 1 < count) node(i + 1)->PrefetchMessages();
    }
    node(i)->Run(end);
    for (const Outgoing& message : context_.outgoing) nodes_[message.node]->PrefetchInbox(message);
    for (const Outgoing& message : context_.outgoing) nodes_[message.node]->PrefetchTail(message);
    for (const Outgoing& message : context_.outgoing) {
      const Cycle due =
          message.is_credit ? message.credit.wire + kCreditLatency : message.packet.wire + LinkPacket::kLatency;
      const int to = domains_.domain_of[message.node];
      if (due < (to == domain ? end : round_end))
        throw std::logic_error("network: a message for a window that has begun");
      nodes_[message.node]->Receive(message);
      windows_[to].Enter(domains_.place_of[message.node], due / window_);
      if (to != domain) rounds_.Enter(to, due / window_ / round_);
    }
    context_.outgoing.clear();
    EnterWhenDue(members[visited_[i]]);
  }
}

Ending Network::Run(const std::function<bool(Cycle)>& poll) {
  const Cycle cycles = round_ * window_;
  for (;;) {
    const Cycle round = rounds_.Next();
    const Statistics& statistics = context_.statistics;
    if (round == kNever)
      return Finish(statistics.in_flight() == 0 ? Ending::kDrained : Ending::kStuck, context_.last_event);
    const Cycle begins = round * cycles;
    if (statistics.in_flight() > 0 && begins - std::max(context_.last_progress, nics_.begin) > options_.stall_cycles) {
      return Finish(Ending::kStuck, begins);
    }
    if (poll && poll(begins)) return Finish(Ending::kStopped, begins);
    RunRound(round);
    cycle_ = context_.last_event;
  }
}

/// The run is over in `cycle`. What would have come later counts for nothing.
Ending Network::Finish(Ending ending, Cycle cycle) {
  cycle_ = cycle;
  if (ending != Ending::kDrained) {
    nics_.end = std::min(nics_.end, cycle);
    nics_.measured.to = std::min(nics_.measured.to, cycle);
  }
  for (const auto& node : nodes_) {
    for (Nic& nic : node->nics()) nic.Settle();
  }
  return ending;
}

}  // namespace tilefly::golden
