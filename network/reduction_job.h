// SPDX-License-Identifier: Apache-2.0
// What the hosts of a job that reduces in the switches share (docs/reductions.md, Hosts).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "golden/reduction/arithmetic.h"
#include "network/host_setup.h"
#include "network/reduction_trees.h"

namespace tilefly::network {

class ReductionCheck;

struct ReductionJob {
  /// Whether the rank has operands, and (below) whether it wants the result.
  bool Contributes(int rank) const { return what != workload::Reduction::What::kBroadcast || rank == root; }
  bool Wants(int rank) const;
  /// Most bytes of data in a packet, and (below) packets of an operation.
  int part_bytes() const { return is_short ? profile->red_short_bytes : profile->red_bytes; }
  int parts() const { return static_cast<int>(std::max<std::int64_t>(1, (bytes + part_bytes() - 1) / part_bytes())); }
  int BytesOf(int part) const {
    return static_cast<int>(std::min<std::int64_t>(part_bytes(), bytes - std::int64_t{part} * part_bytes()));
  }

  const Profile* profile = nullptr;  ///< null: the job does not reduce in switches
  workload::Reduction::What what{};
  bool is_short = false;
  RedOp op{};
  RedType type{};
  int root = 0;
  int locked = 0;          ///< operations for which a lock lasts; 0: all
  int operations = 0;      ///< of each rank
  std::int64_t bytes = 0;  ///< bytes of an operation
  int group = 0;
  int tc = 0;
  Cycle timeout = 0;  ///< in cycles; 0: none
  Cycle send = 0;     ///< time of a host at the begin of an operation, in cycles
  Cycle receive = 0;  ///< time of a host when its last result has come, in cycles
  Cycle backoff = 0;
  std::uint64_t seed = 0;
  std::shared_ptr<ReductionCheck> check;  ///< null: no results are compared
};

/// The trees that the jobs want, as far as they reduce in switches. Throws UsageError for operations that do not exist.
std::vector<TreeWish> TreeWishes(const HostSetup& hosts, const Profile& profile);

/// Makes the jobs, by number. `trees` are those of the wishes.
std::vector<ReductionJob> MakeReductionJobs(const HostSetup& hosts, const Profile& profile, const ReductionTrees& trees,
                                            std::uint64_t seed);

}  // namespace tilefly::network
