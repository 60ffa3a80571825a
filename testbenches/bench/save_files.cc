// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/save_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tilefly::bench {
namespace {

constexpr Cycle kShown = 95;  ///< cycles to each side of the marker, without a story

/// What GTKWave and Surfer show, line by line.
class View {
 public:
  void Heading(const std::string& text) {
    gtkwave_ += "@200\n-" + text + "\n";
    surfer_ += "divider_add " + text + "\n";
  }
  void Gap() { gtkwave_ += "@200\n-\n"; }
  void Compared(const ComparedValues::Signal& signal) {
    Line("rtl." + signal.name, signal.width, 0);
    Line("golden." + signal.name, signal.width, 3);
  }
  void Line(const std::string& path, int width, int colour) {
    const std::string range = width == 1 ? "" : "[" + std::to_string(width - 1) + ":0]";
    gtkwave_ +=
        std::string(width == 1 ? "@28" : "@22") + "\n[color] " + std::to_string(colour) + "\n" + path + range + "\n";
    surfer_ += "variable_add " + path + "\n";
  }
  const std::string& gtkwave() const { return gtkwave_; }
  const std::string& surfer() const { return surfer_; }

 private:
  std::string gtkwave_, surfer_;
};

void ShowValues(const ComparedValues& values, View* view) {
  view->Heading("compared values: RTL, golden");
  std::vector<ComparedValues::Signal> shown = values.signals();
  std::stable_partition(shown.begin(), shown.end(), [](const auto& signal) { return signal.rtl != signal.golden; });
  for (const auto& signal : shown) view->Compared(signal);
}

void ShowStory(const WaveStory& story, const ComparedValues& values, View* view) {
  view->Heading(story.title);
  for (const WaveStory::Step& step : story.steps) {
    view->Gap();
    view->Heading(step.heading);
    for (const std::string& name : step.compared) {
      const ComparedValues::Signal* const signal = values.Find(name);
      if (signal == nullptr) throw std::runtime_error(name + ": is shown in the waves, but never compared");
      view->Compared(*signal);
    }
    for (const WaveStory::Own& own : step.own) view->Line(own.name, own.width, 0);
  }
}

void WriteText(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(file.string() + ": cannot be written");
}

}  // namespace

void WriteSaveFiles(const WavePlan& plan, Cycle cycle_ps) {
  View view;
  Cycle from = std::max(plan.from, plan.marker - kShown), cycles = 2 * kShown + 1;
  if (plan.story) {
    ShowStory(*plan.story, plan.values, &view);
    from = plan.story->from;
    cycles = plan.story->to - from + 1;
  } else {
    ShowValues(plan.values, &view);
  }
  constexpr double kFrames = 4.5;  // width of the wave area, in GTKWave's frames of 200 pixels
  const std::filesystem::path file = plan.file;
  const std::string name = file.filename().string();
  const double zoom = -std::log2(static_cast<double>(cycles * cycle_ps) / kFrames);
  std::string save = "[dumpfile] \"" + name + "\"\n[timestart] " + std::to_string(from * cycle_ps) +
                     "\n[size] 1500 980\n[pos] -1 -1\n*" + std::to_string(zoom) + " " +
                     std::to_string(plan.marker * cycle_ps);
  const auto& signals = plan.values.signals();
  const bool differ = std::any_of(signals.begin(), signals.end(), [](const auto& one) { return one.rtl != one.golden; });
  const std::string marker = " " + std::to_string(plan.marker * cycle_ps);
  for (int named = 0; named < 26; ++named) save += named == 0 && differ ? marker : " -1";
  if (differ) save += "\n[markername] Athe values differ";
  save += "\n[sst_expanded] 1\n[signals_width] 330\n" + view.gtkwave();
  const std::string surfer = "load_file " + name + "\n" + view.surfer() + "cursor_set " +
                             std::to_string(plan.marker * cycle_ps) + "\ngoto_cursor\n";
  WriteText(std::filesystem::path(file).replace_extension(".gtkw"), save);
  WriteText(std::filesystem::path(file).replace_extension(".sucl"), surfer);
}

}  // namespace tilefly::bench
