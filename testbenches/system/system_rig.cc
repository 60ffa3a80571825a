// SPDX-License-Identifier: Apache-2.0
#include "testbenches/system/system_rig.h"

#include <gtest/gtest.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "cosim/system/link_failure.h"
#include "network/figures.h"
#include "runs/system/fault_results.h"
#include "runs/system/link_figures.h"
#include "runs/system/net_results.h"
#include "runs/system/nic_figures.h"
#include "testbenches/network/jobs.h"

namespace tilefly::cosim {
namespace {

/// All results but those of the machine.
std::string ResultsOf(const network::Network& network) {
  runs::NetRunOptions options;
  options.network = network.options();
  const network::Figures figures(network);
  nlohmann::ordered_json results = runs::NetResults(network, figures, options, {});
  results.erase("machine");
  return results.dump(1) + runs::NetStatsCsv(network, figures) + runs::NicsCsv(network, figures) +
         (runs::HasFaults(network) ? runs::FaultsCsv(runs::FaultLines(network, figures, 10'000)) : "");
}

}  // namespace

network::NetworkOptions Traffic(const std::string& pattern, double load, const std::string& size, Cycle cycles) {
  network::NetworkOptions options;
  options.traffic.pattern = pattern;
  options.traffic.load = load;
  options.traffic.size = size;
  options.cycles = cycles;
  options.warmup = cycles / 5;
  options.seed = 5;
  return options;
}

network::NetworkOptions Jobs(const std::string& patterns, int endpoints) {
  network::NetworkOptions options = Traffic("uniform", 0, "512", Cycle{1} << 40);
  options.warmup = 0;
  network::UseJobs(workload::MakeWorkload(patterns, "", endpoints, workload::Allocation::kRandom, options.seed),
                   &options);
  return options;
}

PairRun RunPair(const topology::Topology& topology, const network::NetworkOptions& options) {
  PairRun run;
  network::NetworkOptions twin_options = options;
  twin_options.make_node = {};
  const std::clock_t begun = std::clock();
  network::Network network(topology, options);
  network::Network twin(topology, twin_options);
  SystemLockstep lockstep(&network, &twin);
  try {
    run.ending = lockstep.Run();
    if (run.ending == network::Ending::kDrained) {
      EXPECT_EQ(network.NotHome(), twin.NotHome());
      if (options.fault_plan == nullptr) EXPECT_EQ(twin.NotHome(), "") << "credits are lost only with a link";
      EXPECT_EQ(ResultsOf(network), ResultsOf(twin));
    }
  } catch (const LinkFailure& failure) {
    run.failure = failure.what();
    run.cycle = failure.cycle();
    run.node = failure.node();
    run.port = failure.port();
  }
  run.compared_busy = lockstep.compared_busy();
  run.retry = network.statistics().retry;
  run.seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  run.cycles_per_s = static_cast<double>(network.cycle()) / run.seconds;
  return run;
}

PairRun ExpectEqual(const topology::Topology& topology, const network::NetworkOptions& options,
                    std::int64_t least_busy) {
  const PairRun run = RunPair(topology, options);
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.ending, network::Ending::kDrained);
  EXPECT_GE(run.compared_busy, least_busy);
  std::printf("  %lld busy words and credit returns compared, %.1f s of CPU, %.0f cycles/s\n",
              static_cast<long long>(run.compared_busy), run.seconds, run.cycles_per_s);
  return run;
}

}  // namespace tilefly::cosim
