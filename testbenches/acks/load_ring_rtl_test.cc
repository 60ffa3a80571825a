// SPDX-License-Identifier: Apache-2.0
// tilefly_load_ring against golden's LoadRing (docs/blocks/routing.md, "Load": ROUTE-3; docs/blocks/acks.md, "Neighbour
// load") and DownPorts (docs/blocks/link_retry.md, "Link down").
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "Vrtl_load_ring_rosetta64.h"
#include "Vrtl_load_ring_tile8.h"
#include "golden/routing/down_ports.h"
#include "golden/routing/load_ring.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

/// What a tile says of a port: events of a cycle change it, its flop shows it two cycles later.
struct Report {
  int load = 0;
  int neighbour = 0;
  int acks = 0;
  bool down = false;
  Cycle heard = 0;  ///< the last of them
  Cycle turned = 0;  ///< the port went down or up
};

template <typename Model>
class RingBench {
 public:
  RingBench(Comparison* run, const Profile& profile)
      : run_(*run),
        profile_(profile),
        dut_(run),
        golden_(profile.ports, profile.load_epoch_cycles, profile.neighbour_epochs),
        downs_(profile.load_epoch_cycles),
        state_(static_cast<std::size_t>(profile.ports)),
        flop_(state_),
        fresh_(run->AddBin("an ack brings a neighbour's load", 200)),
        over_(run->AddBin("a neighbour's load is too old", 20)),
        saturated_(run->AddBin("load and neighbour's load are more than can be shown", 20)),
        down_(run->AddBin("a port is shown as down", 100)),
        brief_(run->AddBin("a port is down for less than an epoch", 20)) {
    Clear(&dut_->reports_i);
    dut_->cycle_i = 0;
    dut_.Reset();
  }

  /// One cycle: both show the same; then its events.
  void Step() {
    const Cycle now = run_.cycle();
    for (int port = 0; port < profile_.ports; ++port) Put(port);
    dut_->cycle_i = static_cast<QData>(now);
    dut_.Settle();
    if (run_.draining() && now + 1 == run_.cycles()) run_.Compare("quiescent when idle", dut_->quiescent_o, true);
    run_.DrainUntil(dut_->quiescent_o != 0);
    for (int port = 0; port < profile_.ports; ++port) {
      const std::uint64_t shown = Get(dut_->loads_o, 12 * port, 12);
      const auto at = static_cast<std::size_t>(port);
      if (now >= golden::LoadRing::kAhead)
        run_.Compare("shown load", shown, expected_[at][static_cast<std::size_t>(now % kWindow)]);
      if (shown != 0) run_.Busy();
      run_.Hit(saturated_, shown == 4095);
      const bool down = Get(dut_->loads_o, 12 * profile_.ports + port, 1) != 0;
      if (now >= golden::kLookUpToRouting)
        run_.Compare("shown down", down, expected_down_[static_cast<std::size_t>(now % kWindow)] >> port & 1);
      run_.Hit(down_, down);
    }
    flop_ = state_;
    expected_down_[static_cast<std::size_t>((now + golden::kLookUpToRouting) % kWindow)] = downs_.Shown(now);
    for (int port = 0; port < profile_.ports; ++port) DrawEvents(now, port);
    dut_.Edge();
  }

 private:
  static constexpr Cycle kWindow = 16;

  void Put(int port) {
    const Report& report = flop_[static_cast<std::size_t>(port)];
    const int at = port / 2 * Loadreport::kWidth + port % 2 * (Loadreport::kWidth / 2);
    tilefly::bench::Put(&dut_->reports_i, at, 12, static_cast<std::uint64_t>(std::min(report.load, 4095)));
    tilefly::bench::Put(&dut_->reports_i, at + 12, 12, static_cast<std::uint64_t>(report.neighbour));
    tilefly::bench::Put(&dut_->reports_i, at + 24, 9, static_cast<std::uint64_t>(report.acks & 511));
    tilefly::bench::Put(&dut_->reports_i, at + 33, 1, report.down);
  }

