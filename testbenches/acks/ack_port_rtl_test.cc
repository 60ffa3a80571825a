// SPDX-License-Identifier: Apache-2.0
// tilefly_ack_port against the acks page, with golden's reading of an ack's way (docs/blocks/acks.md: ACK-1): every ack
// leaves in its cycle, with its fields, mark and share among them, and no other does.
#include <gtest/gtest.h>

#include "Vrtl_ack_port_rosetta64.h"
#include "Vrtl_ack_port_tile8.h"
#include "Vrtl_ack_port_tile8___024root.h"
#include "testbenches/acks/ack_port_bench.h"

namespace tilefly::bench {
namespace {

template <typename Model>
void BeginCounts(AckPortBench<Model>*) {}
/// In the runs from edges.
void BeginCounts(AckPortBench<Vrtl_ack_port_tile8>* bench) {
  auto& all = *bench->dut().rootp;
  bench->BeginCounts(
      {&all.tilefly_ack_port__DOT__u_counters__DOT__made_q, &all.tilefly_ack_port__DOT__u_counters__DOT__in_q,
       &all.tilefly_ack_port__DOT__u_counters__DOT__bad_q, &all.tilefly_ack_port__DOT__u_counters__DOT__marked_q},
      &all.tilefly_ack_port__DOT__u_relay__DOT__acks_q);
}

template <typename Model>
void CompareAckPort(const Profile& profile, int port, PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  AckPortBench<Model> bench(&run, profile, port);
  if (power_up.edge > 0) BeginCounts(&bench);
  while (run.Next()) bench.Step();
}

TEST(AckPort, EqualsThePageInEveryCycleWith8Ports) { CompareAckPort<Vrtl_ack_port_tile8>(kTile8, 6, kZeros, 6); }

TEST(AckPort, EqualsThePageFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareAckPort<Vrtl_ack_port_tile8>(kTile8, 1, power_up, 0.2); });
}

TEST(AckPort, EqualsThePageFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { CompareAckPort<Vrtl_ack_port_tile8>(kTile8, 1, power_up, 0.1); });
}

TEST(AckPort, EqualsThePageInEveryCycleWith64Ports) {
  CompareAckPort<Vrtl_ack_port_rosetta64>(kRosetta64, 50, kZeros, 6);
}

}  // namespace
}  // namespace tilefly::bench
