// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/stream_tests.h"

#include <fmt/format.h>

#include <tuple>

#include "conform/bench/frame_type.h"
#include "conform/bench/stream_suite.h"

namespace tilefly::conform {

void AddForwarding(SuiteMaker* suite) {
  suite->Add("forwarding.all-pairs", "one frame at a time from each input to each output", kBridge,
             [](Scenario& s, const Capability& it) {
               s.pattern = Pattern::kPairs;
               s.quiet = true;
               s.traffic = TimeForPairs(it);
               s.frames = it.ports;
               s.demands = {"pair.every"};
               s.long_run = Large(it);
               if (Large(it)) s.lengths = Lengths::kShortest;
             });
  suite->Add("forwarding.all-pairs-loaded", "all inputs go through all outputs at the same time", kBridge,
             [](Scenario& s, const Capability&) {
               s.pattern = Pattern::kPairs;
               s.load = 0.9;
             });
  for (const auto& [name, load] :
       {std::pair{"light", 0.1}, std::pair{"half", 0.5}, std::pair{"heavy", 0.9}, std::pair{"full", 1.0}}) {
    suite->Add(fmt::format("forwarding.uniform-{}", name), fmt::format("uniform traffic at {:.0f} % load", 100 * load),
               kBridge, [load = load](Scenario& s, const Capability&) { s.load = load; });
  }
  for (const int shift : {1, -1}) {
    suite->Add(shift > 0 ? "forwarding.permutation-next" : "forwarding.permutation-previous",
               fmt::format("input i sends to output i {} 1 only, at full load", shift > 0 ? "+" : "-"), kBridge,
               [shift](Scenario& s, const Capability& it) {
                 s.pattern = Pattern::kPermutation;
                 s.shift = (shift + it.ports) % it.ports;
                 s.load = 1;
               });
  }
  suite->Add("forwarding.fan-out", "one input sends to all others at full load", kBridge,
             [](Scenario& s, const Capability&) {
               s.pattern = Pattern::kFanOut;
               s.load = 1;
             });
  suite->Add(
      "forwarding.own-port", "frames whose output is the port they came in by", kBridge,
      [](Scenario& s, const Capability&) { s.pattern = Pattern::kOwn; }, OwnIsDefined);
  suite->Add(
      "forwarding.ids", "tid of frames is drawn, and does not mix them up", kAxiStream,
      [](Scenario& s, const Capability&) { s.load = 0.8; }, HasIds);
  suite->Add(
      "forwarding.types", "frames of IPv4, IPv6 and ARP, with VLAN tags, with lengths and with any other EtherType",
      kEthernet,
      [](Scenario& s, const Capability&) {
        s.types = true;
        s.load = 0.8;
        s.traffic = 10000;
        s.demands = {"type.ipv4",         "type.ipv6",   "type.arp",    "type.vlan",
                     "type.service-vlan", "type.length", "type.padded", "type.other"};
      },
      WhyNoTypes);
}

void AddLengths(SuiteMaker* suite) {
  for (const auto& [name, lengths, what] :
       {std::tuple{"shortest", Lengths::kShortest, "the shortest frames"},
        std::tuple{"longest", Lengths::kLongest, "the longest frames"},
        std::tuple{"edges", Lengths::kEdges, "lengths around multiples of a beat and of 64 bytes"},
        std::tuple{"mixed", Lengths::kMixed, "shortest, longest and all between"}}) {
    for (const double load : {0.5, 1.0}) {
      suite->Add(fmt::format("lengths.{}-{}", name, load < 1 ? "half" : "full"),
                 fmt::format("{} at {:.0f} % load", what, 100 * load), kEthernet,
                 [lengths = lengths, load](Scenario& s, const Capability&) {
                   s.lengths = lengths;
                   s.load = load;
                 });
    }
  }
  suite->Add("lengths.every", "each length from the shortest to the longest, one after the other", kEthernet,
             [](Scenario& s, const Capability& it) {
               s.lengths = Lengths::kEvery;
               s.load = 0.9;
               s.frames = it.frames.longest - it.frames.shortest + 1;
               s.traffic = 1'000'000;
               s.long_run = Large(it);
             });
  suite->Add(
      "lengths.one-beyond",
      "frames from one byte, or beat, beyond the longest to five times as long are dropped, and others are not",
      kEthernet,
      [](Scenario& s, const Capability&) {
        s.longer = 0.2;
        s.demands = {"longer"};
      },
      LongerIsDropped);
  suite->Add(
      "lengths.beyond-broadcast", "broadcast frames among those that are too long", kEthernet,
      [](Scenario& s, const Capability& it) {
        s.longer = 0.3;
        s.broadcast = 0.3;
        s.load = LoadOfCopies(it);
        s.demands = {"longer.broadcast"};
      },
      All({LongerIsDropped, BroadcastIsDefined}));
}

void AddStreams(SuiteMaker* suite) {
  suite->Add("stream.gaps", "senders hesitate between the beats of a frame", kAxiStream,
             [](Scenario& s, const Capability&) {
               s.gaps = {0.3, 4};
               s.load = 1;
             });
  suite->Add("stream.long-gaps", "senders stop within frames for up to 300 cycles", kAxiStream,
             [](Scenario& s, const Capability&) {
               s.gaps = {0.02, 300};
               s.load = 1;
               s.traffic = 8000;
             });
  suite->Add("stream.one-gap-each", "a gap behind every beat", kAxiStream, [](Scenario& s, const Capability&) {
    s.gaps = {1, 1};
    s.load = 1;
  });
  for (const auto& [name, share, most] : {std::tuple{"single", 0.3, 1}, std::tuple{"short", 0.2, 8},
                                          std::tuple{"long", 0.01, 500}, std::tuple{"heavy", 0.9, 2}}) {
    suite->Add(
        fmt::format("flow.stalls-{}", name),
        fmt::format("outputs are stopped: {:.0f} % of the cycles begin a stop of up to {}", 100 * share, most),
        kAxiStream,
        [share = share, most = most](Scenario& s, const Capability&) {
          s.stalls = {share, most};
          s.load = 0.9;
          s.traffic = 6000;
        },
        OutputsStop);
  }
  suite->Add(
      "flow.stalls-and-gaps", "senders hesitate and outputs are stopped", kAxiStream,
      [](Scenario& s, const Capability&) {
        s.stalls = {0.2, 8};
        s.gaps = {0.2, 8};
        s.load = 1;
        s.traffic = 6000;
      },
      OutputsStop);
  suite->Add(
      "flow.patient-receivers", "tready rises only after tvalid was there: tvalid must not wait for it", kAxiStream,
      [](Scenario& s, const Capability&) {
        s.patient = true;
        s.load = 0.8;
      },
      OutputsStop);
  suite->Add(
      "flow.stopped-output", "an output takes nothing until the traffic is over; nothing is lost, or only what may be",
      kAxiStream,
      [](Scenario& s, const Capability&) {
        s.stopped = 0;
        s.load = 0.5;
      },
      OutputsStop);
}

std::vector<Test> StreamTests() {
  SuiteMaker suite;
  AddForwarding(&suite);
  AddLengths(&suite);
  AddStreams(&suite);
  AddContention(&suite);
  AddTogether(&suite);
  AddFill(&suite);
  AddIsolation(&suite);
  AddAddressing(&suite);
  AddFaults(&suite);
  AddSoak(&suite);
  AddClaims(&suite);
  AddClasses(&suite);
  return std::move(suite.tests);
}

}  // namespace tilefly::conform
