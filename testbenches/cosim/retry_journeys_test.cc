// SPDX-License-Identifier: Apache-2.0
// Journeys through one switch over wires with a delay and links with retry, in situations whose numbers the pages give.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/errors.h"
#include "testbenches/cosim/journey_checks.h"
#include "testbenches/cosim/planned_packets.h"

namespace tilefly::cosim {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A packet of `n` words from port 0 to port 7, and one from port 3 to port 1, in an idle switch.
runs::RunOptions QuietRun(const char* ports, int delay, bool retry, int bytes) {
  runs::RunOptions options = PlannedRun(ports);
  options.link_delay = delay;
  options.retry = retry ? 1 : 0;
  options.source = [bytes](const SwitchSetup& setup, std::uint32_t) {
    return std::make_unique<PlannedPackets>(setup, std::vector<PlannedPacket>{{10, 0, 7, bytes}, {1500, 3, 1, bytes}});
  };
  return options;
}

faults::PlannedEvent FaultAt(faults::EventKind kind, Cycle at, int port, faults::Direction direction) {
  faults::PlannedEvent event;
  event.kind = kind;
  event.at = at;
  event.link.port = port;
  event.direction = direction;
  return event;
}

void Give(runs::RunOptions* options, const std::vector<faults::PlannedEvent>& events) {
  auto plan = std::make_shared<faults::Plan>();
  plan->events = events;
  options->plan = plan;
}

/// "first word switch 14+9 replay 9": the stage, its place, quiet cycles and waits.
std::vector<std::string> StagesOf(const Json& journey) {
  std::vector<std::string> lines;
  for (const Json& stage : journey["stages"]) {
    lines.push_back(fmt::format("{} {} {}", stage["stage"].get<std::string>(), stage["at"].get<std::string>(), stage["quiet_cycles"].dump()));
    for (const auto& [reason, cycles] : stage["waits"].items()) lines.back() += fmt::format(" {} {}", reason, cycles.dump());
  }
  return lines;
}

/// Those of a packet of port 0 that nothing meets; `tail`: cycles from its first word to its last.
std::vector<std::string> QuietStages(int delay, bool stored, Cycle tail) {
  return {"created p0 0", "link free p0 0", "sent p0 0", fmt::format("first word switch {}", delay),
          fmt::format("requested switch {}", 21 + (stored ? tail : 0)), "request stored switch 8", "granted switch 1",
          "grant at input switch 11", "picked switch 1", "first cell at output switch 12", "taken switch 1", "first word p7 8",
          fmt::format("last word p7 {}", tail)};
}

int WordsOf(int bytes) { return (bytes + 16 + 31) / 32; }

TEST(RetryJourneys, OfAQuietPacketAreThoseWithoutRetryAndWithItsWire) {
  for (const char* const ports : {"fabric", "enhanced"}) {
    const bool stored = std::string(ports) == "enhanced";
    for (const int delay : {1, 9, 210}) {
      for (const bool retry : {false, true}) {
        SCOPED_TRACE(fmt::format("{} delay {} retry {}", ports, delay, retry));
        const Json journeys = JourneysOf(QuietRun(ports, delay, retry, 500), "p0:1,p3:1");
        ASSERT_EQ(journeys.size(), 2u);
        for (const Json& journey : journeys) {
          ExpectAddsUp(journey);
          EXPECT_EQ(journey["latency_cycles"], 63 + (stored ? WordsOf(500) - 1 : 0)) << "measured at the switch's end of the links";
          EXPECT_THAT(journey["waits"], IsEmpty());
          EXPECT_THAT(journey["sender_waits"], IsEmpty());
        }
        EXPECT_EQ(StagesOf(journeys[0]), QuietStages(delay, stored, WordsOf(500) - 1));
      }
    }
  }
}

/// Standard ports have wires, too, and no retry.
TEST(RetryJourneys, OfAStandardPortHaveItsWire) {
  for (const Json& journey : JourneysOf(QuietRun("standard", 17, false, 500), "p0:1,p3:1")) {
    ExpectAddsUp(journey);
    EXPECT_THAT(journey["waits"], IsEmpty());
    EXPECT_EQ(StageOf(journey, "switch", "first word")->at("quiet_cycles"), 17);
  }
}

/// Word k of the packet is bad on its way in: the accepted attempt is at the switch k + 2D + 5 cycles after the first one
/// (docs/cosimulation.md, Journeys). The copy of the attempt that was cut through is gone by then.
TEST(RetryJourneys, OneBadWordOnTheWayInCostsWhatThePageSays) {
  constexpr int kDelay = 40, kBytes = 500;
  const int words = WordsOf(kBytes);
  for (const char* const ports : {"fabric", "enhanced"}) {
    const bool stored = std::string(ports) == "enhanced";
    for (const int k : {0, 1, 7, words - 1}) {
      SCOPED_TRACE(fmt::format("{} word {}", ports, k));
      runs::RunOptions options = QuietRun(ports, kDelay, true, kBytes);
      Give(&options, {FaultAt(faults::EventKind::kBadWord, 10 + kDelay + k, 0, faults::Direction::kIn)});
      const Json journeys = JourneysOf(options, "p0:1,p3:1");
      ASSERT_EQ(journeys.size(), 2u);
      for (const Json& journey : journeys) ExpectAddsUp(journey);
      std::vector<std::string> want = QuietStages(kDelay, stored, words - 1);
      EXPECT_EQ(StagesOf(journeys.at(1)).at(3), fmt::format("first word switch {}", kDelay)) << "another packet";
      want[3] += fmt::format(" replay {}", k + 2 * kDelay + 5);
      EXPECT_EQ(StagesOf(journeys[0]), want);
      EXPECT_EQ(journeys[0]["latency_cycles"], 63 + (stored ? words - 1 : 0)) << "from the attempt that was accepted on";
      EXPECT_EQ(journeys[0]["sender_waits"], (Json{{"replay", k + 2 * kDelay + 5}}));
    }
  }
}

/// On the way out the accepted attempt is on the link k + 2D + 7 cycles after the first one; the latency ends with the first.
TEST(RetryJourneys, OneBadWordOnTheWayOutCostsWhatThePageSays) {
  constexpr int kDelay = 40, kBytes = 500;
  const int words = WordsOf(kBytes);
  for (const char* const ports : {"fabric", "enhanced"}) {
    const bool stored = std::string(ports) == "enhanced";
    const Cycle latency = 63 + (stored ? words - 1 : 0);
    for (const int k : {0, 1, 7, words - 1}) {
      SCOPED_TRACE(fmt::format("{} word {}", ports, k));
      runs::RunOptions options = QuietRun(ports, kDelay, true, kBytes);
      Give(&options, {FaultAt(faults::EventKind::kBadWord, 10 + 2 * kDelay + latency + k, 7, faults::Direction::kOut)});
      const Json journeys = JourneysOf(options, "p0:1,p3:1");
      for (const Json& journey : journeys) ExpectAddsUp(journey);
      std::vector<std::string> want = QuietStages(kDelay, stored, words - 1);
      want[11] = "first attempt p7 8";
      want.insert(want.begin() + 12, fmt::format("first word p7 0 replay {}", k + 2 * kDelay + 7));
      EXPECT_EQ(StagesOf(journeys[0]), want);
      EXPECT_EQ(journeys[0]["latency_cycles"], latency);
      EXPECT_THAT(journeys[0]["waits"], IsEmpty());
      EXPECT_EQ(StagesOf(journeys[1]).size(), 13u) << "another packet";
    }
  }
}

/// The wire repeats a word: the attempt breaks off, as by a bad one. Another packet that is taken meanwhile waits for the
/// replay before it.
TEST(RetryJourneys, APacketBehindAReplayWaitsForIt) {
  constexpr int kDelay = 40, kBytes = 500;
  const int words = WordsOf(kBytes);
  runs::RunOptions options = PlannedRun("fabric");
  options.link_delay = kDelay;
  options.retry = 1;
  // The second packet would start on both links in the cycle in which the first packet is sent again.
  options.source = [](const SwitchSetup& setup, std::uint32_t) {
    return std::make_unique<PlannedPackets>(setup, std::vector<PlannedPacket>{{10, 0, 7, kBytes}, {10 + 2 * kDelay + 6, 0, 7, kBytes}});
  };
  Give(&options, {FaultAt(faults::EventKind::kBadWord, 10 + kDelay + 1, 0, faults::Direction::kIn)});
  Json journeys = JourneysOf(options, "p0:1,p0:2");
  ASSERT_EQ(journeys.size(), 2u);
  for (const Json& journey : journeys) ExpectAddsUp(journey);
  EXPECT_EQ(StagesOf(journeys.at(0)).at(3), fmt::format("first word switch {} replay {}", kDelay, 2 * kDelay + 6));
  EXPECT_EQ(StagesOf(journeys.at(1)).at(3), fmt::format("first word switch {} replay before it {}", kDelay, words));
  // On the way out the take of the second packet is as without an error.
  const Cycle in = 10 + kDelay, out = in + 63;
  options.source = [](const SwitchSetup& setup, std::uint32_t) {
    return std::make_unique<PlannedPackets>(setup, std::vector<PlannedPacket>{{10, 0, 7, kBytes}, {10 + 2 * kDelay + 8, 0, 7, kBytes}});
  };
  Give(&options, {FaultAt(faults::EventKind::kBadWord, out + kDelay + 1, 7, faults::Direction::kOut)});
  journeys = JourneysOf(options, "p0:1,p0:2");
  for (const Json& journey : journeys) ExpectAddsUp(journey);
  EXPECT_EQ(StagesOf(journeys.at(0)).at(12), fmt::format("first word p7 0 replay {}", 2 * kDelay + 8));
  EXPECT_EQ(StagesOf(journeys.at(1)).at(11), fmt::format("first word p7 8 replay before it {}", words));
  EXPECT_EQ(journeys[1]["latency_cycles"], 63 + words);
}

/// What was sent and is nowhere yet when the run is cut has the stages that it reached, and no other ones.
TEST(RetryJourneys, PacketsOnWiresAndInReplayBuffersHaveTheStagesThatTheyReached) {
  constexpr int kDelay = 300;
  for (const bool retry : {false, true}) {
    SCOPED_TRACE(retry);
    runs::RunOptions options = PlannedRun("fabric");
    options.link_delay = kDelay;
    options.retry = retry ? 1 : 0;
    options.max_cycles = 10'000;
    // The wire loses all that port 0 sends.
    if (retry) {
      std::vector<faults::PlannedEvent> events{FaultAt(faults::EventKind::kBer, 0, 0, faults::Direction::kIn)};
      events[0].value = 0.5;
      Give(&options, events);
    }
    options.source = [](const SwitchSetup& setup, std::uint32_t) {
      return std::make_unique<PlannedPackets>(
          setup, std::vector<PlannedPacket>{{10, 0, 7, 500}, {600, 3, 1, 500}, {1880, 4, 2, 500}});
    };
    runs::FollowedPackets followed(Following("p0:1,p3:1,p4:1"));
    runs::SwitchRun run(options);
    runs::RunControl control;
    std::atomic<bool> stop = false;
    control.stop = &stop;
    const Cycle cut = run.traffic_begin() + 1900;
    control.progress = [&](Cycle now, const Books&) { stop = now + 256 > cut; };
    followed.Begin(&run, &control);
    ASSERT_EQ(run.Run(control).verdict, runs::Verdict::kInterrupted);
    followed.End(run);
    ASSERT_EQ(followed.journeys().size(), 3u);
    for (const Json& journey : followed.journeys()) ExpectAddsUp(journey);
    EXPECT_EQ(followed.journeys()[0]["end"], retry ? "inside" : "delivered");
    if (retry) EXPECT_EQ(followed.journeys()[0]["stages"].back()["stage"], "sent");
    EXPECT_EQ(followed.journeys()[1]["end"], "delivered");
    EXPECT_EQ(followed.journeys()[2]["end"], "inside");
    EXPECT_EQ(followed.journeys()[2]["stages"].back()["stage"], "sent") << "it is on the wire";
  }
}

/// A link goes down amid packets: those that it loses have a journey that says so, and no stage that is not known.
TEST(RetryJourneys, LostPacketsSayThatALinkLostThem) {
  for (const char* const ports : {"fabric", "enhanced"}) {
    for (const std::uint8_t down : {0, 1}) {
      SCOPED_TRACE(fmt::format("{} mode {}", ports, down));
      runs::RunOptions options = PlannedRun(ports);
      options.link_delay = 40;
      options.retry = 1;
      options.max_cycles = 6000;
      options.source = [](const SwitchSetup& setup, std::uint32_t) {
        return std::make_unique<PlannedPackets>(
            setup, std::vector<PlannedPacket>{{10, 0, 7, 500}, {1000, 0, 7, 500}, {2000, 3, 1, 500}, {3000, 3, 1, 500}});
      };
      auto plan = std::make_shared<faults::Plan>();
      plan->retry.down = down;
      // Amid the words of the first packet that come in; while the third one is on its way out.
      plan->events = {FaultAt(faults::EventKind::kDown, 55, 0, faults::Direction::kBoth),
                      FaultAt(faults::EventKind::kDown, 2000 + 40 + 90, 1, faults::Direction::kBoth)};
      for (faults::PlannedEvent& event : plan->events) event.cycles = 700;
      options.plan = plan;
      const Json journeys = JourneysOf(options, "p0:1,p0:2,p3:1,p3:2");
      std::vector<std::string> names;
      for (const Json& journey : journeys) names.push_back(journey["packet"]);
      ASSERT_THAT(names, ElementsAre("p0:1", "p0:2", "p3:1", "p3:2")) << "lost packets have numbers, too";
      for (const Json& journey : journeys) ExpectAddsUp(journey);
      EXPECT_EQ(journeys[0]["end"], "dropped");
      EXPECT_EQ(journeys[0]["drop"], "lost with a link");
      EXPECT_EQ(journeys[0]["stages"].back()["stage"], "sent");
      EXPECT_EQ(journeys[2]["end"], "dropped");
      EXPECT_EQ(journeys[2]["destination"], "p1");
      EXPECT_EQ(journeys[2]["drop"], down == 1 ? "lost with a link" : "lost with a link, or NO_ROUTE");
      EXPECT_EQ(journeys[2]["stages"].back()["stage"], "first word");
      for (const int i : {1, 3}) {
        EXPECT_EQ(journeys[i]["end"], "delivered");
        EXPECT_EQ(StagesOf(journeys[i]).size(), 13u);
        EXPECT_THAT(journeys[i]["waits"], IsEmpty());
      }
    }
  }
}

}  // namespace
}  // namespace tilefly::cosim
