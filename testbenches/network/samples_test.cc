// SPDX-License-Identifier: Apache-2.0
// Time series: their sums are the totals of the run, levels those of their cycle, and nothing depends on slices,
// processes, checkpoints, or on how often intervals became longer.
#include "network/samples.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <numeric>

#include "network/sample_frame.h"
#include "support/latency.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/lossy_class.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

constexpr const char* kSmall = "dragonfly:p=2,a=4,h=2";

NetworkOptions Sampled(Cycle interval) {
  NetworkOptions options;
  options.bench_timing = true;
  options.traffic.load = 0.6;
  options.traffic.size = "64,496,4096";
  options.traffic.classes = {{0, 1, 4096}, {3, 2, 512}};
  options.cycles = 3000;
  options.warmup = 500;
  options.seed = 11;
  options.sample = interval;
  return options;
}

struct Finished {
  std::string text;  ///< all that it left behind
  Figures figures;
};

Finished RunOf(const topology::Topology& topology, const NetworkOptions& options) {
  Network network(topology, options);
  const Ending ending = network.Run();
  Figures figures(network);
  std::string text = Text(network, ending, figures);
  return {std::move(text), std::move(figures)};
}

template <typename Sample, typename Member>
std::int64_t Sum(const std::vector<Sample>& series, Member member, std::size_t from = 0, std::size_t to = SIZE_MAX) {
  std::int64_t sum = 0;
  for (std::size_t i = from; i < std::min(to, series.size()); ++i) sum += series[i].*member;
  return sum;
}

/// Of all classes, and of all groups: each packet is of one of either.
template <typename Member>
std::int64_t SumOfClasses(const Samples& samples, Member member) {
  std::int64_t sum = 0;
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) sum += Sum(samples.of_class(tc), member);
  std::int64_t of_groups = 0;
  for (const auto& series : samples.groups()) of_groups += Sum(series, member);
  EXPECT_EQ(of_groups, sum);
  return sum;
}

TEST(Samples, OfPacketsAddUpToTheTotals) {
  const auto topology = topology::Build(kSmall);
  const Finished run = RunOf(topology, Sampled(100));
  const Samples& samples = run.figures.statistics.samples;
  EXPECT_EQ(samples.width(), 100);
  EXPECT_GT(samples.intervals(), 30);
  EXPECT_EQ(SumOfClasses(samples, &FlowSample::sent_packets), run.figures.statistics.sent());
  EXPECT_EQ(SumOfClasses(samples, &FlowSample::received_packets), run.figures.statistics.delivered());
  const std::int64_t sent = SumOfClasses(samples, &FlowSample::sent);
  EXPECT_EQ(SumOfClasses(samples, &FlowSample::created), sent + run.figures.queue.words);
  EXPECT_EQ(SumOfClasses(samples, &FlowSample::received), sent);
  EXPECT_EQ(SumOfClasses(samples, &FlowSample::ended), sent);
  for (const int tc : {0, 3}) {
    const ClassStatistics& whole = run.figures.statistics.classes[tc];
    EXPECT_EQ(Sum(samples.of_class(tc), &FlowSample::received_packets), whole.delivered);
    EXPECT_EQ(Sum(samples.of_class(tc), &FlowSample::received, 5, 30), whole.words) << "of the measured cycles";
  }
}

