// SPDX-License-Identifier: Apache-2.0
// tilefly_egress_port against golden's OutputPort while the link of a retry port goes down and up (docs/blocks/link_retry.md,
// "Taken back"). The far end says of no lane what it holds, so that the port grants nothing, and all requests but those of row R
// go back in link downs. What is taken, sent and granted beside that is compared where two whole ports are at the link.
#include <gtest/gtest.h>

#include "Vrtl_egress_rosetta64.h"
#include "Vrtl_egress_tile8.h"
#include "golden/common/register_write.h"
#include "testbenches/egress/egress_harness.h"

namespace tilefly::bench {
namespace {

Cfg WriteDown(int port, std::uint64_t down) {
  PortRetry retry;
  retry.down = static_cast<std::uint8_t>(down);
  return golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kRetry), retry.ToBits());
}

template <typename Model>
void CompareTakenBack(const Profile& profile, int port, PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  EgressHarness<Model> harness(&run, profile, port);
  const Bin taken = run.AddBin("a request is taken back", 500);
  const Bin red_stays = run.AddBin("a request of row R stays while the link is down", 100);
  const Bin blocked = run.AddBin("requests stay, because the port blocks", 100);
  const Bin last = run.AddBin("the last request but those of row R is taken back", 10);
  const Bin up = run.AddBin("the link is up before all requests are back", 5);
  const Stimulus& random = run.stimulus();
  golden::OutputPort& golden = harness.golden();
  PortMode mode;
  mode.enable = mode.credits = mode.retry = true;
  mode.std_format = false;
  mode.lanes = 4;
  bool was_up = false, gave_back = false;
  int load = 0;
  while (run.Next()) {
    const Cycle now = run.cycle();
    typename EgressHarness<Model>::Stimuli stimuli;
    const Cycle begun = golden::kWriteLatency + 2;
    if (now == 0) stimuli.cfg = golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    else if (random.Chance(1, "behaviour", now)) stimuli.cfg = WriteDown(port, random.Below(4, "down", now));
    stimuli.link_up = now > begun && !random.Chance(random.Chance(128, "long", now / 256) ? 250 : 60, "down", now / 64);
    stimuli.requests = now > begun && golden.load() < 1500 && random.Spell("requests", now);
    harness.Step(stimuli);
    const auto& grant = harness.outputs().grant;
    ASSERT_TRUE(!grant || grant->grant.reroute) << "a grant without credits";
    const bool gives_back = golden.registers().port(port).discards();
    run.Hit(taken, grant.has_value());
    run.Hit(last, grant && golden.load() <= 4 * profile.mtu_cells && !stimuli.requests);
    run.Hit(red_stays, !was_up && !grant && gives_back && load > 0 && golden.load() == load);
    run.Hit(blocked, !was_up && !gives_back && load > 0);
    run.Hit(up, was_up && gave_back && load > 0);
    gave_back = grant.has_value();
    was_up = stimuli.link_up;
    load = golden.load();
  }
}

TEST(TakenBack, EqualsGoldenInEveryCycleWith8Ports) { CompareTakenBack<Vrtl_egress_tile8>(kTile8, 6, kZeros, 1); }

TEST(TakenBack, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareTakenBack<Vrtl_egress_tile8>(kTile8, 3, power_up, 0.1); });
}

TEST(TakenBack, EqualsGoldenInEveryCycleWith64Ports) { CompareTakenBack<Vrtl_egress_rosetta64>(kRosetta64, 50, kZeros, 1); }

}  // namespace
}  // namespace tilefly::bench
