// SPDX-License-Identifier: Apache-2.0
// tilefly_credit_sender against golden's CreditSender and CREDIT registers (docs/blocks/credit.md: CRED-1, CRED-2, CRED-3).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "Vrtl_credit_sender.h"
#include "golden/credit/credit_checker.h"
#include "golden/registers/registers.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

constexpr int kPort = 5;
const Profile& kProfile = kTile8;

/// Cells that a lane's reserve does not cover.
std::uint64_t Excess(int used, int reserve) { return static_cast<std::uint64_t>(std::max(0, used - reserve)); }

/// CREDIT data for a lane, or for the shared part (index 16): any value, or the one at which `lane` just has credit, or just
/// has none.
constexpr int kSharedIndex = golden::IndexOf(TableReg::kCreditShared);

std::uint64_t RandomCredit(const Stimulus& random, Cycle cycle, int index, int lane,
                           const golden::CreditSender& sender, const golden::CreditTable& table) {
  const bool edge = random.Chance(128, "write: edge", cycle);
  const auto short_of = random.Below(2, "write: short of the edge", cycle);
  if (index == kSharedIndex) {
    std::uint64_t needed = 0;
    for (int v = 0; v < golden::kMaxLanes; ++v) {
      needed += Excess(sender.used(v) + (v == lane ? kProfile.mtu_cells : 0), table.reserve[static_cast<std::size_t>(v)]);
    }
    return edge && needed > 0 ? needed - short_of : random.Below(65536, "write: shared", cycle);
  }
  const auto reserve = random.Below(random.Chance(128, "write: wide", cycle) ? 4096 : 200, "write: reserve", cycle);
  const auto needed = static_cast<std::uint64_t>(sender.used(index) + kProfile.mtu_cells);
  const std::uint64_t cap = edge && needed < 4096 ? needed - short_of : random.Below(4096, "write: cap", cycle);
  return CreditLane::Of(reserve, cap).ToBits();
}

/// What the register bus carries: mostly a write to the CREDIT registers of this port or of all; else something that differs
/// from one in a single bit of the address, a read, or nothing.
Cfg RandomWrite(const Stimulus& random, Cycle cycle, const golden::CreditSender& sender,
                const golden::CreditTable& table) {
  Cfg write;
  write.valid = random.Chance(240, "write: valid", cycle);
  write.read = random.Chance(16, "write: read", cycle);
  const int lane = static_cast<int>(random.Below(golden::kMaxLanes, "write: lane", cycle));
  const int index = random.Chance(64, "write: shared part", cycle) ? kSharedIndex : lane;
  const auto unused = random.Bits("write: unused bits", cycle);
  write.data = RandomCredit(random, cycle, index, lane, sender, table) | unused << CreditLane::kWidth;
  write.space = static_cast<std::uint8_t>(CfgSpace::kCredit);
  write.port = random.Chance(64, "write: all ports", cycle) ? golden::kAllPorts : kPort;
  write.index = static_cast<std::uint16_t>(index);
  const auto bit = [&](int bits) { return 1u << random.Below(static_cast<std::uint64_t>(bits), "write: bit", cycle); };
  switch (random.Below(8, "write: elsewhere", cycle)) {
    case 0: write.space = static_cast<std::uint8_t>(write.space ^ bit(4)); break;
    case 1: write.port = static_cast<std::uint8_t>(write.port ^ bit(7)); break;
    case 2: write.index = static_cast<std::uint16_t>(write.index ^ bit(11)); break;
    default: break;
  }
  return write;
}

/// Half of the lanes get a cap that they reach soon.
Cfg SetUpWrite(int lane) {
  Cfg write;
  write.valid = true;
  write.space = static_cast<std::uint8_t>(CfgSpace::kCredit);
  write.port = kPort;
  write.index = static_cast<std::uint16_t>(lane);
  const auto cap = static_cast<unsigned>(lane % 2 == 0 ? kProfile.credit_cap_cells : 3 * kProfile.mtu_cells);
  write.data = CreditLane::Of(kProfile.credit_reserve_cells, cap).ToBits();
  return write;
}

/// The lane whose turn it is: for a stretch of cycles few of them or one, so that caps and the shared part matter.
int LaneOf(const Stimulus& random, Purpose purpose, Cycle cycle) {
  std::uint64_t few = random.Bits("lanes", cycle / 512) & random.Bits("lanes", cycle / 512, 1);
  if (random.Chance(128, "one lane", cycle / 512)) few = golden::Bit(static_cast<int>(few & 15));
  const int lane = static_cast<int>(random.Below(golden::kMaxLanes, purpose, cycle));
  for (int i = 0; i < golden::kMaxLanes; ++i) {
    if ((few >> ((lane + i) % golden::kMaxLanes)) & 1) return (lane + i) % golden::kMaxLanes;
  }
  return lane;
}

