// SPDX-License-Identifier: Apache-2.0
#include "conform/run/library_room.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

namespace tilefly::conform {
namespace {

constexpr const char* kVariable = "GLIBC_TUNABLES";
constexpr const char* kTunable = "glibc.rtld.optional_static_tls";
constexpr const char* kBytes = "65536";

std::string Given() {
  const char* const given = std::getenv(kVariable);
  return given != nullptr ? given : "";
}

}  // namespace

std::pair<std::string, std::string> LibraryRoom() {
  const std::string given = Given();
  if (given.find(kTunable) != std::string::npos) return {kVariable, given};
  return {kVariable, (given.empty() ? "" : given + ":") + kTunable + "=" + kBytes};
}

void BeginWithLibraryRoom() {
  const auto [name, value] = LibraryRoom();
  if (Given() == value || setenv(name.c_str(), value.c_str(), 1) != 0) return;
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(in), {}};
  std::vector<char*> arguments;
  for (std::size_t at = 0; at < words.size(); at = words.find('\0', at) + 1) arguments.push_back(&words[at]);
  if (arguments.empty()) return;
  arguments.push_back(nullptr);
  execv("/proc/self/exe", arguments.data());
}

}  // namespace tilefly::conform
