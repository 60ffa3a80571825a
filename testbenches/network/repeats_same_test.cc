// SPDX-License-Identifier: Apache-2.0
// What a run over links that send damaged words again does not depend on (docs/network.md, Links with faults).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/figures.h"
#include "support/errors.h"
#include "testbenches/network/delivery_probe.h"
#include "testbenches/network/repeating_run.h"
#include "testbenches/network/routed_run.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/systems.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using ::testing::HasSubstr;

std::string RetryText(RetryCounts counts) {
  SavedBytes bytes;
  Saver save(&bytes);
  save(counts);
  return fmt::format("retry {} {}\n", counts.replays, fmt::join(bytes, " "));
}

/// What a run leaves behind but for its last cycle: behind the last packet stamps go on until all credits are home.
std::string TextWithRetry(const NetworkOptions& options, int processes = 1) {
  const topology::Topology& topology = Dragonfly();
  std::string text;
  OnThreads(processes, [&](Processes& all) {
    Network network(topology, options, &all);
    EXPECT_EQ(network.Run(), Ending::kDrained);
    const Figures figures(network);
    if (!all.first()) return;
    text = Text(network, Ending::kDrained, figures);
    text = text.substr(text.find('\n'));
    if (network.faults().any() && figures.statistics.retry.bad_words > 0) text += RetryText(figures.statistics.retry);
  });
  return text;
}

/// No error comes in these runs; with the plan both halves run at every end of every link between switches.
TEST(DirtyLinks, EqualCleanOnes) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds, a minute with sanitizers: from tier ci on";
  for (const char* routing : {"min", "adaptive_0", "valiant"}) {
    for (const bool bench : {false, true}) {
      NetworkOptions clean = Sized("uniform", 0.7, "64,512,4224", bench);
      clean.routing = RoutingOptions::Named(routing);
      clean.retry = true;
      NetworkOptions dirty = Repeating(clean, 1e-15);
      EXPECT_EQ(TextWithRetry(dirty), TextWithRetry(clean)) << routing << bench;
      EXPECT_EQ(DeliveriesOf(Dragonfly(), dirty), DeliveriesOf(Dragonfly(), clean)) << routing << bench;
    }
  }
}

TEST(DirtyLinks, AreTheSameOnThreadsAndProcessesAndWhateverTheLookahead) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds, a minute with sanitizers: from tier ci on";
  NetworkOptions options = Repeating(Sized("uniform", 0.5, "64,512,4224", false), 1e-5);
  const std::string whole = TextWithRetry(options);
  EXPECT_THAT(whole, HasSubstr("retry "));
  for (const int threads : {2, 3}) {
    options.threads = threads;
    EXPECT_EQ(TextWithRetry(options), whole) << threads;
  }
  options.threads = 1;
  for (const int processes : {2, 3}) EXPECT_EQ(TextWithRetry(options, processes), whole) << processes;
  options.lookahead = 7;
  options.order = 1;
  EXPECT_EQ(TextWithRetry(options), whole);
}

TEST(DirtyLinks, AreRefusedWhereSystemsHaveNone) {
  const auto refusal = [](const NetworkOptions& options) -> std::string {
    try {
      Network network(Dragonfly(), options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  NetworkOptions options = Repeating(Sized("uniform", 0.5, "64", false), 1e-6);
  EXPECT_EQ(refusal(options), "accepted");
  NetworkOptions other = options;
  other.retry = false;
  EXPECT_THAT(refusal(other), HasSubstr("give --retry on"));
  other = options;
  other.faults = {{0, 2, 100}};
  EXPECT_EQ(refusal(other), "accepted");
  other = options;
  other.journeys.slowest = 1;
  EXPECT_EQ(refusal(other), "accepted");
  faults::Plan plan;
  plan.channel.slot.noise = 1e-3;
  EXPECT_THAT(refusal(With(options, plan)), HasSubstr("noise of control slots changes nothing"));
  plan.channel.slot.noise = 0;
  plan.channel.slot_ber = 1e-6;
  EXPECT_EQ(refusal(With(options, plan)), "accepted");
  other = With(options, plan);
  other.acks = AckUse::kOn;
  other.nics.window = 5;
  EXPECT_THAT(refusal(other), HasSubstr("the fault plan damages control slots"));
  plan = {};
  faults::PlannedLink link;
  link.origin = "plan:3: link";
  link.rates.word_ber = 1e-6;
  link.link = {faults::LinkName::End::kEndpoint, 5, 0};
  plan.links = {link};
  EXPECT_EQ(refusal(With(options, plan)), "accepted");
  plan.links[0].link.node = 72;
  EXPECT_THAT(refusal(With(options, plan)), HasSubstr("has no endpoint 72"));
  plan.links[0].link = {faults::LinkName::End::kSwitchPort, 2, 40};
  EXPECT_THAT(refusal(With(options, plan)), HasSubstr("has no link s2.40"));
  plan.links[0].link = {faults::LinkName::End::kPort, 0, 4};
  EXPECT_THAT(refusal(With(options, plan)), HasSubstr("write s3.17 or e12"));
  plan = {};
  plan.retry_origin = "plan:1: plan: retry";
  EXPECT_THAT(refusal(With(options, plan)), HasSubstr("plan:1: plan: retry: the plan damages no word and no slot"));
  plan.channel.word_ber = 1e-6;
  EXPECT_EQ(refusal(With(options, plan)), "accepted");
  plan = {};
  plan.retrain_origin = "plan:1: channel: retrain";
  other = With(options, plan);
  other.retry = false;
  EXPECT_THAT(refusal(other), HasSubstr("plan:1: channel: retrain: only links with retry have this key; give --retry on"));
  plan = {};
  plan.fec = faults::Fec::kLowLatency;
  plan.fec_origin = "plan:1: channel: fec";
  EXPECT_EQ(refusal(With(options, plan)), "accepted");
  other = With(options, plan);
  other.bench_timing = true;
  EXPECT_THAT(refusal(other), HasSubstr("plan:1: channel: fec: with --timing bench links have no channel"));
  Profile shorter = Network(Dragonfly(), options).profile();
  shorter.channel_cycles = 39;
  other = With(options, plan);
  other.profile = &shorter;
  EXPECT_THAT(refusal(other), AllOf(HasSubstr("plan:1: channel: fec: low_latency"), HasSubstr("channel_cycles of 40 or more")));
}

}  // namespace
}  // namespace tilefly::network