struct Plan {
  PowerUp power_up = kZeros;
  bool writes = true;  ///< the registers change while cells are out, which CRED-2 does not cover
  double of_tier = 3;
};

void CompareSenders(const Plan& plan) {
  Comparison run({plan.of_tier, 25, 0, 300, plan.power_up});
  Dut<Vrtl_credit_sender> dut(&run);
  dut->port_i = kPort;
  Clear(&dut->cfg_i);
  dut->enable_i = 1;
  dut->want_i = 0;
  dut->grant_valid_i = dut->ret_valid_i = 0;
  dut->retry_i = dut->link_up_i = dut->take_valid_i = dut->start_valid_i = 0;
  dut.Reset();

  const Bin no_credit = run.AddBin("a lane that wants has no credit", 500);
  const Bin at_cap = run.AddBin("a lane that wants is at its cap", 5);
  const Bin shared_out = run.AddBin("a lane below its cap waits for the shared part", plan.writes ? 0 : 200);
  const Bin both = run.AddBin("a grant and a return on one lane", 100);
  const Bin bad = run.AddBin("a return that makes no sense", 50);
  const Bin wraps = run.AddBin("a count wraps", 1);
  const Bin all_home = run.AddBin("a return brings the lane's last credit home", 20);

  golden::Registers registers(kProfile);
  golden::CreditSender golden;
  golden::CreditChecker books;
  const Stimulus& random = run.stimulus();
  while (run.Next()) {
    const Cycle now = run.cycle();
    const golden::CreditTable table = *registers.port(kPort).credit;
    const int grant_vl = LaneOf(random, "grant lane", now);
    const bool alone = random.Chance(32, "want: one lane", now);
    const auto want = static_cast<std::uint16_t>(
        alone ? golden::Bit(grant_vl) : random.Bits("want", now) | random.Bits("want", now, 1));

    const int cells = random.Chance(64, "grant: MTU", now) ? kProfile.mtu_cells
                                                           : random.Between(1, kProfile.mtu_cells, "grant cells", now);
    const bool set_up = now < golden::kMaxLanes;
    const bool grant = ((want >> grant_vl) & 1) != 0 && golden.LaneOk(grant_vl, table, kProfile.mtu_cells) &&
                       !run.draining() && !set_up && random.Spell("grant", now);
    // In the end all lanes are emptied and reported in turn.
    const int turn = static_cast<int>(now % golden::kMaxLanes);
    const bool ret = run.draining() || random.Spell("return", now);
    const int ret_vl = run.draining()                                 ? turn
                       : random.Chance(64, "return: same lane", now) ? grant_vl
                                                                     : LaneOf(random, "return lane", now);
    const bool nonsense = !run.draining() && random.Chance(8, "return: nonsense", now);
    const std::uint16_t message =
        nonsense ? static_cast<std::uint16_t>(random.Bits("nonsense", now)) : books.freed(ret_vl);
    Cfg write;
    if (set_up) write = SetUpWrite(static_cast<int>(now));
    else if (plan.writes && !run.draining() && random.Chance(32, "write", now)) write = RandomWrite(random, now, golden, table);

    PutStruct(&dut->cfg_i, 0, write);
    dut->want_i = want;
    dut->grant_valid_i = grant;
    dut->grant_vl_i = static_cast<CData>(grant_vl);
    dut->grant_cells_i = static_cast<CData>(cells);
    dut->ret_valid_i = ret;
    dut->ret_vl_i = static_cast<CData>(ret_vl);
    dut->ret_cells_i = message;
    dut.Settle();

    std::uint64_t lane_ok = 0;
    for (int v = 0; v < golden::kMaxLanes; ++v) {
      if (((want >> v) & 1) == 0) continue;
      const bool ok = golden.LaneOk(v, table, kProfile.mtu_cells);
      lane_ok |= std::uint64_t{ok} << v;
      if (ok) continue;
      run.Hit(no_credit);
      const bool capped = golden.used(v) + kProfile.mtu_cells > table.cap[static_cast<std::size_t>(v)];
      run.Hit(capped ? at_cap : shared_out);
    }
    run.Compare("lane_ok", dut->lane_ok_o, lane_ok);

    // The receiver frees what it holds, at random; CRED-1 ties the three books together.
    const int free = run.draining() ? turn : LaneOf(random, "free lane", now);
    if (run.draining() || random.Spell("free", now)) {
      const int most = std::min(books.resident(free), 2 * kProfile.mtu_cells);
      books.Freed(free, run.draining() ? most : random.Between(0, most, "freed", now));
    }

    bool accepted = false;
    if (ret) {
      const int before = golden.used(ret_vl);
      accepted = golden.Return(ret_vl, message, table);
      run.Event("return: lane, count, accepted", {ret_vl, message, accepted});
      run.Hit(accepted ? all_home : bad, !accepted || (before != 0 && golden.used(ret_vl) == 0));
      if (accepted) {
        // A nonsense count may look like a sensible one; the receiver has then said that much.
        const int left = golden.used(ret_vl);
        if (nonsense) books.Restart(ret_vl, message, left);
        else books.Home(ret_vl, before - left);
      }
      run.Busy();
    }
    run.Compare("bad_return", dut->bad_return_o, ret && !accepted);
    run.Compare("returned", dut->returned_o, 0);  // of a retry port alone
    run.Compare("stamp", dut->stamp_valid_o, 0);
    run.Compare("over", dut->over_o, 0);
    run.Compare("quiescent", dut->quiescent_o, 1);
    if (grant) {
      const int before = golden.used(grant_vl);
      golden.Grant(grant_vl, cells, table);
      books.Granted(grant_vl, cells);
      run.Event("grant: lane, cells, used before", {grant_vl, cells, before});
      run.Hit(both, ret && ret_vl == grant_vl);
      run.Busy();
    }
    if (accepted && message < 64 && !nonsense && run.cycle() > 200) run.Hit(wraps);
    if (write.valid && !write.read) {
      registers.Apply(write);
      golden.Rebase(*registers.port(kPort).credit);
      run.Event("write: port, index, data", {write.port, write.index, static_cast<std::int64_t>(write.data)});
    }
    dut.Edge();

    golden::Audit audit;
    books.Check(golden, &audit);
    golden.Check(kPort, *registers.port(kPort).credit, &audit);
    run.Check(audit);
    golden::Audit home;
    golden::CreditChecker::CheckHome(golden, kPort, &home);
    run.DrainUntil(home.broken().empty());
  }
}

