// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/compared_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace tilefly::bench {
namespace {

constexpr Cycle kBeforeFailure = 400, kAfterFailure = 100;

/// What is known of the comparisons of this program.
struct Learned {
  int iteration = 0;    ///< of --gtest_repeat, from 1
  int comparisons = 0;  ///< begun in this iteration
  int chosen = -1;
  Cycle failed_at = -1;
  bool shown = false;  ///< the chosen one
  WavePlan plan;
};

Learned& State() {
  static Learned state;
  return state;
}

class Iterations : public testing::EmptyTestEventListener {
 public:
  void OnTestIterationStart(const testing::UnitTest&, int iteration) override {
    State().iteration = iteration + 1;
    State().comparisons = 0;
  }
};
[[maybe_unused]] const bool kListens = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new Iterations);
  return true;
}();

void SetWindow(const WaveEnd& end, WavePlan* plan) {
  const bool failed = end.failed_at >= 0;
  if (!failed) plan->story = end.story;
  plan->to = failed ? end.failed_at + kAfterFailure : plan->story ? plan->story->to : kBeforeFailure;
  plan->from = plan->story ? plan->story->from
               : failed    ? std::max<Cycle>(0, end.failed_at - kBeforeFailure)
                           : 0;
  if (const std::optional<WaveWindow> window = WavesWindow()) {
    plan->from = window->from;
    plan->to = window->to;
  }
  plan->marker = failed ? end.failed_at : plan->story ? plan->story->marker : plan->from;
}

/// The name of a compared value in the waves.
std::string NameInWaves(std::string name) {
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

}  // namespace

void ComparedValues::Note(const std::string& name, std::uint64_t rtl, std::uint64_t golden) {
  const int time = times_[name]++;
  const std::string full = NameInWaves(time == 0 ? name : name + "_" + std::to_string(time));
  const auto [found, added] = index_.emplace(full, signals_.size());
  if (added) signals_.push_back({full});
  Signal& signal = signals_[found->second];
  signal.rtl = rtl;
  signal.golden = golden;
  while (signal.width < 64 && ((rtl | golden) >> signal.width) != 0) ++signal.width;
}

const ComparedValues::Signal* ComparedValues::Find(const std::string& name) const {
  const auto found = index_.find(NameInWaves(name));
  return found == index_.end() ? nullptr : &signals_[found->second];
}

bool WavesWanted() { return std::getenv("TILEFLY_WAVES") != nullptr; }

std::optional<WaveWindow> WavesWindow() {
  const char* text = std::getenv("TILEFLY_WAVES_WINDOW");
  if (text == nullptr) return std::nullopt;
  long long from = 0, to = 0;
  int read = 0;
  if (std::sscanf(text, "%lld:%lld%n", &from, &to, &read) != 2 || text[read] != '\0' || from < 0 || to < from) {
    throw std::invalid_argument("TILEFLY_WAVES_WINDOW: '" + std::string(text) + "' is not FROM:TO, in cycles");
  }
  return WaveWindow{from, to};
}

int NextComparison() { return State().comparisons++; }

const WavePlan* PlanFor(int number) {
  return State().iteration == 2 && number == State().chosen ? &State().plan : nullptr;
}

void LearnFrom(int number, const WaveEnd& end, const ComparedValues& values) {
  Learned& state = State();
  const bool better = state.chosen < 0 || (state.failed_at < 0 && (end.failed_at >= 0 || (end.shown && !state.shown)));
  if (state.iteration != 1 || !better) return;
  state.chosen = number;
  state.failed_at = end.failed_at;
  state.shown = end.shown;
  state.plan = WavePlan();
  state.plan.file = std::getenv("TILEFLY_WAVES");
  state.plan.values = values;
  SetWindow(end, &state.plan);
}

}  // namespace tilefly::bench
