// SPDX-License-Identifier: Apache-2.0
// Runs of a system whose switches run as halves beside runs of the same system whose switches are stepped.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "network/halves_node.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/routed_run.h"
#include "testbenches/network/run_text.h"
#include "topology/builder.h"

namespace tilefly::network {

/// All that links carry: the ways of packets through the system, credit returns and acks.
class LinkLog : public NodeProbe {
 public:
  using Entry = std::tuple<Cycle, int, int, int, int, std::int64_t, std::int64_t, std::uint32_t>;

  void Stepped(int, Cycle, const golden::Switch&) override {}
  void ToldCredit(int, int, const LinkCredit&) override {}
  bool NeedsSteps() const override { return false; }
  void Carries(const LinkEvent& event) override {
    if (event.kind == LinkKind::kAck) {
      const Ack& ack = event.ack;
      entries.emplace_back(event.wire, event.node, event.port, static_cast<int>(event.kind), ack.hops,
                           ack.flow * 4096 + ack.load, ack.port * 128 + ack.cells, ack.path);
      return;
    }
    entries.emplace_back(event.wire, event.node, event.port, event.from_nic * 4 + static_cast<int>(event.kind),
                         event.kind == LinkKind::kCredit ? event.credit.vl : event.header.vl(),
                         event.kind == LinkKind::kCredit ? event.credit.cells : event.record.source,
                         event.kind == LinkKind::kCredit ? 0 : event.record.created,
                         event.kind == LinkKind::kCredit ? 0 : event.header.Unpack().path);
  }

