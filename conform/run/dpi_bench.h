// SPDX-License-Identifier: Apache-2.0
// `tilefly conform run --simulator dpi`: a bench and commands with which another simulator runs the tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "conform/capability/capability.h"

namespace tilefly::conform {

/// Writes into `folder` the wrapper of the device, the bench, the package, the header, files.f, tests.txt and
/// simulate.sh. `program`: path of this program, beside which the library may be. Throws UsageError: a device that is a
/// library, a file that cannot be written.
void WriteDpiBench(const Capability& capability, const std::vector<std::string>& tests, std::uint64_t seed,
                   const std::string& program, const std::filesystem::path& folder);

}  // namespace tilefly::conform
