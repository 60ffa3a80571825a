// SPDX-License-Identifier: Apache-2.0
// Systems whose switches run as halves do the same in every cycle as systems whose switches are stepped.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "network/halves_node.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/lossy_class.h"
#include "testbenches/network/routed_run.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

/// All that links carry: the ways of packets through the system, and the credit returns.
class LinkLog : public NodeProbe {
 public:
  using Entry = std::tuple<Cycle, int, int, int, int, std::int64_t, std::int64_t, std::uint32_t>;

  void Stepped(int, Cycle, const golden::Switch&) override {}
  void ToldCredit(int, int, const LinkCredit&) override {}
  bool NeedsSteps() const override { return false; }
  void Carries(const LinkEvent& event) override {
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
  Cycle stop = kNever;       ///< the run is stopped in the round that begins then
  Cycle moves = 0;           ///< cycles after which the base moves; 0: as it is
};

struct Result {
  std::string text;
  std::vector<LinkLog::Entry> links;
  std::vector<std::uint64_t> counters;
};

golden::HalfWays& operator+=(golden::HalfWays& sum, const golden::HalfWays& more) {
  static_assert(sizeof(golden::HalfWays) % sizeof(std::int64_t) == 0);
  auto* const to = reinterpret_cast<std::int64_t*>(&sum);
  const auto* const from = reinterpret_cast<const std::int64_t*>(&more);
  for (std::size_t i = 0; i < sizeof(sum) / sizeof(*to); ++i) to[i] += from[i];
  return sum;
}

Result RunCase(const Case& one, bool halves, golden::HalfWays* ways) {
  NetworkOptions options = one.options;
  options.halves = halves;
  options.profile = &one.profile;
  Network network(one.topology, options);
  LinkLog log;
  if (one.log) network.set_probe(&log);
  for (int n = 0; n < network.nodes(); ++n) {
    EXPECT_EQ(network.node(n).halves() != nullptr, halves);
    if (halves && one.moves > 0)
      const_cast<HalvesNode&>(static_cast<const HalvesNode&>(network.node(n))).engine()->MoveAfter(one.moves);
  }
  const Ending ending = network.Run([&](Cycle cycle) { return cycle >= one.stop; });
  Result result;
  for (int n = 0; n < network.nodes(); ++n) {
    for (int port = 0; port < one.profile.ports; ++port) {
      for (const Counter counter : kCounterValues)
        result.counters.push_back(const_cast<Node&>(network.node(n)).ReadCounter(port, static_cast<int>(counter)));
    }
    if (halves && ways != nullptr) *ways += network.node(n).halves()->ways();
  }
  result.text = Text(network, ending, Figures(network));
  std::sort(log.entries.begin(), log.entries.end());
  result.links = std::move(log.entries);
  return result;
}

void ExpectSame(const Case& one, golden::HalfWays* ways = nullptr) {
  const Result stepped = RunCase(one, false, nullptr);
  const Result halved = RunCase(one, true, ways);
  if (stepped.links != halved.links) {
    const auto [a, b] = std::mismatch(stepped.links.begin(), stepped.links.end(), halved.links.begin(), halved.links.end());
    const auto show = [](const LinkLog::Entry& e) {
      return fmt::format("cycle {} switch {} port {} kind {} lane {} value {} created {}", std::get<0>(e), std::get<1>(e),
                         std::get<2>(e), std::get<3>(e), std::get<4>(e), std::get<5>(e), std::get<6>(e));
    };
    FAIL() << "stepped: " << (a == stepped.links.end() ? "nothing" : show(*a)) << "\nhalves: "
           << (b == halved.links.end() ? "nothing" : show(*b));
  }
  EXPECT_EQ(stepped.counters, halved.counters);
  EXPECT_EQ(stepped.text, halved.text);
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
Profile DrawProfile(Draw* draw) {
  Profile profile = kTile8;
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

Case DrawCase(std::uint64_t number) {
  Draw draw(number);
  Case one;
  const int family = draw.Below(6);
  one.topology = family == 0   ? LoneSwitch()
                 : family == 1 ? topology::Build("dragonfly:p=1,a=2,h=1")
                               : topology::Build("dragonfly:p=2,a=2,h=1");
  one.profile = DrawProfile(&draw);
  NetworkOptions& options = one.options;
  options.bench_timing = one.profile.cells == kTile8.cells && draw.OneIn(2);
  options.routing = RoutingOptions::Named(family == 0 ? "min" : draw.Of({"min", "min", "valiant", "in_order"}));
  options.traffic.pattern = draw.Of({"uniform", "uniform", "hotspot:1:0.6", "bursts:8"});
  options.traffic.load = 0.3 + 0.1 * draw.Below(8);
  options.traffic.size = draw.Of({"32", "496", "32,4224", "32,64,496,4224", "33,48,80,1000", "40,200,2000,4080"});
  options.nic_lanes = draw.Of({1, 2, 3, 4, 4});
  const int classes = draw.Of({1, 1, 2, 4, options.routing.name == "min" ? 8 : 5});
  if (classes > 1 && !options.bench_timing) {
    for (int tc = 0; tc < classes; ++tc) options.traffic.classes.push_back({tc, 1.0 + tc, kTile8.mtu_bytes});
  }
  options.cycles = 1500;
  options.warmup = 200;
  options.seed = number;
  options.lookahead = draw.Of({0, 0, 1, 5, 17});
  options.whole = draw.OneIn(3);
  options.order = static_cast<std::uint64_t>(draw.Below(3));
  options.sample = draw.OneIn(3) ? draw.Of({50, 137}) : 0;
  one.log = !draw.OneIn(4);
  if (draw.OneIn(6)) one.stop = 700 + draw.Below(900);
  if (draw.OneIn(4)) one.moves = draw.Of({21, 300});
  return one;
}

void ExpectTaken(const golden::HalfWays& ways) {
  const std::pair<const char*, std::int64_t> taken[] = {{"arrived", ways.arrived},
                                                        {"routed short", ways.routed_short},
                                                        {"queued", ways.queued},
                                                        {"popped", ways.popped},
                                                        {"requests alone", ways.requests_alone},
                                                        {"requests stepped", ways.requests_stepped},
                                                        {"express", ways.express},
                                                        {"decided", ways.decided},
                                                        {"granted", ways.granted},
                                                        {"grants alone", ways.grants_alone},
                                                        {"grants stepped", ways.grants_stepped},
                                                        {"picked at once", ways.picked_at_once},
                                                        {"picked later", ways.picked_later},
                                                        {"returned", ways.returned},
                                                        {"taken", ways.taken},
                                                        {"taken by turn", ways.taken_by_turn},
                                                        {"woken", ways.woken},
                                                        {"moved", ways.moved}};
  for (const auto& [name, times] : taken) EXPECT_GE(times, 1000) << name;
}

TEST(Halves, RandomSystemsDoTheSame) {
  const int count = Tier() == bench::Tier::kFull ? 400 : 60;
  golden::HalfWays ways;
  for (int number = 1; number <= count && !testing::Test::HasFailure(); ++number) {
    SCOPED_TRACE(number);
    ExpectSame(DrawCase(static_cast<std::uint64_t>(number)), &ways);
  }
  ExpectTaken(ways);
}

}  // namespace
}  // namespace tilefly::network
