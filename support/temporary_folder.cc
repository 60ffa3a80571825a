// SPDX-License-Identifier: Apache-2.0
#include "support/temporary_folder.h"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace tilefly {
namespace {

std::filesystem::path NewFolder(const std::string& purpose) {
  std::string name = (std::filesystem::temp_directory_path() / ("tilefly_" + purpose + "_XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::filesystem::filesystem_error("a temporary folder cannot be made", name,
                                            std::error_code(errno, std::generic_category()));
  return name;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& purpose) : path_(NewFolder(purpose)), owner_(getpid()) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (owner_ == getpid()) std::filesystem::remove_all(path_, error);
}

}  // namespace tilefly