TEST(CreditSender, EqualsGoldenInEveryCycle) {
  Plan plan;
  plan.writes = false;
  CompareSenders(plan);
}

TEST(CreditSender, EqualsGoldenWhileRegistersChange) { CompareSenders({}); }

TEST(CreditSender, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareSenders({power_up, false, 0.1}); });
}

TEST(CreditSender, APortWithoutCreditsIgnoresAllThatHappens) {
  Comparison run({1, 0, 400});
  Dut<Vrtl_credit_sender> dut(&run);
  dut->port_i = kPort;
  Clear(&dut->cfg_i);
  dut->enable_i = 0;
  dut->want_i = 0xffff;
  dut->grant_valid_i = dut->ret_valid_i = 0;
  dut->retry_i = dut->link_up_i = dut->take_valid_i = dut->start_valid_i = 0;
  dut.Reset();
  while (run.Next()) {
    const bool on = run.cycle() >= 300;  // then nothing must have been counted: every lane has all its credit
    dut->enable_i = on;
    dut->grant_valid_i = !on;
    dut->grant_vl_i = 3;
    dut->grant_cells_i = 89;
    dut->ret_valid_i = !on;
    dut->ret_vl_i = 3;
    dut->ret_cells_i = 7;
    // It is no retry port either, whatever retry_i says.
    dut->retry_i = !on;
    dut->link_up_i = run.cycle() >= 100;
    dut->cycle_i = static_cast<std::uint64_t>(run.cycle());
    dut->take_valid_i = dut->take_lost_i = run.cycle() % 2 == 0 && !on;
    dut->take_vl_i = 3;
    dut->take_cells_i = 5;
    dut->start_valid_i = dut->start_again_i = run.cycle() % 3 == 0 && !on;
    dut->start_vl_i = 3;
    dut->start_len_i = 4096;
    dut.Settle();
    run.Compare("lane_ok", dut->lane_ok_o, on ? 0xffff : 0);
    run.Compare("bad_return", dut->bad_return_o, false);
    run.Compare("returned", dut->returned_o, false);
    run.Compare("stamp", dut->stamp_valid_o, false);
    run.Compare("over", dut->over_o, false);
    run.Compare("quiescent", dut->quiescent_o, true);
    dut.Edge();
  }
}

}  // namespace
}  // namespace tilefly::bench
