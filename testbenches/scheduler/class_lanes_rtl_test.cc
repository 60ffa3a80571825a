// SPDX-License-Identifier: Apache-2.0
// tilefly_class_lanes against golden's VL_CLASS table (docs/blocks/egress.md, docs/blocks/switch.md).
#include <gtest/gtest.h>

#include "Vrtl_class_lanes.h"
#include "golden/registers/registers.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

const Profile& kProfile = kTile8;

/// The table survives a reset, so random registers must not show either: it is set at power-up.
void CompareLanes(PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  Dut<Vrtl_class_lanes> dut(&run);
  Clear(&dut->cfg_i);
  dut.Reset();

  const Bin written = run.AddBin("a lane gets another class", 200);
  const Bin ignored = run.AddBin("an access that is no write to the table", 200);
  golden::Registers golden(kProfile);
  const Stimulus& random = run.stimulus();
  while (run.Next()) {
    const Cycle now = run.cycle();
    Cfg cfg;
    cfg.valid = random.Spell("access", now);
    cfg.read = random.Chance(32, "read", now);
    cfg.space = static_cast<std::uint8_t>(random.Chance(224, "space", now) ? static_cast<int>(CfgSpace::kVlClass)
                                                                          : random.Between(0, 15, "other space", now));
    cfg.port = static_cast<std::uint8_t>(random.Below(128, "port", now));
    cfg.index = static_cast<std::uint16_t>(random.Chance(16, "far index", now) ? random.Below(2048, "index", now)
                                                                              : random.Below(18, "index", now));
    cfg.data = random.Bits("data", now);
    PutStruct(&dut->cfg_i, 0, cfg);
    dut.Settle();
    for (int c = 0; c < kProfile.classes; ++c) {
      run.Compare("lanes", Get(dut->lanes_o, c * kProfile.vls, kProfile.vls),
                  golden.tables().class_lanes[static_cast<std::size_t>(c)]);
    }
    if (cfg.valid) {
      run.Busy();
      const auto before = golden.tables().class_lanes;
      if (!cfg.read) golden.Apply(cfg);
      run.Event("access: read, space, index, data",
                {cfg.read, cfg.space, cfg.index, TableClass::FromBits(cfg.data).tc});
      const bool to_table = !cfg.read && cfg.space == static_cast<int>(CfgSpace::kVlClass) && cfg.index < kProfile.vls;
      run.Hit(ignored, !to_table);
      run.Hit(written, before != golden.tables().class_lanes);
    }
    dut.Edge();
  }
}

TEST(ClassLanes, EqualGoldenInEveryCycle) { CompareLanes(kZeros, 1); }

TEST(ClassLanes, EqualGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareLanes(power_up, 0.1); });
}

}  // namespace
}  // namespace tilefly::bench
