// SPDX-License-Identifier: Apache-2.0
// Tests of devices with AXI-Stream ports: many inputs for one output, full queues, outputs that are stopped.
#include <fmt/format.h>

#include "conform/bench/fill_rounds.h"
#include "conform/bench/stream_suite.h"

namespace tilefly::conform {

void AddContention(SuiteMaker* suite) {
  for (const int focus : {0, -1}) {
    const std::string name = focus == 0 ? "first" : "last";
    suite->Add("contention.incast-" + name, "all inputs send to the " + name + " output", kKit,
               [focus](Scenario& s, const Capability& it) {
                 s.pattern = Pattern::kIncast;
                 s.focus = (focus + it.ports) % it.ports;
                 s.load = 1;
               });
    suite->Add("contention.hotspot-" + name, "half of the frames go to the " + name + " output, the others anywhere",
               kKit, [focus](Scenario& s, const Capability& it) {
                 s.pattern = Pattern::kHotspot;
                 s.focus = (focus + it.ports) % it.ports;
                 s.load = 0.9;
               });
  }
  suite->Add(
      "contention.incast-stalls", "all inputs send to one output that is stopped now and then", kKit,
      [](Scenario& s, const Capability&) {
        s.pattern = Pattern::kIncast;
        s.load = 1;
        s.stalls = {0.1, 50};
        s.traffic = 6000;
      },
      OutputsStop);
}

/// Frames of all inputs end in the same cycle.
void AddTogether(SuiteMaker* suite) {
  suite->Add("contention.together-next", "frames of all inputs end in the same cycle, each for another output", kKit,
             [](Scenario& s, const Capability&) {
               s.pattern = Pattern::kPermutation;
               s.lengths = Lengths::kEdges;
               s.load = 1;
               s.together = Together::kAtOnce;
             });
  suite->Add("contention.together-shortest", "the same with the shortest frames in an empty device", kKit,
             [](Scenario& s, const Capability&) {
               s.pattern = Pattern::kPermutation;
               s.lengths = Lengths::kShortest;
               s.load = 1;
               s.together = Together::kWhenEmpty;
             });
  suite->Add("contention.together-incast",
             "frames of all other inputs for one output end in the same cycle, one output after the other", kKit,
             [](Scenario& s, const Capability&) {
               s.pattern = Pattern::kIncast;
               s.lengths = Lengths::kEdges;
               s.load = 1;
               s.traffic = 8000;
               s.together = Together::kAtOnce;
             });
  suite->Add("contention.together-incast-shortest", "the same with the shortest frames in an empty device", kKit,
             [](Scenario& s, const Capability&) {
               s.pattern = Pattern::kIncast;
               s.lengths = Lengths::kShortest;
               s.load = 1;
               s.traffic = 8000;
               s.together = Together::kWhenEmpty;
             });
}

/// Outputs take nothing until no input goes on, then all comes out, round after round.
void AddFill(SuiteMaker* suite) {
  constexpr int kMostRounds = 64;
  constexpr int kIncastRounds = 8;
  const auto add = [suite](const char* id, const std::string& intent, auto change) {
    suite->Add(
        id, "outputs are stopped until no input goes on: " + intent, kKit,
        [change](Scenario& s, const Capability& it) {
          s.load = 1;
          s.traffic = 100'000'000;
          change(s, it);
        },
        All({OutputsStop, StopsWhenFull}));
  };
  add("flow.fill-levels", "in front of the longest frames a queue has one beat, two, and so on, up to a longest frame",
      [](Scenario& s, const Capability& it) {
        s.pattern = Pattern::kPermutation;
        s.fill_levels = true;
        s.fill_rounds = RoundsOf(it, it.ports, kMostRounds);
      });
  add("flow.fill-levels-incast", "the same with all inputs for one output", [](Scenario& s, const Capability& it) {
    s.pattern = Pattern::kIncast;
    s.fill_levels = true;
    s.fill_rounds = RoundsOf(it, 1, kIncastRounds);
    s.long_run = Large(it);
  });
  add("flow.fill-shortest", "the shortest frames", [](Scenario& s, const Capability&) {
    s.lengths = Lengths::kShortest;
    s.fill_rounds = 4;
  });
  add("flow.fill-mixed", "frames of any length to any output",
      [](Scenario& s, const Capability&) { s.fill_rounds = kIncastRounds; });
}

/// One output takes nothing; inputs that send nothing there are judged.
void AddIsolation(SuiteMaker* suite) {
  struct Stop {
    const char* id;
    const char* which;
    int output;
    Pattern pattern;
    double load;
  };
  for (const Stop& stop :
       {Stop{"isolation.stopped-output", "the first output is stopped", 0, Pattern::kPermutation, 0.5},
        Stop{"isolation.stopped-last", "the last output is stopped", -1, Pattern::kPermutation, 0.5},
        Stop{"isolation.stopped-drawn", "an output that the seed draws is stopped", kDrawnOutput, Pattern::kPermutation,
             0.5},
        Stop{"isolation.crowd", "an output that the seed draws is stopped, and all inputs but two send there",
             kDrawnOutput, Pattern::kCrowd, 0.9}}) {
    suite->Add(
        stop.id, fmt::format("{}: other inputs' frames to other outputs go in and come out", stop.which), kKit,
        [stop](Scenario& s, const Capability& it) {
          s.pattern = stop.pattern;
          s.stopped = stop.output == -1 ? it.ports - 1 : stop.output;
          s.load = stop.load;
          s.traffic = std::max<Cycle>(20000, 4 * it.claims.progress);
          s.isolation = true;
          s.demands = {"out.held-long"};
        },
        All({OutputsStop, Isolates}));
  }
}

}  // namespace tilefly::conform
