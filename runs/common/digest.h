// SPDX-License-Identifier: Apache-2.0
// Digests that tell configurations, files and builds of the program apart: 64 bits, as 16 hexadecimal digits.
#pragma once

#include <string>

namespace tilefly::runs {

std::string Digest(const std::string& text);
/// Of what is in a file. Throws UsageError when it cannot be read.
std::string FileDigest(const std::string& file);
/// Of the running program with all that is linked to it, the shared libraries that it started with included: what
/// linkers state of what they have made (the build id), or the file itself where one has stated nothing. Installing or
/// moving the program does not change it.
const std::string& ProgramDigest();

}  // namespace tilefly::runs
