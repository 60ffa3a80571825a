// SPDX-License-Identifier: Apache-2.0
// End-to-end retry exactly once (docs/blocks/link_retry.md, NIC): hosts get each packet once, over classes that lose packets
// and over links that go down and come up again while their packets have found another way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "network/figures.h"
#include "network/round_trip.h"
#include "support/errors.h"
#include "testbenches/bench/settings.h"
#include "testbenches/network/dying_link.h"
#include "testbenches/network/naive_system.h"
#include "testbenches/network/nic_runs.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/systems.h"
#include "testbenches/network/thread_processes.h"

namespace tilefly::network::resend_window {
namespace {

using ::testing::HasSubstr;

/// What the hosts must get, and what they get: a set of all numbers, for each receiver.
class HostProbe : public NicProbe {
 public:
  using Name = std::tuple<int, int, std::uint32_t>;  ///< source, destination, number

  explicit HostProbe(const Wiring& wiring) : NicProbe(wiring), wiring_(wiring) {}
  void Carries(const LinkEvent& event) override {
    NicProbe::Carries(event);
    if (event.kind != LinkKind::kPacket) return;
    const PacketRecord& record = event.record;
    if (!event.from_nic) {
      const bool is_whole = record.operation > PacketRecord::kBroken;
      if (is_whole && wiring_.far(event.node, event.port).endpoint >= 0) ++arrived[NameOf(record)];
      return;
    }
    copies += !sent.insert(NameOf(record)).second;
    flows.insert({record.source, static_cast<int>(event.header.flow())});
  }
  void HandsOver(const PacketRecord& record, Cycle last) override {
    ++got[NameOf(record)];
    latest = std::max(latest, last);
  }

  /// Each packet once, and no other.
  void ExpectEachOnce() const {
    EXPECT_EQ(got.size(), sent.size());
    for (const auto& [name, times] : got) {
      EXPECT_EQ(times, 1) << std::get<0>(name) << " " << std::get<1>(name) << " " << std::get<2>(name);
      EXPECT_EQ(sent.count(name), 1u);
    }
  }

  std::set<Name> sent;
  std::map<Name, int> got;
  std::map<Name, int> arrived;  ///< on the link of its receiver, and whole
  Cycle latest = 0;  ///< last word of the latest packet that a host got
  std::set<std::pair<int, int>> flows;  ///< of the sources
  int copies = 0;

