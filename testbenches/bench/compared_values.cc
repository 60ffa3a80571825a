// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/compared_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tilefly::bench {
namespace {

constexpr golden::Cycle kBeforeFailure = 400;

/// What is known of the comparisons of this program.
struct Learned {
  int iteration = 0;    ///< of --gtest_repeat, from 1
  int comparisons = 0;  ///< begun in this iteration
  int chosen = -1;
  golden::Cycle failed_at = -1;
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

void ReadWindow(WavePlan* plan, golden::Cycle failed_at) {
  plan->to = failed_at < 0 ? kBeforeFailure : failed_at;
  plan->from = std::max<golden::Cycle>(0, plan->to - kBeforeFailure);
  const char* text = std::getenv("TILEFLY_WAVES_WINDOW");
  if (text != nullptr) {
    long long from = 0, to = 0;
    int read = 0;
    if (std::sscanf(text, "%lld:%lld%n", &from, &to, &read) != 2 || text[read] != '\0' || from < 0 || to < from) {
      throw std::invalid_argument("TILEFLY_WAVES_WINDOW: '" + std::string(text) + "' is not FROM:TO, in cycles");
    }
    plan->from = from;
    plan->to = to;
  }
  plan->marker = failed_at >= 0 ? failed_at : plan->from;
}

void WriteText(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(file.string() + ": cannot be written");
}

}  // namespace

void ComparedValues::Note(const std::string& name, std::uint64_t rtl, std::uint64_t golden) {
  const int time = times_[name]++;
  std::string full = time == 0 ? name : name + "_" + std::to_string(time);
  for (char& c : full) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  const auto [found, added] = index_.emplace(full, signals_.size());
  if (added) signals_.push_back({full});
  Signal& signal = signals_[found->second];
  signal.rtl = rtl;
  signal.golden = golden;
  while (signal.width < 64 && ((rtl | golden) >> signal.width) != 0) ++signal.width;
}

bool WavesWanted() { return std::getenv("TILEFLY_WAVES") != nullptr; }

int NextComparison() { return State().comparisons++; }

const WavePlan* PlanFor(int number) {
  return State().iteration == 2 && number == State().chosen ? &State().plan : nullptr;
}

void LearnFrom(int number, golden::Cycle failed_at, const ComparedValues& values) {
  Learned& state = State();
  const bool better = state.chosen < 0 || (failed_at >= 0 && state.failed_at < 0);
  if (state.iteration != 1 || !better) return;
  state.chosen = number;
  state.failed_at = failed_at;
  state.plan.file = std::getenv("TILEFLY_WAVES");
  state.plan.values = values;
  ReadWindow(&state.plan, failed_at);
}

void WriteSaveFiles(const WavePlan& plan, const ComparedValues& values, golden::Cycle cycle_ps) {
  std::vector<ComparedValues::Signal> shown = values.signals();
  std::stable_partition(shown.begin(), shown.end(), [](const auto& signal) { return signal.rtl != signal.golden; });
  constexpr golden::Cycle kShown = 60;  // cycles before the marker that fill the window
  constexpr double kFrames = 4.5;       // width of the wave area, in GTKWave's frames of 200 pixels
  const golden::Cycle from = std::max(plan.from, plan.marker - kShown);
  const std::filesystem::path file = plan.file;
  const std::string name = file.filename().string();
  const double zoom = -std::log2(static_cast<double>((kShown + 10) * cycle_ps) / kFrames);
  std::string save = "[dumpfile] \"" + name + "\"\n[timestart] " + std::to_string(from * cycle_ps) +
                     "\n[size] 1500 980\n[pos] -1 -1\n*" + std::to_string(zoom) + " " +
                     std::to_string(plan.marker * cycle_ps);
  for (int named = 0; named < 26; ++named) save += " -1";
  save += "\n[sst_expanded] 1\n[signals_width] 330\n@200\n-compared values: RTL, golden\n";
  std::string surfer = "load_file " + name + "\ndivider_add compared\n";
  for (const auto& signal : shown) {
    for (const char* side : {"rtl", "golden"}) {
      const bool rtl = side[0] == 'r';
      const std::string path = std::string(side) + "." + signal.name;
      const std::string range = signal.width == 1 ? "" : "[" + std::to_string(signal.width - 1) + ":0]";
      save += std::string(signal.width == 1 ? "@28" : "@22") + "\n[color] " + (rtl ? "0" : "3") + "\n" + path + range +
              "\n";
      surfer += "variable_add " + path + "\n";
    }
  }
  surfer += "cursor_set " + std::to_string(plan.marker * cycle_ps) + "\ngoto_cursor\n";
  WriteText(std::filesystem::path(file).replace_extension(".gtkw"), save);
  WriteText(std::filesystem::path(file).replace_extension(".sucl"), surfer);
}

}  // namespace tilefly::bench
