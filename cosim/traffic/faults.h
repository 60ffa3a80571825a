// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/setup/switch_setup.h"

namespace tilefly::cosim {

/// Damages a frame on purpose. The outcome is certain: the frame is dropped for a known reason, or, when the port cuts
/// through, delivered stomped. `bits` chooses the damage.
void Damage(const SwitchSetup& setup, std::uint64_t bits, Frame* frame);

}  // namespace tilefly::cosim