 private:
  const Wiring& wiring_;
  static Name NameOf(const PacketRecord& record) { return {record.source, record.destination, record.sequence}; }
};

NetworkOptions Lossy(const std::string& routing, Cycle resend, int window) {
  NetworkOptions options = WithAcks(routing);
  options.nics.resend = resend;
  options.nics.most_resends = 200;
  options.nics.resend_window = window;
  options.traffic.pattern = "hotspot:9:0.3";
  options.traffic.load = 0.5;
  options.traffic.size = "64,500,2000";
  options.cycles = 2500;
  LoseBeyond(100, &options);
  return options;
}

std::uint64_t Seeds() { return bench::TierFromEnvironment() == bench::Tier::kFull ? 100 : 12; }

TEST(ResendWindow, HostsOfALossyClassGetEachPacketOnce) {
  const topology::Topology& topology = Dragonfly();
  Nic::Counters all;
  for (std::uint64_t seed = 1; seed <= Seeds(); ++seed) {
    const bool any = seed % 3 != 0;
    // Times that are shorter and longer than the way; longer where flows have no turns, and a late ack may be mistaken.
    NetworkOptions options =
        Lossy(any ? "min" : "in_order", any && seed % 2 == 0 ? 900 : 4000, 64 + static_cast<int>(seed % 5) * 60);
    options.seed = seed;
    options.nics.first_number = seed % 4 == 0 ? (1u << 24) - 20 : 0;
    Network network(topology, options);
    HostProbe probe(network.wiring());
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained) << seed;
    ExpectBooks(network);
    const Nic::Counters sum = SumOf(network);
    ASSERT_EQ(sum.given_up, 0) << seed;
    probe.ExpectEachOnce();
    EXPECT_EQ(probe.copies, sum.resends);
    EXPECT_GT(network.statistics().dropped(), 100);
    EXPECT_EQ(sum.late_copies, 0) << "nothing was given up";
    AddTo(&all, sum);
  }
  EXPECT_GT(all.duplicates, 1000);
  EXPECT_GT(all.late_acks, 1000);
}

/// Losses, copies of packets that are there, and given-up ones; windows that make senders wait.
TEST(ResendWindow, ASystemIsTheNaiveOne) {
  const topology::Topology& topology = Dragonfly();
  for (const char* routing : {"min", "adaptive_0", "in_order"}) {
    for (const Cycle resend : {700, 2500}) {
      NetworkOptions options = Lossy(routing, resend, 64);
      options.nics.most_resends = 3;
      if (!options.routing.any_flow) options.routing.flows = 8;
      // Where there are two classes, the first packet of one may wait for its number while the other's may go.
      if (options.routing.name != "adaptive_0") options.traffic.classes = {{0, 1, 4096}, {3, 2, 512}};
      Network network(topology, options);
      NaiveSystem naive(network);
      HostProbe probe(network.wiring());
      network.set_probe(&probe);
      ASSERT_EQ(network.Run(), Ending::kDrained);
      ExpectBooks(network);
      std::vector<Delivery> expected = naive.Run(network.cycle() + 5000);
      std::sort(expected.begin(), expected.end());
      std::sort(probe.deliveries.begin(), probe.deliveries.end());
      EXPECT_EQ(probe.deliveries, expected) << routing << " " << resend;
      const Nic::Counters sum = SumOf(network);
      EXPECT_EQ(sum.window_cycles, naive.waits.window);
      EXPECT_EQ(sum.stalled_cycles, naive.waits.credit);
      EXPECT_EQ(sum.resends, naive.resent);
      EXPECT_EQ(sum.duplicates, naive.duplicates);
      EXPECT_EQ(sum.late_copies, naive.late_copies);
      EXPECT_EQ(sum.given_up, naive.given_up);
      EXPECT_EQ(sum.acks + sum.late_acks, naive.acks_of_nics);
      EXPECT_GT(sum.resends, 100);
      for (const auto& [name, times] : probe.got) EXPECT_EQ(times, 1);
      EXPECT_TRUE(resend != 700 || sum.given_up > 0);
    }
  }
}

/// A packet that is lost again and again holds up what is 64 numbers behind it, and nothing else.
TEST(ResendWindow, ASenderWaitsForItsOldestNumber) {
  const topology::Topology& topology = Dragonfly();
  for (const int window : {64, 65, 200}) {
    NetworkOptions options = WithAcks();
    SendAtOnce(300, 60, 64, &options);
    options.nics.resend = 100'000;
    options.nics.resend_window = window;
    Network network(topology, options);
    HostProbe probe(network.wiring());
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    const std::vector<Cycle>& starts = probe.starts[0];
    ASSERT_EQ(starts.size(), 300u);
    const auto n = static_cast<std::size_t>(window);
    EXPECT_EQ(starts[n - 1] - starts[0], 3 * (window - 1)) << "packets of three words, one behind the other";
    const Nic::Counters sum = SumOf(network);
    EXPECT_EQ(sum.acks, 300);
    NetworkOptions alone = options;
    alone.traffic.plan.resize(1);
    Network one(topology, alone);
    one.Run();
    const Cycle round = SumOf(one).acked_cycles;
    EXPECT_EQ(starts[n] - starts[0], std::max<Cycle>(3 * window, round + 1)) << "the ack of the first one counts";
    EXPECT_EQ(sum.window_cycles > 0, round + 1 > 3 * window);
  }
}

TEST(ResendWindow, AcksNameTheTurnsOf512Channels) {
  NetworkOptions options = WithAcks();
  SendAtOnce(3000, 60, 64, &options);
  for (int i = 0; i < 3000; ++i) options.traffic.plan[static_cast<std::size_t>(i)].destination = 8 + i % 60;
  options.nics.resend = 100'000;
  options.nics.resend_window = 64;
  Network network(Dragonfly(), options);
  EXPECT_EQ(network.nics().channels.count, 512);
  HostProbe probe(network.wiring());
  network.set_probe(&probe);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  probe.ExpectEachOnce();
  EXPECT_EQ(probe.flows.size(), 1024u) << "each channel in both turns";
}

/// With a time that is shorter than the way all is given up before it comes; what comes behind numbers that are over is
/// a late copy, and not the host's.
TEST(ResendWindow, CopiesOfPacketsThatWereGivenUpAreLate) {
  NetworkOptions options = WithAcks();
  SendAtOnce(200, 60, 512, &options);
  options.nics.resend = 100;
  options.nics.most_resends = 0;
  options.nics.resend_window = 64;
  Network network(Dragonfly(), options);
  HostProbe probe(network.wiring());
  network.set_probe(&probe);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  const Nic::Counters sum = SumOf(network);
  EXPECT_EQ(sum.given_up, 200);
  EXPECT_EQ(sum.late_copies, 0) << "they come in order, each before the packet that says that it is over";
  EXPECT_EQ(network.statistics().delivered(), 200);
  EXPECT_EQ(sum.acks, 0);
  EXPECT_EQ(sum.late_acks, 200);
}

NetworkOptions WithALinkThatDies(const topology::Topology& topology, std::uint64_t seed, const std::string& routing) {
  NetworkOptions options = WithAcks(routing);
  options.seed = seed;
  options.traffic.load = 0.3;
  options.traffic.size = "64,512,4096";
  options.cycles = 6000;
  options.nics.resend = 3000;
  options.nics.most_resends = 200;
  options.nics.resend_window = 64 + static_cast<int>(seed % 3) * 100;
  LetLinkDie(topology, 1500 + static_cast<Cycle>(seed * 37 % 800), &options);
  return options;
}

TEST(ResendWindow, HostsBehindALinkThatDiesGetEachPacketOnce) {
  const topology::Topology& topology = Dragonfly();
  Nic::Counters all;
  std::int64_t lost = 0;
  for (std::uint64_t seed = 1; seed <= Seeds(); ++seed) {
    Network network(topology, WithALinkThatDies(topology, seed, seed % 2 == 0 ? "min" : "in_order"));
    HostProbe probe(network.wiring());
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained) << seed;
    const Statistics& statistics = network.statistics();
    EXPECT_EQ(statistics.in_flight(), 0) << seed;
    EXPECT_EQ(statistics.sent() + statistics.resent,
              statistics.delivered() + statistics.duplicates + statistics.dropped() + statistics.lost);
    const Nic::Counters sum = SumOf(network);
    EXPECT_EQ(sum.given_up, 0) << seed;
    probe.ExpectEachOnce();
    lost += statistics.lost;
    AddTo(&all, sum);
    const std::vector<LinkFault>& downs = network.faults().downs();
    ASSERT_EQ(downs.size(), 1u);
    EXPECT_LT(probe.latest - network.nics().begin, downs[0].till) << "hosts have all before the link is up";
  }
  EXPECT_GT(lost, 10);
  EXPECT_GT(all.resends, 100);
  EXPECT_GT(all.duplicates, 50) << "packets that had waited for the link";
}

