// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/link_tests.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "conform/capability/values.h"

namespace tilefly::conform {
namespace {

using LinkExcuse = std::function<std::string(const Capability&)>;
using Settings = std::vector<std::pair<std::string, std::string>>;

std::string NoLinkExcuse(const Capability&) { return ""; }
std::string Reduces(const Capability& it) {
  return it.profile->red_present != 0 ? "" : fmt::format("profile {} does not reduce", it.profile->name);
}
std::string HasLinkUp(const Capability& it) {
  return it.library.empty() && it.link.link_up.empty() ? "ports.link_up is none: links do not go down" : "";
}
std::string HasCfg(const Capability& it) {
  return it.library.empty() && it.link.cfg.empty() ? "ports.cfg is none: nothing is configured while traffic flows" : "";
}

/// What a test asks of a device beyond forwarding between fabric ports, in the words of ports.lacks.
std::set<std::string> NeedsOf(const LinkScenario& scenario) {
  const std::vector<std::string>& all = KeyOf("ports.lacks").words;
  std::set<std::string> needs;
  if (scenario.kind == LinkKind::kGarbage) needs.insert(all.begin(), all.end());
  for (const auto& [path, value] : scenario.settings) {
    if (value == "everything") needs.insert(all.begin(), all.end());
    if (path == "ports.kind" && value == "mixed") needs.insert({"enhanced", "standard"});
    if (path == "ports.kind" && value != "mixed" && value != "fabric") needs.insert(value);
    if (path == "ports.lanes") needs.insert("lanes");
    if (path == "traffic.faults") needs.insert("faults");
    if (path == "traffic.replicated") needs.insert("replication");
    if (path == "traffic.routed") needs.insert("routing");
    if (path == "traffic.acks") needs.insert("acks");
    if (path == "traffic.reductions") needs.insert("reductions");
  }
  return needs;
}

/// Why a test asks too much of a device; empty: it does not.
std::string LackOf(const LinkScenario& scenario, const Capability& it) {
  const std::set<std::string> needs = NeedsOf(scenario);
  for (const std::string& lack : it.lacks) {
    if (needs.count(lack) != 0) return "ports.lacks names " + lack;
  }
  return "";
}

/// The kinds of ports of a test that is about something else: all that the device has.
std::string AnyKind(const Capability& it) {
  LinkScenario mixed;
  mixed.settings = {{"ports.kind", "mixed"}};
  return LackOf(mixed, it).empty() ? "mixed" : "fabric";
}

/// Lengths around those that fill words of 32 and cells of 48 bytes, the shortest and the longest.
std::string EdgeSizes(const Profile& profile, int shortest) {
  std::set<int> sizes = {shortest, shortest + 1, profile.mtu_bytes - 1, profile.mtu_bytes};
  for (const int unit : {32, 48, 96, 1024}) {
    for (int times = 1; times <= 4; ++times) {
      for (const int header : {0, 16}) {
        for (const int more : {-1, 0, 1}) sizes.insert(unit * times - header + more);
      }
    }
  }
  std::vector<int> allowed;
  for (const int size : sizes) {
    if (size >= shortest && size <= profile.mtu_bytes) allowed.push_back(size);
  }
  return fmt::format("{}", fmt::join(allowed, ","));
}

/// Every length from the shortest to the longest, drawn.
std::string EverySize(const Profile& profile, int shortest) {
  std::vector<int> sizes;
  for (int size = shortest; size <= profile.mtu_bytes; ++size) sizes.push_back(size);
  return fmt::format("{}", fmt::join(sizes, ","));
}

class LinkSuite {
 public:
  std::vector<Test> tests;

  /// A run of so many cycles with these settings.
  void Add(const std::string& id, const char* intent, const char* source, Settings settings,
           tilefly::Cycle cycles = LinkScenario().cycles, LinkExcuse excuse = NoLinkExcuse,
           Level level = Level::kBooks) {
    AddOf(
        id, intent, source,
        [settings = std::move(settings), cycles](const Capability&) {
          LinkScenario scenario;
          scenario.settings = settings;
          scenario.cycles = cycles;
          return scenario;
        },
        std::move(excuse), level);
  }

