// SPDX-License-Identifier: Apache-2.0
#include "cosim/waves/wave_files.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace tilefly::cosim {
namespace {

constexpr Cycle kBeforeFailure = 400;  ///< a packet's way through a busy switch
constexpr Cycle kShownBefore = 90;     ///< a quiet packet's way, and some more

void WriteText(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

}  // namespace

WaveFiles::WaveFiles(const Profile& profile, std::vector<std::string> devices, const WaveOptions& window)
    : profile_(profile), devices_(std::move(devices)), writer_(MakeWaveWriter(profile, devices_, window)) {}

void WaveFiles::Begin(const std::filesystem::path& folder, const std::string& name) {
  fst_ = folder / (name + ".fst");
  writer_->Open(fst_);
}

std::vector<std::filesystem::path> WaveFiles::End(const std::optional<Story>& wanted) {
  writer_->Close();
  if (writer_->last() < writer_->first()) return {};
  Story story = wanted ? *wanted : Story{"", 0, 0, writer_->first(), writer_->last(), writer_->first()};
  story.from = std::max(story.from, writer_->first());
  story.to = std::min(story.to, writer_->last());
  const std::filesystem::path gtkwave = std::filesystem::path(fst_).replace_extension(".gtkw");
  const std::filesystem::path surfer = std::filesystem::path(fst_).replace_extension(".sucl");
  const std::string name = std::filesystem::absolute(fst_).string();
  WriteText(gtkwave, GtkwaveSave(name, profile_, devices_, story));
  WriteText(surfer, SurferCommands(name, profile_, devices_, story));
  return {fst_, gtkwave, surfer};
}

Story FailureStory(const std::string& title, int input, int output, Cycle cycle) {
  return {title, input, output, cycle - kShownBefore, cycle, cycle};
}

WaveOptions FailureWindow(Cycle cycle, const WaveOptions& wanted) {
  WaveOptions window = wanted;
  window.from = std::max<Cycle>(0, cycle - kBeforeFailure);
  window.to = cycle;
  return window;
}

}  // namespace tilefly::cosim
