// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilated/tile_makers.h"

#include <string_view>

namespace tilefly::cosim {

std::unique_ptr<TileModel> MakeTileModel(const Profile& profile, [[maybe_unused]] const TileOptions& options) {
  [[maybe_unused]] const std::string_view name = profile.name;
#define TILEFLY_MAKE(profile_name, Profile) \
  if (name == #profile_name) return MakeTile##Profile(options);
  TILEFLY_TILE_MODELS(TILEFLY_MAKE)
#undef TILEFLY_MAKE
  return nullptr;
}

std::unique_ptr<LoadRingModel> MakeLoadRingModel(const Profile& profile, [[maybe_unused]] int random_reset) {
  [[maybe_unused]] const std::string_view name = profile.name;
#define TILEFLY_MAKE(profile_name, Profile) \
  if (name == #profile_name) return MakeLoadRing##Profile(random_reset);
  TILEFLY_TILE_MODELS(TILEFLY_MAKE)
#undef TILEFLY_MAKE
  return nullptr;
}

std::unique_ptr<CfuModel> MakeCfuModel(const Profile& profile, [[maybe_unused]] int random_reset) {
  [[maybe_unused]] const std::string_view name = profile.name;
#define TILEFLY_MAKE(profile_name, Profile) \
  if (name == #profile_name) return MakeCfu##Profile(random_reset);
  TILEFLY_TILE_MODELS(TILEFLY_MAKE)
#undef TILEFLY_MAKE
  return nullptr;
}

}  // namespace tilefly::cosim
