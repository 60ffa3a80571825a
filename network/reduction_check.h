// SPDX-License-Identifier: Apache-2.0
// The operands of a job, and the results that they must have. They are computed element by element on this machine, in
// the order of the tree (docs/reductions.md, Patterns: check).
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

/// The result of the switches differs from that of this machine, or a host gets a packet that it did not ask for.
class WrongResult : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ReductionCheck {
 public:
  /// Refers to all its arguments, which must outlive it.
  ReductionCheck(const ReductionJob& job, const workload::Job& ranks, const ReductionTree& tree);

  /// What the rank contributes to part `part` of an operation, in bytes.
  std::vector<std::uint8_t> Operands(int rank, int operation, int part) const;
  /// Throws WrongResult, whose text begins with `where`, unless the packet has the result. Any thread may call it.
  void Compare(int operation, int part, const RedPacket& packet, const std::string& where);

 private:
  using Elements = std::vector<Element>;
  /// A contribution; `full` is false when there is none.
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
  std::map<int, int> rank_of_;                                        ///< by endpoint: its rank
  std::mutex mutex_;                                                  ///< protects the results
  std::map<std::pair<int, int>, std::vector<std::uint8_t>> results_;  ///< recent results, by operation and part
};

}  // namespace tilefly::network
