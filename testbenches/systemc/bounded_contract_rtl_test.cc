// SPDX-License-Identifier: Apache-2.0
// What the contract says of figures and orders that are made up: each bound bites, and only beyond itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cosim/contract/bounded.h"
#include "generated/profile.h"
#include "runs/system/system_contract.h"
#include "topology/builder.h"

namespace tilefly::cosim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ContractFigures Base() {
  ContractFigures figures;
  figures.offered = 10000;
  figures.delivered = 9900;
  figures.drops[static_cast<std::size_t>(Drop::kFcs)] = 100;
  figures.offered_load = 0.5;
  figures.accepted_load = 0.5;
  figures.mean = 100;
  figures.p99 = 200;
  return figures;
}

std::vector<std::string> Broken(const ContractFigures& bounded, const ContractFigures& exact = Base()) {
  return ContractComparison("golden", bounded, exact).broken();
}

TEST(BoundedContract, HoldsWithinItsBounds) {
  EXPECT_THAT(Broken(Base()), IsEmpty());
  ContractFigures figures = Base();
  figures.mean = 101.9;
  figures.p99 = 191;
  figures.accepted_load = 0.496;
  EXPECT_THAT(Broken(figures), IsEmpty());
}

TEST(BoundedContract, EachBoundBites) {
  ContractFigures figures = Base();
  figures.mean = 97.9;
  EXPECT_THAT(Broken(figures), ElementsAre(HasSubstr("mean latency 97.9, 100 of golden: -2.10 %, bound 2 %")));
  figures = Base();
  figures.p99 = 211;
  EXPECT_THAT(Broken(figures), ElementsAre(HasSubstr("99th percentile of the latency 211")));
  figures = Base();
  figures.accepted_load = 0.494;
  EXPECT_THAT(Broken(figures), ElementsAre(HasSubstr("throughput")));
  figures = Base();
  figures.offered = 9800;
  EXPECT_THAT(Broken(figures), ElementsAre(HasSubstr("packets 9800, 10000 of golden")));
}

TEST(BoundedContract, LatenciesAreNotBoundedAtHighLoad) {
  ContractFigures exact = Base();
  exact.offered_load = 0.8;
  ContractFigures figures = exact;
  figures.mean = 150;
  figures.p99 = 1000;
  const ContractComparison comparison("golden", figures, exact);
  EXPECT_THAT(comparison.broken(), IsEmpty());
  nlohmann::ordered_json results;
  comparison.AddTo(&results);
  EXPECT_TRUE(results["measured"]["mean"].is_null());
  EXPECT_EQ(comparison.Line(), "bounded by golden: throughput +0.000 % (1 %)");
}

TEST(BoundedContract, DropsAreTheSameButForLossyClasses) {
  ContractFigures figures = Base();
  figures.drops[static_cast<std::size_t>(Drop::kFcs)] = 99;
  EXPECT_THAT(Broken(figures), ElementsAre(HasSubstr("99 packets dropped by FCS, 100 of golden")));
  figures.offered = 9999;  // the one that golden alone had room for
  EXPECT_THAT(Broken(figures), IsEmpty());
  figures = Base();
  figures.offered = 10001;
  figures.drops[static_cast<std::size_t>(Drop::kBufferFull)] = 1;
  EXPECT_THAT(Broken(figures), ElementsAre(HasSubstr("BUFFER_FULL")));
  figures = Base();
  figures.drops[static_cast<std::size_t>(Drop::kClassFull)] = 100;
  EXPECT_THAT(Broken(figures), IsEmpty());
  figures.drops[static_cast<std::size_t>(Drop::kClassFull)] = 101;
  EXPECT_THAT(Broken(figures), ElementsAre(HasSubstr("CLASS_FULL")));
}

TEST(BoundedContract, JobsDoTheSameInTheirTime) {
  ContractFigures exact = Base();
  exact.jobs = {{"job 0 (barrier:sharp)", 12, -1, 5000}, {"job 1 (alltoall)", 90, -1, 8000}};
  ContractFigures figures = exact;
  figures.jobs[0].completion = 5098;
  figures.jobs[1].completion = 7842;
  const ContractComparison held("golden", figures, exact);
  EXPECT_THAT(held.broken(), IsEmpty());
  EXPECT_THAT(held.Line(), HasSubstr("completion of jobs -1.975 % (2 %)"));
  figures.jobs[0].completion = 5101;
  EXPECT_THAT(Broken(figures, exact), ElementsAre(HasSubstr("job 0 (barrier:sharp): completion 5101, 5000 of golden: +2.02 %, bound 2 %")));
  figures = exact;
  figures.jobs[1].operations = 89;
  figures.jobs[1].failure = 3;
  EXPECT_THAT(Broken(figures, exact), ElementsAre(HasSubstr("job 1 (alltoall): 89 operations, 90 of golden"),
                                                  HasSubstr("job 1 (alltoall): failure 3, -1 of golden")));
}

