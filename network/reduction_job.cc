// SPDX-License-Identifier: Apache-2.0
#include "network/reduction_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "golden/reduction/red_lanes.h"
#include "network/reduction_check.h"
#include "support/errors.h"
#include "support/text.h"
#include "workload/rank_run.h"

namespace tilefly::network {
namespace {

using workload::Reduction;

constexpr std::int64_t kBackoffNs = 1000;

/// The value whose name in lower case is `text`.
template <typename Value, std::size_t kCount>
Value ValueOf(const std::array<Value, kCount>& values, const std::string& text, const std::string& what) {
  std::vector<std::string> known;
  for (const Value value : values) {
    std::string name = ToString(value);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (name == text) return value;
    known.push_back(name);
  }
  ThrowUnknown(what, text, known);
}

/// Operation and type of the job, which fit together and its bytes.
std::pair<RedOp, RedType> OperationOf(const workload::Job& job) {
  const Reduction& wanted = *job.schedule.reduction;
  const RedOp op = ValueOf(kRedOpValues, wanted.op, "op of --traffic " + job.pattern);
  const RedType type = ValueOf(kRedTypeValues, wanted.type, "type of --traffic " + job.pattern);
  if (!golden::IsLegal(op, type))
    throw UsageError(fmt::format("--traffic {}: no combiner does {} of {}; give another op or type", job.text,
                                 wanted.op, wanted.type));
  if (wanted.bytes % golden::UnitBytes(op, type) != 0)
    throw UsageError(fmt::format("--traffic {}: {} bytes are no whole number of elements of {} bytes; give a multiple",
                                 job.text, wanted.bytes, golden::UnitBytes(op, type)));
  return {op, type};
}

/// Calls `visit(job, index)` for those that reduce in switches.
template <typename Visit>
void ForEachOf(const HostSetup& hosts, Visit&& visit) {
  if (!hosts.used()) return;
  const std::vector<workload::Job>& jobs = hosts.workload->jobs;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (jobs[j].schedule.reduction) visit(jobs[j], j);
  }
}

Cycle TimeoutOf(const workload::Job& job, const Profile& profile) {
  return workload::CyclesOf(job.schedule.reduction->timeout_ns, profile.clock_khz);
}

}  // namespace

bool ReductionJob::Wants(int rank) const {
  if (what == Reduction::What::kReduce) return rank == root;
  return what != Reduction::What::kBroadcast || rank != root;
}

std::vector<TreeWish> TreeWishes(const HostSetup& hosts, const Profile& profile) {
  std::vector<TreeWish> wishes;
  ForEachOf(hosts, [&](const workload::Job& job, std::size_t index) {
    OperationOf(job);
    TreeWish wish{"--traffic " + job.text,
                  {job.endpoints.begin(), job.endpoints.end()},
                  hosts.classes[index],
                  TimeoutOf(job, profile)};
    if (!wishes.empty() && wishes.front().tc != wish.tc) {
      throw UsageError(
          fmt::format("{}: class {}, and another job that reduces in switches is of class {}; lanes {} and {} have one "
                      "class: give both the same",
                      wish.name, wish.tc, wishes.front().tc, kRedUpLane, kRedDownLane));
    }
    wishes.push_back(std::move(wish));
  });
  return wishes;
}

std::vector<ReductionJob> MakeReductionJobs(const HostSetup& hosts, const Profile& profile, const ReductionTrees& trees,
                                            std::uint64_t seed) {
  std::vector<ReductionJob> jobs(hosts.used() ? hosts.workload->jobs.size() : 0);
  std::size_t next = 0;
  ForEachOf(hosts, [&](const workload::Job& job, std::size_t index) {
    const Reduction& wanted = *job.schedule.reduction;
    const ReductionTree& tree = trees.trees()[next++];
    ReductionJob& own = jobs[index];
    own.profile = &profile;
    own.what = wanted.what;
    own.is_short = wanted.is_short;
    std::tie(own.op, own.type) = OperationOf(job);
    own.root = wanted.root;
    own.locked = wanted.locked;
    own.operations = job.schedule.phases;
    own.bytes = wanted.bytes;
    own.group = tree.group;
    own.tc = hosts.classes[index];
    own.timeout = TimeoutOf(job, profile);
    own.send = hosts.reduction_send;
    own.receive = hosts.reduction_receive;
    own.backoff = workload::CyclesOf(kBackoffNs, profile.clock_khz);
    own.seed = seed;
    if (wanted.check) own.check = std::make_shared<ReductionCheck>(own, job, tree);
  });
  return jobs;
}

}  // namespace tilefly::network
