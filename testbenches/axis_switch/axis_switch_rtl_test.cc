// SPDX-License-Identifier: Apache-2.0
// The switch of tile8 between streams of 64 and of 512 bits: every frame once at the right port, bytes equal, order kept per
// input and output, nothing lost, drained clean (docs/blocks/axis.md, "A switch of streams").
#include "Vrtl_axis_ports_512.h"
#include "Vrtl_axis_ports_64.h"
#include "testbenches/axis_switch/switch_of_streams.h"

namespace tilefly::bench {
namespace {

TEST(SwitchOfStreams, CarriesEveryFrameOnceAt64Bits) { SwitchOfStreams<Vrtl_axis_ports_64>(8, false, 0.3).Run(); }

TEST(SwitchOfStreams, CarriesEveryFrameOnceAt512Bits) { SwitchOfStreams<Vrtl_axis_ports_512>(64, true, 0.3).Run(); }

}  // namespace
}  // namespace tilefly::bench
