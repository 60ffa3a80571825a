// SPDX-License-Identifier: Apache-2.0
// A run of an RTL block and its golden block in step: counts the cycles, compares their outputs in every one of them, stops
// at the first difference, and says at the end what was compared.
//
//   Comparison run;
//   const Bin full = run.AddBin("full", 100);
//   while (run.Next()) {
//     ... drive both with run.stimulus() in run.cycle() ...
//     if (push) run.Event("push", {data});
//     run.Compare("head", rtl_head, golden_head);
//     if (is_full) run.Hit(full);
//   }
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generated/wire.h"
#include "golden/common/audit.h"
#include "testbenches/bench/compared_values.h"
#include "testbenches/bench/record.h"
#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

/// What the RTL's registers hold before the reset: zeros, or (start > 0) random values, with a stimulus of their own.
/// Random needs a model made with `--x-initial unique`. edge > 0: after the reset long-lived state stands shortly
/// before edges, with another choice of them for each number (edges.h), in RTL and golden alike.
struct PowerUp {
  int start = 0;
  int edge = 0;
};
inline constexpr PowerUp kZeros{};

/// Calls `compare(power_up)` with many sets of random values, up to the first failure: a missing reset shows in few of them.
template <typename Compare>
void FromRandomRegisters(Compare&& compare) {
  constexpr int kStarts = 16;
  for (int start = 1; start <= kStarts && !Failed(); ++start) compare(PowerUp{start});
}

/// Handle of a functional bin.
struct Bin {
  int index;
};

class Comparison {
 public:
  struct Options {
    double of_tier = 1;          ///< cycles, as a share of the tier's or of TILEFLY_CYCLES
    int least_busy_of_256 = 25;  ///< share of the cycles that must be busy
    Cycle cycles = 0;    ///< exact number of cycles instead; 0: by `of_tier`
    Cycle drain = 0;     ///< the last cycles, in which the test gives no stimulus (DrainUntil)
    PowerUp power_up{};          ///< unless kZeros neither busy cycles nor bins are demanded
    bool shown = false;          ///< waves of the suite are of this one when nothing differs
  };

  Comparison() : Comparison(Options()) {}
  explicit Comparison(const Options& options);
  Comparison(double of_tier, PowerUp power_up) : Comparison(Options{of_tier, 25, 0, 0, power_up}) {}
  /// Fails the test when `Next` did not come to its end.
  ~Comparison();
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  /// Goes on to the next cycle. False after the last one or after a difference; then the verdict is given.
  bool Next();
  /// The current cycle, from 0 on.
  Cycle cycle() const { return cycle_; }
  Cycle cycles() const { return cycles_; }
  /// Whether this is one of the last cycles, which are there to run empty.
  bool draining() const { return cycle_ >= cycles_ - drain_; }
  const Stimulus& stimulus() const { return stimulus_; }
  std::uint32_t seed() const { return seed_; }
  PowerUp power_up() const { return power_up_; }

  /// A functional bin that must be hit `minimum` times.
  Bin AddBin(const char* name, std::int64_t minimum);
  void Hit(Bin bin, std::int64_t times = 1) { bins_[bin.index].hits += times; }
  /// The current cycle has something to compare besides idle outputs.
  void Busy() { busy_ = true; }
  /// Notes what happened, for the message of a later difference. `what` must outlive the run.
  void Event(const char* what, std::initializer_list<std::int64_t> values = {});

