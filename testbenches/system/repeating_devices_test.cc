// SPDX-License-Identifier: Apache-2.0
// Devices of words whose links damage words and control slots, and send them again (docs/network.md, Devices): a system
// with such devices equals the golden one at every link in every cycle, and in all results.
#include <gtest/gtest.h>

#include "testbenches/network/hand_made.h"
#include "testbenches/system/repeating_devices.h"

namespace tilefly::cosim {
namespace {

using bench::Tier;
using network::LoneSwitch;
using network::Mixed;
using network::NetworkOptions;
using network::OfNics;
using network::Repeating;

faults::PlannedEvent* AddEvent(Cycle at, faults::EventKind kind, faults::LinkName link, faults::Direction direction,
                               int count, faults::Plan* plan) {
  faults::PlannedEvent one;
  one.at = at;
  one.kind = kind;
  one.link = link;
  one.direction = direction;
  one.count = count;
  plan->events.push_back(one);
  return &plan->events.back();
}

TEST(RepeatingLinksOfDevices, EqualGoldenOnesWithErrorsOfWords) {
  ExpectGolden(Some(), Repeating(Short("uniform", 0.5, "64,512,4224"), 2e-5), 50);
  NetworkOptions options = Repeating(Short("uniform", 0.6, "64,512", true), 2e-5);
  options.routing = network::RoutingOptions::Named("adaptive_0");
  ExpectGolden(Some(), options, 50);
}

TEST(RepeatingLinksOfDevices, EqualGoldenOnesWithAcks) {
  NetworkOptions options = Repeating(Short("adversarial:1", 0.4, "64,512"), 2e-5);
  options.acks = network::AckUse::kOn;
  options.routing = network::RoutingOptions::Named("adaptive_0");
  ExpectGolden(Some(), options, 20);
  options.routing = network::RoutingOptions::Named("in_order");
  options.nics.window = 40;
  options.nics.resend = 2500;
  ExpectGolden(Some(), options, 20);
}

TEST(RepeatingLinksOfDevices, EqualGoldenOnesWithEveryKindOfFault) {
  ExpectGolden(Some(), network::With(Short("uniform", 0.4, "32,64,512,4224"), Mixed()), 50);
  NetworkOptions options = Short("uniform", 0.4, "32,64,512", true);
  options.nic_lanes = 2;
  options.routing = network::RoutingOptions::Named("adaptive_0");
  ExpectGolden(Some(), network::With(options, Mixed()), 50);
}

/// Both ends of each link are at one switch. The wire makes packets of repeated first words.
TEST(RepeatingLinksOfDevices, OfOneSwitchEqualGoldenOnes) {
  NetworkOptions options = network::With(Short("uniform", 0.8, "32", true), Mixed());
  options.make_node = Words(0, 1);
  EXPECT_GT(ExpectEqual(LoneSwitch(), options, 500).retry.resent_words, 10);
  faults::Plan plan;
  plan.channel.word.repeat = 0.03;
  options = network::With(Short("uniform", 0.3, "32,300,512", true), plan);
  options.make_node = Words(0, 1);
  EXPECT_GT(ExpectEqual(LoneSwitch(), options, 500).retry.repeated_words, 10);
}

TEST(RepeatingLinksOfDevices, OfNicsEqualGoldenOnes) {
  for (const faults::Direction direction : {faults::Direction::kOut, faults::Direction::kIn}) {
    NetworkOptions options = Short("uniform", 0.6, "64,512,4224");
    ExpectGolden(Some(), network::With(options, OfNics(3e-5, direction, 12)), 50);
    options.nic_lanes = 2;
    ExpectGolden(Some(), network::With(options, OfNics(3e-5, direction, 12)), 50);
  }
}

TEST(RepeatingLinksOfDevices, EqualGoldenOnesWhereSomeLinksDamageNothing) {
  faults::Plan plan;
  faults::PlannedLink link;
  link.link = {faults::LinkName::End::kSwitchPort, 0, 2};
  link.rates.word_ber = 2e-4;
  plan.links.push_back(link);
  ExpectGolden(Some(), network::With(Short("uniform", 0.5, "64,512"), plan), 20);
}

TEST(RepeatingLinksOfDevices, EqualGoldenOnesWithEventsAndStuckReceivers) {
  using faults::Direction;
  using faults::EventKind;
  using End = faults::LinkName::End;
  faults::Plan plan;
  plan.seed = 9;
  plan.channel.word_ber = 3e-6;
  plan.channel.burst = 5;
  AddEvent(200, EventKind::kDropSlot, {End::kEndpoint, 3, 0}, Direction::kBoth, 40, &plan);
  AddEvent(300, EventKind::kStuck, {End::kSwitchPort, 2, 3}, Direction::kOut, 1, &plan)->cycles = 700;
  AddEvent(350, EventKind::kBadWord, {End::kSwitchPort, 1, 3}, Direction::kBoth, 40, &plan);
  AddEvent(400, EventKind::kBadSlot, {End::kSwitchPort, 2, 2}, Direction::kBoth, 60, &plan);
  AddEvent(500, EventKind::kRepeatSlot, {End::kSwitchPort, 1, 2}, Direction::kIn, 90, &plan);
  faults::PlannedEvent* const credits =
      AddEvent(600, EventKind::kStuck, {End::kEndpoint, 9, 0}, Direction::kBoth, 1, &plan);
  credits->credits_alone = true;
  credits->cycles = 500;
  AddEvent(650, EventKind::kRepeatWord, {End::kSwitchPort, 2, 3}, Direction::kBoth, 30, &plan);
  AddEvent(700, EventKind::kDropWord, {End::kSwitchPort, 3, 3}, Direction::kBoth, 3, &plan);
  AddEvent(720, EventKind::kBer, {End::kSwitchPort, 4, 3}, Direction::kIn, 1, &plan)->value = 1e-4;
  ExpectGolden(Some(), network::With(Short("uniform", 0.5, "64,512"), plan), 20);
}

/// The run ends although a receiver says nothing any more.
TEST(RepeatingLinksOfDevices, EqualGoldenOnesBesideAReceiverThatStaysStuck) {
  if (TierNow() == Tier::kQuick) GTEST_SKIP() << "20,000 cycles without progress: from tier ci on";
  using End = faults::LinkName::End;
  faults::Plan plan;
  plan.retry.limit = 255;
  faults::PlannedEvent* const stuck =
      AddEvent(700, faults::EventKind::kStuck, {End::kEndpoint, 1, 0}, faults::Direction::kOut, 1, &plan);
  stuck->credits_alone = true;
  NetworkOptions options = network::With(Short("uniform", 0.1, "64,512"), plan);
  for (const int step : {1, 2}) {
    options.make_node = Words(step - 1, step);
    EXPECT_EQ(RunPair(Some(), options).failure, "");
  }
}

TEST(RepeatingLinksOfDevices, LookaheadAndOrderChangeNothing) {
  NetworkOptions options = network::With(Short("uniform", 0.5, "64,512", true), Mixed());
  options.cycles = 500;
  options.warmup = 100;
  for (const Cycle lookahead : {1, 3}) {
    options.lookahead = lookahead;
    options.order = static_cast<std::uint64_t>(lookahead);
    options.whole = lookahead == 3;
    ExpectGolden(Some(), options, 10);
  }
  options.threads = 3;
  ExpectGolden(Some(), options, 10);
}

TEST(RepeatingLinksOfDevices, CarryTheMessagesOfJobs) {
  NetworkOptions options = Repeating(Jobs("alltoall:bytes=7000,ranks=6+gather:bytes=3000,ranks=4", 12), 2e-5);
  if (TierNow() == Tier::kFull) options = Repeating(Jobs("alltoall:bytes=7000,ranks=40"), 2e-5);
  ExpectGolden(Some(), options, 20);
}

TEST(RepeatingLinksOfDevices, CarryPacketsThatComeOnceAlthoughAcksAreLost) {
  NetworkOptions options = network::With(Short("uniform", 0.4, "64,512"), Mixed());
  options.acks = network::AckUse::kOn;
  options.nics.resend = 3000;
  options.nics.most_resends = 200;
  options.nics.resend_window = 100;
  ExpectGolden(Some(), options, 20);
}

}  // namespace
}  // namespace tilefly::cosim
