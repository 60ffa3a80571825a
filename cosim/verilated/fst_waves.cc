// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilated/fst_waves.h"

#include <fnmatch.h>

#include <stdexcept>
#include <system_error>

#include "cosim/waves/save_file.h"

namespace tilefly::cosim {
namespace {

[[maybe_unused]] const bool kRegistered = RegisterWaveWriter(
    [](const Profile& profile, const std::vector<std::string>& devices, const WaveOptions& options) {
      return std::make_unique<FstWaves>(profile, devices, options);
    });

}  // namespace

FstWaves::FstWaves(const Profile& profile, const std::vector<std::string>& devices, const WaveOptions& options)
    : options_(options), cycle_ps_(CyclePs(profile)), file_(std::make_unique<VerilatedFstC>()) {
  context_.traceEverOn(true);
  file_->set_time_unit("1ps");
  file_->set_time_resolution("1ps");
  for (const std::string& device : devices) {
    traces_.push_back(std::make_unique<ObservationTrace>(device, profile));
    traces_.back()->Attach(*file_);
  }
}

bool FstWaves::Wants(const std::string& tile) const { return fnmatch(options_.scope.c_str(), tile.c_str(), 0) == 0; }

void FstWaves::Record(Lockstep& devices, const Device::Inputs& inputs) {
  if (pending_) Dump();
  next_ = devices.cycle();
  if (!InWindow(next_)) return;
  traces_[0]->Sample(devices.a(), inputs);
  if (devices.b() != nullptr) traces_[1]->Sample(*devices.b(), inputs);
  pending_ = true;
}

void FstWaves::BeforeClock(Cycle cycle) {
  if (!pending_ || cycle != next_) return;
  for (TileModel* tile : tiles_) tile->Settle();
  Dump();
}

/// A cycle begins with the rising edge; the clock's fall is dumped half a cycle later.
void FstWaves::Dump() {
  pending_ = false;
  if (!file_->isOpen()) {
    if (path_.empty()) throw std::logic_error("waves: cycles are recorded before the file has a name");
    if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path());
    file_->open(Unfinished().c_str());
    first_ = next_;
  }
  const auto time = static_cast<std::uint64_t>(next_ * cycle_ps_);
  for (TileModel* tile : tiles_) tile->ShowClock(true);
  file_->dump(time);
  for (TileModel* tile : tiles_) tile->ShowClock(false);
  file_->dump(time + static_cast<std::uint64_t>(cycle_ps_) / 2);
  last_ = next_;
  if (next_ % kSizeCheckCycles != 0) return;
  // Between two flushes something changes, NAME.cycle: else the library writes a wrong time into its table.
  file_->flush();
  std::error_code error;
  const auto size = std::filesystem::file_size(Unfinished(), error);
  full_ = !error && static_cast<std::int64_t>(size) >= options_.max_bytes;
}

void FstWaves::Close() {
  if (pending_) Dump();
  if (!file_->isOpen()) return;
  file_->close();
  std::filesystem::rename(Unfinished(), path_);
}

}  // namespace tilefly::cosim
