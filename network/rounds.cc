// SPDX-License-Identifier: Apache-2.0
#include "network/rounds.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "golden/common/stage_times.h"
#include "network/background.h"
#include "network/golden_node.h"
#include "network/planned_links.h"
#include "support/random.h"

namespace tilefly::network {

namespace {

/// What a link takes, and an ack that arrives, is on the wire no earlier than a credit return that is decided in the
/// same cycle: GoldenNode::kLead is the least of them.
static_assert(golden::kTakeToWire >= golden::kCreditToWire && golden::kAckToWire >= golden::kCreditToWire);
/// Cycles of a slice without links between switches, slices of a round without links between domains.
constexpr Cycle kLoneSlice = 256;
constexpr Cycle kLoneRound = 16;
/// The most switches of a domain whose memory stays in the cache near a core from one slice to the next.
constexpr std::size_t kCachedSwitches = 4;

}  // namespace

Rounds::Rounds(const NetworkOptions& options, const Wiring& wiring, const Domains& domains, const Nodes& nodes,
               Contexts* contexts, Mail* mail, bool own_cores)
    : options_(options),
      wiring_(wiring),
      domains_(domains),
      nodes_(nodes),
      contexts_(*contexts),
      mail_(*mail),
      timetable_(domains),
      post_(contexts->threads(), domains.count()),
      pinned_(static_cast<std::size_t>(domains.count())),
      thread_of_(static_cast<std::size_t>(domains.count())),
      shares_(static_cast<std::size_t>(contexts->threads())),
      workers_(static_cast<std::size_t>(contexts->threads())),
      errors_(static_cast<std::size_t>(domains.count())),
      crew_(contexts->threads(), own_cores) {
  const Cycle lookahead = Lookahead();
  timetable_.SetLengths(lookahead, SlicesOfRound(lookahead));
  for (std::size_t t = 0; t < workers_.size(); ++t) workers_[t].number = static_cast<int>(t);
  FindPinned();
}

/// Devices may share what is not golden: a model's library, a simulator's kernel. So one thread runs them all.
void Rounds::FindPinned() {
  for (int n = 0; n < nodes_.count(); ++n) {
    if (nodes_.Has(n) && !nodes_[n].is_golden()) pinned_[static_cast<std::size_t>(domains_.domain_of[n])] = 1;
  }
}

/// The fewest cycles from the begin of a switch's run to an event of another that it causes; `part_of`: only of
/// switches whose value in it differs. kNever without such links.
Cycle Rounds::FewestToAnother(const std::vector<int>& part_of) const {
  // All processes must have slices of one length, and none knows which links of the others repeat.
  const bool repeats = options_.retry && (options_.fault_plan != nullptr || !options_.faults.empty());
  const Cycle longest = repeats ? GoldenNode::kRepeatingLead : kNever;
  Cycle smallest = kNever;
  for (int n = 0; n < nodes_.count(); ++n) {
    const Cycle delay = wiring_.SmallestDelay(n, part_of);
    if (delay == kNever) continue;
    const Cycle lead = nodes_.Has(n) ? nodes_[n].lead() : GoldenNode::kLead;
    smallest = std::min(smallest, std::min(lead, longest) + delay + golden::kWireToEvent);
  }
  return smallest;
}

/// Nothing that a switch decides in a slice is an event of another in the same slice.
Cycle Rounds::Lookahead() const {
  const Cycle fewest = FewestToAnother({});
  const Cycle longest = options_.EndsWithJobs() ? kMostRoundOfBackground : kNever;
  const Cycle most = std::min(longest, fewest == kNever ? kLoneSlice : fewest);
  return options_.lookahead > 0 ? std::min(options_.lookahead, most) : most;
}

/// The same for domains: whole slices.
Cycle Rounds::SlicesOfRound(Cycle lookahead) const {
  const Cycle fewest = FewestToAnother(domains_.domain_of);
  const Cycle most = options_.EndsWithJobs() ? kMostRoundOfBackground / lookahead : kNever;
  const Cycle lone = options_.journeys.all ? 1 : kLoneRound;  // packets that ended are kept for a round
  // The manager must know that a link was given up before the link is down.
  const Cycle told = faults::WritesTables(options_.fault_plan.get()) ? std::max<Cycle>(1, NoticeOfDown(0) / lookahead) : kNever;
  return std::min({most, told, fewest == kNever ? lone : std::max<Cycle>(1, fewest / lookahead)});
}

void Rounds::EnterAll() {
  timetable_.Clear();
  for (int n = 0; n < nodes_.count(); ++n) {
    if (!nodes_.Has(n)) continue;
    const Cycle due = nodes_[n].Due();
    nodes_[n].set_entered(due);
    if (due != kNever) timetable_.Enter(n, due);
  }
}

/// The order of visits, when it is to be drawn; `which` of several draws of the same number.
void Rounds::Shuffle(Cycle number, int which, std::vector<int>* order) const {
  if (options_.order == 0) return;
  Stream stream(options_.order, static_cast<std::uint32_t>(which), static_cast<std::uint64_t>(number), Purpose::kOrder);
  for (std::size_t i = order->size(); i > 1; --i) std::swap((*order)[i - 1], (*order)[stream.Below(i)]);
}

void Rounds::Run(Cycle round) {
  DealOut(round);
  if (due_.size() > 1 && contexts_.first().probe == nullptr) {
    crew_.Run([&](int thread) { RunShare(thread, round); });
  } else {
    RunShare(0, round);
  }
  EndRound();
}

/// Each thread's share of the domains of the round: a block, so that it has much the same ones in each round.
void Rounds::DealOut(Cycle round) {
  due_.clear();
  due_of_first_.clear();
  if (timetable_.NextRound() == round) timetable_.TakeDomains(round, &due_);
  due_.insert(due_.end(), post_.waiting().begin(), post_.waiting().end());
  post_.BeginRound();
  std::sort(due_.begin(), due_.end());
  due_.erase(std::unique(due_.begin(), due_.end()), due_.end());
  Shuffle(round, 0, &due_);
  const auto first = std::stable_partition(due_.begin(), due_.end(), [this](int domain) { return !pinned_[domain]; });
  due_of_first_.assign(first, due_.end());
  due_.erase(first, due_.end());
  for (std::size_t t = 0; t < shares_.size(); ++t) {
    shares_[t].next = due_.size() * t / shares_.size();
    shares_[t].end = due_.size() * (t + 1) / shares_.size();
  }
}

void Rounds::RunShare(int thread, Cycle round) {
  Worker* const worker = &workers_[static_cast<std::size_t>(thread)];
  if (thread == 0) {
    for (const int domain : due_of_first_) Visit(domain, round, worker);
  }
  for (int domain; (domain = TakeDomain(thread)) >= 0;) Visit(domain, round, worker);
}

/// The next domain of the thread's share; then of the others'. -1: all are taken.
int Rounds::TakeDomain(int thread) {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    Share& share = shares_[(static_cast<std::size_t>(thread) + i) % shares_.size()];
    if (share.next >= share.end) continue;
    if (const std::size_t at = share.next++; at < share.end) return due_[at];
  }
  return -1;
}