  /// Compares a value of at most 64 bits. False: they differ, and the run is over.
  bool Compare(const char* signal, std::uint64_t rtl, std::uint64_t golden) {
    ++values_;
    if (noted_) noted_->Note(signal, rtl, golden);
    if (rtl == golden) return true;
    Differ(signal, Hex(rtl), Hex(golden));
    return false;
  }
  /// Compares two packed structs of generated/wire.h; a difference names the fields.
  template <typename T>
  bool CompareStruct(const char* signal, const T& rtl, const T& golden) {
    ++values_;
    if (rtl == golden && !noted_) return true;
    std::uint32_t a[T::kWords], b[T::kWords];
    rtl.Pack(a);
    golden.Pack(b);
    if (noted_) NoteFields(signal, a, b, T::kFields.data(), static_cast<int>(T::kFields.size()));
    if (rtl == golden) return true;
    DifferInFields(signal, a, b, T::kFields.data(), static_cast<int>(T::kFields.size()));
    return false;
  }
  /// Something is wrong that is not a difference of two values: nothing may be inside, say.
  void Fail(const std::string& what) {
    if (compares_) End(what);
  }
  /// An assertion of the RTL failed. With the comparison off (TILEFLY_COMPARE) only this fails a run, which goes on.
  void FailAssertion() { End("an assertion of the RTL failed: its name is on the output, above"); }
  bool failed() const { return failed_; }
  /// In every cycle of a run with a drain: whether nothing is inside any more. The run goes on beyond its length until
  /// that is so; then the RTL's `final` blocks demand that all is home. A run that never becomes empty fails.
  void DrainUntil(bool empty);
  /// In the last cycle of a run that is drained: besides, every packet was acknowledged.
  void Acked() { acked_ = true; }
  bool drained() const { return drained_; }
  bool acked() const { return acked_; }
  /// Fails when the audit found a broken invariant of golden.
  void Check(const golden::Audit& audit) {
    values_ += audit.judged();
    if (!audit.broken().empty()) Fail(audit.Message());
  }

  /// Waves that are to be written of this run; nullptr: none.
  const WavePlan* wave_plan() const { return wave_plan_; }
  /// In which cycles something may happen that the waves' save files should show (`Tell`); none: no waves of this one are
  /// wanted.
  std::optional<WaveWindow> StoryWindow() const;
  /// What they show when nothing differs; the latest one told.
  void Tell(WaveStory story) { story_ = std::move(story); }
  /// The latest values compared, while waves are wanted; else nullptr.
  const ComparedValues* compared_values() const { return noted_.get(); }

 private:
  struct BinState {
    const char* name;
    std::int64_t minimum;
    std::int64_t hits;
  };
  struct NotedEvent {
    Cycle cycle;
    const char* what;
    std::array<std::int64_t, 4> values;
    int count;
  };
  static constexpr std::size_t kEventsKept = 24;
  static constexpr Cycle kLongestDrain = 50'000;  ///< beyond the run's length

  static std::string Hex(std::uint64_t value);
  void End(const std::string& what);
  void Differ(const std::string& signal, const std::string& rtl, const std::string& golden);
  void DifferInFields(const char* signal, const std::uint32_t* rtl, const std::uint32_t* golden,
                      const FieldInfo* fields, int count);
  void NoteFields(const char* signal, const std::uint32_t* rtl, const std::uint32_t* golden, const FieldInfo* fields,
                  int count);
  void EndCycle();
  void Verdict();
  void Record() const;
  /// Whether busy cycles and bins are demanded.
  bool whole() const { return power_up_.start == 0 && power_up_.edge == 0 && !short_ && compares_; }
  std::vector<std::string> LastEvents() const;

  Tier tier_;
  std::uint32_t root_;
  std::uint32_t seed_;
  Stimulus stimulus_;
  PowerUp power_up_;
  int least_busy_of_256_;
  Cycle cycles_;
  Cycle drain_;
  Cycle beyond_ = 0;  ///< cycles after the run's length, until it was drained
  Cycle cycle_ = -1;
  Cycle busy_cycles_ = 0;
  std::int64_t values_ = 0;
  std::int64_t busy_values_ = 0;         ///< compared in busy cycles
  std::int64_t values_before_cycle_ = 0;
  bool busy_ = false;
  const bool compares_ = ComparesFromEnvironment();
  bool failed_ = false;
  bool drained_ = false;
  bool acked_ = false;
  bool over_ = false;
  bool short_ = false;  ///< fewer cycles than any tier: bins may stay below their minimum
  std::string failure_;
  int number_ = -1;     ///< NextComparison
  std::unique_ptr<ComparedValues> noted_;
  bool shown_;
  std::optional<WaveStory> story_;
  const WavePlan* wave_plan_ = nullptr;
  std::vector<BinState> bins_;
  std::vector<NotedEvent> events_;  ///< a ring once it is full
  std::size_t next_event_ = 0;
};

}  // namespace tilefly::bench
