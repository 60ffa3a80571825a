// SPDX-License-Identifier: Apache-2.0
// Golden in a library: a foreign device that must be equal to golden.
#include "cosim/golden_device.h"
#include "testbenches/conform/devices/link_library.h"

namespace tilefly::conform {

const char* const kLibraryName = "golden_copy";

// Golden has no registers that begin with random bits.
std::unique_ptr<cosim::Device> MakeInside(const Profile& profile, int) {
  return std::make_unique<cosim::GoldenDevice>(profile);
}

}  // namespace tilefly::conform
