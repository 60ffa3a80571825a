// SPDX-License-Identifier: Apache-2.0
// The credit halves of a retry port, RTL against golden, in every cycle (docs/blocks/link_retry.md, "Credits"): on a link
// whose wire and ends fail, and under any inputs that keep the rules, which reach the edges of the counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <type_traits>

#include "Vrtl_credit_return.h"
#include "Vrtl_credit_sender.h"
#include "testbenches/credit/healing_any.h"
#include "testbenches/credit/healing_campaign.h"

namespace tilefly::bench {
namespace {

HealingCampaign::Plan LinkPlan(const Comparison& run) {
  HealingCampaign::Plan plan;
  plan.delay = 7 + 20 * static_cast<int>(run.stimulus().Below(3, "delay", 0));
  plan.words = {0.01, 0.01, 0.002, 0.002, 1};
  plan.there = {0.01, 0.01, 0.2, 0.01, 1};
  plan.back = {0.003, 0.003, 0.01, 0.01, 1};
  plan.traffic.discards = run.stimulus().Chance(128, "discards", 0);
  plan.traffic.most_cells = run.stimulus().Chance(128, "short packets", 0) ? 6 : 89;
  plan.apart = 100;
  plan.copies = 0;  // as the CREDIT registers are at reset
  return plan;
}

/// `Model`: the half that is compared.
template <typename Model>
void CompareOnALink(PowerUp power_up, double of_tier) {
  constexpr bool sender = std::is_same_v<Model, Vrtl_credit_sender>;
  Comparison run({of_tier, 5, 0, 4000, power_up});
  const Bin downs = run.AddBin("the link goes down", 3);
  const Bin healed = run.AddBin("a stamp heals", 2);
  const Bin again = run.AddBin("a replay starts a packet", 20);
  HealingCampaign campaign(LinkPlan(run), kHealed, run.stimulus());
  HealingLink& link = campaign.link;
  std::optional<HealingSenderRig> sends;
  std::optional<HealingReturnRig> returns;
  if (sender) sends.emplace(&run);
  else returns.emplace(&run);
  bool up = true;
  while (run.Next()) {
    if (run.draining()) campaign.Drain();
    const auto& healing = link.sender.healing;
    const bool over = healing.over(link.sender.credits), home = link.home() && healing.all_known();
    const bool waiting = link.receiver.returner.pending() || link.receiver.healing.asked() || !up;
    const Cycle now = link.cycle;
    const bool was_up = link.sender_up;
    campaign.Step();
    if (sender) sends->Step(now, true, link.to_sender, over, home);
    else returns->Step(true, link.to_receiver, waiting);
    up = link.receiver_up;
    run.Hit(downs, was_up && !link.sender_up);
    run.Hit(healed, link.to_receiver.judgement.healed > 0);
    run.Hit(again, link.to_sender.again);
    run.Check(link.audit);
    link.audit = {};
    run.DrainUntil(campaign.home());
  }
}

template <typename Model>
void CompareAny(PowerUp power_up, double of_tier) {
  Comparison run({of_tier, 25, 0, 0, power_up});
  std::conditional_t<std::is_same_v<Model, Vrtl_credit_sender>, AnySender, AnyReceiver> any(&run);
  while (run.Next()) any.Step();
}

/// Each lane in turn is charged over every power of two and, cell by cell, over the number from which on the link is given up.
/// In every cycle a return says what the lane has sent less what it uses, so both are judged; cells are discarded meanwhile.
void CompareLanesOverTheirEdges(PowerUp power_up) {
  constexpr int kGrantAt = 128, kOver = 49'152, kMost = 65'000;
  constexpr Cycle kTurn = 900;  // of a lane
  Comparison run({1, 25, kHealed.vls * kTurn, 0, power_up});
  const Bin is_over = run.AddBin("a lane is over", 100 * kHealed.vls);
  const Bin edges = run.AddBin("a lane uses a power of two", 15 * kHealed.vls);
  const Bin discards = run.AddBin("a cell is discarded", 80 * kHealed.vls);
  const golden::CreditTable table(kHealed);
  HealingSenderRig rig(&run);
  golden::CreditSender credits;
  golden::SenderHealing healing(kHealed.vls);
  std::uint16_t returned = 0;
  while (run.Next()) {
    const Cycle now = run.cycle(), of_turn = now % kTurn;
    const auto lane = static_cast<std::uint8_t>(now / kTurn);
    const int used = credits.used(lane);
    const bool over = healing.over(credits), home = credits.AllHome() && healing.all_known();
    run.Hit(is_over, over);
    run.Hit(edges, used > 0 && (used & (used - 1)) == 0);
    SenderMoves moves;
    moves.link_up = true;
    moves.stamp = healing.Stamp(now, now > 0, credits);
    if (of_turn == 0) returned = 0;
    if (of_turn == kTurn - 1) returned = static_cast<std::uint16_t>(returned + used);
    moves.credit = golden::CreditReturner::Message{lane, returned};
    moves.bad_return = !healing.Return(&credits, lane, returned, table);
    moves.returned = credits.used(lane) != used;
    if (used == kGrantAt) {
      moves.grant = {true, lane, kHealed.mtu_cells};
      moves.want = moves.lane_ok = static_cast<std::uint16_t>(1u << lane);
      credits.Grant(lane, kHealed.mtu_cells, table);
      healing.Granted(lane, kHealed.mtu_cells);
    } else if (used > kGrantAt && of_turn % 4 == 0 && healing.inside(lane) > 0) {
      moves.take = {true, lane, 1};
      moves.discard = true;
      healing.Discarded(&credits, lane, 1, table);
      run.Hit(discards);
    } else if (of_turn < kTurn - 1 && used < kMost) {
      int edge = used < kOver - 3 ? kOver - 3 : used < kOver + 3 ? used + 1 : kMost;
      for (int power = 1; power < kMost; power *= 2) edge = power > used ? std::min(edge, power) : edge;
      moves.again = true;
      moves.start = {true, lane, std::min(edge - used, kHealed.mtu_cells)};
      moves.start_len = std::min(48 * moves.start.cells - 16, kHealed.mtu_bytes);
      healing.Started(&credits, lane, moves.start.cells, true, table);
    }
    rig.Step(now, true, moves, over, home);
  }
}

TEST(HealingCredits, EachLaneCrossesItsEdges) { CompareLanesOverTheirEdges(kZeros); }
TEST(HealingCredits, SenderEqualsGoldenInEveryCycle) { CompareOnALink<Vrtl_credit_sender>(kZeros, 1); }
TEST(HealingCredits, ReturnEqualsGoldenInEveryCycle) { CompareOnALink<Vrtl_credit_return>(kZeros, 1); }
TEST(HealingCredits, SenderEqualsGoldenUnderAnyInputs) { CompareAny<Vrtl_credit_sender>(kZeros, 1); }
TEST(HealingCredits, ReturnEqualsGoldenUnderAnyInputs) { CompareAny<Vrtl_credit_return>(kZeros, 1); }
TEST(HealingCredits, SenderEqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareAny<Vrtl_credit_sender>(power_up, 0.05); });
}
TEST(HealingCredits, ReturnEqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareAny<Vrtl_credit_return>(power_up, 0.05); });
}

}  // namespace
}  // namespace tilefly::bench
