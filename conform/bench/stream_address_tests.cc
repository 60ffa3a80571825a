// SPDX-License-Identifier: Apache-2.0
// Tests of devices with AXI-Stream ports: where frames go, and tables that are written.
#include "conform/bench/stream_suite.h"

namespace tilefly::conform {

void AddAddressing(SuiteMaker* suite) {
  suite->Add(
      "addressing.unknown", "frames to a MAC that nobody has, among others", kBridge,
      [](Scenario& s, const Capability&) {
        s.unknown = 0.2;
        s.load = 0.3;
        s.demands = {"address.unknown"};
      },
      All({ByMac, UnknownIsDefined}));
  suite->Add(
      "addressing.unknown-only", "nothing but frames to a MAC that nobody has", kBridge,
      [](Scenario& s, const Capability&) {
        s.unknown = 1;
        s.load = 0.1;
        s.demands = {"address.unknown"};
      },
      All({ByMac, UnknownIsDefined}));
  suite->Add(
      "addressing.near-misses", "frames to MACs that differ from a port's in one bit, each bit of each port", kBridge,
      [](Scenario& s, const Capability& it) {
        s.near_misses = true;
        s.unknown = 1;
        s.lengths = Lengths::kShortest;
        s.load = 0.5;
        s.frames = 48 * it.ports;
        s.traffic = 1'000'000;
      },
      All({ByMac, UnknownIsDefined}));
  suite->Add(
      "addressing.near-broadcast",
      "frames to broadcast but for the group bit and one more, each in turn: to MACs that nobody has", kBridge,
      [](Scenario& s, const Capability&) {
        s.near_broadcast = true;
        s.unknown = 1;
        s.lengths = Lengths::kShortest;
        s.load = 0.2;
        s.frames = 48;
        s.traffic = 1'000'000;
        s.demands = {"address.near-broadcast"};
      },
      All({ByMac, UnknownIsDefined}));
  suite->Add(
      "addressing.groups",
      "frames to group addresses of all kinds, every second one to broadcast but for one bit, each in turn", kBridge,
      [](Scenario& s, const Capability& it) {
        s.group = 1;
        s.lengths = Lengths::kShortest;
        s.load = LoadOfCopies(it);
        s.frames = 94;
        s.traffic = 1'000'000;
        s.demands = {"address.group", "address.near-broadcast"};
      },
      All({ByMac, GroupIsDefined}));
  suite->Add(
      "replication.broadcast", "broadcast frames among others", kBridge,
      [](Scenario& s, const Capability&) {
        s.broadcast = 0.2;
        s.load = 0.2;
        s.demands = {"address.broadcast"};
      },
      All({ByMac, BroadcastIsDefined}));
  suite->Add(
      "replication.broadcast-only", "all inputs send nothing but broadcast frames", kBridge,
      [](Scenario& s, const Capability& it) {
        s.broadcast = 1;
        s.load = 0.5 / it.ports;
        s.traffic = 8000;
        s.demands = {"address.broadcast"};
      },
      All({ByMac, BroadcastIsDefined}));
  suite->Add(
      "replication.broadcast-stalls", "broadcast frames while outputs are stopped now and then", kBridge,
      [](Scenario& s, const Capability&) {
        s.broadcast = 0.2;
        s.load = 0.1;
        s.stalls = {0.05, 50};
        s.traffic = 8000;
        s.demands = {"address.broadcast"};
      },
      All({ByMac, BroadcastIsDefined, OutputsStop}));
  suite->Add(
      "addressing.table-swap", "the table's addresses move on by a port while the device is empty", kBridge,
      [](Scenario& s, const Capability&) {
        s.swap_table = true;
        s.load = 0.05;
        s.traffic = 20000;
      },
      HasTable);
  suite->Add(
      "addressing.unknown-and-broadcast", "frames of all kinds of addresses", kBridge,
      [](Scenario& s, const Capability& it) {
        s.unknown = 0.2;
        s.broadcast = 0.2;
        s.group = it.forwarding.group == Fate::kUndefined ? 0 : 0.1;
        s.types = true;
        s.load = LoadOfCopies(it);
        s.demands = {"address.unknown", "address.broadcast"};
      },
      All({ByMac, BroadcastIsDefined, UnknownIsDefined}));
}

}  // namespace tilefly::conform