/// Packets that wait for the dead link are given up, and later ones of their pairs find another way. When the link is up
/// again they come, behind the numbers that are over: no host gets them.
TEST(ResendWindow, PacketsThatWereGivenUpAndOvertakenAreLateCopies) {
  const topology::Topology& topology = Dragonfly();
  Nic::Counters all;
  for (std::uint64_t seed = 1; seed <= Seeds(); ++seed) {
    NetworkOptions options = WithALinkThatDies(topology, seed, seed % 2 == 0 ? "min" : "in_order");
    options.nics.most_resends = static_cast<int>(seed / 2 % 2);
    options.traffic.load = 0.6;
    Network network(topology, options);
    HostProbe probe(network.wiring());
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained) << seed;
    std::int64_t late = 0, again = 0;
    for (const auto& [name, times] : probe.arrived) {
      const auto host = probe.got.find(name);
      if (host == probe.got.end()) {
        late += times;
      } else {
        EXPECT_EQ(host->second, 1);
        again += times - 1;
      }
    }
    const Nic::Counters sum = SumOf(network);
    EXPECT_EQ(sum.late_copies, late) << seed;
    EXPECT_EQ(sum.duplicates, late + again) << seed;
    AddTo(&all, sum);
  }
  EXPECT_GT(all.given_up, 100);
  EXPECT_GT(all.late_copies, 5);
}

TEST(ResendWindow, NumbersWrapUnseen) {
  const topology::Topology& topology = Dragonfly();
  for (const char* routing : {"min", "in_order"}) {
    NetworkOptions options = Lossy(routing, 900, 64);
    const std::string from_0 = TextOf(topology, options);
    options.nics.first_number = (1u << 24) - 9;
    EXPECT_EQ(TextOf(topology, options), from_0);
    options.nics.first_number = (1u << 23) - 9;
    EXPECT_EQ(TextOf(topology, options), from_0);
  }
}

