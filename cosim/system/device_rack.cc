// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/device_rack.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cosim/errors.h"
#include "support/text.h"

namespace tilefly::cosim {
namespace {

constexpr const char* kGoldenNode = "golden";

struct Range {
  int first;
  int last;
};

Range ParseRange(const std::string& text, int switches) {
  if (text == "all") return {0, switches - 1};
  const std::vector<std::string> ends = Split(text, '-');
  if (ends.empty() || ends.size() > 2)
    throw UsageError(fmt::format("--device: '{}' is none of a switch's number, FIRST-LAST, all", text));
  const std::int64_t first = ParseInteger(ends.front(), "--device, switch");
  const std::int64_t last = ParseInteger(ends.back(), "--device, switch");
  if (first > last)
    throw UsageError(fmt::format("--device: '{}' ends before it begins; write {}-{}", text, last, first));
  if (first < 0 || last >= switches)
    throw UsageError(fmt::format("--device: there is no switch '{}'; the system has 0 to {}", text, switches - 1));
  return {static_cast<int>(first), static_cast<int>(last)};
}

/// What is dropped, and what the switch counts, is part of a system's results. Throws UsageError.
void RequireWhatNodesTell(const std::string& device, const Device& a, const Device* b) {
  const bool observed = a.Observes() || (b != nullptr && b->Observes());
  const bool counted = a.Counts() || (b != nullptr && b->Counts());
  if (observed && counted) return;
  throw UsageError(fmt::format("--device: {} has no {}, of which the results of a system are; give {}+golden: golden gets the "
                               "same inputs and tells them, and its links are compared with the device's",
                               a.Name(), observed ? "counters" : "observation record", NamesOf(device).front()));
}

}  // namespace

std::vector<std::string> NamesOf(const std::string& text) {
  const std::vector<std::string> names = Split(text, '+');
  if (names.empty() || names.size() > 2)
    throw UsageError(fmt::format("--device: '{}' is no device, nor two with a + between", text));
  for (const std::string& name : names) {
    RequireDevice(name, "device (--device)");
    if (names.size() > 1 && ContractOf(name) == Contract::kBounded) {
      throw UsageError(fmt::format(
          "--device: '{}' compares two in every cycle, in which {} is not equal to any; give {} alone: its golden twin is "
          "compared by the contract",
          text, name, name));
    }
  }
  return names;
}

SystemDevices ParseSystemDevices(const std::string& text, int switches) {
  SystemDevices devices;
  for (const std::string& item : Split(text, ',')) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos)
      throw UsageError(fmt::format("--device: '{}' is not SWITCH=DEVICE, such as 3=rtl or all=rtl", item));
    const Range range = ParseRange(item.substr(0, equals), switches);
    const std::string device = item.substr(equals + 1);
    NamesOf(device);
    for (int n = range.first; n <= range.last; ++n) {
      devices.erase(n);
      if (device != kGoldenNode) devices.emplace(n, device);
    }
  }
  return devices;
}

std::string ToText(const SystemDevices& devices) {
  std::string text;
  for (auto first = devices.begin(); first != devices.end();) {
    auto last = first;
    auto next = std::next(first);
    for (; next != devices.end() && next->first == last->first + 1 && next->second == first->second; ++next)
      last = next;
    const std::string range =
        first == last ? std::to_string(first->first) : fmt::format("{}-{}", first->first, last->first);
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", range, first->second);
    first = next;
  }
  return text;
}

network::NodeMaker MakeDevices(const SystemDevices& devices, std::uint64_t seed, const DeviceOptions& options,
                              const WatchedSwitch& watched) {
  if (devices.empty()) return {};
  return [=](int node, const Profile& profile, network::NodeContext* context) -> std::unique_ptr<network::Node> {
    const auto found = devices.find(node);
    if (found == devices.end()) return nullptr;
    const bool is_watched = node == watched.number;
    DeviceOptions own = options;
    own.waves = is_watched ? watched.waves : nullptr;
    const std::vector<std::string> names = NamesOf(found->second);
    std::unique_ptr<Device> a = MakeDevice(names.front(), profile, own);
    std::unique_ptr<Device> b = names.size() > 1 ? MakeDevice(names.back(), profile, own) : nullptr;
    RequireWhatNodesTell(found->second, *a, b.get());
    return std::make_unique<DeviceNode>(profile, node, context, seed, std::move(a), std::move(b),
                                        is_watched ? watched.watch : DeviceWatch{}, options);
  };
}

}  // namespace tilefly::cosim
