// SPDX-License-Identifier: Apache-2.0
#include "cosim/waves/wave_files.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "cosim/library/device_library.h"
#include "golden/common/stage_times.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kBeforeFailure = 400;  ///< a packet's way through a busy switch
/// Before a failure and after it: a quiet packet's way, and some more. A bound of its own, for the eye.
constexpr Cycle kShown = 95;
static_assert(kShown > golden::kQuietHop);
constexpr std::size_t kMostEvents = 12;  ///< that led to a wrong level
static_assert(kShown <= kAfterFailure);

void WriteText(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

/// Names of devices as scopes: of a library its file's, without what ends a scope.
std::vector<std::string> ScopesOf(std::vector<std::string> devices) {
  for (std::string& device : devices) {
    if (!IsLibraryName(device)) continue;
    device = "lib_" + std::filesystem::path(ParseLibraryName(device).file).stem().string();
    std::replace_if(device.begin(), device.end(), [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  }
  return devices;
}

}  // namespace

WaveFiles::WaveFiles(const Profile& profile, const std::vector<std::string>& devices, const WaveOptions& window)
    : profile_(profile),
      devices_(ScopesOf(devices)),
      stages_(profile),
      writer_(MakeWaveWriter(profile, devices_, window)) {}

void WaveFiles::Begin(const std::filesystem::path& folder, const std::string& name) {
  fst_ = folder / (name + ".fst");
  writer_->Open(fst_);
}

void WaveFiles::Record(Lockstep& devices, const Device::Inputs& inputs) {
  stages_.Sample(devices.cycle(), devices.Observe());
  if (!devices.a().Observes()) without_record_.insert(devices_.front());
  if (devices.b() != nullptr && !devices.b()->Observes()) without_record_.insert(devices_.back());
  writer_->Record(devices, inputs);
}

void WaveFiles::NameStages(Cycle out, Story* story) const {
  story->marks = stages_.MarksBetween({story->input, story->output, -1}, story->marker, out);
  story->marks.insert(story->marks.begin(), {"link in", story->marker});
}

Story WaveFiles::StoryOf(const FailurePoint& failure) const {
  const PacketWanted found = failure.parts.empty() ? stages_.Find(failure.packet, failure.cycle) : PacketWanted{};
  const auto port = [](int known, int seen, int other) {
    return known >= 0 ? known : seen >= 0 ? seen : std::max(other, 0);
  };
  Story story;
  story.title = failure.message.substr(0, failure.message.find('\n'));
  story.input = port(failure.packet.input, found.input, failure.packet.output);
  story.output = port(failure.packet.output, found.output, failure.packet.input);
  story.from = failure.cycle - kShown;
  story.to = failure.cycle + kShown;
  story.marker = failure.cycle;
  story.parts = failure.parts;
  story.scope = failure.scope;
  story.signal = failure.signal;
  if (!failure.parts.empty()) return story;
  if (!failure.level) {
    story.marks = stages_.Marks(failure.packet, failure.cycle);
    return story;
  }
  story.tells = true;
  story.marks = stages_.Events(failure.packet, failure.cycle, kMostEvents, &story.others);
  story.others.erase(std::remove(story.others.begin(), story.others.end(), story.input), story.others.end());
  return story;
}

std::vector<std::filesystem::path> WaveFiles::End(const std::optional<Story>& wanted) {
  writer_->Close();
  if (writer_->last() < writer_->first()) return {};
  Story story = wanted ? *wanted : Story{"", 0, 0, writer_->first(), writer_->last(), writer_->first()};
  story.from = std::max(story.from, writer_->first());
  story.to = std::min(story.to, writer_->last());
  const auto outside = [&](const Mark& mark) { return mark.at < writer_->first() || mark.at > writer_->last(); };
  story.marks.erase(std::remove_if(story.marks.begin(), story.marks.end(), outside), story.marks.end());
  const std::filesystem::path gtkwave = std::filesystem::path(fst_).replace_extension(".gtkw");
  const std::filesystem::path surfer = std::filesystem::path(fst_).replace_extension(".sucl");
  const std::string name = std::filesystem::absolute(fst_).string();
  WriteText(gtkwave, GtkwaveSave(name, profile_, devices_, story, without_record_));
  WriteText(surfer, SurferCommands(name, profile_, devices_, story, without_record_));
  return {fst_, gtkwave, surfer};
}

WaveOptions FailureWindow(Cycle cycle, const WaveOptions& wanted) {
  WaveOptions window = wanted;
  window.from = std::max<Cycle>(0, cycle - kBeforeFailure);
  window.to = cycle + kAfterFailure;
  return window;
}

}  // namespace tilefly::cosim