TEST(ResendWindow, ThreadsProcessesOrdersAndHalvesChangeNothing) {
  const topology::Topology& topology = Dragonfly();
  for (const char* routing : {"adaptive_0", "in_order"}) {
    NetworkOptions options = Lossy(routing, 900, 64);
    options.nics.most_resends = 4;
    const std::string whole = TextOf(topology, options);
    for (const int size : {2, 4}) {
      OnThreads(size, [&](Processes& processes) {
        Network network(topology, options, &processes);
        const Ending ending = network.Run();
        const Figures figures(network);
        if (!processes.first()) return;
        EXPECT_EQ(Text(network, ending, figures), whole) << size;
      });
    }
    NetworkOptions other = options;
    other.threads = 3;
    EXPECT_EQ(TextOf(topology, other), whole) << "threads";
    other = options;
    other.lookahead = 3;
    other.order = 5;
    EXPECT_EQ(TextOf(topology, other), whole) << "another order";
    // Switches with a lossy class do not run as halves: there are copies because packets wait for longer than the time.
    other = options;
    other.writes.clear();
    const std::string lossless = TextOf(topology, other);
    other.halves = true;
    Network network(topology, other);
    EXPECT_TRUE(network.node(0).runs_as_halves());
    const Ending ending = network.Run();
    EXPECT_EQ(Text(network, ending, Figures(network)), lossless) << "halves";
    EXPECT_GT(network.statistics().duplicates, 100);
  }
}

TEST(ResendWindow, ARunGoesOnFromAState) {
  const topology::Topology& topology = Dragonfly();
  NetworkOptions options = Lossy("min", 900, 64);
  options.nics.most_resends = 4;
  options.nics.first_number = (1u << 24) - 9;
  const std::string whole = TextOf(topology, options);
  for (const Cycle at : {1, 900, 1800, 2700, 3600}) {
    Network first(topology, options);
    ASSERT_FALSE(first.RunTo(first.nics().begin + at).has_value());
    std::deque<SavedBytes> pieces;
    first.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
    Network second(topology, options);
    second.Load([&] {
      SavedBytes piece = std::move(pieces.front());
      pieces.pop_front();
      return piece;
    });
    const Ending ending = second.Run();
    EXPECT_EQ(Text(second, ending, Figures(second)), whole) << at;
  }
}

TEST(ResendWindow, WhatCannotBeIsRefused) {
  NetworkOptions options = WithAcks();
  options.nics.resend_window = 64;
  EXPECT_THAT(Refusal(Dragonfly(), options), HasSubstr("give --resend TIME"));
  options.nics.resend = 1000;
  EXPECT_EQ(Refusal(Dragonfly(), options), "accepted");
  options.nics.window = 512;
  EXPECT_EQ(Refusal(Dragonfly(), options), "accepted");
  options.nics.window = 513;
  EXPECT_THAT(Refusal(Dragonfly(), options), HasSubstr("give --window 512 or less"));
  options.nics.window.reset();
  options.routing.flows = 15;
  EXPECT_THAT(Refusal(Dragonfly(), options), HasSubstr("--flows 15"));
  options.routing.any_flow = false;
  EXPECT_EQ(Refusal(Dragonfly(), options), "accepted") << "a flow is a channel there";
  options.acks = AckUse::kOff;
  EXPECT_THAT(Refusal(Dragonfly(), options), HasSubstr("give --acks on"));
}

/// The longest way of one MTU through a quiet system is as long as what the warning of a short --resend speaks of.
TEST(ResendWindow, TheQuietRoundTripIsThatOfALongestWay) {
  for (const char* name : {"dragonfly:p=2,a=4,h=2,global_cable=2m,local_cable=2m", "dragonfly:p=2,a=4,h=2"}) {
    const auto topology = topology::Build(name);
    Cycle longest = 0;
    NetworkOptions options = WithAcks();
    options.nics.resend = 1'000'000;
    const Network built(topology, options);
    const int length = built.profile().mtu_words_enh * 32 - 16;
    for (int to = 1; to < static_cast<int>(topology.endpoints.size()); ++to) {
      NetworkOptions one = options;
      SendAtOnce(1, to, length, &one);
      Network network(topology, one);
      network.Run();
      const Cycle from_last = SumOf(network).acked_cycles + 1 - golden::WordOffset(built.profile().mtu_words_enh - 1, 4);
      longest = std::max(longest, from_last);
    }
    const Cycle told = QuietRoundTrip(built);
    EXPECT_GE(told, longest) << name;
    EXPECT_TRUE(told == longest || std::string(name).find("global") == std::string::npos) << told << " " << longest;
    EXPECT_EQ(LongestRepairs(built), 3 * 4096);
  }
}

}  // namespace
}  // namespace tilefly::network::resend_window
