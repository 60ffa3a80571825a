// SPDX-License-Identifier: Apache-2.0
#include "network/wait_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "network/first_cycle.h"

namespace tilefly::network {
namespace {

using workload::Kind;
using State = workload::RankRun::State;

/// Lines of the report.
constexpr std::size_t kMostReceives = 20;

/// What the ranks of the jobs have done, by job and rank.
class JobStates {
 public:
  /// Collective: complete on the first process.
  explicit JobStates(const Network& network) : workload_(*network.options().hosts.workload) {
    for (const workload::Job& job : workload_.jobs) {
      states_.emplace_back(job.endpoints.size());
      reductions_.emplace_back(job.endpoints.size());
      failed_.emplace_back(job.endpoints.size());
    }
    SavedBytes own;
    Saver save(&own);
    for (int n = 0; n < network.nodes(); ++n) {
      if (!network.Has(n)) continue;
      for (const Nic& nic : network.node(n).nics()) {
        if (nic.IsOfJob()) SaveHost(*nic.host(), &save);
      }
    }
    Add(own);
    for (const SavedBytes& bytes : network.processes().Gather(own)) Add(bytes);
  }

  int jobs() const { return static_cast<int>(states_.size()); }
  int ranks(int job) const { return static_cast<int>(states_[job].size()); }
  /// By operation.
  const std::vector<State>& states(int job, int rank) const { return states_[job][rank]; }
  const workload::Rank& rank(int job, int rank) const { return workload_.jobs[job].schedule.ranks[rank]; }
  /// It has stopped, and waits for nothing.
  bool failed(int job, int rank) const { return failed_[job][rank]; }
  /// How far the reduction of a rank is.
  const std::string& reduction(int job, int rank) const { return reductions_[job][rank]; }

  /// Adds to `found` the receives that `operation`, which has not begun, waits for in its own rank.
  void AddHeld(int job, int rank_number, int operation, std::set<int>* found) {
    const std::vector<State>& state = states(job, rank_number);
    const auto& before = BeforeOf(job, rank_number);
    std::set<int> seen = {operation};
    std::vector<int> open = {operation};
    while (!open.empty()) {
      const auto waits = before.equal_range(open.back());
      open.pop_back();
      for (auto one = waits.first; one != waits.second; ++one) {
        const int on = one->second;
        if (state[on] == State::kStarted) found->insert(on);
        if (state[on] == State::kWaiting && seen.insert(on).second) open.push_back(on);
      }
    }
  }

 private:
  /// By operation: those of its rank that it still waits for.
  const std::multimap<int, int>& BeforeOf(int job, int rank_number) {
    const auto [found, is_new] = before_.try_emplace({job, rank_number});
    if (!is_new) return found->second;
    const std::vector<State>& state = states(job, rank_number);
    for (const workload::Dependency& one : rank(job, rank_number).dependencies) {
      if (state[one.on] == State::kWaiting || (state[one.on] == State::kStarted && !one.started))
        found->second.emplace(one.operation, one.on);
    }
    return found->second;
  }

  static void SaveHost(const Host& host, Saver* save) {
    std::vector<State> states(static_cast<std::size_t>(host.run().operations()));
    for (std::size_t i = 0; i < states.size(); ++i) states[i] = host.run().state(static_cast<int>(i));
    (*save)(host.seat().job, host.seat().rank, states, host.Waiting(), host.failed());
  }
  void Add(const SavedBytes& bytes) {
    for (Loader load(bytes); !load.AtEnd();) {
      const int job = load.Get<int>();
      const int rank = load.Get<int>();
      load(states_[job][rank], reductions_[job][rank]);
      failed_[job][rank] = load.Get<bool>();
    }
  }

