// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>
#include <verilated_fst_c.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cosim/verilated/observation_trace.h"
#include "cosim/verilated/tile_model.h"
#include "cosim/waves/wave_writer.h"

namespace tilefly::cosim {

/// Waves in one FST file, written by the writer that comes with Verilator. There is a scope for each device
/// (ObservationTrace) and one for each traced tile. A cycle is dumped when all inputs of the tiles are set and before
/// any tile is clocked, so that registers and wires of a cycle are seen together.
class FstWaves final : public WaveWriter {
 public:
  FstWaves(const Profile& profile, const std::vector<std::string>& devices, const WaveOptions& options);

  void Open(const std::filesystem::path& file) override { path_ = file; }
  void Close() override;
  void Record(Lockstep& devices, const Device::Inputs& inputs) override;
  Cycle first() const override { return first_; }
  Cycle last() const override { return last_; }
  bool full() const override { return full_; }

  /// Whether the inner signals of the tile with this scope name are wanted.
  bool Wants(const std::string& tile) const;
  /// The context that all traced models must share. They must be registered before the file is opened.
  VerilatedContext& context() { return context_; }
  VerilatedFstC& file() { return *file_; }
  void Add(TileModel* tile) { tiles_.push_back(tile); }

  /// The tiles' inputs of cycle `cycle` are set, and the tiles will be clocked next.
  void BeforeClock(Cycle cycle);

 private:
  static constexpr Cycle kSizeCheckCycles = 64;

  bool InWindow(Cycle cycle) const { return !full_ && cycle >= options_.from && cycle <= options_.to; }
  void Dump();
  std::filesystem::path Unfinished() const { return path_.string() + ".part"; }

  const WaveOptions options_;
  const Cycle cycle_ps_;
  VerilatedContext context_;
  std::unique_ptr<VerilatedFstC> file_;
  std::vector<std::unique_ptr<ObservationTrace>> traces_;  ///< by device
  std::vector<TileModel*> tiles_;
  std::filesystem::path path_;
  bool pending_ = false;  ///< cycle `next_` was sampled and is not in the file yet
  Cycle next_ = 0;
  Cycle first_ = 0;
  Cycle last_ = -1;
  bool full_ = false;
};

}  // namespace tilefly::cosim
