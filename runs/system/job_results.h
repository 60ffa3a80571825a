// SPDX-License-Identifier: Apache-2.0
// Results of the jobs of a run (docs/workloads.md, Results).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "network/network.h"

namespace tilefly::runs {

/// Cycles of each iteration that has ended, all of its operations on all ranks: from the end of the one before.
std::vector<Cycle> IterationsOf(const network::Network& network, const workload::Job& job,
                                const workload::JobStatistics& statistics);
/// Field `jobs` of results.json. `statistics`: of all processes, by job.
nlohmann::ordered_json JobsJson(const network::Network& network,
                                const std::vector<workload::JobStatistics>& statistics);
/// Field `reduction_trees`: an entry for each job that reduces in switches.
nlohmann::ordered_json ReductionTreesJson(const network::Network& network);
/// A sentence about each job that has failed, empty: none has; from JobsJson.
std::string FailedJobs(const nlohmann::ordered_json& jobs);
/// The last job's completion in ns, null when one is not done; from JobsJson.
nlohmann::ordered_json CompletionOf(const nlohmann::ordered_json& jobs);
/// `jobs.csv`: one line for each iteration of each job.
std::string JobsCsv(const network::Network& network, const std::vector<workload::JobStatistics>& statistics);
/// A sentence about each job for the summary, from JobsJson.
std::vector<std::string> JobLines(const nlohmann::ordered_json& jobs);

}  // namespace tilefly::runs