  void AddOf(const std::string& id, const char* intent, const char* source,
             std::function<LinkScenario(const Capability&)> scenario, LinkExcuse excuse = NoLinkExcuse,
             Level level = Level::kBooks) {
    const auto asks = [excuse = std::move(excuse), scenario](const Capability& it) {
      const std::string own = excuse(it);
      return own.empty() ? LackOf(scenario(it), it) : own;
    };
    tests.push_back({id, level, intent, source, {}, asks, std::move(scenario)});
  }
};

void AddForwardingOfLinks(LinkSuite* suite) {
  const char* const page = "docs/blocks/switch.md";
  suite->Add("forwarding.all-pairs", "short packets from each port to each other, a fifth of the load", page,
             {{"traffic.load", "0.2"}, {"traffic.size", "32,64"}});
  suite->Add("forwarding.uniform-full", "all inputs at full load, any other output, short and long packets", page,
             {{"traffic.load", "1"}, {"traffic.size", "64,1024,4096"}});
  suite->Add("forwarding.own-port", "each input to its own output", page,
             {{"traffic.pattern", "permutation:identity"}, {"traffic.load", "0.9"}, {"traffic.size", "64,512"}});
  suite->Add("forwarding.shift", "each input to the port three further on", "docs/blocks/crossbar.md",
             {{"traffic.pattern", "permutation:shift:3"}, {"traffic.load", "1"}, {"traffic.size", "64,512,4096"}});
  suite->Add("forwarding.bit-reverse", "a permutation that crosses all rows and columns", "docs/blocks/crossbar.md",
             {{"traffic.pattern", "permutation:bitreverse"}, {"traffic.load", "1"}, {"traffic.size", "200"}});
  suite->Add("forwarding.quiet", "packets one at a time, almost: what an empty switch does", "docs/timing.md",
             {{"traffic.load", "0.02"}, {"traffic.process", "periodic"}, {"traffic.size", "64,256,4096"}}, 20000);
}

void AddSizes(LinkSuite* suite) {
  const auto sizes = [suite](const char* id, const char* intent, const char* kind, bool every) {
    suite->AddOf(id, intent, "docs/blocks/link.md", [kind, every](const Capability& it) {
      const int shortest = kind == std::string("fabric") ? it.profile->min_enh_bytes : it.profile->min_std_bytes;
      LinkScenario scenario;
      scenario.settings = {{"ports.kind", kind},
                           {"traffic.load", "0.9"},
                           {"traffic.size", every ? EverySize(*it.profile, shortest) : EdgeSizes(*it.profile, shortest)}};
      scenario.cycles = every ? 40000 : 12000;
      return scenario;
    });
  };
  sizes("sizes.edges-fabric", "packets around whole words and cells, the shortest and the longest", "fabric", false);
  sizes("sizes.edges-standard", "the same of bare frames", "standard", false);
  sizes("sizes.every-fabric", "packets of all lengths, drawn", "fabric", true);
  sizes("sizes.every-mixed", "the same at ports of all kinds", "mixed", true);
}

void AddFormats(LinkSuite* suite) {
  const char* const page = "docs/blocks/link.md";
  for (const char* kind : {"fabric", "enhanced", "standard", "mixed"}) {
    suite->Add(fmt::format("formats.{}", kind), "ports of this kind: their formats, and their way between them", page,
               {{"ports.kind", kind}, {"traffic.load", "0.7"}, {"traffic.size", "64,65,600,1500,4096"}});
  }
  for (const char* lanes : {"1", "2", "3"}) {
    suite->AddOf(fmt::format("formats.lanes-{}", lanes), "links of fewer lanes: words are further apart", page,
                 [lanes](const Capability& it) {
                   LinkScenario scenario;
                   scenario.settings = {{"ports.kind", AnyKind(it)},
                                        {"ports.lanes", lanes},
                                        {"traffic.load", "0.9"},
                                        {"traffic.size", "64,1500"}};
                   scenario.cycles = 10000;
                   return scenario;
                 });
  }
  suite->Add("formats.no-ethernet-header", "enhanced IP packets to standard ports are dropped without a header of theirs",
             "docs/blocks/egress.md",
             {{"ports.kind", "mixed"}, {"ports.eth_header", "off"}, {"traffic.load", "0.5"}, {"traffic.size", "64,700"}});
}

void AddFaultsOfLinks(LinkSuite* suite) {
  for (const char* kind : {"fabric", "enhanced", "standard", "mixed"}) {
    suite->Add(fmt::format("faults.{}", kind),
               "each fifth frame is damaged: frame check, marks, header, length (one beyond the MTU too), a word missing",
               "docs/blocks/ingress.md",
               {{"ports.kind", kind}, {"traffic.load", "0.6"}, {"traffic.size", "64,300,2000"}, {"traffic.faults", "0.2"}});
  }
}

void AddReplication(LinkSuite* suite) {
  const char* const page = "docs/blocks/ingress.md";
  suite->Add("replication.few", "one packet in fifty goes to all other ports", page,
             {{"traffic.load", "0.5"}, {"traffic.size", "64,1000"}, {"traffic.replicated", "0.02"}});
  suite->Add("replication.mixed", "the same at ports of all kinds, at full load", page,
             {{"ports.kind", "mixed"}, {"traffic.load", "1"}, {"traffic.size", "64,1000"}, {"traffic.replicated", "0.05"}});
  suite->Add("replication.only", "nothing but packets to all other ports", page,
             {{"traffic.load", "0.1"}, {"traffic.size", "64,4096"}, {"traffic.replicated", "1"}});
}

void AddAddressingOfLinks(LinkSuite* suite) {
  suite->Add("addressing.other-switches", "packets to other switches choose among several ports by load",
             "docs/blocks/routing.md", {{"traffic.routed", "0.6"}, {"traffic.load", "0.7"}, {"traffic.size", "64,900"}});
  suite->Add("addressing.other-switches-mixed", "the same with ports of all kinds", "docs/blocks/routing.md",
             {{"ports.kind", "mixed"}, {"traffic.routed", "0.4"}, {"traffic.load", "0.7"}, {"traffic.size", "64,900"}});
  suite->AddOf(
      "addressing.tables-in-flight", "entries of the exact-match table are written while frames are looked up",
      "docs/blocks/ingress.md",
      [](const Capability&) {
        LinkScenario scenario;
        scenario.settings = {{"ports.kind", "standard"}, {"traffic.load", "0.9"}, {"traffic.size", "64,200"}};
        scenario.writes_hosts = true;
        return scenario;
      },
      HasCfg);
  suite->AddOf(
      "addressing.class-rules-in-flight",
      "what the headers of bare frames get is written in each cycle while frames become packets", "docs/blocks/ingress.md",
      [](const Capability&) {
        LinkScenario scenario;
        scenario.settings = {{"ports.kind", "mixed"},
                             {"traffic.load", "0.9"},
                             {"traffic.size", "64,200"},
                             {"traffic.classes", "0,1,2,3,4,5,6,7"}};
        scenario.writes_rules = true;
        return scenario;
      },
      HasCfg);
}

void AddFlowControl(LinkSuite* suite) {
  suite->Add("credits.late", "one packet in five is consumed late: its credits are missing", "docs/blocks/credit.md",
             {{"traffic.load", "0.9"}, {"traffic.size", "64,4096"}, {"stalls.share", "0.2"}, {"stalls.kinds", "credits"}},
             12000);
  suite->Add("credits.very-late", "the same, for thousands of cycles: buffers fill", "docs/blocks/credit.md",
             {{"traffic.load", "1"},
              {"traffic.size", "1000,4096"},
              {"stalls.share", "0.2"},
              {"stalls.max_cycles", "4000"},
              {"stalls.kinds", "credits"}},
             12000);
  suite->Add("credits.one-cell", "packets of one cell, nine tenths of them consumed late: lanes fill cell by cell",
             "docs/blocks/credit.md",
             {{"traffic.load", "1"},
              {"traffic.size", "32"},
              {"stalls.share", "0.9"},
              {"stalls.max_cycles", "8000"},
              {"stalls.kinds", "credits"}},
             16000);
  suite->Add("credits.one-queue", "a lane without credits holds up those behind it at its sender", "docs/blocks/credit.md",
             {{"traffic.load", "0.9"},
              {"traffic.size", "64,1000"},
              {"traffic.classes", "0,1,2,3"},
              {"stalls.share", "0.1"},
              {"sender_queues", "one"}},
             12000);
  suite->Add("pause.by-partners", "link partners send PAUSE, and the switch obeys", "docs/blocks/link.md",
             {{"ports.kind", "standard"}, {"traffic.load", "0.8"}, {"traffic.size", "64,1500"}, {"stalls.share", "0.2"}, {"stalls.kinds", "pause"}},
             12000);
  suite->Add("pause.by-switch", "all inputs to one output: the switch sends PAUSE, and ends it", "docs/blocks/ingress.md",
             {{"ports.kind", "standard"}, {"traffic.pattern", "incast:1"}, {"traffic.load", "1"}, {"traffic.size", "1500"}},
             20000);
  suite->Add("pause.ignored", "senders do not obey PAUSE: input buffers overflow", "docs/blocks/ingress.md",
             {{"ports.kind", "standard"},
              {"traffic.pattern", "incast:1"},
              {"traffic.load", "1"},
              {"traffic.size", "1500"},
              {"stalls.ignore_pause", "on"}},
             20000, NoLinkExcuse, Level::kCycle);
  suite->AddOf("stalls.all", "starts, credits and PAUSE stall at ports of all kinds", "docs/cosimulation.md",
               [](const Capability& it) {
                 LinkScenario scenario;
                 scenario.settings = {{"ports.kind", AnyKind(it)},
                                      {"traffic.load", "0.9"},
                                      {"traffic.size", "64,1500,4096"},
                                      {"stalls.share", "0.1"}};
                 scenario.cycles = 12000;
                 return scenario;
               });
}

void AddClassesOfLinks(LinkSuite* suite) {
  const auto with_table = [suite](const char* id, const char* intent, const char* source, auto change,
                                  Level level = Level::kBooks) {
    suite->AddOf(
        id, intent, source,
        [change](const Capability&) {
          LinkScenario scenario;
          scenario.classes = true;
          scenario.cycles = 12000;
          scenario.settings = {{"traffic.load", "1"},
                               {"traffic.size", "64,1000,4096"},
                               {"traffic.pattern", "hotspot:0,1:0.8"}};
          change(&scenario);
          return scenario;
        },
        NoLinkExcuse, level);
  };
  suite->Add("classes.all", "packets of all eight traffic classes", "docs/blocks/scheduler.md",
             {{"traffic.load", "0.9"}, {"traffic.size", "64,1000"}, {"traffic.classes", "0,1,2,3,4,5,6,7"}});
  with_table("shares.table", "outputs that all want are shared by the Deficit Table", "docs/blocks/scheduler.md",
             [](LinkScenario*) {});
  with_table("shares.one-output", "the same at one output that all want, with its maximum", "docs/blocks/scheduler.md",
             [](LinkScenario* s) { s->settings.back().second = "incast:0"; });
  with_table("shares.table-in-flight", "the Deficit Table is exchanged while traffic flows", "docs/blocks/scheduler.md",
             [](LinkScenario* s) { s->swaps_tables = true; });
  with_table(
      "shares.lossy", "a lossy class beside others in overloaded input buffers", "docs/blocks/ingress.md",
      [](LinkScenario* s) {
        s->lossy = true;
        s->cycles = 20000;
        s->settings.back().second = "incast:0";
        s->settings.emplace_back("ports.kind", "enhanced");
      },
      Level::kCycle);
  suite->Add("isolation.credits", "lanes of one class wait for credits beside those of others", "docs/blocks/credit.md",
             {{"traffic.load", "0.9"},
              {"traffic.size", "64,1000"},
              {"traffic.classes", "0,4"},
              {"traffic.pattern", "hotspot:2:0.5"},
              {"stalls.share", "0.3"},
              {"stalls.kinds", "credits"}},
             12000);
  suite->Add("isolation.hotspot", "nine tenths of the packets want two outputs, the others go past them",
             "docs/blocks/crossbar.md",
             {{"traffic.load", "0.8"}, {"traffic.size", "64,2000"}, {"traffic.pattern", "hotspot:0,3:0.9"}}, 12000);
}

void AddContentionOfLinks(LinkSuite* suite) {
  suite->Add("fairness.incast", "all inputs want output 0, with packets of one length", "docs/blocks/arbiter.md",
             {{"traffic.load", "1"}, {"traffic.size", "256"}, {"traffic.pattern", "incast:0"}}, 20000);
  suite->AddOf("fairness.incast-last", "all inputs want the last output, with packets of many lengths",
               "docs/blocks/arbiter.md", [](const Capability& it) {
                 LinkScenario scenario;
                 scenario.settings = {{"traffic.load", "1"},
                                      {"traffic.size", "32*4,512,4096"},
                                      {"traffic.pattern", fmt::format("incast:{}", it.ports - 1)}};
                 scenario.cycles = 20000;
                 return scenario;
               });
  suite->Add("hotspot.half", "half of the packets want one output", "docs/blocks/egress.md",
             {{"traffic.load", "0.9"}, {"traffic.size", "64,1000"}, {"traffic.pattern", "hotspot:5:0.5"}}, 20000);
  suite->Add("throughput.longest", "a permutation of the longest packets at full load", "docs/accuracy.md",
             {{"traffic.load", "1"}, {"traffic.size", "4096"}, {"traffic.pattern", "permutation:tornado"}}, 20000);
  suite->Add("throughput.shortest", "the same of the shortest", "docs/accuracy.md",
             {{"traffic.load", "1"}, {"traffic.size", "32"}, {"traffic.pattern", "permutation:tornado"}});
  suite->Add("throughput.uniform", "uniform traffic of medium packets at full load", "docs/accuracy.md",
             {{"traffic.load", "1"}, {"traffic.size", "512"}}, 20000);
  suite->Add("latency.half-load", "periodic packets at half load", "docs/timing.md",
             {{"traffic.load", "0.5"}, {"traffic.size", "64"}, {"traffic.process", "periodic"}});
}

void AddEvents(LinkSuite* suite) {
  suite->Add("acks.on", "edge ports of the ack network, and partners that answer", "docs/blocks/acks.md",
             {{"traffic.load", "0.6"}, {"traffic.size", "64,1000"}, {"traffic.acks", "0.5"}, {"traffic.routed", "0.3"}});
  suite->Add("reductions.trees", "reduction trees lock, stream and combine beside other traffic",
             "docs/blocks/reduction.md",
             {{"traffic.load", "0.3"}, {"traffic.size", "64,1000"}, {"traffic.reductions", "4"}}, 15000, Reduces);
  suite->Add("reductions.mishaps", "half of their episodes go wrong", "docs/blocks/reduction.md",
             {{"traffic.load", "0.3"}, {"traffic.size", "64"}, {"traffic.reductions", "4"}, {"traffic.mishaps", "0.5"}},
             15000, Reduces);
  suite->Add("outages.fabric", "links go down amid packets and come back", "docs/blocks/link.md",
             {{"traffic.load", "0.7"}, {"traffic.size", "64,4096"}, {"stalls.outages", "1500"}}, 12000, HasLinkUp,
             Level::kCycle);
  suite->Add("outages.mixed", "the same with ports of all kinds, stalls and damaged frames", "docs/blocks/link.md",
             {{"ports.kind", "mixed"},
              {"traffic.load", "0.7"},
              {"traffic.size", "64,1500"},
              {"stalls.outages", "1500"},
              {"stalls.share", "0.02"},
              {"traffic.faults", "0.02"}},
             12000, HasLinkUp, Level::kCycle);
  const auto reset = [suite](const char* id, const char* intent, std::vector<tilefly::Cycle> resets) {
    suite->AddOf(id, intent, "docs/timing.md", [resets = std::move(resets)](const Capability& it) {
      LinkScenario scenario;
      scenario.kind = LinkKind::kReset;
      scenario.settings = {{"ports.kind", AnyKind(it)}, {"traffic.load", "0.9"}, {"traffic.size", "64,1500"}};
      scenario.resets = resets;
      return scenario;
    });
  };
  reset("reset.traffic", "a reset amid traffic: then it is as new", {2000});
  reset("reset.often", "three of them", {400, 1100, 2600});
}

void AddGarbageAndSoak(LinkSuite* suite) {
  for (const auto& [id, intent, cycles] :
       {std::tuple{"garbage.links", "words, control slots and register writes that break the rules of the link", 10000},
        std::tuple{"garbage.million", "the same for a million cycles", 1'000'000}}) {
    suite->AddOf(
        id, intent, "docs/testing.md",
        [cycles = cycles](const Capability&) {
          LinkScenario scenario;
          scenario.kind = LinkKind::kGarbage;
          scenario.cycles = cycles;
          scenario.long_run = cycles > 100'000;
          return scenario;
        },
        HasCfg, Level::kCycle);
  }
  for (const auto& [id, intent, cycles] :
       {std::tuple{"soak.short", "all features of the switch at once, drawn by the seed", 20000},
        std::tuple{"soak.long", "the same for two hundred thousand cycles", 200'000}}) {
    suite->AddOf(
        id, intent, "docs/cosimulation.md",
        [cycles = cycles](const Capability&) {
          LinkScenario scenario;
          scenario.settings = {{"traffic.pattern", "everything"}};
          scenario.cycles = cycles;
          scenario.long_run = cycles > 100'000;
          return scenario;
        },
        NoLinkExcuse, Level::kCycle);
  }
}

}  // namespace

std::vector<Test> LinkTests() {
  LinkSuite suite;
  AddForwardingOfLinks(&suite);
  AddSizes(&suite);
  AddFormats(&suite);
  AddFaultsOfLinks(&suite);
  AddReplication(&suite);
  AddAddressingOfLinks(&suite);
  AddFlowControl(&suite);
  AddClassesOfLinks(&suite);
  AddContentionOfLinks(&suite);
  AddEvents(&suite);
  AddGarbageAndSoak(&suite);
  // Ids say of which ports they are: those of streams have no such word.
  for (Test& test : suite.tests) test.id = "link." + test.id;
  return std::move(suite.tests);
}

}  // namespace tilefly::conform
