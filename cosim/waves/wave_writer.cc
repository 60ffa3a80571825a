// SPDX-License-Identifier: Apache-2.0
#include "cosim/waves/wave_writer.h"

#include <utility>

#include "cosim/errors.h"

namespace tilefly::cosim {
namespace {

WaveWriterMaker& Maker() {
  static WaveWriterMaker maker;
  return maker;
}

}  // namespace

bool RegisterWaveWriter(WaveWriterMaker maker) {
  Maker() = std::move(maker);
  return true;
}

std::unique_ptr<WaveWriter> MakeWaveWriter(const Profile& profile, const std::vector<std::string>& devices,
                                           const WaveOptions& options) {
  if (!Maker()) throw UsageError("--waves: this program was built without Verilator, whose library writes them; use --waves off");
  return Maker()(profile, devices, options);
}

}  // namespace tilefly::cosim
