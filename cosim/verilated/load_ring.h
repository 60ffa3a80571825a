// SPDX-License-Identifier: Apache-2.0
// The Verilated load ring of an array of tiles: rtl/routing/tilefly_load_ring.sv.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/device.h"
#include "cosim/verilated/tile_model.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// The pins of `tilefly_load_ring`: a Loadreport of every tile, a load of 12 bits of every port, then a bit of every port
/// that is down.
struct LoadRingPins {
  std::uint8_t* rst_ni;
  std::uint64_t* cycle_i;
  PortWord* reports_i;
  PortWord* loads_o;
  std::uint8_t* quiescent_o;
};

/// A Verilated load ring of any profile.
class LoadRingModel {
 public:
  virtual ~LoadRingModel() = default;
  const LoadRingPins& pins() const { return pins_; }
  /// Runs one rising clock edge. Returns whether an assertion failed.
  virtual bool Clock(std::uint64_t cycle) = 0;

 protected:
  LoadRingPins pins_{};
};

/// The load ring of `profile`, or null when its models were not built. `random_reset`: see TileOptions.
std::unique_ptr<LoadRingModel> MakeLoadRingModel(const Profile& profile, int random_reset);

/// The load ring of an array of tiles. It is clocked only where it can change: in the first and the last cycle of an
/// epoch, while something is inside or the tiles show other loads than when it was last clocked (law 4). What a tile
/// shows may stay for long: the load that its last ack brought stays on the pins, and counts no more.
class LoadRing {
 public:
  /// The models of `profile` must have been built.
  LoadRing(const Profile& profile, int random_reset);

  /// Clocks the ring in reset for `cycles` cycles.
  void Reset(int cycles);
  /// Whether the ring may be clocked in this cycle: it is the first or the last of an epoch.
  bool MayChange(Cycle cycle) const { return IsFirst(cycle) || IsLast(cycle); }
  /// The first cycle from `cycle` on in which the ring may be clocked.
  Cycle NextChange(Cycle cycle) const { return MayChange(cycle) ? cycle : (cycle / epoch_ + 1) * epoch_ - 1; }
  /// Takes the loads that a tile shows, for a cycle in which the ring may be clocked.
  void Sample(int tile, const PortWord* load_o);
  /// Runs one cycle. Where the ring may change, call it after Sample of all tiles. `always`: the ring is also clocked
  /// where it cannot change. Throws DeviceError when an assertion fails.
  void Clock(Cycle cycle, bool always);
  /// Puts the loads that the ring shows on a tile's pins, if the last cycle may have changed them.
  void Show(PortWord* loads_i) const;

 private:
  bool IsFirst(Cycle cycle) const { return cycle % epoch_ == 0; }
  bool IsLast(Cycle cycle) const { return (cycle + 1) % epoch_ == 0; }

  const int epoch_;
  const int loads_width_;
  std::unique_ptr<LoadRingModel> model_;
  std::vector<std::uint32_t> seen_;  ///< reports when it was last clocked in the first cycle of an epoch
  bool changed_ = true;
};

}  // namespace tilefly::cosim