void Rounds::Visit(int domain, Cycle round, Worker* worker) {
  try {
    RunDomain(domain, round, worker);
  } catch (...) {
    contexts_[worker->number].outgoing.clear();
    contexts_[worker->number].hurried.clear();
    errors_[static_cast<std::size_t>(domain)] = std::current_exception();
  }
}

void Rounds::RunDomain(int domain, Cycle round, Worker* worker) {
  Use(domain, worker->number);
  const Cycle begin = round * timetable_.round();
  post_.TakeFor(domain, [&](const std::vector<LinkMessage>& messages) { Deliver(messages, begin); });
  bool first = true;
  for (Cycle slice; (slice = timetable_.NextSlice(domain, round)) != kNever; first = false)
    RunSlice(slice, domain, first, worker);
}

/// The domain's nodes count in the thread's context from now on.
void Rounds::Use(int domain, int thread) {
  int& before = thread_of_[static_cast<std::size_t>(domain)];
  if (before == thread) return;
  before = thread;
  for (const int node : domains_.members[domain]) nodes_[node].Use(&contexts_[thread]);
}

/// No message that comes later is due before cycle `from`.
void Rounds::Deliver(const std::vector<LinkMessage>& messages, Cycle from) {
  constexpr std::size_t kAhead = 4;  // messages; in two steps, as one needs what the other has asked for
  const std::size_t count = messages.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 2 * kAhead < count) nodes_[messages[i + 2 * kAhead].node].PrefetchInbox(messages[i + 2 * kAhead]);
    if (i + kAhead < count) nodes_[messages[i + kAhead].node].PrefetchTail(messages[i + kAhead]);
    nodes_[messages[i].node].Receive(messages[i], from);
    EnterFor(messages[i].node, messages[i].Due());
  }
}

