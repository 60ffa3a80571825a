// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilated/switch_makers.h"

#include <string_view>

namespace tilefly::cosim {

std::unique_ptr<SwitchModel> MakeSwitchModel(const Profile& profile) {
  [[maybe_unused]] const std::string_view name = profile.name;
#define TILEFLY_MAKE(profile_name, Profile) \
  if (name == #profile_name) return MakeSwitch##Profile();
  TILEFLY_SWITCH_MODELS(TILEFLY_MAKE)
#undef TILEFLY_MAKE
  return nullptr;
}

}  // namespace tilefly::cosim
