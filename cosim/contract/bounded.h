// SPDX-License-Identifier: Apache-2.0
// The contract of transaction models (docs/systemc.md, Contract): by how much a run with a bounded device may differ
// from a run without one, and by how much it differed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cosim/scoreboard/scoreboard.h"

namespace tilefly::cosim {

/// Bounds of differences, as shares of the reference's value.
struct ContractBounds {
  double mean = 0.02;          ///< of the mean latency, below `latency_load`
  double p99 = 0.05;           ///< of the 99th percentile of latency, below `latency_load`
  double latency_load = 0.8;   ///< offered load, share of the word slots
  double throughput = 0.01;    ///< accepted load, and so the number of packets that found their way onto a link
  double completion = 0.02;    ///< of the completion time of a job
  double drop_share = 0.01;    ///< of the packets, where a class may lose some (CLASS_FULL)
};

/// A job of a system.
struct ContractJob {
  std::string name;
  std::int64_t operations = 0;  ///< messages that arrived; of reductions in switches: operations complete at a rank
  int failure = -1;             ///< code of the first failure, -1: none
  double completion = 0;        ///< of its last operation, cycles from the start of the jobs
};

/// One side of the comparison. In each run by itself, every packet that was offered has come out whole and in order, or
/// is counted in `drops`.
struct ContractFigures {
  std::int64_t offered = 0;
  std::int64_t delivered = 0;
  DropCounts drops{};      ///< by reason
  double offered_load = 0;
  double accepted_load = 0;
  double mean = 0;         ///< mean latency, cycles
  double p99 = 0;
  std::vector<ContractJob> jobs;  ///< in their order
};

/// A bounded run, and the run that it is compared with.
class ContractComparison {
 public:
  /// `reference`: name of the run on the other side. `broken`: what was found broken before, in words.
  ContractComparison(const std::string& reference, const ContractFigures& bounded, const ContractFigures& exact,
                     std::vector<std::string> broken = {}, const ContractBounds& bounds = {});

  /// What does not hold, in words; empty: the contract holds.
  const std::vector<std::string>& broken() const { return broken_; }
  /// "contract broken: ...; ..."; empty: it holds.
  std::string Message() const;
  /// "bounded by golden: mean latency +0.00 % (2 %), ...".
  std::string Line() const;
  /// Adds the fields `contract`, `bounds`, `measured` to results.
  void AddTo(nlohmann::ordered_json* results) const;

 private:
  void JudgeDrops();
  void JudgeJobs();
  double WorstJob() const;
  void JudgeShare(const char* what, double bounded, double exact, double bound);

  std::string reference_;
  ContractFigures bounded_;
  ContractFigures exact_;
  ContractBounds bounds_;
  bool latency_;  ///< latencies are bounded at the load of the run
  std::vector<std::string> broken_;
};

/// Marks the results of a bounded run that was compared with no other run.
void AddBounded(nlohmann::ordered_json* results);

}  // namespace tilefly::cosim
