// SPDX-License-Identifier: Apache-2.0
// Credits that heal, golden at both ends of a link (docs/blocks/link_retry.md, "Credits"): LSV-1, LSV-2 and LSV-3.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "testbenches/bench/settings.h"
#include "testbenches/credit/healing_campaign.h"

namespace tilefly::bench {
namespace {

const Profile& kLinkProfile = kTile8;

/// Runs a campaign for `cycles`, then until all is home.
void RunHome(HealingCampaign* campaign, Cycle cycles) {
  HealingLink& link = campaign->link;
  while (link.cycle < cycles || (!campaign->home() && link.cycle < cycles + 20'000)) {
    if (link.cycle == cycles) campaign->Drain();
    campaign->Step();
    ASSERT_EQ(link.audit.broken().size(), 0u) << link.audit.Message() << " in cycle " << link.cycle - 1;
  }
  ASSERT_TRUE(campaign->home()) << "after " << link.cycle << " cycles cells are still out";
  ASSERT_EQ(link.counts.bad, 0) << "returns that make no sense";
}

int Runs(int quick) { return TierFromEnvironment() == Tier::kQuick ? quick : 4 * quick; }

TEST(HealingCredits, AreHomeInTheTimeOfTheFormula) {
  for (const int delay : {1, 7, 40}) {
    SCOPED_TRACE("delay " + std::to_string(delay));
    HealingLink::Counts all;
    const Cycle bound = 64 * kLinkProfile.vls + 2 * delay + kLinkProfile.vls + 16;
    for (int i = 0; i < Runs(3); ++i) {
      HealingCampaign::Plan plan;
      plan.delay = delay;
      plan.words = {0.004, 0.004, 0.002, 0, 1};
      plan.traffic.most_cells = 8;
      plan.downs = false;
      HealingCampaign campaign(plan, kLinkProfile, Stimulus(SeedOf(RootSeed(), "formula") + static_cast<std::uint32_t>(i)));
      ASSERT_NO_FATAL_FAILURE(RunHome(&campaign, 20'000));
      ASSERT_EQ(campaign.link.Bound(kLinkProfile.vls), bound);
      all.lost += campaign.link.counts.lost;
      all.longest = std::max(all.longest, campaign.link.counts.longest);
      EXPECT_EQ(campaign.link.counts.old, 0) << "no slot came twice";
    }
    std::printf("    D = %d: %lld lost attempts, at most %lld cycles out, formula %lld\n", delay,
                static_cast<long long>(all.lost), static_cast<long long>(all.longest), static_cast<long long>(bound));
    EXPECT_GT(all.lost, 300);
    EXPECT_LE(all.longest, bound);
    EXPECT_GT(all.longest, bound - 32) << "the formula was not approached";
  }
}

/// Words and slots are dropped, bad and repeated, the link goes down with residents, one end first.
void Campaigns(bool discards, int apart) {
  HealingLink::Counts all;
  int downs = 0;
  for (int i = 0; i < Runs(40); ++i) {
    SCOPED_TRACE("run " + std::to_string(i));
    HealingCampaign::Plan plan;
    plan.delay = 7 + 20 * (i % 3);
    plan.words = {0.004, 0.004, 0.002, 0.002, 1};
    plan.there = {0.01, 0.01, 0.3, 0.01, 1};
    plan.back = {0.01, 0.01, 0.01, 0.01, 1};
    plan.traffic.most_cells = i % 2 == 0 ? 89 : 6;
    plan.traffic.discards = discards;
    plan.traffic.lanes = i % 3 == 0 ? 16 : 1;
    plan.apart = apart;
    HealingCampaign campaign(plan, kLinkProfile, Stimulus(SeedOf(RootSeed(), "campaign") + static_cast<std::uint32_t>(i)));
    ASSERT_NO_FATAL_FAILURE(RunHome(&campaign, 20'000));
    downs += campaign.link_downs();
    all.again += campaign.link.counts.again;
    all.healed += campaign.link.counts.healed;
    all.old += campaign.link.counts.old;
  }
  EXPECT_GT(downs, 200);
  EXPECT_GT(all.again, 3000);
  EXPECT_GT(all.healed, 5000);
  EXPECT_GT(all.old, 0);
}

TEST(HealingCredits, AreHomeAfterFaultsAndLinkDownsThatDiscard) { Campaigns(true, 0); }
TEST(HealingCredits, AreHomeAfterFaultsAndLinkDownsThatBlock) { Campaigns(false, 0); }
TEST(HealingCredits, AreHomeWhenTheEndsComeUpFarApart) { Campaigns(true, 300); }

/// The receiver's last returns are lost, and then both ends are silent: the stamps ask for them.
TEST(HealingCredits, AreHomeAfterTheLastReturnsWereLost) {
  for (int i = 0; i < 10; ++i) {
    SCOPED_TRACE("run " + std::to_string(i));
    HealingCampaign::Plan plan;
    plan.downs = false;
    HealingCampaign campaign(plan, kLinkProfile, Stimulus(static_cast<std::uint32_t>(i)));
    HealingLink& link = campaign.link;
    while (link.cycle < 2000) campaign.Step();
    link.sender.Hold(true);
    link.receiver.Hold(true);
    while (!link.sender.idle() && link.cycle < 5000) campaign.Step();
    ASSERT_TRUE(link.sender.idle());
    link.back.Set({1, 0, 0, 0, 1});
    link.receiver.Hold(false);
    link.receiver.Drain(true);
    while (!link.idle() && link.cycle < 6000) campaign.Step();
    for (int t = 0; t < 40; ++t) campaign.Step();
    EXPECT_FALSE(link.home()) << "no return was lost";
    link.back.Set({});
    const Cycle silent = link.cycle;
    while (link.cycle < silent + link.Bound(kLinkProfile.vls)) campaign.Step();
    EXPECT_TRUE(link.home());
    EXPECT_EQ(link.audit.Message(), "");
    EXPECT_EQ(link.counts.healed, 0);
  }
}

/// With retry on and off every grant, word and return is in the same cycle.
TEST(HealingCredits, MoveNothingWithoutErrors) {
  const Stimulus random(SeedOf(RootSeed(), "clean"));
  HealingSetup setup{kLinkProfile, HealingTable(kLinkProfile, 2), true, 40, {}, {}, {}, {}};
  HealingLink with(setup, random);
  setup.retry = false;
  HealingLink without(setup, random);
  std::int64_t grants = 0, words = 0, returns = 0;
  for (HealingLink* link : {&with, &without}) link->sender.Hold(true);
  while (with.cycle < 20'000) {
    const bool up = with.cycle >= 640;
    for (HealingLink* link : {&with, &without}) {
      link->sender_up = link->receiver_up = up;
      // Behind bring-up: U + D + VLS + 10.
      if (link->cycle == 640 + 40 + kLinkProfile.vls + 11) link->sender.Hold(false);
      link->Step();
    }
    const SenderMoves &a = with.to_sender, &b = without.to_sender;
    ASSERT_TRUE(a.grant.valid == b.grant.valid && a.grant.vl == b.grant.vl && a.grant.cells == b.grant.cells)
        << "a grant moved in cycle " << with.cycle - 1;
    ASSERT_TRUE(a.word == b.word) << "a word moved in cycle " << with.cycle - 1;
    grants += a.grant.valid;
    words += a.word.valid;
    if (with.cycle < 640 + 2 * kLinkProfile.vls) continue;  // all lanes say what they hold
    const auto &ours = with.to_receiver.credit, &theirs = without.to_receiver.credit;
    returns += theirs.has_value();
    if (!theirs) continue;
    ASSERT_TRUE(ours && ours->vl == theirs->vl && ours->cells == theirs->cells)
        << "a return moved in cycle " << with.cycle - 1;
  }
  EXPECT_GT(grants, 500);
  EXPECT_GT(words, 5000);
  EXPECT_GT(returns, 500);
  EXPECT_GT(with.counts.stamps, 100);
  EXPECT_EQ(with.counts.healed + with.counts.old + with.counts.again, 0);
  EXPECT_EQ(with.audit.Message(), "");
}

/// A port holds no lane open until all have spoken, and a return of before them is believed.
TEST(HealingCredits, SendNothingBeforeAllLanesHaveSpoken) {
  const golden::CreditTable table(kLinkProfile);
  golden::CreditSender credits;
  golden::SenderHealing healing(kLinkProfile.vls);
  EXPECT_TRUE(healing.all_known()) << "at reset";
  healing.LinkDown(&credits, table);
  for (int v = 0; v < kLinkProfile.vls; ++v) {
    EXPECT_FALSE(healing.all_known());
    EXPECT_TRUE(healing.Return(&credits, v, static_cast<std::uint16_t>(-10 * v), table));
    EXPECT_EQ(credits.used(v), 10 * v) << "resident since before";
  }
  EXPECT_TRUE(healing.all_known());
  EXPECT_FALSE(healing.Return(&credits, 3, 1, table)) << "from now on a return is judged";
}

TEST(HealingCredits, AStampBehindByAtMost1023IsOld) {
  golden::CreditReturner returner;
  golden::ReceiverHealing healing(kLinkProfile.vls);
  healing.Taken(4, 1023);
  EXPECT_TRUE(healing.Stamp(&returner, {4, 0}).old);
  EXPECT_FALSE(healing.asked());
  EXPECT_EQ(healing.Stamp(&returner, {4, 1023}).healed, 0);
  EXPECT_TRUE(healing.asked());
  EXPECT_FALSE(returner.pending()) << "a stamp that heals nothing only asks";
  EXPECT_EQ(healing.Decide(&returner)->vl, 4);
  healing.Taken(4, 1);
  const auto judged = healing.Stamp(&returner, {4, 0});
  EXPECT_FALSE(judged.old);
  EXPECT_EQ(judged.healed, 65536 - 1024);
  EXPECT_EQ(returner.freed(4), 65536 - 1024);
}

TEST(HealingCredits, WhatWasOnlyAskedForMovesNoPointer) {
  golden::CreditReturner returner;
  golden::ReceiverHealing healing(kLinkProfile.vls);
  healing.Stamp(&returner, {9, 0});
  healing.Stamp(&returner, {2, 0});
  returner.Free(5, 1);
  EXPECT_EQ(healing.Decide(&returner)->vl, 5) << "what is pending goes first";
  EXPECT_EQ(healing.Decide(&returner)->vl, 2);
  EXPECT_EQ(healing.Decide(&returner)->vl, 9);
  EXPECT_FALSE(healing.Decide(&returner));
  returner.Free(5, 1);
  returner.Free(7, 1);
  EXPECT_EQ(healing.Decide(&returner)->vl, 7) << "the pointer stands behind 5";
}

}  // namespace
}  // namespace tilefly::bench
