// SPDX-License-Identifier: Apache-2.0
#include "cosim/device_factory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

#include "cosim/errors.h"
#include "cosim/golden_device.h"
#include "cosim/library_device.h"
#include "support/text.h"

namespace tilefly::cosim {
namespace {

constexpr const char* kGolden = "golden";
constexpr const char* kRtl = "rtl";  // of cosim/verilated
constexpr const char* kRtlFlat = "rtl-flat";

struct Known {
  DeviceMaker maker;
  Contract contract;
};

std::map<std::string, Known>& Makers() {
  static std::map<std::string, Known> makers = {
      {kGolden,
       {[](const Profile& profile, const DeviceOptions& options) {
          return std::make_unique<GoldenDevice>(profile, options);
        },
        Contract::kEqual}}};
  return makers;
}

}  // namespace

bool RegisterDevice(const std::string& name, DeviceMaker maker, Contract contract) {
  return Makers().emplace(name, Known{std::move(maker), contract}).second;
}

std::vector<std::string> DeviceNames() {
  std::vector<std::string> names;
  for (const auto& [name, maker] : Makers()) names.push_back(name);
  return names;
}

void RequireDevice(const std::string& name, const std::string& what) {
  if (Makers().count(name) != 0) return;
  if (IsLibraryName(name)) {
    DeviceLibrary::Load(ParseLibraryName(name).file);
    return;
  }
  if (name == kSystemc) {
    throw UsageError(fmt::format(
        "{} '{}': this program was built without SystemC; install it (scripts/setup, Debian: libsystemc-dev) and build "
        "with -DTILEFLY_SYSTEMC=ON; link a program of your own with tilefly::systemc_device (component systemc_rtl)",
        what, name));
  }
  if (name == kRtl || name == kRtlFlat) {
    throw UsageError(
        fmt::format("{} '{}': this program was linked without the Verilated models; link it with tilefly::verilated, "
                    "or take one of its own: {}",
                    what, name, fmt::join(DeviceNames(), ", ")));
  }
  std::vector<std::string> known = DeviceNames();
  known.emplace_back("lib:FILE.so");
  ThrowUnknown(what, name, known);
}

Contract ContractOf(const std::string& name) {
  return IsLibraryName(name) ? Contract::kEqual : Makers().at(name).contract;
}

std::unique_ptr<Device> MakeDevice(const std::string& name, const Profile& profile, const DeviceOptions& options) {
  RequireDevice(name, "device");
  if (name != kGolden && options.scheduler.kind != golden::SchedulerKind::kDeficitTable)
    throw UsageError(
        fmt::format("--scheduler {}: device '{}' has the Deficit Table only; take device golden, or "
                    "--scheduler dtable",
                    golden::NameOf(options.scheduler), name));
  if (IsLibraryName(name)) return std::make_unique<LibraryDevice>(name, profile, options);
  return Makers().at(name).maker(profile, options);
}

}  // namespace tilefly::cosim
