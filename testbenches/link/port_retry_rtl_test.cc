// SPDX-License-Identifier: Apache-2.0
// tilefly_port_retry against the sentences of docs/blocks/link_retry.md: what a port's registers say of retry, and when best
// effort makes the port plain ("Registers and counters", "Link down").
#include <gtest/gtest.h>

#include "Vrtl_port_retry.h"
#include "generated/registers.h"
#include "golden/common/register_write.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

constexpr int kPort = 5;
constexpr int kBlock = 1, kBestEffort = 2;

/// The registers as written, and whether the port is plain.
struct Page {
  PortMode mode;
  PortRetry retry;
  PortLanes lanes;
  bool plain = false;
  bool up_before = false, up_two_before = false;

  bool on() const { return mode.enable && mode.credits && mode.retry && !mode.std_format; }
  /// Whether a register write of the cycle is for this port, and which one.
  static bool Writes(const Cfg& cfg, PortReg reg) {
    return cfg.valid && !cfg.read && cfg.space == static_cast<std::uint8_t>(CfgSpace::kPort) &&
           (cfg.port == kPort || cfg.port == golden::kAllPorts) && cfg.index == static_cast<int>(reg);
  }
  void Event(bool up, const Cfg& cfg) {
    const bool second_down = !up && !up_before && up_two_before;
    if (second_down && on() && retry.down == kBestEffort) plain = true;
    if (Writes(cfg, PortReg::kMode)) {
      mode = PortMode::FromBits(cfg.data);
      plain = false;
    }
    if (Writes(cfg, PortReg::kRetry)) retry = PortRetry::FromBits(cfg.data);
    if (Writes(cfg, PortReg::kLanes)) lanes = PortLanes::FromBits(cfg.data);
    up_two_before = up_before;
    up_before = up;
  }
};

/// A write of one of the three registers, mostly; of any value, but so that most ports are retry ports. What differs from a
/// write in one bit of the address, or is not valid, holds the same.
Cfg DrawAccess(const Stimulus& random, Cycle now) {
  if (!random.Chance(48, "access", now)) return {};
  constexpr std::array kRegs = {PortReg::kMode, PortReg::kRetry, PortReg::kLanes};
  const PortReg reg = kRegs[random.Below(kRegs.size(), "register", now)];
  std::uint64_t data = random.Bits("data", now);
  if (reg == PortReg::kMode && !random.Chance(64, "any mode", now)) {
    PortMode mode = PortMode::FromBits(data);
    mode.enable = mode.credits = mode.retry = true;
    mode.std_format = false;
    data = mode.ToBits();
  }
  if (reg == PortReg::kRetry && random.Chance(128, "best effort", now)) {
    PortRetry retry = PortRetry::FromBits(data);
    retry.down = kBestEffort;
    data = retry.ToBits();
  }
  Cfg cfg = golden::WriteRegister(kPort, CfgSpace::kPort, static_cast<int>(reg), data);
  const auto bit = [&](std::uint64_t bits) { return 1u << random.Below(bits, "bit", now); };
  switch (random.Below(12, "other", now)) {
    case 0: cfg.port = static_cast<std::uint8_t>(golden::kAllPorts); break;
    case 1: cfg.port = static_cast<std::uint8_t>(cfg.port ^ bit(7)); break;
    case 2: cfg.read = true; break;
    case 3: cfg.index = static_cast<std::uint16_t>(cfg.index ^ bit(11)); break;
    case 4: cfg.space = static_cast<std::uint8_t>(cfg.space ^ bit(4)); break;
    case 5: cfg.valid = false; break;
    case 6: cfg.port = static_cast<std::uint8_t>(golden::kAllPorts ^ bit(7)); break;
    default: break;
  }
  return cfg;
}

void ComparePort(PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  Dut<Vrtl_port_retry> dut(&run);
  const Stimulus& random = run.stimulus();
  dut->port_i = kPort;
  dut->link_up_i = 0;
  Clear(&dut->cfg_i);
  dut.Reset();
  Page page;
  const Bin plain = run.AddBin("becomes plain", 20), ends = run.AddBin("a write of MODE ends the plain state", 10),
            meets = run.AddBin("MODE is written in the second cycle of a link down", 3), short_down = run.AddBin("down for a cycle", 20);
  bool up = false;
  while (run.Next()) {
    const Cycle now = run.cycle();
    up = random.Chance(up ? 240 : 80, "up", now);
    Cfg cfg = DrawAccess(random, now);
    if (!up && !page.up_before && page.up_two_before && random.Chance(64, "meets", now)) {
      PortMode mode = page.mode;
      mode.lanes = static_cast<std::uint8_t>(random.Below(8, "lanes", now));
      cfg = golden::WriteRegister(kPort, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
      run.Hit(meets, page.on() && page.retry.down == kBestEffort);
    }
    dut->link_up_i = up;
    PutStruct(&dut->cfg_i, 0, cfg);
    dut.Settle();
    run.Compare("enable", dut->enable_o, page.mode.enable);
    const bool on = page.on();
    const std::uint64_t settings = std::uint64_t{on} << 50 | std::uint64_t{on && !page.plain} << 49 |
                                   std::uint64_t{on && page.retry.down != kBlock} << 48 | std::uint64_t{page.retry.watchdog} << 32 |
                                   std::uint64_t{page.retry.timer} << 16 | std::uint64_t{page.retry.limit} << 8 | page.retry.threshold;
    run.Compare("retry", dut->retry_o, settings);
    const std::uint64_t lanes = std::uint64_t{Page::Writes(cfg, PortReg::kLanes)} << 20 | std::uint64_t{page.lanes.off} << 16 |
                                std::uint64_t{page.lanes.back} << 8 | page.lanes.fail;
    run.Compare("lanes", dut->lanes_o, lanes);
    if (cfg.valid || page.plain) run.Busy();
    run.Hit(short_down, up && !page.up_before && page.up_two_before);
    const bool was_plain = page.plain;
    page.Event(up, cfg);
    run.Hit(plain, page.plain && !was_plain);
    run.Hit(ends, was_plain && !page.plain);
    dut.Edge();
  }
}

TEST(PortRetry, EqualsThePageInEveryCycle) { ComparePort(kZeros, 1); }

TEST(PortRetry, EqualsThePageFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { ComparePort(power_up, 0.05); });
}

}  // namespace
}  // namespace tilefly::bench
