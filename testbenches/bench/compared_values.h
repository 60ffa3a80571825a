// SPDX-License-Identifier: Apache-2.0
// The values that a comparison compares, by signal, for waves of them; and which comparison the waves are of.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "golden/common/types.h"
#include "testbenches/bench/wave_story.h"

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
  /// The signal of a name that was compared; nullptr: none was. Of several in a cycle the first.
  const Signal* Find(const std::string& name) const;

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
  Cycle from = 0;  ///< of the window; without one from 400 cycles before the failure to 100 after it, or the story's
  Cycle to = 0;
  Cycle marker = 0;        ///< the failure; without one the story's, else `from`
  ComparedValues values;           ///< those of the first time, as they were last: names, widths and what differs
  std::optional<WaveStory> story;  ///< when nothing differs and the comparison has one to tell
};

/// Whether waves are asked for.
bool WavesWanted();
/// Cycles of the waves, first and last.
struct WaveWindow {
  Cycle from;
  Cycle to;
};
/// TILEFLY_WAVES_WINDOW=FROM:TO, if it is set. Throws std::invalid_argument when it is something else.
std::optional<WaveWindow> WavesWindow();
/// Number of a comparison that begins now, in this iteration of the tests.
int NextComparison();
/// The plan when comparison `number` of this iteration is the one to be traced, else nullptr.
const WavePlan* PlanFor(int number);
/// How a comparison ended.
struct WaveEnd {
  Cycle failed_at = -1;  ///< -1: it found no difference
  bool shown = false;            ///< Comparison::Options::shown
  std::optional<WaveStory> story{};
};
/// Comparison `number` has ended. Waves are of the first one that failed, else of the first that is `shown`, else of
/// the first.
void LearnFrom(int number, const WaveEnd& end, const ComparedValues& values);

}  // namespace tilefly::bench