  /// Some ports hear a lot, some now and then, and all are silent for long now and then.
  void DrawEvents(Cycle now, int port) {
    const Stimulus& random = run_.stimulus();
    const auto index = static_cast<std::uint32_t>(port);
    Report& report = state_[static_cast<std::size_t>(port)];
    // What golden shows to decisions of a later cycle is asked before the events of this one.
    expected_[static_cast<std::size_t>(port)][static_cast<std::size_t>((now + golden::LoadRing::kAhead) % kWindow)] =
        static_cast<std::uint64_t>(golden_.Shown(now, port));
    if (run_.draining()) {
      golden_.Add(now, port, -report.load);
      report.load = 0;
      Turn(now, port, false);
      return;
    }
    if (random.Chance(random.Chance(128, "turns", now / 256, index) ? 12 : 1, "turn", now, index)) Turn(now, port, !report.down);
    if (random.Chance(30, "load changes", now, index)) {
      const int most = random.Chance(20, "high", now / 256, index) ? 4400 : 300;
      const int load = random.Chance(128, "empty", now, index) ? 0 : random.Between(0, most, "load", now, index);
      golden_.Add(now, port, load - report.load);
      report.load = load;
    }
    const bool silent = random.Chance(150, "silent", now / 700, index);
    if (!silent && random.Chance(random.Chance(128, "rarely", now / 256, index) ? 1 : 200, "ack", now, index)) {
      report.neighbour = random.Between(0, random.Chance(40, "far", now, index) ? 4095 : 500, "neighbour", now, index);
      ++report.acks;
      golden_.Hear(now, port, report.neighbour);
      run_.Hit(fresh_);
      run_.Event("ack: port, neighbour", {port, report.neighbour});
      report.heard = now;
    }
    const Cycle life = Cycle{profile_.neighbour_epochs + 1} * profile_.load_epoch_cycles;
    run_.Hit(over_, report.neighbour != 0 && now == report.heard + life);
  }

  void Turn(Cycle now, int port, bool down) {
    Report& report = state_[static_cast<std::size_t>(port)];
    if (report.down == down) return;
    run_.Hit(brief_, !down && now - report.turned < profile_.load_epoch_cycles);
    report.down = down;
    report.turned = now;
    mask_ ^= golden::Bit(port);
    downs_.Set(now, mask_);
    run_.Event("turns: port, down", {port, down});
  }

  Comparison& run_;
  const Profile& profile_;
  Dut<Model> dut_;
  golden::LoadRing golden_;
  golden::DownPorts downs_;
  golden::PortMask mask_ = 0;
  std::vector<Report> state_, flop_;
  std::array<std::array<std::uint64_t, kWindow>, golden::kMaxPorts> expected_{};
  std::array<golden::PortMask, kWindow> expected_down_{};
  Bin fresh_, over_, saturated_, down_, brief_;
};

template <typename Model>
void CompareRing(const Profile& profile, PowerUp power_up, double of_tier) {
  // Every neighbour's load becomes too old, and the ring has taken it.
  const Cycle drain = Cycle{profile.neighbour_epochs + 4} * profile.load_epoch_cycles;
  Comparison run({of_tier, 25, 0, drain, power_up});
  RingBench<Model> bench(&run, profile);
  while (run.Next()) bench.Step();
}

TEST(LoadRingBlock, EqualsGoldenInEveryCycleWith8Ports) { CompareRing<Vrtl_load_ring_tile8>(kTile8, kZeros, 2); }

TEST(LoadRingBlock, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareRing<Vrtl_load_ring_tile8>(kTile8, power_up, 0.1); });
}

TEST(LoadRingBlock, EqualsGoldenInEveryCycleWith64Ports) {
  CompareRing<Vrtl_load_ring_rosetta64>(kRosetta64, kZeros, 0.5);
}

}  // namespace
}  // namespace tilefly::bench
