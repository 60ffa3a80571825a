// SPDX-License-Identifier: Apache-2.0
// Tests of devices with AXI-Stream ports: bad frames, resets, garbage, long runs.
#include <fmt/format.h>

#include "conform/bench/stream_suite.h"

namespace tilefly::conform {

void AddFaults(SuiteMaker* suite) {
  for (const auto& [name, share] : {std::pair{"some", 0.1}, std::pair{"most", 0.9}}) {
    suite->Add(
        fmt::format("bad.{}", name),
        fmt::format("{:.0f} % of the frames are marked bad in their last beat", 100 * share), kEthernet,
        [share = share](Scenario& s, const Capability&) {
          s.bad = share;
          s.load = 0.8;
          s.demands = {"bad.after-good", "bad.before-good"};
        },
        BadIsDefined);
  }
  suite->Add(
      "bad.shortest", "bad ones among the shortest frames", kEthernet,
      [](Scenario& s, const Capability&) {
        s.bad = 0.5;
        s.lengths = Lengths::kShortest;
        s.load = 1;
        s.demands = {"bad.shortest"};
      },
      BadIsDefined);
  suite->Add(
      "bad.within",
      "the bad bit in beats before the last, where it says nothing: such frames are good, unless the last one has it",
      kEthernet,
      [](Scenario& s, const Capability&) {
        s.bad = 0.3;
        s.within = 0.6;
        s.load = 0.8;
        s.demands = {"bad.within"};
      },
      All({BadIsDefined, HasInnerBeats}));
  suite->Add(
      "bad.addresses", "bad frames to ports, to all and to nobody, of all types", kEthernet,
      [](Scenario& s, const Capability& it) {
        s.bad = 0.4;
        s.broadcast = it.forwarding.broadcast == Fate::kUndefined ? 0 : 0.3;
        s.unknown = it.forwarding.unknown == Fate::kUndefined ? 0 : 0.2;
        s.group = it.forwarding.group == Fate::kUndefined ? 0 : 0.1;
        s.types = true;
        s.load = LoadOfCopies(it);
        s.demands = {"bad.broadcast", "bad.unknown"};
      },
      All({ByMac, BadIsDefined, SomeOthersAreDefined}));
  suite->Add(
      "bad.stalls", "bad frames while outputs are stopped now and then", kEthernet,
      [](Scenario& s, const Capability&) {
        s.bad = 0.3;
        s.load = 0.8;
        s.stalls = {0.1, 30};
      },
      All({BadIsDefined, OutputsStop}));
  suite->Add(
      "bad.and-longer", "bad frames and frames that are too long", kEthernet,
      [](Scenario& s, const Capability&) {
        s.bad = 0.2;
        s.longer = 0.2;
      },
      All({BadIsDefined, LongerIsDropped}));
  suite->Add("reset.quiet", "a reset of an empty device", kKit, [](Scenario& s, const Capability&) {
    s.lengths = Lengths::kShortest;
    s.load = 0.02;
    s.resets = {2000};
  });
  suite->Add("reset.traffic", "a reset amid traffic: nothing from before comes out, and all works after", kKit,
             [](Scenario& s, const Capability&) {
               s.load = 0.9;
               s.resets = {2000};
               s.demands = {"reset.inside"};
             });
  suite->Add(
      "reset.stalled", "a reset while outputs are stopped and buffers are full", kKit,
      [](Scenario& s, const Capability&) {
        s.pattern = Pattern::kIncast;
        s.load = 1;
        s.stalls = {0.5, 100};
        s.resets = {2500};
      },
      OutputsStop);
  suite->Add("reset.often", "five resets amid traffic", kKit, [](Scenario& s, const Capability&) {
    s.load = 0.8;
    s.resets = {500, 1003, 1507, 2012, 3001};
  });
  suite->Add("garbage.short", "beats of any content for 20,000 cycles; after a reset all works", kKit,
             [](Scenario& s, const Capability&) {
               s.garbage = true;
               s.traffic = 20000;
             });
  suite->Add("garbage.million", "the same for a million cycles", kKit, [](Scenario& s, const Capability&) {
    s.garbage = true;
    s.traffic = 1'000'000;
    s.frames = 2000;
    s.long_run = true;
  });
}

void AddSoak(SuiteMaker* suite) {
  for (const auto& [name, pattern] :
       {std::pair{"uniform", Pattern::kUniform}, std::pair{"hotspot", Pattern::kHotspot}}) {
    suite->Add(fmt::format("soak.{}", name), "300,000 cycles with gaps and stops", kKit,
               [pattern = pattern](Scenario& s, const Capability&) {
                 s.pattern = pattern;
                 s.load = 0.8;
                 s.gaps = {0.05, 20};
                 s.stalls = {0.02, 100};
                 s.types = true;
                 s.traffic = 300'000;
                 s.long_run = true;
               });
  }
  suite->Add("soak.bursts", "300,000 cycles of the shortest frames at full load, outputs stopped for long times", kKit,
             [](Scenario& s, const Capability&) {
               s.lengths = Lengths::kShortest;
               s.load = 1;
               s.stalls = {0.001, 2000};
               s.traffic = 300'000;
               s.long_run = true;
             });
}

}  // namespace tilefly::conform