  std::vector<Entry> entries;
};

struct Case {
  topology::Topology topology;
  Profile profile;
  NetworkOptions options;
  bool log = true;
  Cycle stop = kNever;  ///< the run is stopped in the round that begins then
  Cycle moves = 0;      ///< cycles after which the base moves; 0: as it is
};

struct Result {
  std::string text;
  std::vector<LinkLog::Entry> links;
  std::vector<std::uint64_t> counters;
  std::size_t saved = 0;  ///< how often the run was saved and went on
  std::string failure;    ///< why the run failed; empty: it has not
};

inline golden::HalfWays& operator+=(golden::HalfWays& sum, const golden::HalfWays& more) {
  static_assert(sizeof(golden::HalfWays) % sizeof(std::int64_t) == 0);
  auto* const to = reinterpret_cast<std::int64_t*>(&sum);
  const auto* const from = reinterpret_cast<const std::int64_t*>(&more);
  for (std::size_t i = 0; i < sizeof(sum) / sizeof(*to); ++i) to[i] += from[i];
  return sum;
}

inline golden::HalfSwitch* HalvesOf(const Network& network, int node) {
  return dynamic_cast<HalvesNode&>(const_cast<Node&>(network.node(node))).halves();
}

/// Goes on from `*state`, if something was saved, to cycle `to` of traffic, kNever: to the end. Empty: the run has not
/// ended, and `*state` is saved anew.
inline std::optional<Result> RunPart(const Case& one, bool halves, Cycle to, std::deque<SavedBytes>* state,
                                     LinkLog* log, golden::HalfWays* ways) {
  NetworkOptions options = one.options;
  options.halves = halves;
  options.profile = &one.profile;
  Network network(one.topology, options);
  if (one.log) network.set_probe(log);
  for (int n = 0; n < network.nodes(); ++n) {
    EXPECT_EQ(network.node(n).runs_as_halves(), halves);
    if (halves && one.moves > 0) HalvesOf(network, n)->MoveAfter(one.moves);
  }
  if (!state->empty()) {
    network.Load([&] {
      SavedBytes piece = std::move(state->front());
      state->pop_front();
      return piece;
    });
    EXPECT_TRUE(state->empty());
  }
  const bool last = to == kNever;
  const auto poll = [&](Cycle cycle) { return last && cycle >= one.stop; };
  const std::optional<Ending> ending = network.RunTo(last ? kNever : network.nics().begin + to, poll);
  for (int n = 0; n < network.nodes() && halves && ways != nullptr; ++n) *ways += HalvesOf(network, n)->ways();
  if (!ending) {
    network.Save([&](const SavedBytes& piece) { state->push_back(piece); });
    return {};
  }
  Result result;
  for (int n = 0; n < network.nodes(); ++n) {
    for (int port = 0; port < one.profile.ports; ++port) {
      for (const Counter counter : kCounterValues)
        result.counters.push_back(const_cast<Node&>(network.node(n)).ReadCounter(port, static_cast<int>(counter)));
    }
  }
  result.text = Text(network, *ending, Figures(network));
  return result;
}

/// The state is saved behind each of the cycles `saves` of traffic, and the run goes on from there.
inline Result RunCase(const Case& one, bool halves, golden::HalfWays* ways, const std::vector<Cycle>& saves = {}) {
  LinkLog log;
  std::deque<SavedBytes> state;
  std::optional<Result> result;
  std::size_t part = 0;
  try {
    while (!(result = RunPart(one, halves, part < saves.size() ? saves[part] : kNever, &state, &log, ways))) ++part;
  } catch (const std::exception& error) {
    result.emplace().failure = error.what();
  }
  result->saved = part;
  std::sort(log.entries.begin(), log.entries.end());
  result->links = std::move(log.entries);
  return *result;
}

inline void ExpectEqual(const Result& stepped, const Result& halved) {
  if (stepped.failure != halved.failure)
    FAIL() << "DIVERGENCE in cycle 0: stepped: " << stepped.failure << "; halves: " << halved.failure;
  if (stepped.links != halved.links) {
    const auto [a, b] =
        std::mismatch(stepped.links.begin(), stepped.links.end(), halved.links.begin(), halved.links.end());
    const auto show = [](const LinkLog::Entry& e) {
      return fmt::format("cycle {} switch {} port {} kind {} lane {} value {} created {}", std::get<0>(e),
                         std::get<1>(e), std::get<2>(e), std::get<3>(e), std::get<4>(e), std::get<5>(e),
                         std::get<6>(e));
    };
    const Cycle first = std::min(a == stepped.links.end() ? kNever : std::get<0>(*a),
                                 b == halved.links.end() ? kNever : std::get<0>(*b));
    FAIL() << "DIVERGENCE in cycle " << first << ": stepped " << (a == stepped.links.end() ? "nothing" : show(*a))
           << ", halves " << (b == halved.links.end() ? "nothing" : show(*b));
  }
  EXPECT_EQ(stepped.counters, halved.counters) << "DIVERGENCE in cycle 0: counters";
  EXPECT_EQ(stepped.text, halved.text) << "DIVERGENCE in cycle 0: figures";
}

/// As halves, the run is saved and goes on behind the cycles `saves` of traffic, which all come before its end.
inline void ExpectSame(const Case& one, golden::HalfWays* ways = nullptr, const std::vector<Cycle>& saves = {}) {
  const Result halved = RunCase(one, true, ways, saves);
  ExpectEqual(RunCase(one, false, nullptr), halved);
  EXPECT_EQ(halved.saved, saves.size());
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  int Below(int size) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(size)); }
  bool OneIn(int size) { return Below(size) == 0; }
  template <typename T>
  T Of(std::initializer_list<T> values) {
    return *(values.begin() + Below(static_cast<int>(values.size())));
  }

 private:
  std::mt19937_64 engine_;
};

/// Buffers, credits and requests down to the fewest that a packet needs.
inline Profile DrawProfile(const Profile& of, Draw* draw) {
  Profile profile = of;
  if (draw->OneIn(2)) return profile;
  profile.obuf_cells = profile.mtu_cells * draw->Of({1, 2, 3});
  profile.request_credits = draw->Of({1, 2, 3, 12});
  profile.credit_shared_cells = draw->Of({0, 5, 100, 600});
  profile.credit_cap_cells = profile.credit_reserve_cells + profile.credit_shared_cells;
  profile.cells = 16 * profile.credit_reserve_cells + profile.credit_shared_cells;
  profile.run_limit_cells = draw->Of({1, 20, 48});
  profile.owner_lead_cycles = draw->Of({1, 16});
  return profile;
}

