// SPDX-License-Identifier: Apache-2.0
// Makers for every profile whose tile was built (the list comes from CMake), with the load ring and the CFU of such
// tiles.
#pragma once

#include <memory>

#include "cosim/tile_models.h"
#include "cosim/verilated/cfu.h"
#include "cosim/verilated/load_ring.h"
#include "cosim/verilated/tile_model.h"

namespace tilefly::cosim {

#define TILEFLY_DECLARE(profile, Profile)                                   \
  std::unique_ptr<TileModel> MakeTile##Profile(const TileOptions& options); \
  std::unique_ptr<LoadRingModel> MakeLoadRing##Profile(int random_reset);   \
  std::unique_ptr<CfuModel> MakeCfu##Profile(int random_reset);
TILEFLY_TILE_MODELS(TILEFLY_DECLARE)
#undef TILEFLY_DECLARE

}  // namespace tilefly::cosim
