// SPDX-License-Identifier: Apache-2.0
// What the golden switch reaches in saturation, the RTL reaches too: samples of it in lockstep, as shares of word slots.
#include <gtest/gtest.h>

#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/scripted_switch.h"

namespace tilefly::cosim {
namespace {

constexpr int kPorts = kRosetta64.ports;

/// Words that leave by each port of a switch in a window.
class WordCount {
 public:
  explicit WordCount(ScriptedSwitch& devices) : devices_(devices), before_(devices.delivered_words()), begin_(devices.cycle()) {}
  double Share(int port) const {
    const auto at = static_cast<std::size_t>(port);
    return static_cast<double>(devices_.delivered_words()[at] - before_[at]) / static_cast<double>(devices_.cycle() - begin_);
  }

 private:
  ScriptedSwitch& devices_;
  const std::vector<std::int64_t> before_;
  const Cycle begin_;
};

/// Long enough for a share to be exact within half a per cent at the size.
Cycle WindowOf(int length) {
  const bool full = bench::TierFromEnvironment() == bench::Tier::kFull;
  return length > 1024 ? 30000 : full ? 20000 : length > 64 ? 4000 : 2000;
}

class RtlSaturation : public ::testing::TestWithParam<int> {};

TEST_P(RtlSaturation, PermutationFillsEveryOutput) {
  const int length = GetParam();
  const bool golden_only = length > 1024 && bench::TierFromEnvironment() == bench::Tier::kQuick;
  const auto devices = golden_only ? MakeScripted(kRosetta64, "golden") : MakeScripted(kRosetta64, "rtl", "golden");
  for (int port = 0; port < kPorts; ++port) devices->Saturate(port, (5 * port + 3) % kPorts, length);
  devices->Run(1000);
  const WordCount count(*devices);
  devices->Run(WindowOf(length));
  for (int port = 0; port < kPorts; ++port) ASSERT_GE(count.Share(port), 0.99) << "output " << port;
  devices->Drain();
}

TEST_P(RtlSaturation, IncastFromOneRowFillsTheOutput) {
  const auto devices = MakeScripted(kRosetta64, "rtl", "golden");
  for (int port = 16; port < 32; ++port) devices->Saturate(port, 40, GetParam());
  devices->Run(1000);
  const WordCount count(*devices);
  devices->Run(WindowOf(GetParam()));
  EXPECT_GE(count.Share(40), 0.95);
  devices->Drain(100000);
}

TEST_P(RtlSaturation, SingleFlowHasTheLinkForItself) {
  const auto devices = MakeScripted(kRosetta64, "rtl", "golden");
  devices->Saturate(19, 56, GetParam());
  devices->Run(1000);
  const WordCount count(*devices);
  devices->Run(30000);
  EXPECT_GE(count.Share(56), 0.99);
  devices->Drain();
}

INSTANTIATE_TEST_SUITE_P(Sizes, RtlSaturation, ::testing::Values(32, 64, 256, 1024, 4224),
                         [](const auto& info) { return std::to_string(info.param) + "Bytes"; });

}  // namespace
}  // namespace tilefly::cosim
