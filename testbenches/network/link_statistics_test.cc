// SPDX-License-Identifier: Apache-2.0
// What links did in every cycle: the books of the event-driven system against a judge who looks at the naive one in
// every cycle, and sums that must come out.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>

#include "testbenches/network/naive_system.h"
#include "testbenches/network/routed_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

NetworkOptions WithStalls(const std::string& pattern, double load, const std::string& size, bool bench) {
  NetworkOptions options = Sized(pattern, load, size, bench);
  options.stalls = true;
  return options;
}

std::int64_t TimeOf(const golden::LinkStatistics::Times& times, golden::LinkState state) {
  return times[static_cast<std::size_t>(state)];
}

/// Judges each cycle of one output by what the record of the cycle shows and by the levels before it.
class Judge {
 public:
  void Look(Cycle now, const Portobs& observed, const golden::Departure* taken, bool counts) {
    if (observed.dec_valid) granted_.push_back(now);
    if (taken != nullptr) busy_until_ = now + (4 * taken->format.slots + taken->serdes_lanes - 1) / taken->serdes_lanes;
    if (counts) ++cycles_[static_cast<int>(StateOf(now))];
    for (int rows = observed.arr_rows; rows != 0; rows &= rows - 1) granted_.pop_front();
  }
  /// After the cycle: levels that its events left.
  void Remember(int load, bool room, bool any_lane, bool all_lanes) {
    load_ = load;
    room_ = room;
    any_lane_ = any_lane;
    all_lanes_ = all_lanes;
  }
  /// What the record cannot tell apart is between bounds.
  void Compare(const golden::LinkStatistics::Times& times) const {
    EXPECT_EQ(TimeOf(times, golden::LinkState::kBusy), cycles_[kBusy]);
    EXPECT_EQ(TimeOf(times, golden::LinkState::kCrossing), cycles_[kCrossing]);
    EXPECT_EQ(TimeOf(times, golden::LinkState::kNothing), cycles_[kNothing]);
    EXPECT_EQ(TimeOf(times, golden::LinkState::kNoRoom), cycles_[kNoRoom]);
    EXPECT_GE(TimeOf(times, golden::LinkState::kNoCredit), cycles_[kNoLane]);
    EXPECT_LE(TimeOf(times, golden::LinkState::kNoCredit), cycles_[kNoLane] + cycles_[kSomeLane]);
    const std::int64_t others =
        TimeOf(times, golden::LinkState::kArbitration) + TimeOf(times, golden::LinkState::kScheduler);
    EXPECT_EQ(TimeOf(times, golden::LinkState::kNoCredit) + others,
              cycles_[kLate] + cycles_[kNoLane] + cycles_[kSomeLane] + cycles_[kAllLanes]);
    EXPECT_GE(TimeOf(times, golden::LinkState::kArbitration), cycles_[kLate]);
  }
  std::int64_t late() const { return cycles_[kLate]; }
  std::int64_t no_lane() const { return cycles_[kNoLane]; }

 private:
  enum State { kBusy, kCrossing, kLate, kNoRoom, kNoLane, kSomeLane, kAllLanes, kNothing };

  /// The quiet crossing of 24 cycles is that of docs/timing.md, written apart from golden/common/stage_times.h.
  State StateOf(Cycle now) const {
    if (now < busy_until_) return kBusy;
    if (!granted_.empty()) return now > granted_.front() + 24 ? kLate : kCrossing;
    if (load_ == 0) return kNothing;
    if (!room_) return kNoRoom;
    return all_lanes_ ? kAllLanes : any_lane_ ? kSomeLane : kNoLane;
  }

  Cycle busy_until_ = 0;
  std::deque<Cycle> granted_;
  int load_ = 0;
  bool room_ = true, any_lane_ = true, all_lanes_ = true;
  std::array<std::int64_t, 8> cycles_{};
};

/// Returns the cycles that the judges saw as late, and as without credit.
std::pair<std::int64_t, std::int64_t> ExpectJudged(const topology::Topology& topology, const NetworkOptions& options) {
  Network network(topology, options);
  NaiveSystem naive(network);
  const Measured measured = network.nics().measured;
  const int ports = network.profile().ports;
  const std::vector<int>& lanes = network.lanes().of_class(0);
  std::vector<Judge> judges(static_cast<std::size_t>(network.nodes()) * ports);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  naive.Run(measured.to, [&](int node, Cycle now, const golden::Switch& device,
                             const golden::SwitchObservation& observed) {
    std::vector<const golden::Departure*> taken(ports, nullptr);
    for (const golden::Departure& departure : device.output().links.packets) taken[departure.port] = &departure;
    for (int port = 0; port < ports; ++port) {
      Judge& judge = judges[node * ports + port];
      judge.Look(now, observed.ports[port], taken[port], measured.Has(now));
      const golden::CreditTable& table = *device.registers().port(port).credit;
      int open = 0;
      for (const int lane : lanes) open += device.credits(port).LaneOk(lane, table, network.profile().mtu_cells);
      judge.Remember(device.load(port), device.room(port) >= network.profile().mtu_cells, open > 0,
                     open == static_cast<int>(lanes.size()));
    }
  });
  std::pair<std::int64_t, std::int64_t> seen;
  for (int node = 0; node < network.nodes(); ++node) {
    for (int port = 0; port < ports; ++port) {
      SCOPED_TRACE(::testing::Message() << "switch " << node << " port " << port);
      const Judge& judge = judges[node * ports + port];
      judge.Compare(network.node(node).link_statistics()->times(port));
      seen.first += judge.late();
      seen.second += judge.no_lane();
    }
  }
  return seen;
}

