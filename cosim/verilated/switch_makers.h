// SPDX-License-Identifier: Apache-2.0
// One maker for every profile whose flat switch was built (the list comes from CMake).
#pragma once

#include <memory>

#include "cosim/switch_models.h"
#include "cosim/verilated/switch_model.h"

namespace tilefly::cosim {

#define TILEFLY_DECLARE(profile, Profile) std::unique_ptr<SwitchModel> MakeSwitch##Profile();
TILEFLY_SWITCH_MODELS(TILEFLY_DECLARE)
#undef TILEFLY_DECLARE

}  // namespace tilefly::cosim
