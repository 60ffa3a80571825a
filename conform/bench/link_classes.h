// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/setup/class_setup.h"
#include "generated/profile.h"

namespace tilefly::conform {

/// Four traffic classes that share a link by a Deficit Table: a small one that goes first, up to its maximum, and three
/// by shares, the last of which may be lossy. `other`: the same classes with other shares.
cosim::ClassSetup FourClasses(const Profile& profile, int lanes, bool lossy, bool other);

}  // namespace tilefly::conform
