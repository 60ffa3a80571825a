// SPDX-License-Identifier: Apache-2.0
// What the ranks of a job do (docs/workloads.md, Schedules): operations and what each waits for, as in GOAL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workload/reduction.h"

namespace tilefly::workload {

/// Number of a clock cycle of the network.
using Cycle = std::int64_t;
inline constexpr Cycle kNoCycle = INT64_MAX;
/// Of a message.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;

/// kReduce: a reduction that the switches do, in which all ranks of the job take part.
enum class Kind : std::uint8_t { kSend, kReceive, kCalc, kReduce };

struct Operation {
  Kind kind;
  std::uint8_t cpu = 0;     ///< of kCalc: operations of one CPU run one after another
  std::int32_t peer = -1;   ///< rank; of kSend and kReceive
  std::uint32_t tag = 0;    ///< likewise
  std::int32_t phase = 0;   ///< iteration it belongs to
  std::int64_t amount = 0;  ///< bytes; of kCalc: ns
  bool by_nic = false;      ///< of kSend and kReceive: no work of the rank's CPU, as at the target of a put or a get
};

/// An operation waits for another of the same rank.
struct Dependency {
  std::int32_t operation;
  std::int32_t on;
  bool started;  ///< waits until it has begun; else: until it is complete
};

/// Where a file says it.
struct Label {
  std::string name;  ///< empty: none
  int line = 0;
  int column = 0;
};

struct Rank {
  std::vector<Operation> operations;
  std::vector<Dependency> dependencies;
  std::vector<Label> labels;  ///< by operation; empty: no file
};

struct Schedule {
  std::string name;  ///< as given: "alltoall:bytes=4096", a file
  std::vector<Rank> ranks;
  int phases = 1;                      ///< iterations
  bool repeats = false;  ///< the ranks begin anew whenever they are done, until the jobs that do not repeat are done
  std::int64_t repeats_ns = kEver;  ///< no repetition begins later, from the begin of the jobs on
  static constexpr std::int64_t kEver = INT64_MAX;
  std::int64_t bytes = 0;              ///< of a pattern: its key `bytes`
  std::optional<Reduction> reduction;  ///< what operations of kind kReduce do; empty: there are none

  /// Bytes of all sends.
  std::int64_t Bytes() const;
  /// "recv 8b from 1 tag 3 (l2, line 17)".
  std::string Describe(int rank, int operation) const;
};

/// Throws UsageError for what cannot be executed: a rank that there is not or that is the own, a cycle of dependencies,
/// a message that nobody sends or receives, a receive that is too short for its message.
void Check(const Schedule& schedule);

}  // namespace tilefly::workload
