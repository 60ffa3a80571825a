// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/stream_tests.h"

#include <fmt/format.h>

#include <tuple>

#include "conform/bench/claims.h"
#include "conform/bench/fill_rounds.h"
#include "conform/bench/frame_type.h"

namespace tilefly::conform {
namespace {

using Excuse = std::function<std::string(const Capability&)>;

std::string Always(const Capability&) { return ""; }

/// The first reason of several.
Excuse All(std::vector<Excuse> excuses) {
  return [excuses = std::move(excuses)](const Capability& it) {
    for (const Excuse& excuse : excuses) {
      if (const std::string reason = excuse(it); !reason.empty()) return reason;
    }
    return std::string();
  };
}
std::string ByMac(const Capability& it) {
  return it.forwarding.by == Addressing::kTdest ? "forwarding.by is tdest: there is no MAC to look up" : "";
}
std::string HasTable(const Capability& it) {
  return it.forwarding.by == Addressing::kTable ? "" : "forwarding.by is not table";
}
std::string OutputsStop(const Capability& it) {
  return it.flow.outputs_stop ? "" : "flow.out is none: outputs cannot be stopped";
}
std::string StopsWhenFull(const Capability& it) {
  return it.flow.lossy ? "flow.lossy: a full device drops frames" : "";
}
std::string Isolates(const Capability& it) {
  return it.flow.isolates ? "" : "flow.isolates is no: a stopped output may hold up others";
}
std::string BadIsDefined(const Capability& it) {
  return it.frames.bad == Fate::kUndefined ? "frames.bad is undefined" : "";
}
std::string LongerIsDropped(const Capability& it) {
  return it.frames.longer == Fate::kDropped ? "" : "frames.longer is undefined";
}
std::string BroadcastIsDefined(const Capability& it) {
  return it.forwarding.broadcast == Fate::kUndefined ? "forwarding.broadcast is undefined" : "";
}
std::string UnknownIsDefined(const Capability& it) {
  return it.forwarding.unknown == Fate::kUndefined ? "forwarding.unknown is undefined" : "";
}
std::string GroupIsDefined(const Capability& it) {
  return it.forwarding.group == Fate::kUndefined ? "forwarding.group is undefined" : "";
}
std::string SomeOthersAreDefined(const Capability& it) {
  const bool none = it.forwarding.broadcast == Fate::kUndefined && it.forwarding.unknown == Fate::kUndefined &&
                    it.forwarding.group == Fate::kUndefined;
  return none ? "forwarding.broadcast, unknown and group are undefined" : "";
}
std::string HasInnerBeats(const Capability& it) {
  return it.frames.longest > it.signals.data_bytes ? "" : "frames.longest: frames have one beat";
}
std::string OwnIsDefined(const Capability& it) {
  return it.forwarding.own_port == Fate::kUndefined ? "forwarding.own_port is undefined" : "";
}
std::string HasIds(const Capability& it) { return it.signals.id_bits > 0 ? "" : "ports.tid is 0"; }

/// Such that not much more has to come out than can, if a quarter of the frames are copied.
double LoadOfCopies(const Capability& it) { return std::max(0.05, std::min(0.2, 1.0 / it.ports)); }

/// A device so large that what goes through all of its ports takes minutes.
bool Large(const Capability& it) { return it.ports > 16; }

/// Cycles in which an output can take a dozen of the longest frames of each other input, 40,000 at least.
Cycle TurnsOfAll(const Capability& it) {
  const int beats = (it.frames.longest + it.signals.data_bytes - 1) / it.signals.data_bytes;
  return std::max<Cycle>(40000, Cycle{12} * beats * (it.ports - 1));
}

/// Cycles in which each input can send 25 frames, on the average of lengths.
Cycle TimeForFrames(const Scenario& scenario, const Capability& it) {
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

constexpr const char* kAxiStream = "ARM IHI 0051, 2";
constexpr const char* kEthernet = "IEEE 802.3, 3";
constexpr const char* kBridge = "IEEE 802.1Q, 8";
constexpr const char* kKit = "docs/conformance.md";

void AddForwarding(SuiteMaker* suite) {
  suite->Add("forwarding.all-pairs", "one frame at a time from each input to each output", kBridge,
             [](Scenario& s, const Capability& it) {
               s.pattern = Pattern::kPairs;
               s.quiet = true;
               s.traffic = 400 * it.ports * it.ports;
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
  add("flow.fill-mixed", "frames of any length to any output", [](Scenario& s, const Capability&) {
    s.fill_rounds = kIncastRounds;
  });
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

void AddClaims(SuiteMaker* suite) {
  for (const auto& [name, lengths] : {std::pair{"shortest", Lengths::kShortest},
                                      std::pair{"longest", Lengths::kLongest}, std::pair{"edges", Lengths::kEdges}}) {
    AddMeasure(suite, fmt::format("latency.{}", name), "frames one at a time, no later than claims.latency",
               Measure::kLatency, [lengths = lengths](Scenario& s, const Capability& it) {
                 s.pattern = Pattern::kPairs;
                 s.lengths = lengths;
                 s.quiet = true;
                 s.frames = Large(it) ? 8 : it.ports;
                 s.pair_step = Large(it) ? it.ports / 8 + 1 : 1;
                 s.traffic = 2000 * it.ports * it.ports;
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

}  // namespace

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