TEST(LinkStatistics, EveryCycleIsJudgedAsWhenLookedAt) {
  const auto topology = topology::Build("dragonfly:p=2,a=2,h=1");
  EXPECT_GT(ExpectJudged(topology, WithStalls("uniform", 0.9, "32,512,4224", true)).first, 100);
  EXPECT_GT(ExpectJudged(topology, WithStalls("hotspot:0:0.8", 1, "64,700", false)).second, 100);
  NetworkOptions slow = WithStalls("adversarial:1", 0.8, "200", false);
  slow.nic_lanes = 2;
  ExpectJudged(topology, slow);
}

/// Every cycle of every link has one state, and a busy link sends its words.
void ExpectSums(const Network& network) {
  const Measured& measured = network.nics().measured;
  std::int64_t busy = 0;
  for (int n = 0; n < network.nodes(); ++n) {
    for (int port = 0; port < network.profile().ports; ++port) {
      if (!network.wiring().far(n, port).connected()) continue;
      const golden::LinkStatistics& books = *network.node(n).link_statistics();
      const golden::LinkStatistics::Times& times = books.times(port);
      EXPECT_EQ(std::accumulate(times.begin(), times.end(), std::int64_t{0}), measured.to - measured.from);
      const std::int64_t words = network.node(n).counts(port).words;
      EXPECT_EQ(std::accumulate(books.words(port).begin(), books.words(port).end(), std::int64_t{0}), words);
      const int lanes = network.node(n).registers()->port(port).serdes_lanes();
      EXPECT_EQ(network.node(n).counts(port).busy, TimeOf(times, golden::LinkState::kBusy));
      // At either end of the measured cycles a word may be cut.
      EXPECT_NEAR(static_cast<double>(TimeOf(times, golden::LinkState::kBusy)), static_cast<double>(words) * 4 / lanes,
                  4.0 / lanes - 1);
      EXPECT_LE(TimeOf(times, golden::LinkState::kBusy), measured.to - measured.from);
      busy += TimeOf(times, golden::LinkState::kBusy);
      if (const Nic* nic = network.node(n).nic(port)) {
        const Nic::Counters& counters = nic->counters();
        EXPECT_LE(counters.measured_busy + counters.measured_stalled, measured.to - measured.from);
        EXPECT_LE(counters.measured_stalled, counters.stalled_cycles);
        EXPECT_NEAR(static_cast<double>(counters.measured_busy),
                    static_cast<double>(counters.measured_words) * 4 / network.nics().lanes,
                    4.0 / network.nics().lanes - 1);
      }
    }
  }
  EXPECT_GT(busy, 1000);
}

TEST(LinkStatistics, StatesAddUpToTheMeasuredCycles) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = WithStalls("uniform", 0.6, "64,4224", false);
  for (int tc = 0; tc < 3; ++tc) options.traffic.classes.push_back({tc, 1.0, kTile8.mtu_bytes});
  for (const int lanes : {4, 2}) {
    options.nic_lanes = lanes;
    Network network(topology, options);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    ExpectSums(network);
  }
}

TEST(LinkStatistics, StatesAddUpOfARunThatWasStopped) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = WithStalls("adversarial:1", 1, "512", true);
  options.cycles = 100000;
  Network network(topology, options);
  ASSERT_EQ(network.Run([&](Cycle cycle) { return cycle > network.nics().begin + 5000; }), Ending::kStopped);
  EXPECT_LT(network.nics().measured.to, network.nics().begin + 7000);
  ExpectSums(network);
}

TEST(LinkStatistics, KeepingThemChangesNothing) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = WithStalls("uniform", 0.7, "64,512", true);
  std::vector<Delivery> deliveries[2];
  for (const bool stalls : {false, true}) {
    options.stalls = stalls;
    Network network(topology, options);
    DeliveryProbe probe(network.wiring());
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    deliveries[stalls] = probe.deliveries;
  }
  EXPECT_EQ(deliveries[0], deliveries[1]);
  EXPECT_GT(deliveries[0].size(), 1000u);
}

}  // namespace
}  // namespace tilefly::network
