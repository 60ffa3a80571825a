// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/common_settings.h"

namespace tilefly::cosim {

CaptureOptions ReadCaptureOptions(const SettingValues& settings) {
  constexpr int kMostRepeats = 1 << 20;
  return {settings.Get(kCaptureFile.path), ParsePortsBy(settings.Get(kCapturePortsBy.path)),
          ParsePace(settings.Get(kCapturePace.path)),
          static_cast<int>(settings.Integer(kCaptureRepeat.path, 1, kMostRepeats))};
}

}  // namespace tilefly::cosim
