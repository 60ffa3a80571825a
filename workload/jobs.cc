// SPDX-License-Identifier: Apache-2.0
#include "workload/jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/errors.h"
#include "support/key_values.h"
#include "support/random.h"
#include "support/text.h"
#include "workload/goal.h"
#include "workload/patterns.h"

namespace tilefly::workload {
namespace {

/// Of a pattern.
constexpr int kLeastRanks = 2;

/// A job of --traffic whose ranks are not counted yet.
struct Draft {
  explicit Draft(const std::string& text) : pattern(text), keys("--traffic " + pattern.name, pattern.keys), text(text) {
    tc = keys.Text("class", "0");
    for (const std::string& part : Split(keys.Text("at", ""), '/'))
      at.push_back(static_cast<std::int32_t>(ParseInteger(part, keys.origin() + ": at")));
    const int ranks_given = keys.Integer("ranks", 0, 0, 1 << 20, "ranks");
    if (keys.Has("ranks") && ranks_given == 0)
      throw UsageError(fmt::format(
          "{}: ranks=0 is a job without ranks; give {} or more, or leave ranks out for the endpoints that are left",
          keys.origin(), kLeastRanks));
    if (ranks_given != 0 && !at.empty() && ranks_given != static_cast<int>(at.size()))
      throw UsageError(
          fmt::format("{}: {} places for {} ranks; leave ranks out", keys.origin(), at.size(), ranks_given));
    ranks = at.empty() ? ranks_given : static_cast<int>(at.size());
  }

  PatternText pattern;
  KeyValues keys;
  std::string text;
  std::string tc;
  std::vector<std::int32_t> at;  ///< endpoints, empty: to be allocated
  int ranks = 0;                 ///< 0: the endpoints that are left
  int most_ranks = 0;            ///< that key `ranks` could give it beside the other jobs, 0: none (at=)
};

/// Jobs that do not say how many ranks they have share what is left.
void ShareRanks(int left, std::vector<Draft>* drafts) {
  int sharing = 0;
  for (const Draft& draft : *drafts) {
    left -= draft.ranks;
    sharing += draft.ranks == 0;
  }
  for (Draft& draft : *drafts) {
    const int others = sharing - (draft.ranks == 0 ? 1 : 0);
    draft.most_ranks = draft.at.empty() ? draft.ranks + left - kLeastRanks * others : 0;
  }
  for (Draft& draft : *drafts) {
    if (draft.ranks != 0) continue;
    draft.ranks = std::max(0, left) / sharing;
    left -= draft.ranks;
    --sharing;
  }
}

/// Key `repeat`: yes, no, or a time.
void ReadRepeat(KeyValues* keys, Schedule* schedule) {
  const std::string text = keys->Text("repeat", "no");
  schedule->repeats = text != "no";
  if (!schedule->repeats) return;
  if (text != "yes") schedule->repeats_ns = ParseNanoseconds(text, keys->origin() + ": repeat: yes, no or a time");
  if (schedule->reduction)
    throw UsageError(
        fmt::format("{}: jobs that reduce in the switches do not repeat; leave repeat out, and give more iterations",
                    keys->origin()));
}

/// Jobs that repeat end with the others.
void CheckEnd(const std::string& option, const Workload& workload) {
  const bool ends = std::any_of(workload.jobs.begin(), workload.jobs.end(),
                                [](const Job& job) { return !job.idle && !job.schedule.repeats; });
  if (!ends && workload.Repeats())
    throw UsageError(fmt::format(
        "{}: all jobs repeat until the others are done, and there are none; give one without repeat=", option));
}

}  // namespace

const std::vector<std::string>& AllocationNames() {
  static const std::vector<std::string> names = {"linear", "interleaved", "random"};
  return names;
}

Allocation ParseAllocation(const std::string& text) {
  const auto found = std::find(AllocationNames().begin(), AllocationNames().end(), text);
  if (found == AllocationNames().end()) ThrowUnknown("allocation", text, AllocationNames());
  return static_cast<Allocation>(found - AllocationNames().begin());
}

std::int64_t Workload::RanksThatEnd() const {
  std::int64_t sum = 0;
  for (const Job& job : jobs) sum += job.schedule.repeats ? 0 : static_cast<std::int64_t>(job.schedule.ranks.size());
  return sum;
}

bool Workload::Repeats() const {
  return std::any_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.schedule.repeats; });
}

std::vector<int> Workload::Free() const {
  std::vector<int> free;
  for (std::size_t e = 0; e < seats.size(); ++e) {
    if (seats[e].job < 0) free.push_back(static_cast<int>(e));
  }
  return free;
}

bool IsPattern(const std::string& traffic) {
  const std::string name = traffic.substr(0, traffic.find_first_of(":+"));
  return std::find(PatternNames().begin(), PatternNames().end(), name) != PatternNames().end();
}

