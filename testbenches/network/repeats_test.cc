// SPDX-License-Identifier: Apache-2.0
// Links that send damaged words again (docs/network.md, Links with faults) against the naive system, which runs both halves
// of the retry block at every end of these links in every cycle.
#include <gtest/gtest.h>

#include "testbenches/network/hand_made.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/repeats_naive.h"
#include "testbenches/network/systems.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

/// A smaller one, but for the full tier: three groups of two switches with two NICs each.
topology::Topology Smaller() { return Tier() == bench::Tier::kFull ? Dragonfly() : topology::Build("dragonfly:p=2,a=2,h=1"); }

/// Shorter runs, but for the full tier.
NetworkOptions Short(const std::string& pattern, double load, const std::string& size, bool bench_timing) {
  NetworkOptions options = Sized(pattern, load, size, bench_timing);
  if (Tier() != bench::Tier::kFull) options.cycles = 1200;
  return options;
}

TEST(RepeatingLinks, ADragonflyWithErrorsIsTheNaiveOne) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds, a minute with sanitizers: from tier ci on";
  ExpectRepeatsNaive(Dragonfly(), Repeating(Short("uniform", 0.5, "64,512,4224", false), 1e-5), 20);
}

TEST(RepeatingLinks, AreNaiveWithBurstsAndEventsOfThePlan) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds, a minute with sanitizers: from tier ci on";
  NetworkOptions options = Short("adversarial:1", 0.4, "32,1024", false);
  faults::Plan plan;
  plan.seed = 9;
  plan.channel.word_ber = 3e-6;
  plan.channel.burst = 5;
  const auto event = [&](Cycle at, faults::EventKind kind, int port, faults::Direction direction, int count, double value) {
    faults::PlannedEvent one;
    one.at = at;
    one.kind = kind;
    one.link = {faults::LinkName::End::kSwitchPort, 3, port};
    one.direction = direction;
    one.count = count;
    one.value = value;
    plan.events.push_back(one);
  };
  event(700, faults::EventKind::kDropWord, 3, faults::Direction::kOut, 7, 0);
  event(900, faults::EventKind::kBadWord, 4, faults::Direction::kBoth, 40, 0);
  event(1500, faults::EventKind::kBer, 5, faults::Direction::kIn, 1, 1e-4);
  event(2500, faults::EventKind::kBer, 5, faults::Direction::kIn, 1, 0);
  ExpectRepeatsNaive(Dragonfly(), With(options, plan), 5);
}

TEST(RepeatingLinks, AreNaiveWithTheCodeOfHalfTheLength) {
  NetworkOptions options = Sized("uniform", 0.5, "64,512", false);
  options.cycles = 1200;
  faults::Plan plan;
  plan.fec = faults::Fec::kLowLatency;
  plan.channel.word_ber = 1e-5;
  ExpectRepeatsNaive(Smaller(), With(options, plan), 5);
}

TEST(RepeatingLinks, AreNaiveOnShortLinksWithAdaptiveRoutingAndAcks) {
  NetworkOptions options = Repeating(Short("uniform", 0.6, "64,512", true), 2e-5);
  options.routing = RoutingOptions::Named("adaptive_0");
  ExpectRepeatsNaive(Smaller(), options, 5);
  options = Repeating(Short("adversarial:1", 0.4, "64,512", false), 1e-5);
  options.acks = AckUse::kOn;
  options.routing = RoutingOptions::Named("adaptive_0");
  ExpectRepeatsNaive(Smaller(), options, 5);
}

TEST(RepeatingLinks, AreNaiveWhereSomeLinksDamageNothing) {
  faults::Plan plan;
  faults::PlannedLink link;
  link.link = {faults::LinkName::End::kSwitchPort, 0, 2};
  link.rates.word_ber = 1e-4;
  plan.links.push_back(link);
  NetworkOptions options = With(Short("uniform", 0.5, "64,512", false), plan);
  ExpectRepeatsNaive(Smaller(), options, 5);
}

TEST(RepeatingLinks, AreNaiveWithEveryKindOfFault) {
  ExpectRepeatsNaive(Smaller(), With(Short("uniform", 0.4, "32,64,512,4224", false), Mixed()), 5);
  NetworkOptions options = Short("uniform", 0.4, "32,64,512", true);
  options.nic_lanes = 2;
  options.routing = RoutingOptions::Named("adaptive_0");
  ExpectRepeatsNaive(Smaller(), With(options, Mixed()), 5);
  ExpectRepeatsNaive(LoneSwitch(), With(Short("uniform", 0.8, "32", true), Mixed()), 5);
}

