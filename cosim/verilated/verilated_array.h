// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "cosim/device.h"
#include "cosim/device_factory.h"
#include "cosim/verilated/cfu.h"
#include "cosim/verilated/load_ring.h"
#include "cosim/verilated/read_answers.h"
#include "cosim/verilated/thread_pair.h"
#include "cosim/verilated/tile_model.h"
#include "generated/profile.h"

namespace tilefly::cosim {

class FstWaves;

/// The device "rtl": R x C Verilated tiles, wired by copying registered outputs to inputs by the formulas of the tile
/// page. All boundaries are flops (law 1), so a cycle is: copy everything, then clock every tile. A tile that says it
/// is quiescent and has idle inputs is not clocked (law 4), nor is the CFU; the load ring, between them, only where it
/// can change.
class VerilatedArray final : public Device {
 public:
  /// Throws UsageError when no tile of the profile was built.
  VerilatedArray(const Profile& profile, const DeviceOptions& options);
  ~VerilatedArray() override;

  const char* Name() const override { return "rtl"; }
  int radix() const override { return profile_.ports; }
  const std::vector<Link>& Outputs() override;
  const Observation& Observe() override;
  std::uint64_t LinkFails() override;
  bool FailsLinks() const override { return true; }
  /// Throws DeviceError when an assertion of a tile fails.
  void Step(const Inputs& inputs) override;
  Cycle cycle() const override { return cycle_ - options_.first_cycle; }
  /// The answer to the latest read of this counter on the register bus. Throws DeviceError when the counter was not
  /// read.
  std::uint64_t Counter(int port, int index) override { return answers_.Counter(port, index); }

  /// Skips while all tiles and the CFU are quiescent, the wires between them are idle, and the load ring cannot change.
  void SkipIdle(Cycle to) override;
  /// The next change of the tiles and the CFU. What the load ring of an idle switch holds is shown by no link.
  Cycle NextChange() const override;
  /// Runs the `final` checks of the tiles and of the CFU.
  void CheckDrained() override;
  /// Clock edges given to tiles, for figures of speed.
  std::uint64_t clocks() const { return clocks_[0] + clocks_[1]; }
  /// Of the clock edges given to tiles, those with the clock of the reductions.
  std::uint64_t red_clocks() const { return red_clocks_[0] + red_clocks_[1]; }

 private:
  struct Tile;
  /// The tiles that are clocked in a cycle, and the models of those that are evaluated in steps.
  struct Clocked {
    std::vector<Tile*> tiles;
    std::vector<TileModel*> models;
  };
  struct RowBus {
    std::vector<std::uint32_t> words;
    std::uint32_t valid = 0;
  };

  void Reset();
  Cycle NextInside() const;
  void StepHalf(int half);
  void ShuffleOrder(int first_tile, int end_tile);
  void GatherRow(int row);
  bool CopyRow(Tile* tile);
  bool CopyColumns(Tile* tile);
  bool CopyRing(Tile* tile);
  bool CopyLinks(Tile* tile);
  void FeedCfu();
  void ClockTiles(Clocked* clocked, int half);
  void ClockTile(Tile* tile, int half);
  void CountClock(Tile* tile, int half);
  void TakeOutputs(Tile* tile, bool failed);

  const Profile profile_;
  const DeviceOptions options_;
  FstWaves* const waves_;  ///< null: not traced
  std::vector<Tile> tiles_;
  std::unique_ptr<LoadRing> load_ring_;  ///< looked at by both halves, clocked by the upper one
  std::unique_ptr<Cfu> cfu_;             ///< likewise; null in a switch without reductions
  std::vector<int> order_;               ///< tiles as they are evaluated; each half of the rows has its part
  std::vector<std::array<RowBus, kCrossbars>> row_buses_;
  std::vector<Link> outputs_;
  Observation observation_;
  ReadAnswers answers_;
  const Inputs* inputs_ = nullptr;
  std::array<std::uint32_t, Cfg::kWords> cfg_words_{};
  Cycle cycle_;  ///< its number inside
  std::uint64_t clocks_[2] = {0, 0};
  std::uint64_t red_clocks_[2] = {0, 0};
  Clocked clocked_[2];  ///< of each half
  std::unique_ptr<ThreadPair> pair_;
};

}  // namespace tilefly::cosim
