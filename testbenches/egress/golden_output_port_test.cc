// SPDX-License-Identifier: Apache-2.0
// One golden output port by itself (docs/blocks/egress.md): grant rules, channel ownership, run limit, and the link's words.
#include <gtest/gtest.h>

#include <vector>

#include "golden/ports/output_port.h"

namespace tilefly::golden {
namespace {

class Rig {
 public:
  explicit Rig(bool credits = false) : port_(kRosetta64, 7) {
    PortMode mode;
    mode.enable = true;
    mode.credits = credits;
    mode.std_format = false;
    OutputPort::Inputs inputs;
    inputs.cfg.valid = true;
    inputs.cfg.port = kAllPorts;
    inputs.cfg.space = static_cast<std::uint8_t>(CfgSpace::kPort);
    inputs.cfg.index = static_cast<std::uint16_t>(PortReg::kMode);
    inputs.cfg.data = mode.ToBits();
    Step(inputs);
    while (now_ < 20) Step({});
  }

  const OutputPort::Outputs& Step(const OutputPort::Inputs& inputs) { return port_.Step(now_++, inputs); }
  OutputPort::FirstCell FirstCell(int input, int length) {
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(length);
    const Index frame = port_.frames().Allocate();
    port_.frames()[frame].bytes.resize(length);
    return {input, HeaderBits(header), frame};
  }
  OutputPort& port() { return port_; }
  Cycle now() const { return now_; }

