// SPDX-License-Identifier: Apache-2.0
#include "testbenches/speed/rtl_rate.h"

#include "cosim/device_factory.h"
#include "golden/common/register_write.h"
#include "golden/common/stage_times.h"
#include "testbenches/speed/played.h"

namespace tilefly::cosim {
namespace {

/// Read over the register bus, as the RTL's counters are.
std::uint64_t Sent(Device* device, const Device::Inputs& last) {
  constexpr int kCounter = static_cast<int>(tilefly::Counter::kTxPackets);
  Device::Inputs idle = last;
  idle.links.assign(last.links.size(), Link{});
  for (int cycle = 0; cycle < device->radix() + static_cast<int>(golden::kAnswerLatency); ++cycle) {
    idle.cfg = cycle < device->radix() ? golden::ReadRegister(cycle, CfgSpace::kCounter, kCounter) : Cfg{};
    device->Step(idle);
  }
  std::uint64_t sent = 0;
  for (int port = 0; port < device->radix(); ++port) sent += device->Counter(port, kCounter);
  return sent;
}

}  // namespace

double RtlRate(int bytes, int load, double seconds, const std::function<double()>& now) {
  const Played& played = PlayedInputs(bytes, load);
  const std::size_t first = played.size() - static_cast<std::size_t>(kTrafficCycles);
  double taken = 0;
  std::uint64_t packets = 0;
  while (taken < seconds) {
    const auto device = MakeDevice("rtl", kRosetta64);
    for (std::size_t i = 0; i < first; ++i) device->Step(played[i]);
    const double start = now();
    for (std::size_t i = first; i < played.size(); ++i) device->Step(played[i]);
    taken += now() - start;
    packets += Sent(device.get(), played.back());
  }
  return static_cast<double>(packets) / taken;
}

}  // namespace tilefly::cosim
