// SPDX-License-Identifier: Apache-2.0
// The device that a library of link_library.cc has: each library defines both of these.
#pragma once

#include <memory>

#include "cosim/device.h"
#include "generated/profile.h"

namespace tilefly::conform {

/// What messages and waves call the device.
extern const char* const kLibraryName;

/// The device in cycle 0. `power_up_seed` not 0: registers without reset begin with random bits of it. Throws what the
/// device throws: the message is the library's.
std::unique_ptr<cosim::Device> MakeInside(const Profile& profile, int power_up_seed);

}  // namespace tilefly::conform
