// SPDX-License-Identifier: Apache-2.0
// Tests of devices with AXI-Stream ports: latency, throughput, fairness and shares of classes that a file claims.
#include <fmt/format.h>

#include "conform/bench/claims.h"
#include "conform/bench/stream_suite.h"

namespace tilefly::conform {
namespace {

/// A test applies when its claim is given.
std::string IsClaimed(const Capability& it, Measure measure) {
  if (it.claims.level < Level::kBounded) return "claims.level is books: bounds are not claimed";
  const ClaimKind& kind = *KindOf(measure);
  return kind.bound(it.claims) ? "" : fmt::format("claims.{} is not given", kind.key);
}

/// A test that measures a claim.
template <typename Change>
void AddMeasure(SuiteMaker* suite, const std::string& id, const std::string& intent, Measure measure, Change change) {
  suite->Add(
      id, intent, kKit,
      [change, measure](Scenario& s, const Capability& it) {
        s.load = 1;
        s.traffic = 40000;
        s.measure = measure;
        change(s, it);
      },
      [measure](const Capability& it) { return IsClaimed(it, measure); }, Level::kBounded);
}

std::string HasClasses(const Capability& it) {
  return it.classes.by == ClassField::kNone ? "classes.by is none: frames have no classes" : "";
}
std::string HasThreeClasses(const Capability& it) {
  return it.classes.count > 2 ? "" : "classes.count is 2: as classes.shares";
}
std::string CountsBytes(const Capability& it) {
  if (it.classes.strict) return "classes.order is strict: there are no weights";
  return it.classes.by_frames ? "classes.unit is frames: lengths do not count" : "";
}

}  // namespace

void AddClaims(SuiteMaker* suite) {
  for (const auto& [name, lengths] : {std::pair{"shortest", Lengths::kShortest},
                                      std::pair{"longest", Lengths::kLongest}, std::pair{"edges", Lengths::kEdges}}) {
    AddMeasure(suite, fmt::format("latency.{}", name), "frames one at a time, no later than claims.latency",
               Measure::kLatency, [lengths = lengths](Scenario& s, const Capability& it) {
                 s.pattern = Pattern::kPairs;
                 s.lengths = lengths;
                 s.quiet = true;
                 s.frames = Large(it) ? 8 : lengths == Lengths::kEdges ? 8 * it.ports : it.ports;
                 s.pair_step = Large(it) ? it.ports / 8 + 1 : 1;
                 s.traffic = 8 * TimeForPairs(it);
                 s.long_run = Large(it);
               });
  }
  for (const int shift : {1, -1}) {
    AddMeasure(suite, shift > 0 ? "throughput.permutation-next" : "throughput.permutation-previous",
               "longest frames at full load, a permutation: no less than claims.throughput", Measure::kThroughput,
               [shift](Scenario& s, const Capability& it) {
                 s.pattern = Pattern::kPermutation;
                 s.shift = (shift + it.ports) % it.ports;
                 s.lengths = Lengths::kLongest;
               });
  }
  AddMeasure(suite, "throughput.uniform", "longest frames at full load, uniform: no less than claims.uniform",
             Measure::kUniform, [](Scenario& s, const Capability&) { s.lengths = Lengths::kLongest; });
  AddMeasure(suite, "fairness.each-output", "the same at one output after the other", Measure::kFairness,
             [](Scenario& s, const Capability& it) {
               s.pattern = Pattern::kIncast;
               s.lengths = Lengths::kLongest;
               s.load = 1;
               s.each_output = Large(it) ? 4 : it.ports;
               s.traffic = TurnsOfAll(it) * s.each_output;
               s.long_run = Large(it);
             });
  for (const auto& [name, lengths] :
       {std::pair{"longest", Lengths::kLongest}, std::pair{"shortest", Lengths::kShortest}}) {
    AddMeasure(suite, fmt::format("fairness.{}", name),
               "all inputs want one output: each gets its share, claims.fairness", Measure::kFairness,
               [lengths = lengths](Scenario& s, const Capability& it) {
                 s.pattern = Pattern::kIncast;
                 s.lengths = lengths;
                 s.traffic = TurnsOfAll(it);
               });
  }
}

/// Each input sends one class, all of them to one output: so a full queue of one class holds up no other.
void AddClasses(SuiteMaker* suite) {
  suite->Add(
      "classes.mixed", "each input sends frames of all classes; order holds within a class", kBridge,
      [](Scenario& s, const Capability&) { s.load = 0.8; }, HasClasses);
  suite->Add(
      "classes.incast", "frames of all classes to one output that is stopped now and then: each class comes out",
      kBridge,
      [](Scenario& s, const Capability&) {
        s.pattern = Pattern::kIncast;
        s.load = 1;
        s.stalls = {0.1, 50};
      },
      All({HasClasses, OutputsStop}));
  const auto share = [suite](const char* id, const char* intent, ClassPlan plan, bool lengths, Excuse excuse) {
    suite->Add(
        id, intent, kBridge,
        [plan, lengths](Scenario& s, const Capability& it) {
          s.pattern = Pattern::kIncast;
          s.lengths = Lengths::kLongest;
          s.load = 1;
          s.traffic = 3 * TurnsOfAll(it);
          s.measure = Measure::kClasses;
          s.classes = plan;
          s.class_lengths = lengths;
        },
        All({HasClasses, [](const Capability& it) { return IsClaimed(it, Measure::kClasses); }, std::move(excuse)}),
        Level::kBounded);
  };
  share("classes.shares", "all classes want one output: each gets its share of it, claims.classes", ClassPlan::kByInput,
        false, Always);
  share("classes.shares-lowest", "the two lowest classes alone want it", ClassPlan::kLowest, false, HasThreeClasses);
  share("classes.shares-highest", "the two highest classes alone want it", ClassPlan::kHighest, false, HasThreeClasses);
  share("classes.shares-lengths", "every second class sends the shortest frames: weights count bytes",
        ClassPlan::kByInput, true, CountsBytes);
}

}  // namespace tilefly::conform