TEST(BoundedContract, SaysSoInResults) {
  ContractFigures figures = Base();
  figures.mean = 110;
  const ContractComparison comparison("golden", figures, Base(), {"another order in 2 flows"});
  EXPECT_THAT(comparison.Message(), HasSubstr("contract broken: another order in 2 flows; mean latency"));
  nlohmann::ordered_json results;
  comparison.AddTo(&results);
  EXPECT_EQ(results["contract"], "bounded");
  EXPECT_EQ(results["bounds"]["throughput"], 0.01);
  EXPECT_EQ(results["measured"]["broken"].size(), 2u);
}

class DeliveryLogs : public ::testing::Test {
 protected:
  /// A packet that comes to the NIC at port 0 of switch 0.
  static network::LinkEvent Packet(Cycle created, RouteMode mode, int flow = 0) {
    network::LinkEvent event{};
    Header header;
    header.mode = static_cast<std::uint8_t>(mode);
    header.flow = static_cast<std::uint16_t>(flow);
    event.header = golden::HeaderBits(header);
    event.record.source = 3;
    event.record.created = created;
    return event;
  }
  static runs::DeliveryLog Of(const network::Wiring& wiring, std::vector<Cycle> created, RouteMode mode) {
    runs::DeliveryLog log(wiring);
    for (const Cycle cycle : created) log.Carries(Packet(cycle, mode));
    return log;
  }

  topology::Topology topology_ = topology::Build("dragonfly:p=2,a=2,h=1");
  network::Wiring wiring_{topology_, kTile8.ports, network::LinkTiming::Chip(kTile8)};
};

TEST_F(DeliveryLogs, DemandTheSamePacketsInTheOrderOfTheirWay) {
  const runs::DeliveryLog golden = Of(wiring_, {10, 20, 30}, RouteMode::kInOrder);
  EXPECT_THAT(Of(wiring_, {10, 20, 30}, RouteMode::kInOrder).DifferenceFrom(golden, true), IsEmpty());
  EXPECT_THAT(Of(wiring_, {10, 20, 30, 40}, RouteMode::kInOrder).DifferenceFrom(golden, true), IsEmpty());  // the last came to one
  EXPECT_THAT(Of(wiring_, {10, 30, 20}, RouteMode::kInOrder).DifferenceFrom(golden, true), ElementsAre("another order in 1 flows"));
  EXPECT_THAT(Of(wiring_, {10, 20, 31}, RouteMode::kInOrder).DifferenceFrom(golden, true),
              ElementsAre("other packets in 1 flows", "another order in 1 flows"));
  EXPECT_THAT(Of(wiring_, {10, 20, 31}, RouteMode::kInOrder).DifferenceFrom(golden, false), IsEmpty());
  EXPECT_THAT(Of(wiring_, {10, 20}, RouteMode::kInOrder).DifferenceFrom(golden, false), ElementsAre("other packets in 1 flows"));
}

TEST_F(DeliveryLogs, LetPacketsOfSeveralWaysOvertake) {
  const runs::DeliveryLog golden = Of(wiring_, {10, 20, 30}, RouteMode::kAdaptive0);
  EXPECT_THAT(Of(wiring_, {10, 30, 20}, RouteMode::kAdaptive0).DifferenceFrom(golden, true), IsEmpty());
  EXPECT_THAT(Of(wiring_, {10, 10, 20}, RouteMode::kAdaptive0).DifferenceFrom(golden, true), ElementsAre("other packets in 1 flows"));
}

TEST_F(DeliveryLogs, HearOfNothingButPacketsForNics) {
  runs::DeliveryLog log(wiring_);
  network::LinkEvent event = Packet(10, RouteMode::kInOrder);
  event.from_nic = true;
  log.Carries(event);
  event.from_nic = false;
  event.kind = network::LinkKind::kCredit;
  log.Carries(event);
  event.kind = network::LinkKind::kPacket;
  network::LinkEvent reduction = Packet(10, RouteMode::kInOrder);
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kRed);
  reduction.header = golden::HeaderBits(header);
  log.Carries(reduction);
  event.port = 2;  // to another switch
  log.Carries(event);
  EXPECT_THAT(Of(wiring_, {99}, RouteMode::kInOrder).DifferenceFrom(log, true), IsEmpty());
  log.Carries(Packet(10, RouteMode::kInOrder));
  EXPECT_THAT(Of(wiring_, {99}, RouteMode::kInOrder).DifferenceFrom(log, true), ::testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace tilefly::cosim