 private:
  OutputPort port_;
  Cycle now_ = 0;
};

TEST(OutputPort, GrantsARequestInTheCycleAfterItsArrival) {
  Rig rig;
  OutputPort::Inputs arrival;
  arrival.requests = {{12, 3, 5}};
  EXPECT_FALSE(rig.Step(arrival).grant);
  EXPECT_EQ(rig.port().load(), 5);
  const auto& granted = rig.Step({});
  ASSERT_TRUE(granted.grant);
  EXPECT_EQ(granted.grant->input, 12);
  EXPECT_EQ(granted.grant->grant.vl, 3);
  EXPECT_EQ(granted.grant->grant.src, 7);
  EXPECT_EQ(rig.port().room(), kRosetta64.obuf_cells - 5);
  EXPECT_EQ(rig.port().owner_valid(), 1u);
  EXPECT_EQ(rig.port().owner(0), 12);
  EXPECT_FALSE(rig.Step({}).grant);
}

TEST(OutputPort, KeepsTheChannelForItsOwnerUntilTheRunLimit) {
  Rig rig;
  OutputPort::Inputs arrival;
  // Two inputs of row 0 with 16-cell packets; the owner may run to 48 cells while the other rig.
  for (int i = 0; i < 6; ++i) {
    arrival.requests = {{i < 5 ? 2 : 9, 0, 16}};
    if (i == 0) arrival.requests = {{9, 0, 16}};
    if (i == 5) arrival.requests = {{2, 0, 16}};
    rig.Step(arrival);
  }
  EXPECT_EQ(rig.port().owner(0), 9);
  EXPECT_EQ(rig.port().owner_valid(), 1u);
  EXPECT_EQ(rig.port().load(), 5 * 16) << "only the owner may be granted while its packet is outstanding";

  // The first cell of 16 arrives: the channel is free in the next cycle.
  OutputPort::Inputs first;
  first.first_cells = {rig.FirstCell(9, 16 * 48 - 16)};
  rig.Step(first);
  std::vector<int> inputs;
  for (int i = 0; i < 10; ++i) {
    const auto& outputs = rig.Step({});
    if (outputs.grant) inputs.push_back(outputs.grant->input);
  }
  EXPECT_EQ(inputs, (std::vector<int>{2, 2, 2, 2, 2})) << "nobody else waits: no limit";
}

TEST(OutputPort, EndsTheRunWhenAnotherInputWaits) {
  Rig rig;
  std::vector<int> inputs;
  const auto step = [&](const OutputPort::Inputs& in) {
    const auto& outputs = rig.Step(in);
    if (outputs.grant) inputs.push_back(outputs.grant->input);
  };
  OutputPort::Inputs arrival;
  arrival.requests = {{2, 0, 16}};
  for (int i = 0; i < 3; ++i) step(arrival);
  arrival.requests = {{9, 0, 16}};
  step(arrival);
  arrival.requests = {{2, 0, 16}};
  step(arrival);
  for (int i = 0; i < 5; ++i) step({});
  EXPECT_EQ(inputs, (std::vector<int>{2, 2, 2})) << "48 cells are granted and input 9 waits";
  for (int i = 0; i < 3; ++i) {
    OutputPort::Inputs first;
    first.first_cells = {rig.FirstCell(2, 16 * 48 - 16)};
    step(first);
    for (int j = 0; j < 15; ++j) step({});
  }
  ASSERT_GE(inputs.size(), 4u);
  EXPECT_EQ(inputs[3], 9);
}

TEST(OutputPort, SendsAPacketNineCyclesAfterItsFirstCell) {
  Rig rig;
  OutputPort::Inputs arrival;
  arrival.requests = {{1, 0, 2}};
  rig.Step(arrival);
  rig.Step({});
  OutputPort::Inputs first;
  first.first_cells = {rig.FirstCell(1, 64)};
  const Cycle arrived = rig.now();
  rig.Step(first);
  EXPECT_TRUE(rig.Step({}).taken);
  while (rig.now() < arrived + 9) EXPECT_FALSE(rig.Step({}).link.word.valid);
  for (int k = 0; k < 3; ++k) {
    const Word word = rig.Step({}).link.word;
    EXPECT_TRUE(word.valid && word.enh);
    EXPECT_EQ(word.sop, k == 0);
    EXPECT_EQ(word.eop, k == 2);
  }
  EXPECT_EQ(rig.port().room(), kRosetta64.obuf_cells);
  EXPECT_EQ(rig.port().owner_valid(), 0u);
  EXPECT_EQ(rig.port().Counter(static_cast<int>(Counter::kTxPackets)), 1u);
  EXPECT_EQ(rig.port().frames().size(), 0u);
}

TEST(OutputPort, StopsWithoutCreditsAndGoesOnWithThem) {
  Rig rig(true);
  int granted = 0;
  OutputPort::Inputs arrival;
  arrival.requests = {{1, 0, 89}};
  for (int i = 0; i < 3; ++i) granted += rig.Step(arrival).grant.has_value();
  for (int i = 0; i < 10; ++i) granted += rig.Step({}).grant.has_value();
  EXPECT_EQ(granted, 3);
  EXPECT_EQ(rig.port().credits().used(0), 3 * 89);
  EXPECT_LT(rig.port().room(), kRosetta64.mtu_cells + 89);
  OutputPort::Inputs credit;
  credit.credit = CreditReturner::Message{0, 2 * 89};
  rig.Step(credit);
  for (int i = 0; i < 4; ++i) rig.Step({});
  EXPECT_EQ(rig.port().credits().used(0), 89) << "the event is four cycles after the wire";
}

/// Lanes granted when lane 0 (class 0) and lane 1 (class 1) get a request of `cells` each in the same cycle.
std::vector<int> OrderOfTwo(Rig* rig, int cells) {
  OutputPort::Inputs arrival;
  arrival.requests = {{0, 0, cells}, {16, 1, cells}};  // rows 0 and 1: no channel is shared
  std::vector<int> lanes;
  for (int i = 0; i < 4; ++i) {
    const auto& outputs = rig->Step(i == 0 ? arrival : OutputPort::Inputs{});
    if (outputs.grant) lanes.push_back(outputs.grant->grant.vl);
  }
  return lanes;
}

TEST(OutputPort, AClassWhoseLastRequestIsGrantedIsForgottenInTheNextCycle) {
  Rig rig;
  OutputPort::Inputs arrival;
  arrival.requests = {{0, 0, 20}};
  rig.Step(arrival);
  EXPECT_TRUE(rig.Step({}).grant);
  rig.Step({});
  EXPECT_EQ(OrderOfTwo(&rig, 20), (std::vector<int>{1, 0})) << "class 0 was at its entry with 158 cells left";
  Rig other;
  other.Step(arrival);
  EXPECT_EQ(OrderOfTwo(&other, 20), (std::vector<int>{0, 0, 1})) << "a request was there in every cycle";
}

/// A request of class 0 that promises more is granted; `late` cycles later comes one of class 1, after `down` cycles without
/// link. Returns the cycles from grant to grant.
Cycle GrantAfterAPromise(int late, int down) {
  Rig rig;
  OutputPort::Inputs arrival;
  arrival.requests = {{0, 0, 20, true}};
  rig.Step(arrival);
  EXPECT_TRUE(rig.Step({}).grant);
  const Cycle granted = rig.now() - 1;
  OutputPort::Inputs inputs;
  inputs.link_up = false;
  for (int i = 0; i < down; ++i) rig.Step(inputs);
  inputs.link_up = true;
  while (rig.now() < granted + late) rig.Step(inputs);
  inputs.requests = {{16, 1, 20}};
  rig.Step(inputs);
  while (!rig.Step({}).grant && rig.now() < granted + 1000) {
  }
  return rig.now() - 1 - granted;
}

TEST(OutputPort, WaitsForRequestsOnTheirWayWhileItRuns) {
  constexpr int kHold = kRosetta64.class_hold;
  EXPECT_EQ(GrantAfterAPromise(5, 0), kHold + 1);
  EXPECT_EQ(GrantAfterAPromise(kHold, 0), kHold + 1);
  EXPECT_EQ(GrantAfterAPromise(kHold + 1, 0), kHold + 2) << "the wait has ended with nobody asking for anything";
  EXPECT_EQ(GrantAfterAPromise(15, 10), kHold + 1 + 10) << "without link it does not count";
}

TEST(OutputPort, GoesOnWhenRequestsOnTheirWayCome) {
  Rig rig;
  OutputPort::Inputs arrival;
  arrival.requests = {{0, 0, 20, true}};
  rig.Step(arrival);
  rig.Step({});
  for (int i = 0; i < 10; ++i) rig.Step({});
  EXPECT_EQ(OrderOfTwo(&rig, 20), (std::vector<int>{0, 1}));
}

/// The output buffer is frozen with 29 cells of room after grants to class 0, whose entry has 29 cells left. `more`: as the
/// requests say.
void Freeze(Rig* rig, bool more = false) {
  for (const int cells : {89, 89, 89, 60}) {
    OutputPort::Inputs arrival;
    arrival.requests = {{0, 0, cells, more}};
    rig->Step(arrival);
  }
  for (int i = 0; i < 3; ++i) rig->Step({});
  ASSERT_EQ(rig->port().room(), 29);
}

/// The granted packets arrive, so that room becomes free.
void Thaw(Rig* rig) {
  for (const int cells : {89, 89, 89, 60}) {
    OutputPort::Inputs first;
    first.first_cells = {rig->FirstCell(0, 48 * cells - 16)};
    rig->Step(first);
    for (int i = 1; i < cells; ++i) rig->Step({});
  }
  while (rig->port().room() < kRosetta64.obuf_cells) rig->Step({});
}

TEST(OutputPort, WithoutRoomNothingIsForgotten) {
  Rig rig;
  Freeze(&rig);
  EXPECT_TRUE(OrderOfTwo(&rig, 20).empty());
  std::vector<int> lanes;
  OutputPort::Inputs first;
  first.first_cells = {rig.FirstCell(0, 48 * 89 - 16)};
  rig.Step(first);
  while (lanes.size() < 2 && rig.now() < 1000) {
    const auto& outputs = rig.Step({});
    if (outputs.grant) lanes.push_back(outputs.grant->grant.vl);
  }
  EXPECT_EQ(lanes, (std::vector<int>{0, 1})) << "class 0 goes on where it was";
}

TEST(OutputPort, WithoutRoomAWaitForRequestsDoesNotCount) {
  Rig rig;
  Freeze(&rig, true);
  OutputPort::Inputs inputs;
  inputs.requests = {{16, 1, 20}};
  rig.Step(inputs);
  for (int i = 0; i < 2 * kRosetta64.class_hold; ++i) rig.Step({});
  inputs.requests.clear();
  inputs.first_cells = {rig.FirstCell(0, 48 * 89 - 16)};
  rig.Step(inputs);
  int ran = 0;
  for (bool granted = false; !granted && rig.now() < 1000;) {
    const bool runs = rig.port().room() >= kRosetta64.mtu_cells;
    granted = rig.Step({}).grant.has_value();
    ran += runs && !granted;
  }
  EXPECT_EQ(ran, kRosetta64.class_hold);
}

TEST(OutputPort, ForgetsWhenRoomIsFreeAgainThoughNothingIsRequested) {
  Rig rig;
  Freeze(&rig);
  Thaw(&rig);
  EXPECT_EQ(OrderOfTwo(&rig, 20), (std::vector<int>{1, 0})) << "class 0 lost its place when the scheduler ran again";
}

}  // namespace
}  // namespace tilefly::golden
