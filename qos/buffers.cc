// SPDX-License-Identifier: Apache-2.0
#include "qos/buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "qos/quantity.h"
#include "support/errors.h"

namespace tilefly::qos {
namespace {

constexpr int kMostCells = 65535;  // 16 bits

/// "178 credits" or bytes of a frame; other than an MTU it may be nothing.
int ParseCells(const std::string& text, const Units& units, const std::string& what) {
  return text == "0" || text == "0 credits" ? 0 : ParseCredits(text, units, what);
}

int Reserves(const std::vector<TrafficClass>& classes) {
  return std::accumulate(classes.begin(), classes.end(), 0,
                         [](int sum, const TrafficClass& one) { return sum + one.buffer.reserve; });
}

/// What reserves and the shared part may take: the rest is for packets that are admitted and not yet accounted.
int Available(const Profile& profile) { return profile.cells - 3 * profile.mtu_cells; }

}  // namespace

Buffer ReadBuffer(YamlMap* owner, const TrafficClass& one, const Units& units) {
  Buffer buffer;
  buffer.reserve = std::min(2 * one.mtu, kMaxWeight);
  buffer.most = std::max(kRosetta64.credit_cap_cells, buffer.reserve);
  const YAML::Node node = owner->Find("buffer");
  if (!node.IsDefined()) return buffer;
  YamlMap map(node, owner->file(), fmt::format("buffer of class {}", one.name));
  const auto cells = [&](const char* key, int initial) {
    return ParseCells(map.Text(key, fmt::format("{} credits", initial)), units, map.Origin(key));
  };
  buffer.reserve = cells("reserve", buffer.reserve);
  buffer.most = cells("most", std::max(buffer.most, buffer.reserve));
  map.Finish();
  if (buffer.most < buffer.reserve)
    throw UsageError(fmt::format("{}: {} credits are {} fewer than the reserve", map.Origin("most"), buffer.most,
                                 buffer.reserve - buffer.most));
  return buffer;
}

std::optional<int> ReadSharedBuffer(YamlMap* root, const Units& units) {
  if (!root->Find("shared_buffer").IsDefined()) return std::nullopt;
  return ParseCells(root->Text("shared_buffer"), units, root->Origin("shared_buffer"));
}

int SharedBuffer(const std::vector<TrafficClass>& classes, std::optional<int> stated, const Profile& profile) {
  return stated ? *stated : std::min(Available(profile) - Reserves(classes), kMostCells);
}

std::vector<Finding> CheckBuffers(const std::vector<TrafficClass>& classes, std::optional<int> stated,
                                  const Profile& profile) {
  const auto lossy = [](const TrafficClass& one) { return one.lossy; };
  if (std::none_of(classes.begin(), classes.end(), lossy)) return {};
  std::vector<Finding> findings;
  const int available = Available(profile);
  const int reserves = Reserves(classes);
  const int shared = std::max(SharedBuffer(classes, stated, profile), 0);
  if (reserves + shared > available) {
    std::string of;
    for (const TrafficClass& one : classes)
      of += fmt::format("{}{} {}", of.empty() ? "" : ", ", one.name, one.buffer.reserve);
    findings.push_back(
        {true, fmt::format("the reserves of the input buffer ({}) and shared_buffer ({}) sum to {} credits, {} "
                           "more than the {} that a buffer of {} cells can give; lower them",
                           of, shared, reserves + shared, reserves + shared - available, available, profile.cells)});
  }
  for (const TrafficClass& one : classes) {
    const int room = std::min(one.buffer.most, one.buffer.reserve + shared);
    if (!one.lossy || room >= one.mtu) continue;
    findings.push_back(
        {true, fmt::format("class {}: it is lossy and its buffer holds {} credits, {} fewer than its MTU of "
                           "{}: it would lose every such packet",
                           one.name, room, one.mtu - room, one.mtu)});
  }
  return findings;
}

}  // namespace tilefly::qos
