// SPDX-License-Identifier: Apache-2.0
#include "cosim/library/device_calls.h"

#include "support/errors.h"

namespace tilefly::cosim {

DeviceCalls::DeviceCalls(const std::string& file, const tfd_setup& setup)
    : library_(DeviceLibrary::Load(file)),
      functions_(library_.functions()),
      name_(fmt::format("{}{}", kLibraryPrefix, library_.file())) {
  try {
    Create(setup);
    ReadAbout();
  } catch (const DeviceError& error) {
    Destroy();
    throw UsageError(fmt::format("device {}", error.what()));
  } catch (...) {
    Destroy();
    throw;
  }
}

DeviceCalls::~DeviceCalls() { Destroy(); }

void DeviceCalls::Destroy() {
  if (device_ == nullptr) return;
  const CallInProgress call(library_.file().c_str(), "tfd_destroy", cycle_);
  try {
    functions_.destroy(device_);
  } catch (...) {  // what it holds against its end changes nothing any more
  }
}

void DeviceCalls::Create(const tfd_setup& setup) {
  const int status = Guarded("tfd_create", [&] { return functions_.create(&setup, &device_); });
  const bool profile = setup.profile != nullptr && *setup.profile != '\0';
  if (status != 0)
    Refuse(fmt::format("tfd_create makes none{} (status {}): {}",
                       profile ? fmt::format(" for profile '{}'", setup.profile) : "", status,
                       device_ != nullptr ? Message() : "it gave no message"));
  if (device_ == nullptr) Refuse("tfd_create returned 0 and no device");
}

void DeviceCalls::ReadAbout() {
  about_.size = sizeof about_;
  if (const int status = Guarded("tfd_about", [&] { return functions_.about(device_, &about_); }); status != 0)
    Refuse(fmt::format("tfd_about failed (status {}): {}", status, Message()));
  if (about_.style != TFD_LINK && about_.style != TFD_STREAM)
    Refuse(fmt::format("tfd_about says style {}; there are TFD_LINK ({}) and TFD_STREAM ({})", about_.style,
                       static_cast<int>(TFD_LINK), static_cast<int>(TFD_STREAM)));
  constexpr std::uint32_t kFlags =
      TFD_OBSERVES | TFD_COUNTS | TFD_CHECKS_DRAINED | TFD_TELLS_CHANGES | TFD_WRITES_WAVES | TFD_HAS_TABLE |
      TFD_FAILS_LINKS;
  if ((about_.flags & ~kFlags) != 0)
    Refuse(fmt::format("tfd_about sets flags {:#x}, which the header does not have", about_.flags & ~kFlags));
  library_.RequireFunctions(about_);
}

void DeviceCalls::Refuse(const std::string& why) const { throw UsageError(fmt::format("device {}: {}", name_, why)); }

std::string DeviceCalls::Message() const {
  const char* text = nullptr;
  Guarded("tfd_message", [&] { return text = functions_.message(device_), 0; });
  return text != nullptr && *text != '\0' ? text : "it gave no message";
}

void DeviceCalls::Reset() {
  Demand("tfd_reset", functions_.reset);
  cycle_ = 0;
}

}  // namespace tilefly::cosim
