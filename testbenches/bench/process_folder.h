// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "support/temporary_folder.h"

namespace tilefly::bench {

/// A folder of this process alone, since several tests run at a time; it goes when the process ends.
inline const std::filesystem::path& ProcessFolder() {
  static const TemporaryFolder folder("test");
  return folder.path();
}

}  // namespace tilefly::bench
