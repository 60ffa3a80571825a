// SPDX-License-Identifier: Apache-2.0
// What the parts of the suite for AXI-Stream ports share: reasons for which a test does not apply, times, and the
// making of a test.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conform/bench/frame.h"
#include "conform/bench/suite.h"

namespace tilefly::conform {

using Excuse = std::function<std::string(const Capability&)>;

inline std::string Always(const Capability&) { return ""; }

/// The first reason of several.
inline Excuse All(std::vector<Excuse> excuses) {
  return [excuses = std::move(excuses)](const Capability& it) {
    for (const Excuse& excuse : excuses) {
      if (const std::string reason = excuse(it); !reason.empty()) return reason;
    }
    return std::string();
  };
}
inline std::string ByMac(const Capability& it) {
  return it.forwarding.by == Addressing::kTdest ? "forwarding.by is tdest: there is no MAC to look up" : "";
}
inline std::string HasTable(const Capability& it) {
  return it.forwarding.by == Addressing::kTable ? "" : "forwarding.by is not table";
}
inline std::string OutputsStop(const Capability& it) {
  return it.flow.outputs_stop ? "" : "flow.out is none: outputs cannot be stopped";
}
inline std::string StopsWhenFull(const Capability& it) {
  return it.flow.lossy ? "flow.lossy: a full device drops frames" : "";
}
inline std::string Isolates(const Capability& it) {
  return it.flow.isolates ? "" : "flow.isolates is no: a stopped output may hold up others";
}
inline std::string BadIsDefined(const Capability& it) {
  return it.frames.bad == Fate::kUndefined ? "frames.bad is undefined" : "";
}
inline std::string LongerIsDropped(const Capability& it) {
  return it.frames.longer == Fate::kDropped ? "" : "frames.longer is undefined";
}
inline std::string BroadcastIsDefined(const Capability& it) {
  return it.forwarding.broadcast == Fate::kUndefined ? "forwarding.broadcast is undefined" : "";
}
inline std::string UnknownIsDefined(const Capability& it) {
  return it.forwarding.unknown == Fate::kUndefined ? "forwarding.unknown is undefined" : "";
}
inline std::string GroupIsDefined(const Capability& it) {
  return it.forwarding.group == Fate::kUndefined ? "forwarding.group is undefined" : "";
}
inline std::string SomeOthersAreDefined(const Capability& it) {
  const bool none = it.forwarding.broadcast == Fate::kUndefined && it.forwarding.unknown == Fate::kUndefined &&
                    it.forwarding.group == Fate::kUndefined;
  return none ? "forwarding.broadcast, unknown and group are undefined" : "";
}
inline std::string HasInnerBeats(const Capability& it) {
  return it.frames.longest > it.signals.data_bytes ? "" : "frames.longest: frames have one beat";
}
inline std::string OwnIsDefined(const Capability& it) {
  return it.forwarding.own_port == Fate::kUndefined ? "forwarding.own_port is undefined" : "";
}
inline std::string HasIds(const Capability& it) { return it.signals.id_bits > 0 ? "" : "ports.tid is 0"; }

/// Such that not much more has to come out than can, if a quarter of the frames are copied.
inline double LoadOfCopies(const Capability& it) { return std::max(0.05, std::min(0.2, 1.0 / it.ports)); }

/// A device so large that what goes through all of its ports takes minutes.
inline bool Large(const Capability& it) { return it.ports > 16; }

/// Cycles in which an output can take a dozen of the longest frames of each other input, 40,000 at least.
inline Cycle TurnsOfAll(const Capability& it) {
  const int beats = BeatsOf(it.frames.longest, it.signals.data_bytes);
  return std::max<Cycle>(40000, Cycle{12} * beats * (it.ports - 1));
}

/// Cycles in which frames have gone one at a time between all ports; each is out within claims.progress, or fails.
inline Cycle TimeForPairs(const Capability& it) {
  return (2 * BeatsOf(it.frames.longest, it.signals.data_bytes) + it.claims.progress) * it.ports * it.ports;
}

/// Cycles in which each input can send 25 frames, on the average of lengths.
inline Cycle TimeForFrames(const Scenario& scenario, const Capability& it) {
  const int shortest = scenario.lengths == Lengths::kLongest ? it.frames.longest : it.frames.shortest;
  const int longest = scenario.lengths == Lengths::kShortest ? it.frames.shortest : it.frames.longest;
  return static_cast<Cycle>(25 * (shortest + longest) / (2 * it.signals.data_bytes * scenario.load));
}

/// A scenario as a change of the usual one. What measures nothing, and does not count frames, has time for some.
template <typename Change>
std::function<Scenario(const Capability&)> With(Change change) {
  return [change](const Capability& it) {
    Scenario scenario;
    change(scenario, it);
    if (scenario.measure == Measure::kNone && scenario.frames == 0 && !scenario.garbage)
      scenario.traffic = std::max(scenario.traffic, TimeForFrames(scenario, it));
    return scenario;
  };
}

class SuiteMaker {
 public:
  std::vector<Test> tests;

  template <typename Change>
  void Add(const std::string& id, const std::string& intent, const std::string& source, Change change,
           Excuse excuse = Always, Level level = Level::kBooks) {
    tests.push_back({id, level, intent, source, With(change), std::move(excuse)});
  }
};

inline constexpr const char* kAxiStream = "ARM IHI 0051, 2";
inline constexpr const char* kEthernet = "IEEE 802.3, 3";
inline constexpr const char* kBridge = "IEEE 802.1Q, 8";
inline constexpr const char* kKit = "docs/conformance.md";

/// The parts of the suite, in its order.
void AddForwarding(SuiteMaker* suite);
void AddLengths(SuiteMaker* suite);
void AddStreams(SuiteMaker* suite);
void AddContention(SuiteMaker* suite);
void AddTogether(SuiteMaker* suite);
void AddFill(SuiteMaker* suite);
void AddIsolation(SuiteMaker* suite);
void AddAddressing(SuiteMaker* suite);
void AddFaults(SuiteMaker* suite);
void AddSoak(SuiteMaker* suite);
void AddClaims(SuiteMaker* suite);
void AddClasses(SuiteMaker* suite);

}  // namespace tilefly::conform
