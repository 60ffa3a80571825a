// SPDX-License-Identifier: Apache-2.0
// The device that a library makes, and the calls of its functions. Each call is watched (call_watch.h). A call that
// fails, or that lets an exception out, becomes a DeviceError in the device's own words. The devices of both styles of
// ports are built on this class.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <string>

#include "cosim/library/call_watch.h"
#include "cosim/library/device_error.h"
#include "cosim/library/device_library.h"

namespace tilefly::cosim {

class DeviceCalls {
 public:
  /// Makes a device for `setup`. Throws UsageError when the file is no library, when it makes no device, and when the
  /// device lacks a function that it needs.
  DeviceCalls(const std::string& file, const tfd_setup& setup);
  ~DeviceCalls();
  DeviceCalls(const DeviceCalls&) = delete;
  DeviceCalls& operator=(const DeviceCalls&) = delete;

  const DeviceFunctions& functions() const { return functions_; }
  const WireVersion& wire() const { return library_.wire(); }
  const tfd_about_info& about() const { return about_; }
  /// The name of the device in messages: "lib:FILE", and "lib:NAME" once its own name is known.
  const std::string& name() const { return name_; }
  void Rename(const std::string& name) { name_ = name; }
  bool Has(std::uint32_t flag) const { return (about_.flags & flag) != 0; }
  /// Throws UsageError with the reason `why` the device does not fit.
  [[noreturn]] void Refuse(const std::string& why) const;

  /// Cycle of the device, for messages of a crash.
  std::int64_t cycle() const { return cycle_; }
  void NextCycle() { ++cycle_; }
  /// Sets the device back to cycle 0. Throws DeviceError.
  void Reset();

  /// Calls a function with the device and `arguments`. Throws DeviceError unless the function returns 0.
  template <typename Function, typename... Arguments>
  void Demand(const char* call, Function function, Arguments... arguments) const {
    const int status = Guarded(call, [&] { return function(device_, arguments...); });
    if (status != 0) throw DeviceError(fmt::format("{}: {} failed (status {}): {}", name_, call, status, Message()));
  }

 private:
  /// Runs `act`. An exception that it throws becomes a DeviceError.
  template <typename Act>
  int Guarded(const char* call, Act act) const {
    const CallInProgress in_progress(library_.file().c_str(), call, cycle_);
    try {
      return act();
    } catch (const std::exception& error) {
      throw DeviceError(fmt::format("{}: {} let a C++ exception out: {}", name_, call, error.what()));
    } catch (...) {
      throw DeviceError(fmt::format("{}: {} let a C++ exception out", name_, call));
    }
  }
  void Create(const tfd_setup& setup);
  void ReadAbout();
  void Destroy();
  std::string Message() const;

  const DeviceLibrary& library_;
  const DeviceFunctions& functions_;
  std::string name_;
  tfd_device* device_ = nullptr;
  tfd_about_info about_{};
  std::int64_t cycle_ = 0;
};

}  // namespace tilefly::cosim
