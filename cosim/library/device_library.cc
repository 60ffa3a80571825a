// SPDX-License-Identifier: Apache-2.0
#include "cosim/library/device_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "cosim/library/call_watch.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::cosim {
namespace {

/// Behind a library's file in a setting: other devices, parameters, switches.
constexpr const char* kEndsFile = ",+:;}";

std::string AbsoluteFile(const std::string& file) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(file, error);
  return error ? file : absolute.lexically_normal().string();
}

/// The places of the files in a text: first character and length.
std::vector<std::pair<std::size_t, std::size_t>> FilesIn(const std::string& devices) {
  const std::string prefix = kLibraryPrefix;
  std::vector<std::pair<std::size_t, std::size_t>> files;
  for (std::size_t at = devices.find(prefix); at != std::string::npos; at = devices.find(prefix, at + 1)) {
    // A name begins the text or follows what separates devices.
    if (at > 0 && std::string(",+;{=").find(devices[at - 1]) == std::string::npos) continue;
    const std::size_t first = at + prefix.size();
    const std::size_t end = std::min(devices.find_first_of(kEndsFile, first), devices.size());
    if (end > first) files.emplace_back(first, end - first);
  }
  return files;
}

template <typename Function>
void Find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

bool IsLibraryName(const std::string& name) { return name.rfind(kLibraryPrefix, 0) == 0; }

LibraryName ParseLibraryName(const std::string& name) {
  LibraryName parsed;
  std::vector<std::string> parts = Split(name.substr(std::string(kLibraryPrefix).size()), ':');
  if (parts.empty() || parts.front().empty())
    throw UsageError(fmt::format("device '{}': no file; give lib:FILE.so", name));
  parsed.file = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == 0 || equals == std::string::npos) {
      throw UsageError(fmt::format("device '{}': '{}' is no parameter; give lib:FILE.so:KEY=VALUE, and a file whose path "
                                   "has no ':'",
                                   name, parts[i]));
    }
    parsed.parameters += parts[i] + "\n";
  }
  return parsed;
}

std::string WithAbsoluteLibraries(const std::string& devices) {
  std::string text = devices;
  const auto files = FilesIn(devices);
  for (auto file = files.rbegin(); file != files.rend(); ++file)
    text.replace(file->first, file->second, AbsoluteFile(devices.substr(file->first, file->second)));
  return text;
}

std::vector<std::string> LibrariesIn(const std::string& devices) {
  std::vector<std::string> found;
  for (const auto& [first, length] : FilesIn(devices)) {
    const std::string file = devices.substr(first, length);
    if (std::find(found.begin(), found.end(), file) == found.end()) found.push_back(file);
  }
  return found;
}

const DeviceLibrary& DeviceLibrary::Load(const std::string& file) {
  static std::map<std::string, std::unique_ptr<const DeviceLibrary>> loaded;
  const std::string absolute = AbsoluteFile(file);
  std::unique_ptr<const DeviceLibrary>& library = loaded[absolute];
  if (!library) library.reset(new DeviceLibrary(absolute));
  return *library;
}

DeviceLibrary::DeviceLibrary(std::string file) : file_(std::move(file)) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file_, error)) Refuse("there is no such file");
  void* library = nullptr;
  {
    const CallInProgress call(file_.c_str(), "a constructor of the library", -1);
    library = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    const char* const said = dlerror();
    const std::string why = said != nullptr ? said : "no reason is known";
    const bool room = why.find("static TLS") == std::string::npos;
    Refuse(fmt::format("it does not load: {}{}", why,
                       room ? "" : "; give its thread-local data room by the environment variable "
                                   "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=65536"));
  }
  Find(library, "tfd_version", &functions_.version);
  if (functions_.version == nullptr)
    Refuse("it exports no function tfd_version: it is no device; define the functions of tilefly_device.h");
  std::uint32_t version = 0;
  {
    const CallInProgress call(file_.c_str(), "tfd_version", -1);
    version = functions_.version();
  }
  wire_ = FindWireVersion(version);
  if (wire_ == nullptr) {
    Refuse(fmt::format("it is compiled for version {} of tilefly_device.h, this program has 1 to {}; compile it with the "
                       "header of this program",
                       version, TILEFLY_DEVICE_VERSION));
  }
  Find(library, "tfd_create", &functions_.create);
  Find(library, "tfd_destroy", &functions_.destroy);
  Find(library, "tfd_message", &functions_.message);
  Find(library, "tfd_about", &functions_.about);
  Find(library, "tfd_reset", &functions_.reset);
  Find(library, "tfd_link_outputs", &functions_.link_outputs);
  Find(library, "tfd_link_step", &functions_.link_step);
  Find(library, "tfd_stream_step", &functions_.stream_step);
  Find(library, "tfd_link_fail", &functions_.link_fail);
  Find(library, "tfd_observe", &functions_.observe);
  Find(library, "tfd_counter", &functions_.counter);
  Find(library, "tfd_drained", &functions_.drained);
  Find(library, "tfd_next_change", &functions_.next_change);
  Find(library, "tfd_table_write", &functions_.table_write);
  const std::pair<const char*, bool> required[] = {{"tfd_create", functions_.create != nullptr},
                                                   {"tfd_destroy", functions_.destroy != nullptr},
                                                   {"tfd_message", functions_.message != nullptr},
                                                   {"tfd_about", functions_.about != nullptr},
                                                   {"tfd_reset", functions_.reset != nullptr}};
  for (const auto& [name, exported] : required) {
    if (!exported) Refuse(fmt::format("it exports no function {}, which every device has", name));
  }
}

void DeviceLibrary::RequireFunctions(const tfd_about_info& about) const {
  const auto require = [&](bool needed, bool exported, const char* name, const char* of) {
    if (needed && !exported) Refuse(fmt::format("it exports no function {}, which {} needs", name, of));
  };
  const bool link = about.style == TFD_LINK;
  require(link, functions_.link_outputs != nullptr, "tfd_link_outputs", "a device of style TFD_LINK");
  require(link, functions_.link_step != nullptr, "tfd_link_step", "a device of style TFD_LINK");
  require(about.style == TFD_STREAM, functions_.stream_step != nullptr, "tfd_stream_step", "a device of style TFD_STREAM");
  require((about.flags & TFD_OBSERVES) != 0, functions_.observe != nullptr, "tfd_observe", "flag TFD_OBSERVES");
  require((about.flags & TFD_COUNTS) != 0, functions_.counter != nullptr, "tfd_counter", "flag TFD_COUNTS");
  require((about.flags & TFD_CHECKS_DRAINED) != 0, functions_.drained != nullptr, "tfd_drained", "flag TFD_CHECKS_DRAINED");
  require((about.flags & TFD_TELLS_CHANGES) != 0, functions_.next_change != nullptr, "tfd_next_change",
          "flag TFD_TELLS_CHANGES");
  require((about.flags & TFD_FAILS_LINKS) != 0, functions_.link_fail != nullptr, "tfd_link_fail", "flag TFD_FAILS_LINKS");
  require((about.flags & TFD_HAS_TABLE) != 0, functions_.table_write != nullptr, "tfd_table_write", "flag TFD_HAS_TABLE");
}

void DeviceLibrary::Refuse(const std::string& why) const { throw UsageError(fmt::format("device lib:{}: {}", file_, why)); }

}  // namespace tilefly::cosim