/// `first`: of the domain's slices in this round.
void Rounds::RunSlice(Cycle slice, int domain, bool first, Worker* worker) {
  const std::vector<int>& members = domains_.members[domain];
  const bool fetch = first || members.size() > kCachedSwitches;
  std::vector<int>* const visited = &worker->visited;
  timetable_.TakeSwitches(domain, slice, visited);
  Shuffle(slice, domain + 1, visited);
  const auto node = [&](std::size_t i) { return &nodes_[members[(*visited)[i]]]; };
  const std::size_t count = visited->size();
  const Cycle end = (slice + 1) * timetable_.lookahead();
  for (std::size_t i = 0; i < count; ++i) {
    if (fetch) {
      if (i + 3 < count) nodes_.PrefetchSelf(members[(*visited)[i + 3]]);
      if (i + 2 < count) node(i + 2)->PrefetchParts();
      if (i + 1 < count) node(i + 1)->PrefetchMessages();
    }
    node(i)->Run(end);
    SendOutgoing(domain, end, worker);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (fetch && i + 1 < count) node(i + 1)->PrefetchNics();
    node(i)->RunPutOff(end);
    const Cycle due = node(i)->Due();
    node(i)->set_entered(due);
    if (due != kNever) timetable_.EnterInDomain(members[(*visited)[i]], due);
  }
}

/// What a switch of the domain has for others in the slice that ends with `end`.
void Rounds::SendOutgoing(int domain, Cycle end, Worker* worker) {
  NodeContext& context = contexts_[worker->number];
  for (const int node : context.hurried) timetable_.EnterInDomain(node, nodes_[node].entered());
  context.hurried.clear();
  std::vector<LinkMessage>& outgoing = context.outgoing;
  const auto inside = [&](const LinkMessage& message) { return domains_.domain_of[message.node] == domain; };
  for (const LinkMessage& message : outgoing) {
    if (inside(message)) nodes_[message.node].PrefetchInbox(message);
  }
  for (const LinkMessage& message : outgoing) {
    if (inside(message)) nodes_[message.node].PrefetchTail(message);
  }
  const Cycle round_end = (timetable_.RoundOf(end - 1) + 1) * timetable_.round();
  for (const LinkMessage& message : outgoing) {
    const Cycle due = message.Due();
    if (due < (inside(message) ? end : round_end)) Node::ThrowEarly();
    if (inside(message)) {
      nodes_[message.node].Receive(message, end);
      EnterFor(message.node, due);
    } else {
      post_.Send(worker->number, domains_.domain_of[message.node], message, timetable_.RoundOf(due));
    }
  }
  outgoing.clear();
}

void Rounds::EndRound() {
  for (const std::vector<int>* const domains : {&due_of_first_, &due_}) {
    for (const int domain : *domains) {
      if (const Cycle next = timetable_.NextRoundOf(domain); next != kNever) timetable_.EnterRound(domain, next);
    }
  }
  post_.EndRound([this](int domain) { return !nodes_.HasDomain(domain); },
                 [this](int domain, const std::vector<LinkMessage>& messages) {
                   for (const LinkMessage& message : messages)
                     mail_.Send(message, nodes_.ProcessOfDomain(domain), timetable_.RoundOf(message.Due()));
                 });
  std::exception_ptr first;
  for (std::exception_ptr& error : errors_) {
    if (error && !first) first = error;
    error = nullptr;
  }
  if (first) std::rethrow_exception(first);
}

void Rounds::Settle(Cycle from) {
  std::vector<int> waiting = post_.waiting();
  post_.BeginRound();
  for (const int domain : waiting) {
    post_.TakeFor(domain, [&](const std::vector<LinkMessage>& messages) { Deliver(messages, from); });
    timetable_.EnterRound(domain, timetable_.NextRoundOf(domain));
  }
  for (int domain = 0; domain < domains_.count(); ++domain) {
    if (nodes_.HasDomain(domain)) Use(domain, 0);
  }
}

}  // namespace tilefly::network
