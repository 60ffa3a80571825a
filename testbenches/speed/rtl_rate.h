// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace tilefly::cosim {

/// Packets a second of the Verilated rosetta64 under uniform traffic of `bytes` at `load` percent, recorded links played to it
/// again and again until `seconds` of the clock `now` are over. Only the device is timed.
double RtlRate(int bytes, int load, double seconds, const std::function<double()>& now);

}  // namespace tilefly::cosim
