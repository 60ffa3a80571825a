// SPDX-License-Identifier: Apache-2.0
// When runs over links that repeat end, and what they say then (docs/network.md, No progress).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/figures.h"
#include "network/stall_report.h"
#include "support/errors.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/planned_event.h"
#include "testbenches/network/repeating_run.h"
#include "testbenches/network/systems.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using End = faults::LinkName::End;
using faults::EventKind;
using ::testing::HasSubstr;

constexpr faults::LinkName kGlobal{End::kSwitchPort, 5, 6};

faults::Plan PlanOf(std::vector<faults::PlannedEvent> events) {
  faults::Plan plan;
  plan.events = std::move(events);
  return plan;
}

/// The links of all endpoints, for ever.
faults::Plan AllNicsDown(Cycle at) {
  faults::Plan plan;
  for (int e = 0; e < static_cast<int>(Dragonfly().endpoints.size()); ++e)
    plan.events.push_back(Event(at, EventKind::kDown, {End::kEndpoint, e, 0}));
  return plan;
}

NetworkOptions Impatient(double load) {
  NetworkOptions options = Sized("uniform", load, "64,512", false);
  options.cycles = 3000;
  options.stall_cycles = 3000;
  return options;
}

NetworkOptions Resending(NetworkOptions options, Cycle resend) {
  options.acks = AckUse::kOn;
  options.nics.resend = resend;
  options.nics.resend_window = 64;
  return options;
}

/// A time-out that is to come is an event that is due, however late.
TEST(PatienceOfRepeatingLinks, WaitsForTimeOutsOfNics) {
  const faults::Plan plan = PlanOf({Event(500, EventKind::kDown, kGlobal, 900)});
  Network network(Dragonfly(), With(Resending(Impatient(0.3), 20'000), plan));
  EXPECT_EQ(network.Run(), Ending::kDrained);
  const Statistics& sums = network.statistics();
  EXPECT_GT(sums.lost, 0);
  EXPECT_GE(sums.resent, sums.lost);
  EXPECT_EQ(sums.delivered(), sums.sent()) << "what was lost was sent again";
  EXPECT_GT(network.cycle() - network.nics().begin, 20'000);
}

/// Of packets that are lost behind their last switch the sender has an ack; none of these downs loses one.
TEST(PatienceOfRepeatingLinks, WaitsForTimeOutsOfJobs) {
  NetworkOptions options = Resending(Impatient(0), 20'000);
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  UseJobs(workload::MakeWorkload("allreduce:ring,ranks=16,bytes=16384", "", static_cast<int>(Dragonfly().endpoints.size()),
                                 workload::Allocation::kLinear, 7),
          &options);
  std::int64_t lost = 0;
  for (const Cycle at : {600, 1000, 1500, 3000}) {
    Network network(Dragonfly(), With(options, PlanOf({Event(at, EventKind::kDown, {End::kEndpoint, 0, 0}, 1000)})));
    EXPECT_EQ(network.Run(), Ending::kDrained) << at;
    EXPECT_EQ(network.statistics().jobs[0].ranks_done, 16) << at;
    lost += network.statistics().lost;
  }
  EXPECT_GT(lost, 0);
}

/// Packets are further apart than the patience, and noise keeps the links awake.
TEST(PatienceOfRepeatingLinks, WaitsForPacketsThatAreToBeCreated) {
  NetworkOptions options = Sized("uniform", 0.00002, "64", false);
  options.cycles = 200'000;
  options.stall_cycles = 300;
  std::int64_t sent = 0;
  for (const bool faults : {false, true}) {
    faults::Plan plan;
    plan.channel.word.noise = faults ? 1e-3 : 0;
    Network network(Dragonfly(), With(options, plan));
    EXPECT_EQ(network.Run(), Ending::kDrained);
    EXPECT_EQ(network.statistics().delivered(), network.statistics().sent());
    if (faults) EXPECT_EQ(network.statistics().sent(), sent);
    sent = network.statistics().sent();
  }
  EXPECT_GT(sent, 50);
}

/// What timed out, and cannot be sent again, is no good end.
TEST(PatienceOfRepeatingLinks, EndsWhereNothingCanBeSentAgain) {
  Network network(Dragonfly(), With(Resending(Impatient(0.3), 5000), AllNicsDown(500)));
  EXPECT_EQ(network.Run(), Ending::kStuck);
  EXPECT_EQ(network.statistics().in_flight(), 0);
  const StallReport report(network);
  EXPECT_GT(report.to_send_again, 100);
  EXPECT_THAT(report.Text(network), HasSubstr("packets timed out, and their NICs cannot send them again"));
  EXPECT_THAT(report.Text(network), HasSubstr("the link to endpoint 0 is down since cycle 500 (--fault-plan)"));
  Network without(Dragonfly(), With(Impatient(0.3), AllNicsDown(500)));
  EXPECT_EQ(without.Run(), Ending::kDrained) << "all packets are in the books";
}

/// A link that goes down when all is over is no event of the run.
TEST(PatienceOfRepeatingLinks, DoesNotWaitForEventsBehindTheEnd) {
  const auto end_with = [](Cycle at) {
    Network network(Dragonfly(), With(Impatient(0.3), PlanOf({Event(at, EventKind::kDown, kGlobal, 1000)})));
    EXPECT_EQ(network.Run(), Ending::kDrained);
    EXPECT_EQ(network.statistics().delivered(), network.statistics().sent());
    return network.cycle() - network.nics().begin;
  };
  const Cycle end = end_with(100'000);
  EXPECT_LT(end, 10'000);
  EXPECT_EQ(end_with(Cycle{1} << 40), end);
}

/// ... and one that comes back later than the patience lasts is no standstill.
TEST(PatienceOfRepeatingLinks, LastsUntilLinksComeBack) {
  const faults::Plan plan = PlanOf({Event(500, EventKind::kDown, {End::kEndpoint, 9, 0}, 20'000)});
  NetworkOptions options = Impatient(0.1);
  options.cycles = 30'000;
  Network network(Dragonfly(), With(options, plan));
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(Figures(network).queue.packets, 0) << "what waited at the NIC was sent";
}

/// The receiver is stuck to the end: what it holds is its own affair.
TEST(PatienceOfRepeatingLinks, EndsWithReceiversThatAreStuckForEver) {
  for (const faults::LinkName link : {kGlobal, faults::LinkName{End::kEndpoint, 9, 0}}) {
    for (const faults::Direction direction : {faults::Direction::kOut, faults::Direction::kIn}) {
      faults::PlannedEvent stuck = Event(1000, EventKind::kStuck, link);
      stuck.credits_alone = true;
      stuck.direction = direction;
      Network network(Dragonfly(), With(Impatient(0.02), PlanOf({stuck})));
      EXPECT_EQ(network.Run(), Ending::kDrained);
      EXPECT_EQ(network.statistics().delivered(), network.statistics().sent());
      EXPECT_EQ(network.NotHome(), "") << link.Text();
    }
  }
}

}  // namespace
}  // namespace tilefly::network
