// SPDX-License-Identifier: Apache-2.0
// A packet through a golden switch.
#include <cstdio>
#include <span>

#include "golden/common/register_write.h"
#include "golden/switch/switch.h"

using namespace tilefly;

int main() {
  golden::Switch device(kTile8, {});
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  device.Write(0, golden::WriteRegister(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));

  constexpr Cycle kArrives = 100;
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = 64;
  header.src = golden::FabricAddress(0, 0, 1);
  header.dst = golden::FabricAddress(0, 0, 5);
  Cycle left = 0;
  int port = -1;
  for (Cycle now = 0; now < 300; ++now) {
    if (now == kArrives) device.Arrive(1, now, {true, golden::HeaderBits(header), 0});
    if (now == kArrives + 2) device.Finish(1, now, {Drop::kNone, 64, {}});
    if (device.NextActive() > now) continue;
    device.Step(now);
    for (const golden::Departure& departure : std::span(device.output().links.packets)) {
      left = departure.take + golden::kTakeToWire;
      port = departure.port;
    }
  }
  std::printf("C++%ld: out of port %d after %ld cycles\n", __cplusplus / 100, port, static_cast<long>(left - kArrives));
  return port == 5 && left - kArrives == 63 ? 0 : 1;
}
