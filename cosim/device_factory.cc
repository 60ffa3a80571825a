// SPDX-License-Identifier: Apache-2.0
#include "cosim/device_factory.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "cosim/errors.h"
#include "cosim/golden_device.h"
#include "support/text.h"

namespace tilefly::cosim {
namespace {

constexpr const char* kGolden = "golden";

std::map<std::string, DeviceMaker>& Makers() {
  static std::map<std::string, DeviceMaker> makers = {
      {kGolden, [](const Profile& profile, const DeviceOptions& options) {
         return std::make_unique<GoldenDevice>(profile, options.scheduler);
       }}};
  return makers;
}

}  // namespace

bool RegisterDevice(const std::string& name, DeviceMaker maker) {
  return Makers().emplace(name, std::move(maker)).second;
}

std::vector<std::string> DeviceNames() {
  std::vector<std::string> names;
  for (const auto& [name, maker] : Makers()) names.push_back(name);
  return names;
}

std::unique_ptr<Device> MakeDevice(const std::string& name, const Profile& profile, const DeviceOptions& options) {
  const auto found = Makers().find(name);
  if (found == Makers().end()) ThrowUnknown("device", name, DeviceNames());
  if (name != kGolden && options.scheduler.kind != golden::SchedulerKind::kDeficitTable)
    throw UsageError(
        fmt::format("--scheduler {}: device '{}' has the Deficit Table only; give --devices golden, or "
                    "--scheduler dtable",
                    golden::NameOf(options.scheduler.kind), name));
  return found->second(profile, options);
}

}  // namespace tilefly::cosim