Workload MakeWorkload(const std::string& traffic, const std::string& goal, int endpoints, Allocation allocation,
                      std::uint64_t seed, const HostCosts& costs) {
  Workload workload;
  workload.seats.resize(static_cast<std::size_t>(endpoints));
  if (!goal.empty()) {
    Job job;
    job.text = goal;
    job.pattern = "goal";
    job.schedule = ReadGoal(goal);
    workload.jobs.push_back(std::move(job));
  }
  std::vector<Draft> drafts;
  for (const std::string& text : Split(traffic, '+')) drafts.emplace_back(text);
  ShareRanks(endpoints - (goal.empty() ? 0 : static_cast<int>(workload.jobs[0].schedule.ranks.size())), &drafts);
  for (Draft& draft : drafts) {
    Job job;
    job.text = draft.text;
    job.tc = draft.tc;
    if (draft.ranks > endpoints)
      throw UsageError(
          fmt::format("{}: {} ranks for {} endpoints; a rank takes one", draft.keys.origin(), draft.ranks, endpoints));
    if (draft.ranks == 0)
      throw UsageError(
          fmt::format("{}: the other jobs leave no endpoint for it; give them fewer ranks, or a larger "
                      "topology",
                      draft.keys.origin()));
    job.schedule = MakePattern(draft.pattern, &draft.keys, draft.ranks, seed + workload.jobs.size(), costs,
                               draft.most_ranks);
    job.pattern = job.schedule.name;
    ReadRepeat(&draft.keys, &job.schedule);
    draft.keys.Finish();
    job.endpoints = draft.at;
    workload.jobs.push_back(std::move(job));
  }
  CheckEnd("--traffic " + traffic, workload);
  Allocate(allocation, seed, &workload);
  for (Job& job : workload.jobs) job.plan = MakePlan(job.schedule);
  return workload;
}

void RunOnly(const std::string& numbers, Workload* workload) {
  const auto count = static_cast<std::int64_t>(workload->jobs.size());
  std::vector<bool> runs(workload->jobs.size(), false);
  for (const std::string& text : Split(numbers, '/')) {
    const std::int64_t job = ParseInteger(text, "--only");
    if (job < 0 || job >= count)
      throw UsageError(fmt::format("--only {}: there is no job {}; they are 0 to {}, a --goal file first", numbers, job,
                                   count - 1));
    if (runs[static_cast<std::size_t>(job)])
      throw UsageError(fmt::format("--only {}: job {} is named twice; give it once", numbers, job));
    runs[static_cast<std::size_t>(job)] = true;
  }
  for (std::size_t j = 0; j < runs.size(); ++j) {
    if (runs[j]) continue;
    Job& job = workload->jobs[j];
    job.idle = true;
    job.schedule.repeats = false;
    for (Rank& rank : job.schedule.ranks) rank = {};
    job.plan = MakePlan(job.schedule);
  }
  CheckEnd("--only " + numbers, *workload);
}

void Allocate(Allocation allocation, std::uint64_t seed, Workload* workload) {
  const auto seat = [&](int job, std::int32_t endpoint, std::size_t rank) {
    Seat& place = workload->seats[endpoint];
    if (place.job >= 0)
      throw UsageError(fmt::format("--traffic {}: endpoint {} has a rank already; give each endpoint once",
                                   workload->jobs[job].text, endpoint));
    place = {job, static_cast<std::int32_t>(rank)};
  };
  std::vector<int> order;  // the job of each rank that is to be allocated, in the order in which they get endpoints
  std::vector<std::size_t> left;
  for (std::size_t j = 0; j < workload->jobs.size(); ++j) {
    const Job& job = workload->jobs[j];
    left.push_back(job.endpoints.empty() ? job.schedule.ranks.size() : 0);
    for (std::size_t rank = 0; rank < job.endpoints.size(); ++rank) {
      const std::int32_t endpoint = job.endpoints[rank];
      if (endpoint < 0 || endpoint >= static_cast<std::int32_t>(workload->seats.size()))
        throw UsageError(fmt::format("--traffic {}: there is no endpoint {}; they are 0 to {}", job.text, endpoint,
                                     workload->seats.size() - 1));
      seat(static_cast<int>(j), endpoint, rank);
    }
  }
  std::vector<int> free = workload->Free();
  std::size_t wanted = 0;
  for (const std::size_t count : left) wanted += count;
  if (wanted > free.size())
    throw UsageError(
        fmt::format("--traffic, --goal: {} ranks for {} endpoints; a rank takes one", wanted, free.size()));
  if (allocation == Allocation::kRandom) {
    Stream stream(seed, 1, 0, Purpose::kWorkload);
    for (std::size_t i = free.size(); i > 1; --i) std::swap(free[i - 1], free[stream.Below(i)]);
  }
  if (allocation == Allocation::kInterleaved) {
    for (bool some = true; some;) {
      some = false;
      for (std::size_t j = 0; j < left.size(); ++j) {
        if (left[j] == 0) continue;
        order.push_back(static_cast<int>(j));
        some = --left[j] > 0 || some;
      }
    }
  } else {
    for (std::size_t j = 0; j < left.size(); ++j) order.insert(order.end(), left[j], static_cast<int>(j));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::vector<std::int32_t>& endpoints = workload->jobs[order[i]].endpoints;
    seat(order[i], free[i], endpoints.size());
    endpoints.push_back(free[i]);
  }
}

}  // namespace tilefly::workload
