// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cosim/lockstep/recorder.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// What is traced.
struct WaveOptions {
  Cycle from = 0;
  Cycle to = std::numeric_limits<Cycle>::max();
  std::string scope = "*";                     ///< glob over the tiles' scopes, "tile_r1_c*": their inner signals
  std::int64_t max_bytes = std::int64_t{1} << 30;  ///< largest size of the file, bytes
};

/// Writes a waveform file of a run: links and observation records of all devices side by side, and the inner signals of
/// the Verilated tiles. Give it to the devices (DeviceOptions.waves) when they are made, and to the run as recorder.
class WaveWriter : public Recorder {
 public:
  /// Opens the file, before the first cycle is recorded, and makes its folder. The file has a temporary name until
  /// Close.
  virtual void Open(const std::filesystem::path& file) = 0;
  /// Completes the file. No file is left when no cycle fell into the window.
  virtual void Close() = 0;
  /// First and last cycle in the file; last < first: the file has no cycle.
  virtual Cycle first() const = 0;
  virtual Cycle last() const = 0;
  /// Whether the size limit ended the file before the window's end.
  virtual bool full() const = 0;
};

using WaveWriterMaker =
    std::function<std::unique_ptr<WaveWriter>(const Profile&, const std::vector<std::string>& devices, const WaveOptions&)>;

/// Registers what makes a wave writer. A library that can write waves calls it while the program starts.
bool RegisterWaveWriter(WaveWriterMaker maker);
/// Makes a wave writer. `devices`: names of the devices of the run, in their order. Throws UsageError when the program
/// cannot write waves.
std::unique_ptr<WaveWriter> MakeWaveWriter(const Profile& profile, const std::vector<std::string>& devices,
                                           const WaveOptions& options);

}  // namespace tilefly::cosim
