// SPDX-License-Identifier: Apache-2.0
// Fault plans are read strictly (docs/blocks/link_retry.md, "Fault plan").
#include "faults/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "support/errors.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::faults {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FaultPlan : public ::testing::Test {
 protected:
  Plan Read(const std::string& text) {
    std::ofstream(file_) << text;
    return ReadPlan(file_);
  }
  std::string Refusal(const std::string& text) {
    try {
      Read(text);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  }
  void TearDown() override { std::filesystem::remove(file_); }

  const std::filesystem::path file_ =
      bench::ProcessFolder() / (std::string("plan-") + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml");
};

TEST_F(FaultPlan, SaysNothingOfWhatTheFileDoesNotSay) {
  const Plan plan = Read("channel: {}\n");
  EXPECT_FALSE(plan.seed.has_value());
  EXPECT_EQ(plan.channel.word_ber, 0);
  EXPECT_TRUE(plan.links.empty());
  EXPECT_TRUE(plan.events.empty());
}

TEST_F(FaultPlan, HasAllThatTheFileSays) {
  const Plan plan = Read(R"(
seed: 7
channel: {word_ber: 1e-7, slot_ber: 1e-9, burst: 2, word: {drop: 0.001}, slot: {repeat: 0.002, noise: 0.003}}
links:
  - {link: s3.17, word_ber: 1e-5, direction: out}
  - {link: s3.17, burst: 4, direction: in}
  - {link: e12}
events:
  - {at: 50us, link: p5, kind: stuck, for: 30us, what: credits}
  - {at: 128, link: s5.41, kind: drop_word, count: 3, direction: in}
  - {at: 1000ns, link: e0, kind: ber, value: 0}
)");
  EXPECT_EQ(plan.seed, 7u);
  EXPECT_EQ(plan.channel.word.drop, 0.001);
  EXPECT_EQ(plan.channel.slot.repeat, 0.002);
  EXPECT_EQ(plan.channel.slot.noise, 0.003);
  ASSERT_EQ(plan.links.size(), 3u);
  EXPECT_EQ(plan.links[0].link.Text(), "s3.17");
  EXPECT_EQ(plan.links[0].direction, Direction::kOut);
  EXPECT_EQ(plan.links[0].rates.word_ber, 1e-5);
  EXPECT_EQ(plan.links[0].rates.burst, 2) << "of the channel";
  EXPECT_EQ(plan.links[1].rates.burst, 4);
  EXPECT_EQ(plan.links[2].link.Text(), "e12");
  ASSERT_EQ(plan.events.size(), 3u) << "sorted by time";
  EXPECT_EQ(plan.events[0].at, 128);
  EXPECT_EQ(plan.events[0].count, 3);
  EXPECT_EQ(plan.events[0].direction, Direction::kIn);
  EXPECT_EQ(plan.events[1].at, 782) << "1000 ns / 1.28 ns, rounded up";
  EXPECT_EQ(plan.events[1].kind, EventKind::kBer);
  EXPECT_EQ(plan.events[2].at, 39063);
  EXPECT_EQ(plan.events[2].cycles, 23438);
  EXPECT_TRUE(plan.events[2].credits_alone);
  EXPECT_EQ(plan.events[2].link.Text(), "p5");
}

TEST_F(FaultPlan, RefusalsNameFileLineKeyAndRemedy) {
  EXPECT_THAT(Refusal(""), HasSubstr(file_.string() + ": the plan is empty; write what goes wrong"));
  EXPECT_THAT(Refusal("# nothing\n"), HasSubstr("the plan is empty"));
  EXPECT_THAT(Refusal("seed: 1\n---\nseed: 2\n"), AllOf(HasSubstr(":3"), HasSubstr("a second document begins")));
  EXPECT_THAT(Refusal("seed: -1\n"), HasSubstr("seed: -1 is no seed; write 0 or more"));
  EXPECT_THAT(Refusal("channel: {fec: rs528}\n"), HasSubstr("fec: 'rs528' is no FEC profile; write rs544 or low_latency"));
  EXPECT_THAT(Refusal("links: [{link: p1, fec: rs544}]\n"), HasSubstr("fec: all links have one FEC profile; write the key in channel"));
  EXPECT_THAT(Refusal("chanel: {}\n"), AllOf(HasSubstr(file_.string() + ":1"), HasSubstr("did you mean 'channel'")));
  EXPECT_THAT(Refusal("channel:\n  word_ber: 0.01\n"),
              AllOf(HasSubstr(":2"), HasSubstr("word_ber: 0.01 is no bit error rate of a link; write 0, or 1e-15 to 0.001")));
  EXPECT_THAT(Refusal("channel: {word_ber: 1e-16}\n"), HasSubstr("write 0, or"));
  EXPECT_THAT(Refusal("channel: {word: {drop: 0.6}}\n"), HasSubstr("drop: 0.6 is not between 0 and 0.5"));
  EXPECT_THAT(Refusal("channel: {slot: {loss: 0.1}}\n"), HasSubstr("key of slot"));
  EXPECT_THAT(Refusal("channel: {burst: 0}\n"), HasSubstr("burst: 0 is not between 1 and 1000"));
  EXPECT_THAT(Refusal("links: [{link: s3}]\n"), HasSubstr("'s3' is no link; write s3.17"));
  EXPECT_THAT(Refusal("links: [{link: q4}]\n"), HasSubstr("'q4' is no link"));
  EXPECT_THAT(Refusal("links: [{link: s3.-1}]\n"), HasSubstr("is no link"));
  EXPECT_THAT(Refusal("links: [{word_ber: 0}]\n"), HasSubstr("key 'link' is missing; write the link, such as s3.17"));
  EXPECT_THAT(Refusal("links: [{link: p1, direction: up}]\n"), HasSubstr("'up' is no direction; write out, in or both"));
  EXPECT_THAT(Refusal("links: [{link: p1}, {link: p1, direction: in}]\n"), HasSubstr("p1 stands twice"));
  EXPECT_THAT(Refusal("events: [{at: 1, link: p1, kind: drop_words}]\n"), HasSubstr("did you mean 'drop_word'"));
  EXPECT_THAT(Refusal("events: [{link: p1, kind: drop_word}]\n"), HasSubstr("key 'at' is missing; write a time"));
  for (const char* text : {"-1", "1.5", "20 us", "us", "nanus", "1e30us", "20s", "5e-1", "inf", "1e300"})
    EXPECT_THAT(Refusal(std::string("events: [{at: ") + text + ", link: p1, kind: drop_word}]\n"), HasSubstr("is not a time"))
        << text;
  EXPECT_THAT(Refusal("events: [{at: 1, link: p1, kind: drop_word, for: 3}]\n"), HasSubstr("key of event"));
  EXPECT_THAT(Refusal("events: [{at: 1, link: p1, kind: stuck, count: 3}]\n"), HasSubstr("key of event"));
  EXPECT_THAT(Refusal("events: [{at: 1, link: p1, kind: stuck, for: 0}]\n"), HasSubstr("nothing lasts for 0 cycles"));
  EXPECT_THAT(Refusal("events: [{at: 1, link: p1, kind: stuck, what: acks}]\n"), HasSubstr("write all or credits"));
  EXPECT_THAT(Refusal("events: [{at: 1, link: p1, kind: ber}]\n"), HasSubstr("key 'value' is missing"));
  EXPECT_THAT(Refusal("events: [{at: 1, link: p1, kind: bad_slot, count: 0}]\n"), HasSubstr("count: 0 is not between 1"));
}

TEST_F(FaultPlan, HasEventsOfWholeLinksAndOfRegisters) {
  const Plan plan = Read(R"(
events:
  - {at: 10, link: s3.17, kind: down, for: 128ns}
  - {at: 20, link: s3.18, kind: down}
  - {at: 30, link: s3.18, kind: up}
  - {at: 40, switch: 4, kind: table, space: ROUTE_GROUP, index: 2, value: 0x30}
  - {at: 50, switch: 5, kind: table, space: CREDIT, index: 1, value: 18446744073709551615, port: 63}
)");
  ASSERT_EQ(plan.events.size(), 5u);
  EXPECT_EQ(plan.events[0].cycles, 100);
  EXPECT_FALSE(plan.events[1].cycles.has_value());
  EXPECT_EQ(plan.events[2].kind, EventKind::kUp);
  EXPECT_EQ(plan.events[3].write.node, 4);
  EXPECT_EQ(plan.events[3].write.space, CfgSpace::kRouteGroup);
  EXPECT_EQ(plan.events[3].write.value, 48u);
  EXPECT_FALSE(plan.events[3].write.port.has_value());
  EXPECT_EQ(plan.events[4].write.value, ~std::uint64_t{0});
  EXPECT_EQ(plan.events[4].write.port, 63);
}

TEST_F(FaultPlan, HasLanesRegistersAndDownTimes) {
  const Plan plan = Read(R"(
channel: {retrain: 5us}
retry: {timer: 700, limit: 4, down: best_effort, watchdog: 60}
lanes: {fail: 3, back: 0}
links:
  - {link: p1, retrain: 900}
events:
  - {at: 10, link: p1, kind: lane_down, lane: 3, for: 20}
  - {at: 50, link: p1, kind: lane_down, lane: 1, direction: in}
  - {at: 5000, link: p1, kind: lane_up, lane: 1, direction: in}
)");
  EXPECT_EQ(plan.retrain, 3907);
  EXPECT_EQ(plan.retry, PortRetry::Of(700, 4, 2, 2, 60));
  EXPECT_EQ(plan.lanes, PortLanes::Of(3, 0, 0));
  EXPECT_EQ(plan.links.front().retrain, 900);
  EXPECT_EQ(plan.events[0].direction, Direction::kOut) << "a lane of one direction dies";
  EXPECT_EQ(plan.events[0].lane, 3);
  EXPECT_EQ(plan.events[0].cycles, 20);
  EXPECT_EQ(plan.events[1].direction, Direction::kIn);
  EXPECT_FALSE(plan.events[1].cycles.has_value());
  EXPECT_EQ(plan.events[2].kind, EventKind::kLaneUp);
  EXPECT_THAT(plan.retry_origin, HasSubstr(":3: plan: retry"));
  EXPECT_THAT(plan.retrain_origin, HasSubstr(":2: channel: retrain"));
  EXPECT_FALSE(plan.lanes_origin.empty());
  EXPECT_EQ(Read("channel: {}\n").retrain, 15'625) << "20 us";
}

TEST_F(FaultPlan, HasTheFecOfAllLinks) {
  EXPECT_EQ(Read("channel: {}\n").fec, Fec::kRs544);
  EXPECT_EQ(Read("channel: {}\n").fec_origin, "");
  const Plan plan = Read("channel: {fec: low_latency}\n");
  EXPECT_EQ(plan.fec, Fec::kLowLatency);
  EXPECT_THAT(plan.fec_origin, HasSubstr(":1: channel: fec"));
  EXPECT_TRUE(plan.warnings.empty());
}

TEST_F(FaultPlan, WarnsOfWhatIsHardlyMeant) {
  EXPECT_TRUE(Read("retry: {watchdog: 2113}\n").warnings.empty());
  EXPECT_THAT(Read("retry: {watchdog: 2112}\n").warnings, ::testing::ElementsAre(HasSubstr("give watchdog: 2113 or more")));
  EXPECT_THAT(Read("retry: {timer: 65535, limit: 254}\n").warnings, ::testing::ElementsAre(HasSubstr("watchdog: 0 (never)")));
  EXPECT_TRUE(Read("retry: {watchdog: 0, limit: 32}\n").warnings.empty()) << "there is no watchdog";
  EXPECT_TRUE(Read("retry: {watchdog: 1, limit: 255}\n").warnings.empty()) << "replays never end";
  const std::string lane = "link: p1, kind: lane_down, lane: ";
  EXPECT_THAT(Read("events: [{at: 1, " + lane + "2, direction: both}]\n").warnings,
              ::testing::ElementsAre(HasSubstr("SerDes lanes of both directions of p1 die within 2000 cycles")));
  EXPECT_THAT(Read("events: [{at: 1, " + lane + "2}, {at: 50, " + lane + "0, direction: in}]\n").warnings,
              ::testing::SizeIs(1));
  EXPECT_TRUE(Read("events: [{at: 1, " + lane + "2}, {at: 2500, " + lane + "0, direction: in}]\n").warnings.empty());
  EXPECT_TRUE(Read("events: [{at: 1, " + lane + "2}, {at: 50, " + lane + "0}]\n").warnings.empty());
}

TEST_F(FaultPlan, WarnsOfWhatSaysNothing) {
  for (const char* text : {"{}\n", "events: []\n", "channel: {}\n", "channel: {word_ber: 0}\n", "seed: 3\n",
                           "channel: {burst: 4}\n", "channel: {retrain: 5us}\n", "lanes: {back: 3}\n", "links: [{link: p1, retrain: 5us}]\n"})
    EXPECT_THAT(Read(text).warnings, ::testing::ElementsAre(HasSubstr(file_.string() + ": nothing goes wrong by this plan"))) << text;
  EXPECT_THAT(Read("channel: {word_ber: 1e-6}\nlinks:\n  - {link: p1, word_ber: 1e-6}\n  - {link: p2, word_ber: 0}\n").warnings,
              ::testing::ElementsAre(AllOf(HasSubstr(":3"), HasSubstr("p1 has the rates of all links"))));
  for (const char* text : {"channel: {word_ber: 1e-6}\n", "retry: {limit: 3}\n", "channel: {fec: low_latency}\n", "events: [{at: 1, link: p1, kind: bad_word}]\n"})
    EXPECT_TRUE(Read(text).warnings.empty()) << text;
}

TEST_F(FaultPlan, HasTimesWithExponents) {
  EXPECT_EQ(Read("events: [{at: 5e2, link: p1, kind: bad_word}]\n").events.front().at, 500);
  EXPECT_EQ(Read("events: [{at: 2.5e3, link: p1, kind: stuck, for: 1e+1}]\n").events.front().cycles, 10);
}

TEST_F(FaultPlan, RefusesLanesRegistersAndDownTimesThatCannotBe) {
  EXPECT_THAT(Refusal("events: [{at: 1, link: p1, kind: lane_down}]\n"), HasSubstr("key 'lane' is missing; write the SerDes lane"));
  EXPECT_THAT(Refusal("events: [{at: 1, link: p1, kind: lane_down, lane: 4}]\n"), HasSubstr("lane: 4 is not between 0 and 3"));
  EXPECT_THAT(Refusal("events: [{at: 1, link: p1, kind: lane_up, lane: 0, for: 5}]\n"), HasSubstr("key of event"));
  EXPECT_THAT(Refusal("retry: {down: dicard}\n"), HasSubstr("write discard, block or best_effort"));
  EXPECT_THAT(Refusal("retry: {timer: 0}\n"), HasSubstr("timer: 0 is not between 1 and 65535"));
  EXPECT_THAT(Refusal("retry: {limt: 3}\n"), HasSubstr("did you mean 'limit'"));
  EXPECT_THAT(Refusal("lanes: {fail: 256}\n"), HasSubstr("fail: 256 is not between 0 and 255"));
  EXPECT_THAT(Refusal("lanes: {off: 1}\n"), HasSubstr("key of lanes"));
  EXPECT_THAT(Refusal("channel: {retrain: soon}\n"), HasSubstr("retrain: 'soon' is not a time"));
  EXPECT_THAT(Refusal("channel: {retrain: 0}\n"), HasSubstr("retrain: a link that was given up is down for some time"));
  EXPECT_THAT(Refusal("links: [{link: p1, direction: in, retrain: 5us}]\n"), HasSubstr("give the link an entry without direction"));
}

TEST_F(FaultPlan, RefusesWhatNoLinkOrRegisterDoes) {
  EXPECT_THAT(Refusal("events: [{at: 1, link: s1.2, kind: down, direction: in}]\n"), HasSubstr("key of event"));
  EXPECT_THAT(Refusal("events: [{at: 1, link: s1.2, kind: up, for: 5}]\n"), HasSubstr("key of event"));
  EXPECT_THAT(Refusal("events: [{at: 1, kind: down}]\n"), HasSubstr("key 'link' is missing"));
  EXPECT_THAT(Refusal("events: [{at: 1, kind: table, index: 0, value: 0, space: ROUTE_GROUP}]\n"),
              HasSubstr("write the number of the switch"));
  EXPECT_THAT(Refusal("events: [{at: 1, switch: 1, kind: table, index: 0, value: 0, space: ROUTE_GRUP}]\n"),
              HasSubstr("did you mean 'ROUTE_GROUP'"));
  EXPECT_THAT(Refusal("events: [{at: 1, switch: 1, kind: table, index: 0, value: 0x1g, space: ROUTE_GROUP}]\n"),
              HasSubstr("'0x1g' is no value of 64 bits"));
  EXPECT_THAT(Refusal("events: [{at: 1, switch: 1, kind: table, index: 0, value: 0, space: COUNTER}]\n"), HasSubstr("COUNTER"));
}

TEST_F(FaultPlan, ChanceOfABadWordIsThatOfOneBadBitOrMore) {
  EXPECT_EQ(ChanceOfBad(0, kBitsOfWord), 0);
  EXPECT_NEAR(ChanceOfBad(1e-3, kBitsOfWord), 1 - std::pow(0.999, 256), 1e-12);
  EXPECT_NEAR(ChanceOfBad(1e-12, kBitsOfWord) / 2.56e-10, 1, 1e-9) << "no digits are lost";
}

TEST_F(FaultPlan, HasTheManagerOfTheFabric) {
  EXPECT_FALSE(Read("channel: {}\n").manager.has_value());
  const Plan plan = Read("manager: {delay: 10us, tables: on, lanes: 4}\n");
  ASSERT_TRUE(plan.manager.has_value());
  EXPECT_TRUE(WritesTables(&plan));
  EXPECT_EQ(plan.manager->delay, 7813);
  EXPECT_EQ(plan.manager->lanes, 4);
  EXPECT_THAT(plan.manager->origin, HasSubstr(": manager"));
  EXPECT_EQ(Read("manager: {tables: on}\n").manager->delay, 78'125) << "100 us";
  EXPECT_EQ(Read("manager: {tables: on, delay: 0}\n").manager->delay, 0);
  const Plan off = Read("manager: {tables: off, delay: 10us}\n");
  EXPECT_FALSE(WritesTables(&off));
  EXPECT_THAT(off.warnings, ::testing::Contains(HasSubstr("delay has no effect with tables: off")));
  EXPECT_TRUE(Read("manager: {tables: on}\n").warnings.empty()) << "links may go down by --fail-link, or be given up";
  EXPECT_THAT(Refusal("manager: {delay: 10us}\n"), AllOf(HasSubstr("tables"), HasSubstr("write on")));
  EXPECT_THAT(Refusal("manager: {tables: maybe}\n"), HasSubstr("'maybe' is not known; write on or off"));
  EXPECT_THAT(Refusal("manager: {tables: on, lanes: 0}\n"), HasSubstr("0 is not between 1 and 16"));
  EXPECT_THAT(Refusal("manager: {tables: on, lanes: 17}\n"), HasSubstr("17 is not between 1 and 16"));
  EXPECT_THAT(Refusal("manager: {tables: on, late: 5}\n"), HasSubstr("late"));
}

}  // namespace
}  // namespace tilefly::faults