TEST(Samples, WordsOfALinkAreThoseOfTheMeasuredCycles) {
  const auto topology = topology::Build(kSmall);
  for (const int lanes : {4, 2}) {
    NetworkOptions options = Sampled(100);
    options.nic_lanes = lanes;
    options.traffic.load = 0.9;
    Network network(topology, options);
    network.Run();
    const Figures figures(network);
    const SampleFrame& frame = *network.sample_frame();
    ASSERT_TRUE(frame.each_link);
    int links = 0;
    for (int n = 0; n < network.nodes(); ++n) {
      std::size_t nic = 0;
      for (int port = 0; port < frame.ports; ++port) {
        if (frame.link(n, port) < 0) continue;
        const auto& own = figures.statistics.samples.links()[frame.link(n, port)];
        EXPECT_EQ(Sum(own, &LinkSample::words, 5, 30), figures.nodes[n].ports[port].words);
        EXPECT_EQ(Sum(own, &LinkSample::words), figures.nodes[n].ports[port].all_words);
        EXPECT_EQ(Sum(own, &LinkSample::packets), figures.nodes[n].ports[port].packets);
        ++links;
        if (network.wiring().far(n, port).endpoint < 0) continue;
        const auto& from = figures.statistics.samples.links()[frame.link_into(network.wiring(), n, port)];
        const Nic::Counters& counters = figures.nodes[n].nics[nic++];
        EXPECT_EQ(Sum(from, &LinkSample::words, 5, 30), counters.measured_words);
        EXPECT_EQ(Sum(from, &LinkSample::words), counters.words);
        EXPECT_EQ(Sum(from, &LinkSample::packets), counters.packets);
        ++links;
      }
    }
    EXPECT_EQ(links, static_cast<int>(frame.links.size()));
  }
}

/// Sees the levels of every port after each step.
class LevelProbe : public NodeProbe {
 public:
  void Stepped(int node, Cycle now, const golden::Switch& device) override {
    for (int port = 0; port < device.profile().ports; ++port)
      levels[{node, port}][now] = {device.load(port), device.used(port)};
  }
  void ToldCredit(int, int, const LinkCredit&) override {}

  /// What the events before cycle `end` have left.
  std::pair<int, int> Before(int node, int port, Cycle end) const {
    const auto& own = levels.at({node, port});
    const auto next = own.lower_bound(end);
    return next == own.begin() ? std::pair(0, 0) : std::prev(next)->second;
  }

  std::map<std::pair<int, int>, std::map<Cycle, std::pair<int, int>>> levels;
};

TEST(Samples, LevelsAreThoseThatTheCyclesOfTheIntervalLeft) {
  const auto topology = topology::Build("dragonfly:p=1,a=2,h=1");
  NetworkOptions options = Sampled(70);
  options.traffic.load = 0.9;
  options.cycles = 1000;
  Network network(topology, options);
  LevelProbe probe;
  network.set_probe(&probe);
  network.Run();
  const SampleFrame& frame = *network.sample_frame();
  const Samples& samples = network.statistics().samples;
  std::int64_t loads = 0, cells = 0;
  for (int n = 0; n < network.nodes(); ++n) {
    for (int port = 0; port < frame.ports; ++port) {
      if (frame.link(n, port) < 0) continue;
      for (int i = 0; i < samples.intervals(); ++i) {
        const Cycle end = std::min(samples.begin() + (i + 1) * samples.width(), network.cycle() + 1);
        const auto [load, used] = probe.Before(n, port, end);
        EXPECT_EQ(samples.links()[frame.link(n, port)][i].load, load) << n << '.' << port << ", interval " << i;
        EXPECT_EQ(samples.links()[frame.link_into(network.wiring(), n, port)][i].buffered, used);
        loads += load;
        cells += used;
      }
    }
  }
  EXPECT_GT(loads, 0);
  EXPECT_GT(cells, 0);
  std::int64_t of_groups = 0;
  for (const auto& series : samples.groups()) of_groups += Sum(series, &FlowSample::buffered);
  EXPECT_EQ(of_groups, cells);
}

TEST(Samples, ChangeNothingElse) {
  const auto topology = topology::Build(kSmall);
  const std::string plain = RunOf(topology, Sampled(0)).text;
  std::string sampled = RunOf(topology, Sampled(100)).text;
  const std::size_t from = sampled.find("samples "), to = sampled.find("routed ");
  ASSERT_LT(from, to);
  EXPECT_EQ(sampled.erase(from, to - from), plain);
}

