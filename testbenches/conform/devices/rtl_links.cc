// SPDX-License-Identifier: Apache-2.0
// Our switch in RTL with its links, as a device of the conformance kit: the Verilated tiles that `--devices rtl` has,
// with their observation record and counters. A flat switch of 64 ports is more than Verilator can compile in useful
// time.
#include "cosim/verilated/verilated_array.h"
#include "testbenches/conform/devices/link_library.h"

namespace tilefly::conform {

const char* const kLibraryName = "rtl_links";

std::unique_ptr<cosim::Device> MakeInside(const Profile& profile, int power_up_seed) {
  cosim::DeviceOptions options;
  options.random_reset = power_up_seed;
  return std::make_unique<cosim::VerilatedArray>(profile, options);
}

}  // namespace tilefly::conform
