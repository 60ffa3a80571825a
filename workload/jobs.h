// SPDX-License-Identifier: Apache-2.0
// The jobs of a run and where their ranks are (docs/workloads.md, Jobs).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workload/host_costs.h"
#include "workload/plan.h"
#include "workload/schedule.h"

namespace tilefly::workload {

/// How ranks get their endpoints.
enum class Allocation { kLinear, kInterleaved, kRandom };
const std::vector<std::string>& AllocationNames();
/// Throws UsageError.
Allocation ParseAllocation(const std::string& text);

struct Job {
  std::string text;      ///< as given
  std::string pattern;   ///< "alltoall", "allreduce:ring", ...; "goal" of a file
  std::string tc = "0";  ///< traffic class as given: a number or a name
  Schedule schedule;
  std::vector<RankPlan> plan;
  std::vector<std::int32_t> endpoints;  ///< by rank
  bool idle = false;                    ///< its ranks have their endpoints and nothing to do
};

/// The rank of an endpoint.
struct Seat {
  std::int32_t job = -1;  ///< -1: none
  std::int32_t rank = -1;
};

struct Workload {
  /// Of the jobs that do not repeat.
  std::int64_t RanksThatEnd() const;
  /// Whether some job repeats.
  bool Repeats() const;
  /// Endpoints without a rank, increasing.
  std::vector<int> Free() const;

  std::vector<Job> jobs;
  std::vector<Seat> seats;  ///< by endpoint
};

/// Whether `traffic` is a message pattern, or several joined by '+'.
bool IsPattern(const std::string& traffic);

/// The jobs of `goal`, a file (empty: none), and of `traffic`, message patterns (empty: none), on the endpoints of a
/// system. Hosts of patterns have `costs`; a file has what it says. Throws UsageError.
Workload MakeWorkload(const std::string& traffic, const std::string& goal, int endpoints, Allocation allocation,
                      std::uint64_t seed, const HostCosts& costs = {});

/// All jobs but those with these numbers become idle; "0/2". What the system is, its routes, lanes and places, stays as
/// it is with all of them. Throws UsageError for a number that there is not, or twice.
void RunOnly(const std::string& numbers, Workload* workload);

/// Puts the ranks of the jobs without endpoints on those that are free. Throws UsageError when they are too few.
void Allocate(Allocation allocation, std::uint64_t seed, Workload* workload);

}  // namespace tilefly::workload
