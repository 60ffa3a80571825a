// SPDX-License-Identifier: Apache-2.0
// Links with retry between transaction-level switches, against golden in a system whose link has the same errors: the
// packets that golden's NICs send go into both (docs/systemc.md, Links with retry, Contract).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/errors.h"
#include "testbenches/network/repeating_run.h"
#include "testbenches/systemc/contract.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/traced_system.h"
#include "topology/builder.h"

namespace tilefly::systemc {
namespace {

using ::testing::HasSubstr;

constexpr int kPort = 4;  ///< of the link, at both switches

/// Two switches and one link between them.
topology::Topology Pair(const std::string& cable) {
  return topology::Build("dragonfly:p=4,a=1,h=1,global_cable=" + cable);
}

struct Errors {
  double ber;
  double load;
  const char* cable;
};

network::NetworkOptions OptionsOf(const Errors& errors) {
  network::NetworkOptions options = network::Sized("uniform", errors.load, "64,512,4096", false);
  options.routing = network::RoutingOptions::Named("min");
  options.cycles = bench::TierFromEnvironment() == bench::Tier::kFull ? 200'000 : 20'000;
  options.warmup = 1000;
  options.seed = 1;
  options.retry = true;
  faults::Plan plan;
  plan.links.resize(1);
  plan.links[0].link = {faults::LinkName::End::kSwitchPort, 0, kPort};
  plan.links[0].rates.word_ber = errors.ber;
  options.fault_plan = std::make_shared<const faults::Plan>(plan);
  return options;
}

struct Latencies {
  double mean;
  double p99;
};
Latencies Of(std::vector<Cycle> latencies) {
  std::sort(latencies.begin(), latencies.end());
  double sum = 0;
  for (const Cycle one : latencies) sum += static_cast<double>(one);
  return {sum / static_cast<double>(latencies.size()), static_cast<double>(latencies[latencies.size() * 99 / 100])};
}

/// Runs golden with `errors`, and the models with a bit error rate of `model_ber`. Returns the bound that is broken;
/// empty: none.
std::string BrokenBound(const Errors& errors, double model_ber) {
  const topology::Topology pair = Pair(errors.cable);
  network::Network golden(pair, OptionsOf(errors));
  Trace trace(golden.wiring());
  golden.set_probe(&trace);
  EXPECT_EQ(golden.Run(), network::Ending::kDrained);
  const network::RetryCounts& expected = golden.statistics().retry;
  EXPECT_GT(trace.packets.size(), 300u);

  TracedLinks links;
  links.link.word_ber = model_ber;
  TracedSystem models(pair, golden.wiring(), trace.packets, links);
  sc_core::sc_start();
  const LinkCounts counts = models.counts();
  EXPECT_EQ(models.NotHome(), "");

  std::vector<Cycle> by_golden, by_models;
  std::size_t same = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Cycle> latest;
  for (std::size_t i = 0; i < trace.packets.size(); ++i) {
    const Sent& packet = trace.packets[i];
    if (models.delivered[i] < 0 || packet.delivered < 0) return "a packet is missing";
    Cycle& before = latest[{packet.header.source(), packet.header.destination()}];
    if (models.delivered[i] <= before) return "order";
    before = models.delivered[i];
    by_golden.push_back(packet.delivered - packet.first);
    by_models.push_back(models.delivered[i] - packet.first);
    same += models.delivered[i] == packet.delivered;
  }
  const Latencies golden_latency = Of(by_golden), model_latency = Of(by_models);
  const Bounds bounds;
  const double mean = model_latency.mean / golden_latency.mean - 1, p99 = model_latency.p99 / golden_latency.p99 - 1;
  std::printf("    BER %g, load %g, %s: %zu packets, mean %.2f %.2f (%+.2f %%), p99 %.0f %.0f (%+.2f %%), same cycle %.4f; "
              "golden %lld bad words, %lld replays, %lld broken off; models %lld, %lld, %lld\n",
              errors.ber, errors.load, errors.cable, by_golden.size(), golden_latency.mean, model_latency.mean, 100 * mean,
              golden_latency.p99, model_latency.p99, 100 * p99,
              static_cast<double>(same) / static_cast<double>(by_golden.size()), static_cast<long long>(expected.bad_words),
              static_cast<long long>(expected.replays), static_cast<long long>(expected.broken_copies),
              static_cast<long long>(counts.bad_words),
              static_cast<long long>(counts.replays),
              static_cast<long long>(counts.broken_copies));
  if (model_ber > 0) {
    EXPECT_GT(counts.replays, 0);
    EXPECT_EQ(models.Sum(static_cast<int>(Counter::kRxDamaged)), static_cast<std::uint64_t>(counts.broken_copies));
  }
  if (std::abs(mean) > bounds.mean) return "mean";
  return std::abs(p99) > bounds.p99 ? "p99" : "";
}

/// Below saturation, for the NICs send when golden's credits let them.
TEST(RetryLinks, KeepTheContractAtEveryBitErrorRate) {
  for (const Errors& errors : {Errors{1e-6, 0.3, "2.6m"}, Errors{3e-6, 0.3, "2.6m"}, Errors{1e-5, 0.1, "2.6m"},
                               Errors{1e-5, 0.12, "2.6m"}, Errors{1e-6, 0.3, "100m"}, Errors{1e-5, 0.1, "100m"}})
    InChild([&] { EXPECT_EQ(BrokenBound(errors, errors.ber), "") << errors.ber << " " << errors.load; });
}

/// The errors are what the comparison sees: without them the models are far too early.
TEST(RetryLinks, WithoutTheErrorsTheContractIsBroken) {
  InChild([] { EXPECT_EQ(BrokenBound({1e-5, 0.1, "2.6m"}, 0), "mean"); });
}

TEST(RetryLinks, RefuseWhatNoLinkHas) {
  const auto refusal = [](const RetryLinkOptions& options) -> std::string {
    try {
      RetryLink link("link", kTile8, options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  InChild([&] {
    RetryLinkOptions options;
    options.delay = 0;
    EXPECT_THAT(refusal(options), HasSubstr("delay 0: a link with retry has a cable of 1 to 626 cycles"));
    options.delay = 627;
    EXPECT_THAT(refusal(options), HasSubstr("delay 627"));
    options.delay = 626;
    options.word_ber = 1e-2;
    EXPECT_THAT(refusal(options), HasSubstr("word_ber 0.01: a bit error rate is 0, or 1e-15 to 1e-3"));
    options.word_ber = -1;
    EXPECT_THAT(refusal(options), HasSubstr("word_ber -1"));
    options.word_ber = 0;
    options.registers.down = 2;
    EXPECT_THAT(refusal(options), HasSubstr("down 2: links have no best effort; take 0 (discard) or 1 (block)"));
    options.registers.down = 0;
    options.retrain = 0;
    EXPECT_THAT(refusal(options), HasSubstr("retrain 0: a link that an end has given up is down for 1 cycle or more"));
  });
}

}  // namespace
}  // namespace tilefly::systemc
