// SPDX-License-Identifier: Apache-2.0
// The values that a comparison compares, by signal, for waves of them; and which comparison the waves are of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "golden/common/types.h"

namespace tilefly::bench {

/// A signal is known by its name and by how often the name has been compared before in the same cycle: the second
/// "class" of a cycle is "class_1".
class ComparedValues {
 public:
  struct Signal {
    std::string name;
    int width = 1;  ///< bits of the largest value seen
    std::uint64_t rtl = 0;
    std::uint64_t golden = 0;
  };

  void NextCycle() { times_.clear(); }
  void Note(const std::string& name, std::uint64_t rtl, std::uint64_t golden);
  const std::vector<Signal>& signals() const { return signals_; }

 private:
  std::vector<Signal> signals_;
  std::map<std::string, std::size_t> index_;  ///< into `signals_`, by full name
  std::map<std::string, int> times_;          ///< in this cycle, by name
};

/// Waves of one comparison, asked for by TILEFLY_WAVES=FILE.fst. The program must run its test twice
/// (--gtest_repeat=2): the first time tells which comparison fails, when, and what it compares; the second time is
/// traced.
struct WavePlan {
  std::string file;
  golden::Cycle from = 0;  ///< TILEFLY_WAVES_WINDOW=FROM:TO; without it the 400 cycles up to the failure
  golden::Cycle to = 0;
  golden::Cycle marker = 0;  ///< the failure, or `from`
  ComparedValues values;     ///< those of the first time: names and widths
};

/// Whether waves are asked for.
bool WavesWanted();
/// Number of a comparison that begins now, in this iteration of the tests.
int NextComparison();
/// The plan when comparison `number` of this iteration is the one to be traced, else nullptr.
const WavePlan* PlanFor(int number);
/// Comparison `number` has ended; `failed_at` is -1 when it found no difference.
void LearnFrom(int number, golden::Cycle failed_at, const ComparedValues& values);

/// Writes the save files of GTKWave (.gtkw) and Surfer (.sucl) beside the plan's file: each signal of `values` with
/// RTL's value and golden's below it, those that differ first. Throws std::runtime_error with the file that cannot be
/// written.
void WriteSaveFiles(const WavePlan& plan, const ComparedValues& values, golden::Cycle cycle_ps);

}  // namespace tilefly::bench