TEST(RepeatingLinks, AreNaiveWhereTheWireRepeatsManyWords) {
  faults::Plan plan;
  plan.channel.word.repeat = 0.01;
  ExpectRepeatsNaive(LoneSwitch(), With(Short("uniform", 0.3, "300,512", true), plan), 5);
}

TEST(RepeatingLinks, AreNaiveWhereAcksAreLost) {
  NetworkOptions options = Short("uniform", 0.4, "64,512", false);
  options.acks = AckUse::kOn;
  options.nics.resend = 2500;
  ExpectRepeatsNaive(Smaller(), With(options, Mixed()), 5);
}

TEST(RepeatingLinks, AreNaiveWithEventsOfSlotsAndStuckReceivers) {
  faults::Plan plan;
  const auto event = [&](Cycle at, faults::EventKind kind, faults::LinkName link, faults::Direction direction, int count) {
    faults::PlannedEvent one;
    one.at = at;
    one.kind = kind;
    one.link = link;
    one.direction = direction;
    one.count = count;
    plan.events.push_back(one);
    return &plan.events.back();
  };
  using End = faults::LinkName::End;
  event(200, faults::EventKind::kDropSlot, {End::kEndpoint, 3, 0}, faults::Direction::kBoth, 40);
  event(300, faults::EventKind::kStuck, {End::kSwitchPort, 2, 3}, faults::Direction::kOut, 1)->cycles = 700;
  event(400, faults::EventKind::kBadSlot, {End::kSwitchPort, 2, 4}, faults::Direction::kBoth, 60);
  event(500, faults::EventKind::kRepeatSlot, {End::kSwitchPort, 1, 2}, faults::Direction::kIn, 90);
  faults::PlannedEvent* const credits = event(600, faults::EventKind::kStuck, {End::kEndpoint, 9, 0}, faults::Direction::kBoth, 1);
  credits->credits_alone = true;
  credits->cycles = 500;
  event(700, faults::EventKind::kRepeatWord, {End::kSwitchPort, 2, 3}, faults::Direction::kBoth, 30);
  event(800, faults::EventKind::kDropWord, {End::kSwitchPort, 2, 3}, faults::Direction::kBoth, 3);
  ExpectRepeatsNaive(Dragonfly(), With(Short("uniform", 0.5, "64,512", false), plan), 2);
}

TEST(RepeatingLinks, OfNicsAreNaiveInBothDirections) {
  for (const faults::Direction direction : {faults::Direction::kOut, faults::Direction::kIn}) {
    NetworkOptions options = Short("uniform", 0.6, "64,512,4224", false);
    ExpectRepeatsNaive(Smaller(), With(options, OfNics(2e-5, direction, 10)), 5);
    options.nic_lanes = 2;
    ExpectRepeatsNaive(Smaller(), With(options, OfNics(2e-5, direction, 12)), 5);
  }
}

TEST(RepeatingLinks, OfOneSwitchAreNaiveWithTheShortestDelay) {
  ExpectRepeatsNaive(LoneSwitch(), Repeating(Short("uniform", 0.8, "32,512", true), 2e-5), 5);
  ExpectRepeatsNaive(LoneSwitch(), Repeating(Short("hotspot:2:0.7", 1, "32,100", true), 2e-5), 5);
}

TEST(RepeatingLinks, AreNaiveWithAcksThatStopTimeOuts) {
  NetworkOptions options = Repeating(Short("uniform", 0.5, "64,512", false), 2e-5);
  options.acks = AckUse::kOn;
  options.nics.window = 40;
  options.nics.resend = 2500;
  ExpectRepeatsNaive(Smaller(), options, 5);
}

TEST(RepeatingLinks, CarryTheMessagesOfJobsInTheNaiveCycles) {
  for (const bool bench : {true, false}) {
    if (!bench && Tier() != bench::Tier::kFull) break;
    NetworkOptions options;
    options.bench_timing = bench;
    options.warmup = 0;
    options.cycles = 1'000'000;
    UseJobs(workload::MakeWorkload("alltoall:bytes=7000,ranks=6+gather:bytes=3000,ranks=4", "",
                                   static_cast<int>(Smaller().endpoints.size()), workload::Allocation::kRandom, 5),
            &options);
    ExpectRepeatsNaive(Smaller(), Repeating(options, 1e-5), 5);
  }
}

}  // namespace
}  // namespace tilefly::network
