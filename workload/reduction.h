// SPDX-License-Identifier: Apache-2.0
// How the ranks of a job reduce in the switches (docs/reductions.md, Patterns).
#pragma once

#include <cstdint>
#include <string>

namespace tilefly::workload {

/// What the operations of kind kReduce of a schedule do.
struct Reduction {
  enum class What : std::uint8_t { kAllReduce, kReduce, kBroadcast, kBarrier };

  What what = What::kAllReduce;
  bool is_short = false;   ///< short operations, else the streamed tree
  std::int64_t bytes = 0;  ///< of an operation
  std::string op = "sum";  ///< names of the arithmetic page in lower case
  std::string type = "float32";
  int root = 0;                 ///< rank; of kReduce and kBroadcast
  int locked = 0;               ///< operations of a lock, 0: all of the job
  std::int64_t timeout_ns = 0;  ///< 0: none
  bool check = false;           ///< operands are carried, results compared
};

}  // namespace tilefly::workload
