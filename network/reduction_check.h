// SPDX-License-Identifier: Apache-2.0
// Operands of a job, and what must come of them: element by element on this machine, in the order of the tree
// (docs/reductions.md, Patterns: check).
#pragma once

#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "network/machine_arithmetic.h"
#include "network/red_packets.h"
#include "network/reduction_job.h"

namespace tilefly::network {

/// Switches have made something else of a job's operands than this machine, or send a host what it did not ask for.
class WrongResult : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ReductionCheck {
 public:
  /// All of it is referred to and must outlive this.
  ReductionCheck(const ReductionJob& job, const workload::Job& ranks, const ReductionTree& tree);

  /// What the rank contributes to part `part` of an operation.
  std::vector<std::uint8_t> Operands(int rank, int operation, int part) const;
  /// Throws WrongResult, which begins with `where`, unless the packet has the result. Any thread may.
  void Compare(int operation, int part, const RedPacket& packet, const std::string& where);

 private:
  using Elements = std::vector<Element>;
  /// What somebody contributes, if anything.
  struct Vector {
    bool full = false;
    Elements elements;
  };

  int CountOf(int part) const;
  Elements Drawn(int rank, int operation, int part) const;
  void Add(const Vector& other, Vector* sum) const;
  Vector ResultOf(const TreeNode& node, int operation, int part) const;
  std::vector<std::uint8_t> BytesOf(const Elements& elements) const;
  std::vector<std::uint8_t> Expected(int operation, int part);

  const ReductionJob& job_;
  const ReductionTree& tree_;
  const MachineArithmetic arithmetic_;
  std::map<int, int> rank_of_;                                        ///< by endpoint
  std::mutex mutex_;                                                  ///< of what follows
  std::map<std::pair<int, int>, std::vector<std::uint8_t>> results_;  ///< of late, by operation and part
};

}  // namespace tilefly::network
