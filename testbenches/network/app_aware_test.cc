// SPDX-License-Identifier: Apache-2.0
// NICs that choose the mode of each message (docs/workloads.md, Application-aware routing).
#include <gtest/gtest.h>

#include "network/figures.h"
#include "support/errors.h"
#include "testbenches/network/nic_runs.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"

namespace tilefly::network {
namespace {

/// What the links of the NICs carry.
class TraceProbe : public NodeProbe {
 public:
  explicit TraceProbe(const Wiring& wiring) : wiring_(wiring) {}
  void Stepped(int, Cycle, const golden::Switch&) override {}
  void ToldCredit(int, int, const LinkCredit&) override {}
  void Carries(const LinkEvent& event) override {
    const FarEnd& far = wiring_.far(event.node, event.port);
    if (far.endpoint < 0 || event.kind == LinkKind::kCredit) return;
    if (event.kind == LinkKind::kAck) acks[far.endpoint].push_back({event.wire + far.delay, static_cast<int>(event.ack.flow)});
    if (event.from_nic) sent[far.endpoint].push_back(event);
  }

  std::map<int, std::vector<LinkEvent>> sent;              ///< by endpoint
  std::map<int, std::vector<std::pair<Cycle, int>>> acks;  ///< cycle at the NIC, flow

 private:
  const Wiring& wiring_;
};

/// Sums up to a cycle, from what the link carried alone.
struct Reading {
  double latency = 0, acks = 0, words = 0, stalled = 0;
};

Reading ReadingOf(const TraceProbe& trace, int endpoint, std::size_t sent, Cycle now) {
  Reading reading;
  const std::vector<LinkEvent>& packets = trace.sent.at(endpoint);
  Cycle free = 0;
  for (std::size_t i = 0; i < sent; ++i) {
    reading.words += packets[i].words;
    reading.stalled += static_cast<double>(packets[i].wire - std::max(packets[i].record.created, free));
    free = packets[i].wire + packets[i].words;  // four lanes: a word a cycle
  }
  const auto acks = trace.acks.find(endpoint);
  if (acks == trace.acks.end()) return reading;
  for (const auto& [wire, flow] : acks->second) {
    if (wire >= now) break;
    Cycle start = -1;
    for (std::size_t i = 0; i < sent && packets[i].wire < wire; ++i) {
      if (static_cast<int>(packets[i].header.flow()) == flow) start = packets[i].wire;
    }
    reading.latency += static_cast<double>(wire - start);
    ++reading.acks;
  }
  return reading;
}

/// Modes of the messages of an endpoint, and what its packets say.
void ExpectChoices(const TraceProbe& trace, const NetworkOptions& options, int endpoint, int* high, int* low) {
  const std::vector<LinkEvent>& packets = trace.sent.at(endpoint);
  const workload::Workload& workload = *options.hosts.workload;
  const workload::Seat& seat = workload.seats[endpoint];
  workload::AppAwareRouting routing(*options.routing.app_aware);
  Reading before;
  for (std::size_t first = 0, next; first < packets.size(); first = next) {
    const PacketRecord& record = packets[first].record;
    workload::NextMessage message{};
    for (next = first; next < packets.size() && packets[next].record.operation == record.operation; ++next) {
      ++message.packets;
      message.flits += packets[next].words;
    }
    message.bytes = workload.jobs[seat.job].schedule.ranks[seat.rank].operations[record.operation].amount;
    message.target = record.destination;
    const Cycle now = first == 0 ? record.created : std::max(record.created, packets[first - 1].wire);
    const Reading reading = ReadingOf(trace, endpoint, first, now);
    workload::Bias bias = routing.current();
    if (!routing.Decides(message)) {
      bias = routing.Select(message, {});
    } else if (reading.acks > before.acks && reading.words > before.words) {
      bias = routing.Select(message, {(reading.latency - before.latency) / (reading.acks - before.acks),
                                      (reading.stalled - before.stalled) / (reading.words - before.words)});
      before = reading;
    }
    const bool biased = bias == workload::Bias::kHigh;
    ++*(biased ? high : low);
    for (std::size_t i = first; i < next; ++i) {
      ASSERT_EQ(static_cast<RouteMode>(packets[i].header.mode()),
                biased ? RouteMode::kAdaptive3 : RouteMode::kAdaptive0)
          << "endpoint " << endpoint << ", packet " << i << " in cycle " << packets[i].wire;
    }
  }
}

NetworkOptions AppAware(const std::string& pattern, const topology::Topology& topology, bool program = false) {
  NetworkOptions options = WithAcks("app_aware");
  if (program) options.routing.app_aware = workload::AppAwareOptions::Program();
  UseJob(pattern, topology, &options);
  return options;
}

constexpr const char* kMix = "alltoall:bytes=6000,order=random,iterations=2,ranks=48+pingpong:bytes=3000,iterations=9";

TEST(AppAware, ModesAreThoseOfTheCountersTrace) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const bool program : {false, true}) {
    const NetworkOptions options = AppAware(kMix, topology, program);
    Network network(topology, options);
    TraceProbe trace(network.wiring());
    network.set_probe(&trace);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    int high = 0, low = 0;
    for (const auto& [endpoint, packets] : trace.sent) ExpectChoices(trace, options, endpoint, &high, &low);
    const Nic::Counters sum = SumOf(network);
    EXPECT_EQ(sum.messages, high + low);
    EXPECT_EQ(sum.biased_messages, high);
    EXPECT_GT(high, 500);
    EXPECT_GT(low, 500);
    EXPECT_EQ(sum.acks, sum.packets);
    ExpectBooks(network);
  }
}

