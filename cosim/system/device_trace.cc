// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/device_trace.h"

#include <fmt/format.h>

#include "cosim/errors.h"

namespace tilefly::cosim {
namespace {

std::vector<std::string> Names(const SystemDevices& devices, int node) {
  const auto found = devices.find(node);
  if (found == devices.end()) {
    throw UsageError(fmt::format("--waves: switch {} is golden, which has no words; give --device {}=rtl", node, node));
  }
  return NamesOf(found->second);
}

}  // namespace

DeviceTrace::DeviceTrace(const Profile& profile, const SystemDevices& devices, int node, const WaveOptions& wave_window)
    : node_(node),
      files_(profile, Names(devices, node), wave_window),
      finder_(profile, wave_window.from, wave_window.to) {}

WatchedSwitch DeviceTrace::watched() {
  WatchedSwitch watched;
  watched.number = node_;
  watched.waves = &files_.writer();
  watched.watch.recorder = &files_;
  watched.watch.passed = [this](const Passage& one) {
    finder_.Offer(one.packet, one.input, one.output, one.in, one.out);
    if (!finder_.story() || (packet_ && packet_->title == finder_.story()->title)) return;
    packet_ = finder_.story();
    files_.NameStages(one.out, &*packet_);
  };
  return watched;
}

void DeviceTrace::Begin(const std::filesystem::path& folder) { files_.Begin(folder, fmt::format("s{}", node_)); }

std::vector<std::filesystem::path> DeviceTrace::End(const FailurePoint* failed) {
  return files_.End(failed != nullptr ? files_.StoryOf(*failed) : packet_);
}

}  // namespace tilefly::cosim