inline Case DrawCase(std::uint64_t number) {
  Draw draw(number);
  Case one;
  const int family = draw.Below(8);
  one.topology = family == 0   ? LoneSwitch(draw.OneIn(2) ? kRosetta64 : kTile8)
                 : family == 1 ? topology::Build("dragonfly:p=1,a=2,h=1")
                 : family == 2 ? topology::Build("dragonfly:p=2,a=4,h=2")
                               : topology::Build("dragonfly:p=2,a=2,h=1");
  one.profile = DrawProfile(one.topology.radix == kRosetta64.ports ? kRosetta64 : kTile8, &draw);
  NetworkOptions& options = one.options;
  options.bench_timing = one.profile.cells == kTile8.cells && family != 0 && draw.OneIn(2);
  options.routing = RoutingOptions::Named(family == 0 ? "min" : draw.Of({"min", "min", "valiant", "in_order"}));
  options.traffic.pattern = draw.Of({"uniform", "uniform", "hotspot:1:0.6", "hotspot:2:1", "bursts:8"});
  options.traffic.load = 0.3 + 0.1 * draw.Below(8);
  options.traffic.size = draw.Of({"32", "496", "32,4224", "32,64,496,4224", "33,48,80,1000", "40,200,2000,4080"});
  options.nic_lanes = draw.Of({1, 2, 3, 4, 4});
  const int classes = draw.Of({1, 1, 2, 4, options.routing.name == "min" ? 8 : 5});
  if (classes > 1 && !options.bench_timing) {
    for (int tc = 0; tc < classes; ++tc) options.traffic.classes.push_back({tc, 1.0 + tc, kTile8.mtu_bytes});
  }
  options.cycles = 3000;
  options.warmup = 200;
  options.seed = number;
  options.lookahead = draw.Of({0, 0, 1, 5, 17});
  options.whole = draw.OneIn(3);
  options.order = static_cast<std::uint64_t>(draw.Below(3));
  options.sample = draw.OneIn(3) ? draw.Of({50, 137}) : 0;
  one.log = !draw.OneIn(4);
  // Loads and acks have their own draws, so that all else is drawn as in a run without them.
  Draw loads(number ^ 0x10AD);
  if (family != 0 && classes <= 5 && loads.OneIn(2)) {
    const bool second = classes <= 4;  // lanes for paths that are decided twice
    options.routing = RoutingOptions::Named(
        loads.Of({"adaptive_0", second ? "adaptive_1" : "adaptive_0", "adaptive_2", "adaptive_3"}));
    if (loads.OneIn(2)) options.routing.biases[options.routing.biased()] = loads.Of({0, 20});
    one.profile.load_epoch_cycles = loads.Of({16, 32, 64});
    one.profile.neighbour_epochs = loads.Of({1, 2, 16});
  }
  Draw acks(number ^ 0xACED);
  if (acks.OneIn(2)) {
    options.acks = AckUse::kWherePossible;
    const bool sure = options.routing.name != "adaptive_1";  // whose paths may be too long for acks
    if (sure && acks.OneIn(3)) options.nics.window = acks.Of({1, 3, 20});
    if (sure && acks.OneIn(4)) options.nics.resend = acks.Of({700, 2000});
    if (options.nics.resends() && acks.OneIn(2)) options.nics.resend_window = acks.Of({64, 65, 300});
    if (options.nics.resend_window > 0 && options.nics.window)
      options.nics.window = std::min(*options.nics.window, 8);  // of 16 flows
  }
  if (draw.OneIn(6)) one.stop = 700 + draw.Below(2400);
  if (draw.OneIn(4)) one.moves = draw.Of({21, 300});
  return one;
}

/// Twelve endpoints, six switches.
inline Case Plain(const std::string& size, double load) {
  Case one;
  one.topology = topology::Build("dragonfly:p=2,a=2,h=1");
  one.profile = kTile8;
  one.options = Sized("uniform", load, size, true);
  return one;
}

}  // namespace tilefly::network