  const workload::Workload& workload_;
  std::vector<std::vector<std::vector<State>>> states_;
  std::vector<std::vector<std::string>> reductions_;
  std::vector<std::vector<bool>> failed_;
  std::map<std::pair<int, int>, std::multimap<int, int>> before_;
};

}  // namespace

WaitReport::WaitReport(const Network& network) {
  JobStates all(network);
  SavedBytes own;
  Saver save(&own);
  dropped = network.statistics().dropped();
  for (int n = 0; n < network.nodes(); ++n) {
    if (!network.Has(n)) continue;
    for (const Nic& nic : network.node(n).nics()) given_up += nic.counters().given_up;
  }
  save(dropped, given_up);
  for (const SavedBytes& bytes : network.processes().Gather(own)) {
    if (bytes.empty()) continue;
    Adder add(bytes);
    add(dropped, given_up);
  }
  if (!network.processes().first()) return;
  std::map<std::tuple<int, int, int>, int> index;                               // receives: job, rank, operation
  std::map<std::tuple<int, int, int, std::uint32_t>, std::vector<int>> unsent;  // job, from, to, tag
  for (int job = 0; job < all.jobs(); ++job) {
    for (int rank = 0; rank < all.ranks(job); ++rank) {
      if (all.failed(job, rank)) continue;
      const std::vector<State>& states = all.states(job, rank);
      const auto operations = static_cast<int>(states.size());
      ranks += std::any_of(states.begin(), states.end(), [](State state) { return state != State::kComplete; });
      for (int i = 0; i < operations; ++i) {
        const workload::Operation& one = all.rank(job, rank).operations[i];
        const State state = states[i];
        if (one.kind == Kind::kSend && state == State::kWaiting) unsent[{job, rank, one.peer, one.tag}].push_back(i);
        const bool waits = one.kind == Kind::kReceive || one.kind == Kind::kReduce;
        if (!waits || state != State::kStarted) continue;
        index[{job, rank, i}] = static_cast<int>(receives.size());
        receives.push_back({job, rank, i, one.kind == Kind::kReduce ? all.reduction(job, rank) : "", {}});
      }
    }
  }
  std::vector<std::vector<int>> next;
  for (WaitingReceive& one : receives) {
    const workload::Operation& receive = all.rank(one.job, one.rank).operations[one.operation];
    std::set<int> held;
    for (const int send : unsent[{one.job, receive.peer, one.rank, receive.tag}])
      all.AddHeld(one.job, receive.peer, send, &held);
    for (const int other : held) {
      if (const auto found = index.find({one.job, receive.peer, other}); found != index.end())
        one.waits_for.push_back(found->second);
    }
    next.push_back(one.waits_for);
  }
  cycle = FirstCycle(next);
}

/// A line about a receive.
std::string WaitReport::Line(const Network& network, const WaitingReceive& one) const {
  const std::vector<workload::Job>& jobs = network.options().hosts.workload->jobs;
  return fmt::format("  {}rank {} waits: {}{}\n",
                     jobs.size() > 1 ? fmt::format("job {} ({}) ", one.job, jobs[one.job].pattern) : "", one.rank,
                     jobs[one.job].schedule.Describe(one.rank, one.operation),
                     one.reduction.empty() ? "" : ": " + one.reduction);
}

std::string WaitReport::Lines(const Network& network) const {
  std::string text;
  for (std::size_t i = 0; i < receives.size() && i < kMostReceives; ++i) text += Line(network, receives[i]);
  if (receives.size() > kMostReceives) text += fmt::format("  and {} more\n", receives.size() - kMostReceives);
  return text;
}

std::string WaitReport::Text(const Network& network) const {
  std::string text = fmt::format("the schedule does not end: {} for messages, and nothing is under way\n",
                                 ranks == 1 ? "1 rank waits" : fmt::format("{} ranks wait", ranks));
  if (given_up > 0)
    text += fmt::format("{} packets were given up after {} resends; give more --resends or a longer --resend\n",
                        given_up, network.options().nics.most_resends);
  if (dropped > 0 && !network.options().nics.resends())
    text += fmt::format("{} packets were dropped, and nothing sends them again; give --resend TIME\n", dropped);
  if (cycle.empty()) return text + Lines(network);
  text += fmt::format("a cycle of {}, the message of each is sent only when the next has its own:\n", cycle.size());
  for (std::size_t i = 0; i < cycle.size() && i < kMostReceives; ++i) text += Line(network, receives[cycle[i]]);
  if (cycle.size() > kMostReceives) text += fmt::format("  and {} more\n", cycle.size() - kMostReceives);
  return text;
}

}  // namespace tilefly::network
