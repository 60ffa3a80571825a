// SPDX-License-Identifier: Apache-2.0
// Every packet taken is accepted once and in order, whatever the wire does (docs/blocks/retry.md, RETRY-1 to RETRY-9).
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "testbenches/bench/settings.h"
#include "testbenches/retry/retry_campaign.h"

namespace tilefly::bench {
namespace {

/// What all campaigns of a test together have met.
struct Met {
  std::int64_t accepted = 0, bad = 0, dropped = 0, repeated = 0, noisy = 0, slots = 0;
  std::int64_t replays = 0, timeouts = 0, duplicates = 0, failures = 0, ups = 0, plain = 0;
};

void Count(const RetryLink& link, bool was_up, bool was_failed, Met* met) {
  met->accepted += link.from_receiver.accepted;
  met->replays += link.from_sender.replay;
  met->timeouts += link.from_sender.timeout;
  met->duplicates += link.from_receiver.duplicate;
  met->failures += link.from_sender.link_failed && !was_failed;
  met->ups += link.to_sender.link_up && !was_up;
  met->plain += !link.to_sender.enable && link.to_sender.link_up && link.from_receiver.word.valid;
}

void Run(const RetryCampaign::Scope& scope, std::uint32_t seed, Cycle cycles, Met* met) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  RetryCampaign campaign(scope, Stimulus(seed));
  RetryLink& link = campaign.link;
  const Cycle longest = cycles + 50'000;
  while (link.cycle < cycles || (!link.drained() && link.cycle < longest)) {
    if (link.cycle >= cycles) campaign.Drain();
    const bool was_up = link.to_sender.link_up, was_failed = link.from_sender.link_failed;
    campaign.Step();
    Count(link, was_up, was_failed, met);
    ASSERT_EQ(link.audit.broken().size(), 0u) << link.audit.Message() << " in cycle " << link.cycle - 1;
  }
  ASSERT_TRUE(link.drained()) << "not empty after " << link.cycle << " cycles";
  link.CheckDrained();
  ASSERT_EQ(link.audit.Message(), "");
  met->bad += link.words.bad();
  met->dropped += link.words.dropped();
  met->repeated += link.words.repeated();
  met->noisy += link.words.noisy();
  met->slots += link.slots.bad();
}

int SeedsOfTier() {
  switch (TierFromEnvironment()) {
    case Tier::kQuick: return 100;
    case Tier::kCi: return 200;
    default: return 2000;
  }
}

void RunAll(const char* name, Cycle cycles, RetryCampaign::Scope (*scope_of)(const Stimulus&)) {
  Met met;
  const std::uint32_t root = SeedOf(RootSeed(), name);
  const int seeds = SeedsOfTier();
  for (int i = 0; i < seeds && !Failed(); ++i) {
    const auto seed = static_cast<std::uint32_t>(root + static_cast<std::uint32_t>(i));
    Run(scope_of(Stimulus(seed)), seed, cycles, &met);
  }
  if (Failed()) return;
  EXPECT_GT(met.accepted, 2000);
  for (const std::int64_t faults : {met.bad, met.dropped, met.repeated, met.noisy, met.slots}) EXPECT_GT(faults, 50);
  for (const std::int64_t events : {met.replays, met.timeouts, met.duplicates}) EXPECT_GT(events, 200);
  for (const std::int64_t rare : {met.failures, met.ups}) EXPECT_GT(rare, 10);
  EXPECT_GT(met.plain, 100);
  std::printf("    %lld packets accepted, %lld replays, %lld links failed, in %d campaigns\n",
              static_cast<long long>(met.accepted), static_cast<long long>(met.replays),
              static_cast<long long>(met.failures), seeds);
}

TEST(RetryCampaigns, EveryPacketIsAcceptedOnceAndInOrder) {
  RunAll("full", 20'000, [](const Stimulus&) { return RetryCampaign::Scope(); });
}

TEST(RetryCampaigns, TinyBuffersAndFewNumbersChangeNothing) {
  RunAll("tiny", 10'000, [](const Stimulus& random) {
    RetryCampaign::Scope scope;
    scope.out.max_words = random.Between(1, 6, "max words", 0);
    scope.out.depth = scope.out.max_words + random.Between(1, 20, "depth", 0);
    scope.out.seq_bits = random.Between(2, 5, "bits", 0);
    scope.ack_gap = random.Between(1, 8, "gap", 0);
    scope.longest_delay = 30;
    return scope;
  });
}

}  // namespace
}  // namespace tilefly::bench
