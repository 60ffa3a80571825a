// SPDX-License-Identifier: Apache-2.0
// The message-time model and application-aware routing against the equations of the paper.
#include "workload/app_aware.h"

#include <gtest/gtest.h>

#include "support/random.h"
#include "workload/message_time.h"

namespace tilefly::workload {
namespace {

/// A message of the paper's NIC: packets of 64 B, each a header flit and four of data.
NextMessage Put(std::int64_t bytes) { return {bytes, (bytes + 63) / 64, 5 * ((bytes + 63) / 64)}; }

TEST(MessageTime, FollowsEquationTwo) {
  EXPECT_DOUBLE_EQ(MessageTimeOf(512, 2000, 100, 1.5), 2000 + 250);
  EXPECT_DOUBLE_EQ(MessageTimeOf(1, 1024, 5, 0), 513 + 5);
  // It is equation 1 and the waits for p / 1024 windows.
  EXPECT_DOUBLE_EQ(MessageTimeOf(3000, 1700, 15000, 0.25), FewPacketsTime(1700, 15000, 0.25) + 3000.0 / 1024 * 1700);
}

TEST(MessageTime, TheProgramRoundsTheFactorUp) {
  EXPECT_DOUBLE_EQ(WholeLatencyFactor(1), 1);
  EXPECT_DOUBLE_EQ(WholeLatencyFactor(513), 1);
  EXPECT_DOUBLE_EQ(WholeLatencyFactor(514), 2);
  EXPECT_DOUBLE_EQ(LatencyFactor(512), 1);
}

/// The size at which equation 4 changes the mode, with the expected values of the other one.
TEST(AppAware, SwitchesWhereEquationFourSays) {
  const NicSample sample{3000, 0.05};
  const double lambda = 1 / 1.2, sigma = 5;
  int biased = 0, unbiased = 0;
  for (std::int64_t bytes = 4097; bytes < 100'000; bytes += 64) {
    const NextMessage message = Put(bytes);
    const double limit = (sample.latency - sample.latency * lambda) / (sample.stall * sigma - sample.stall) *
                         LatencyFactor(static_cast<double>(message.packets));
    const bool expected = static_cast<double>(message.flits) < limit;
    for (const bool quotient : {false, true}) {
      AppAwareOptions options;
      options.quotient = quotient;
      AppAwareRouting routing(options);
      EXPECT_EQ(routing.Select(message, sample) == Bias::kHigh, expected) << bytes;
    }
    ++(expected ? biased : unbiased);
  }

  EXPECT_GT(biased, 300);
  EXPECT_GT(unbiased, 1000);
}

TEST(AppAware, ShortMessagesPreferLowLatency) {
  const NicSample sample{3000, 0.05};
  AppAwareRouting routing;
  EXPECT_EQ(routing.Select(Put(5000), sample), Bias::kHigh);
  AppAwareRouting other;
  EXPECT_EQ(other.Select(Put(5'000'000), sample), Bias::kNone) << "its stalls count 78,125 packets";
}

/// Equations 3 and 4 agree wherever the stalls grow with the bias; Algorithm 1 as printed goes wrong where they do not.
TEST(AppAware, EquationThreeAndFourAgreeWhereTheDenominatorIsPositive) {
  Stream stream(1, 0, 0, Purpose::kWorkload);
  const auto draw = [&](double most) { return most * Unit(stream.Next()); };
  int high = 0, checked = 0;
  for (int i = 0; i < 2000; ++i) {
    AppAwareOptions options;
    options.threshold = 0;
    AppAwareOptions quotient = options;
    quotient.quotient = true;
    AppAwareRouting by_time(options), by_quotient(quotient);
    const NicSample none{500 + draw(3000), draw(2)};
    const NicSample biased{500 + draw(3000), none.stall + 0.001 + draw(2)};
    const NextMessage message = Put(1 + static_cast<std::int64_t>(draw(200'000)));
    // Both learn both samples: they start without bias, and high bias is better for the first message.
    const NextMessage first = Put(64);
    const NicSample bait{1'000'000, 0};
    ASSERT_EQ(by_time.Select(first, bait), Bias::kHigh);
    ASSERT_EQ(by_quotient.Select(first, bait), Bias::kHigh);
    by_time.Select(message, biased);
    by_quotient.Select(message, biased);
    ASSERT_EQ(by_time.current(), by_quotient.current());
    high += by_time.current() == Bias::kHigh;
    ++checked;
  }
  EXPECT_EQ(checked, 2000);
  EXPECT_GT(high, 0);
}

TEST(AppAware, TheQuotientRefusesABetterModeWhoseStallsAreFewer) {
  for (const bool quotient : {false, true}) {
    AppAwareOptions options;
    options.quotient = quotient;
    options.stall_scale = 0.5;  // high bias is better on both counts
    AppAwareRouting routing(options);
    EXPECT_EQ(routing.Select(Put(8192), {3000, 1}) == Bias::kHigh, !quotient);
  }
}

TEST(AppAware, MessagesBelowTheThresholdGoWithHighBiasAndAreCountedTogether) {
  AppAwareRouting routing;
  const NicSample sample{1000, 10};  // stalls matter: no bias
  for (int i = 0; i < 4; ++i) EXPECT_EQ(routing.Select(Put(1024), sample), Bias::kHigh);
  EXPECT_EQ(routing.Select(Put(1024), sample), Bias::kNone) << "5 KiB have come together";
  EXPECT_EQ(routing.Select(Put(1024), sample), Bias::kHigh) << "and count anew";
}

/// A sample of the other mode is used in the four decisions after its own, then the expected value.
TEST(AppAware, SamplesGrowOld) {
  for (int quiet = 0; quiet < 8; ++quiet) {
    AppAwareRouting routing;
    const NextMessage message = Put(1 << 16);
    ASSERT_EQ(routing.Select(message, {1'000'000, 0}), Bias::kHigh);  // without bias latency was very high
    for (int i = 0; i < quiet; ++i) ASSERT_EQ(routing.Select(message, {1000, 0}), Bias::kHigh);
    // Stalls have come: with the old sample's latency high bias stays better, with the expected one it does not.
    EXPECT_EQ(routing.Select(message, {1000, 10}) == Bias::kHigh, quiet < 4) << quiet;
  }
}

TEST(AppAware, TheProgramTrustsSamplesOfTheSameMessageOnly) {
  for (const std::int64_t size : {1 << 16, 1 << 17}) {
    AppAwareRouting routing(AppAwareOptions::Program());
    ASSERT_EQ(routing.Select(Put(1 << 16), {1'000'000, 0}), Bias::kHigh);
    EXPECT_EQ(routing.Select(Put(size), {1000, 10}) == Bias::kHigh, size == 1 << 16);
  }
}

}  // namespace
}  // namespace tilefly::workload
