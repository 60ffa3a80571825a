// SPDX-License-Identifier: Apache-2.0
// What a test does to a device: who sends what to whom, how ports hesitate, what is measured.
#pragma once

#include <cstdint>
#include <vector>

#include "conform/bench/beat.h"
#include "conform/bench/mask.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

enum class Pattern {
  kPairs,        ///< each input to each output in turn
  kUniform,      ///< any other port
  kPermutation,  ///< input i to output i + shift
  kHotspot,      ///< half of the frames to one output, the others uniform
  kIncast,       ///< all inputs but one to that one's output
  kFanOut,       ///< one input to all others
  kOwn,          ///< each input to its own output
  kCrowd,        ///< all to the stopped output, but for its own input and the next: each of these to the output behind it
};

/// Lengths of frames, in bytes on the port.
enum class Lengths {
  kShortest,
  kLongest,
  kMixed,  ///< shortest, longest, and all between
  kEvery,  ///< each length from the shortest to the longest in turn
  kEdges,  ///< around multiples of a beat and of 64 bytes, the shortest and the longest
};

/// How a port hesitates: in a cycle with this probability, for 1 to `most` cycles.
struct Hesitation {
  double share = 0;
  int most = 1;
};

/// Whether frames of all inputs end in the same cycle, if the device takes their beats at once.
enum class Together {
  kNo,
  kAtOnce,     ///< the next ones begin when all have sent theirs
  kWhenEmpty,  ///< they begin when nothing is in the device
};

/// A claim that a run measures.
enum class Measure { kNone, kLatency, kThroughput, kUniform, kFairness, kClasses };

/// Classes of frames.
enum class ClassPlan {
  kDrawn,    ///< any class
  kByInput,  ///< an input sends one class: the classes in turn, input after input
  kLowest,   ///< the same with the two lowest classes
  kHighest,  ///< the same with the two highest
};

/// Of `Scenario::stopped`: an output that the seed draws.
inline constexpr int kDrawnOutput = -2;

struct Scenario {
  Pattern pattern = Pattern::kUniform;
  int shift = 1;  ///< of a permutation
  int focus = 0;  ///< port of a hotspot, an incast, a fan-out
  Lengths lengths = Lengths::kMixed;
  double load = 0.5;   ///< share of the beats of an input
  bool quiet = false;  ///< a frame goes in when nothing else is in the device
  Hesitation gaps;     ///< of senders, between beats of a frame
  Hesitation stalls;   ///< of receivers
  int stopped = -1;    ///< output that takes nothing until the traffic is over; -1: none
  double bad = 0;      ///< share of the frames with the bad bit
  double within = 0;   ///< share of the frames with the bad bit in some beats before the last
  bool types = false;  ///< EtherTypes of all kinds, where the file says no other
  double longer = 0;   ///< share of the frames above the longest
  double unknown = 0;  ///< share of the frames to a MAC that nobody has
  bool near_misses =
      false;  ///< all frames go to MACs that differ from a port's in one bit, each bit of each port in turn
  bool near_broadcast = false;  ///< of frames to nobody: all go to broadcast but for the group bit, and one more in turn
  double broadcast = 0;
  double group = 0;  ///< share of the frames to other group addresses, every second one broadcast but for a bit
  bool swap_table = false;    ///< addresses of the table are exchanged in a quiet moment
  bool garbage = false;       ///< beats of any content and lengths, judged only by what follows a reset
  std::vector<Cycle> resets;  ///< cycles of traffic in which the device is reset
  Cycle traffic = 4000;       ///< cycles of traffic
  std::int64_t frames = 0;    ///< that each input sends at most; 0: as many as the cycles allow
  bool frames_end_it =
      true;  ///< the traffic is over when all have sent them; else outputs are stopped up to its cycles
  Together together = Together::kNo;  ///< of an incast: one output after the other
  int fill_rounds = 0;    ///< rounds in which the device is filled while outputs take nothing; an incast: to one output
  bool fill_levels = false;  ///< a round's first frames bring the queue to a level, which is swept
  Measure measure = Measure::kNone;
  std::uint64_t senders = ~std::uint64_t{0};  ///< a bit for each input that may send
  int each_output = 0;       ///< an incast to so many outputs in turn, an equal part of the traffic each; the device drains before the next
  int pair_step = 1;         ///< of pairs in a quiet device: from one to the next; 1: all of them
  ClassPlan classes = ClassPlan::kDrawn;
  bool class_lengths = false;  ///< of by-input classes: every second one sends the shortest frames
  bool patient = false;      ///< receivers show tready only when they have seen tvalid in the cycle before
  bool isolation = false;    ///< frames to other outputs go in and come out while one is stopped
  std::vector<const char*> demands;  ///< situations that the test has to meet, of those that the device can be brought into
  Mask mask;                 ///< what is not judged
  bool long_run = false;     ///< it takes minutes on a large device
};

/// The classes that a test's inputs send, all between the two: those of the file, or as many as inputs can send apart.
struct ClassesInUse {
  int first = 0;
  int last = 0;
};
ClassesInUse ClassesOf(const Capability& capability, const Scenario& scenario);

/// The output that is stopped; -1: none.
int StoppedOutput(const Capability& capability, const Scenario& scenario, std::uint64_t seed);

}  // namespace tilefly::conform
