// SPDX-License-Identifier: Apache-2.0
// A shared library that exports a device (conform/include/tilefly_device.h): finding it, loading it, and its functions
// by name.
#pragma once

#include <tilefly_device.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cosim/library/wire_version.h"

namespace tilefly::cosim {

/// What stands before the file in the name of a device in a library: "lib:build/mine.so".
inline constexpr const char* kLibraryPrefix = "lib:";

/// Whether a device's name is that of a library.
bool IsLibraryName(const std::string& name);

/// "lib:FILE:KEY=VALUE:KEY=VALUE": the file and the parameters of the device.
struct LibraryName {
  std::string file;
  std::string parameters;  ///< "KEY=VALUE\n" each
};

/// Reads such a name. Throws UsageError.
LibraryName ParseLibraryName(const std::string& name);

/// The text of a setting that names devices, such as "3=lib:a.so+golden", in which each library's file is an absolute
/// path.
std::string WithAbsoluteLibraries(const std::string& devices);
/// The files of the libraries in the text of such a setting, each once.
std::vector<std::string> LibrariesIn(const std::string& devices);

/// The functions of a library. A function that the library does not export is null.
struct DeviceFunctions {
  decltype(&tfd_version) version = nullptr;
  decltype(&tfd_create) create = nullptr;
  decltype(&tfd_destroy) destroy = nullptr;
  decltype(&tfd_message) message = nullptr;
  decltype(&tfd_about) about = nullptr;
  decltype(&tfd_reset) reset = nullptr;
  decltype(&tfd_link_outputs) link_outputs = nullptr;
  decltype(&tfd_link_step) link_step = nullptr;
  decltype(&tfd_stream_step) stream_step = nullptr;
  decltype(&tfd_link_fail) link_fail = nullptr;
  decltype(&tfd_observe) observe = nullptr;
  decltype(&tfd_counter) counter = nullptr;
  decltype(&tfd_drained) drained = nullptr;
  decltype(&tfd_next_change) next_change = nullptr;
  decltype(&tfd_table_write) table_write = nullptr;
};

/// A library that was loaded. It stays in the process, because what it has started may go on.
class DeviceLibrary {
 public:
  /// Loads a library. Throws UsageError for a file that is no library or does not load, that lacks a function that
  /// every device has, or that was compiled for a version of the header that this program does not know.
  static const DeviceLibrary& Load(const std::string& file);

  const std::string& file() const { return file_; }
  const DeviceFunctions& functions() const { return functions_; }
  /// Of the header that the library was compiled with.
  const WireVersion& wire() const { return *wire_; }
  /// Throws UsageError unless the library has the functions that a device with this style and these flags needs.
  void RequireFunctions(const tfd_about_info& about) const;

 private:
  explicit DeviceLibrary(std::string file);
  [[noreturn]] void Refuse(const std::string& why) const;

  std::string file_;
  DeviceFunctions functions_;
  const WireVersion* wire_ = nullptr;
};

}  // namespace tilefly::cosim