TEST(AppAware, LookaheadProcessesAndCheckpointsChangeNothing) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = AppAware(kMix, topology);
  const std::string whole = TextOf(topology, options);
  OnThreads(3, [&](Processes& processes) {
    Network network(topology, options, &processes);
    const Ending ending = network.Run();
    const Figures figures(network);
    if (processes.first()) EXPECT_EQ(Text(network, ending, figures), whole);
  });
  Network first(topology, options);
  ASSERT_FALSE(first.RunTo(first.nics().begin + 4000).has_value());
  std::deque<SavedBytes> pieces;
  first.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
  Network second(topology, options);
  second.Load([&] {
    SavedBytes piece = std::move(pieces.front());
    pieces.pop_front();
    return piece;
  });
  const Ending ending = second.Run();
  EXPECT_EQ(Text(second, ending, Figures(second)), whole);
  options.lookahead = 3;
  options.order = 4;
  EXPECT_EQ(TextOf(topology, options), whole);
}

TEST(AppAware, IsRefusedWhereThereIsNothingToChooseBy) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = WithAcks("app_aware");
  EXPECT_THROW(Network(topology, options), UsageError) << "synthetic traffic";
  options = AppAware("alltoall", topology);
  options.acks = AckUse::kOff;
  EXPECT_THROW(Network(topology, options), UsageError);
  options.acks = AckUse::kOn;
  EXPECT_NO_THROW(Network(topology, options));
  LoseBeyond(200, &options);
  EXPECT_THROW(Network(topology, options), UsageError) << "lost packets are never acknowledged";
  options.nics.resend = 5000;
  EXPECT_NO_THROW(Network(topology, options));
}

/// Share of the bytes that went with high bias.
double BiasedShare(const std::string& pattern) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = WithAcks("app_aware");
  UseJob(pattern, topology, &options);
  Network network(topology, options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  const Nic::Counters sum = SumOf(network);
  EXPECT_GT(sum.message_bytes, 0);
  return static_cast<double>(sum.biased_bytes) / static_cast<double>(sum.message_bytes);
}

/// Where all ranks of a step send to one group, minimal paths are few: high bias stalls, and is left again.
TEST(AppAware, GoesBackAndForthWherePathsAreFew) {
  const double biased = BiasedShare("alltoall:bytes=65536");
  EXPECT_GT(biased, 0.1);
  EXPECT_LT(biased, 0.9);
}

/// Short messages among traffic of others: detours cost them latency.
TEST(AppAware, PrefersHighBiasForShortMessagesInCongestion) {
  EXPECT_GT(BiasedShare("pingpong:bytes=8192,ranks=2,iterations=50,at=0/60+"
                        "alltoall:bytes=20000,order=random,iterations=2,ranks=64"),
            0.5);
}

}  // namespace
}  // namespace tilefly::network