TEST(Samples, DependOnNoLookaheadAndNoOrder) {
  const auto topology = topology::Build(kSmall);
  NetworkOptions options = Sampled(97);
  options.routing = RoutingOptions::Named("adaptive_0");
  options.acks = AckUse::kOn;
  const std::string longest = RunOf(topology, options).text;
  for (const Cycle lookahead : {1, 7}) {
    options.lookahead = lookahead;
    options.order = static_cast<std::uint64_t>(lookahead);
    EXPECT_EQ(RunOf(topology, options).text, longest) << lookahead;
  }
  options.lookahead = 0;
  options.whole = true;
  EXPECT_EQ(RunOf(topology, options).text, longest) << "one domain";
}

/// On `size` processes, from the pieces of a state or, without them, from the begin.
std::string RunOn(int size, const NetworkOptions& options, std::deque<SavedBytes> pieces) {
  const auto topology = topology::Build(kSmall);
  const bool resumes = !pieces.empty();
  std::string text;
  OnThreads(size, [&](Processes& processes) {
    Network network(topology, options, &processes);
    if (resumes) {
      network.Load([&] {
        SavedBytes piece = std::move(pieces.front());
        pieces.pop_front();
        return piece;
      });
    }
    const Ending ending = network.Run();
    const Figures figures(network);
    if (processes.first()) text = Text(network, ending, figures);
  });
  return text;
}

std::deque<SavedBytes> StateOf(int size, const NetworkOptions& options, Cycle at) {
  const auto topology = topology::Build(kSmall);
  std::deque<SavedBytes> pieces;
  OnThreads(size, [&](Processes& processes) {
    Network network(topology, options, &processes);
    EXPECT_FALSE(network.RunTo(network.nics().begin + at).has_value());
    network.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
  });
  return pieces;
}

TEST(Samples, AreTheSameForAnyNumberOfProcessesAndAfterCheckpoints) {
  for (const Cycle interval : {100, 5}) {  // the second doubles while it runs
    const NetworkOptions options = Sampled(interval);
    const std::string whole = RunOn(1, options, {});
    for (const int size : {2, 3}) EXPECT_EQ(RunOn(size, options, {}), whole) << size;
    for (const Cycle at : {0, 730, 2999}) EXPECT_EQ(RunOn(1, options, StateOf(1, options, at)), whole) << at;
    EXPECT_EQ(RunOn(3, options, StateOf(2, options, 1500)), whole);
    EXPECT_EQ(RunOn(1, options, StateOf(3, options, 1500)), whole);
  }
}

TEST(Samples, OfALongRunAreThoseOfLongerIntervals) {
  const auto topology = topology::Build(kSmall);
  const Finished asked = RunOf(topology, Sampled(5));
  const Samples& samples = asked.figures.statistics.samples;
  EXPECT_EQ(samples.width(), 20);
  EXPECT_LE(samples.intervals(), Samples::kMostIntervals);
  EXPECT_GT(2 * samples.intervals(), Samples::kMostIntervals);
  EXPECT_EQ(asked.text, RunOf(topology, Sampled(20)).text);
}

TEST(Samples, OfLongIdleRunsTakeNoTime) {
  const auto topology = topology::Build(kSmall);
  NetworkOptions options = Sampled(100);
  options.traffic.classes.clear();
  options.cycles = Cycle{1} << 40;
  options.traffic.plan = {{0, 3, 60, 512}, {(Cycle{1} << 40) - 10, 60, 3, 512}};
  const Finished run = RunOf(topology, options);
  const Samples& samples = run.figures.statistics.samples;
  EXPECT_LE(samples.intervals(), Samples::kMostIntervals);
  EXPECT_EQ(samples.of_class(0).front().received_packets, 1);
  EXPECT_EQ(SumOfClasses(samples, &FlowSample::received_packets), 2);
}

TEST(Samples, CountWhatJobsHandOverAndWhatIsLost) {
  const auto topology = topology::Build(kSmall);
  NetworkOptions options = Sampled(200);
  options.traffic.classes.clear();
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  UseJobs(workload::MakeWorkload("alltoall:bytes=6000", "", 72, workload::Allocation::kLinear, 3), &options);
  const Finished job = RunOf(topology, options);
  EXPECT_EQ(SumOfClasses(job.figures.statistics.samples, &FlowSample::received_packets),
            job.figures.statistics.delivered());
  EXPECT_EQ(SumOfClasses(job.figures.statistics.samples, &FlowSample::created),
            SumOfClasses(job.figures.statistics.samples, &FlowSample::received));

  NetworkOptions lossy = Sampled(200);
  lossy.traffic.classes.clear();
  lossy.bench_timing = false;
  lossy.traffic.pattern = "hotspot:9:0.3";
  LoseBeyond(200, &lossy);
  const Finished run = RunOf(topology, lossy);
  const Samples& samples = run.figures.statistics.samples;
  EXPECT_GT(run.figures.statistics.dropped(), 0);
  EXPECT_EQ(SumOfClasses(samples, &FlowSample::ended), SumOfClasses(samples, &FlowSample::sent));
  EXPECT_LT(SumOfClasses(samples, &FlowSample::received), SumOfClasses(samples, &FlowSample::sent));
}

TEST(Samples, LinksOfLargeSystemsAreSumsByGroupAndKind) {
  const auto small = topology::Build(kSmall);
  const SampleFrame each(small, Wiring(small, 8, LinkTiming::Bench()), 2);
  EXPECT_TRUE(each.each_link);
  EXPECT_EQ(each.groups.size(), 9u);
  EXPECT_EQ(each.links.size(), 2 * (small.links.size() + small.endpoints.size()));
  EXPECT_EQ(each.links[each.link_of_nic[7]].name, "e7->s3.1");
  EXPECT_EQ(each.links[each.link_of_nic[7]].words_per_cycle, 0.5);

  const auto large = topology::Build("dragonfly:p=12,a=8,h=4");
  const SampleFrame sums(large, Wiring(large, 32, LinkTiming::Bench()), 4);
  EXPECT_FALSE(sums.each_link);
  ASSERT_EQ(sums.links.size(), 33u * 4);
  std::map<std::string, double> words;
  for (const SampleFrame::Link& link : sums.links) words[link.name] = link.words_per_cycle;
  EXPECT_EQ(words["0 global"], 32);
  EXPECT_EQ(words["32 local"], 56);
  EXPECT_EQ(words["5 terminal"], 96);
  EXPECT_EQ(words["5 nic"], 96);

  const auto tree = topology::Build("tree:k=4,n=2");
  EXPECT_EQ(SampleFrame(tree, Wiring(tree, 8, LinkTiming::Bench()), 4).groups, std::vector<std::string>{""});
  const auto many = topology::Build("dragonfly:p=1,a=8,h=10");
  const SampleFrame blocks(many, Wiring(many, 64, LinkTiming::Bench()), 4);
  EXPECT_EQ(blocks.groups.size(), 41u);
  EXPECT_EQ(blocks.groups.front(), "0-1");
  EXPECT_EQ(blocks.groups.back(), "80");
}

TEST(LatencyBuckets, AreExactBelow128AndWithinA64thAbove) {
  LatencyBuckets buckets, other;
  LatencyHistogram exact;
  for (std::int64_t i = 0; i < 4000; ++i) {
    const std::int64_t cycles = i < 1000 ? i % 128 : (i * i * 7919) % 300000;
    (i % 2 == 0 ? buckets : other).Add(cycles);
    exact.Add(cycles);
  }
  buckets += other;
  EXPECT_EQ(buckets.count(), 4000);
  EXPECT_EQ(buckets.Mean(), exact.Mean());
  EXPECT_EQ(buckets.max(), exact.Quantile(1));
  for (const double share : {0.0, 0.01, 0.2, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const std::int64_t wanted = exact.Quantile(share), got = buckets.Quantile(share);
    EXPECT_GE(got, wanted);
    EXPECT_LE(64 * (got - wanted), wanted) << share;
    if (wanted < 128) EXPECT_EQ(got, wanted);
  }
  EXPECT_EQ(LatencyBuckets().Quantile(0.99), 0);
}

}  // namespace
}  // namespace tilefly::network
