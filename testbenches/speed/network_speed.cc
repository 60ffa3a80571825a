// SPDX-License-Identifier: Apache-2.0
// Speed of systems, on the dragonflies of the performance page: p = h, a = 2p, absolute arrangement, uniform traffic,
// minimal routing. Injection, sinks and statistics are included, building is not.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>

#include "network/network.h"
#include "topology/builder.h"

namespace tilefly::golden {
namespace {

/// Arguments: p, bytes of a frame (with its header, 16 more), load in percent, whether links are those of `bench`, whether
/// packets are acknowledged, whether switches run as halves where they can.
void NetworkUniform(benchmark::State& state) {
  const auto p = static_cast<int>(state.range(0));
  const topology::Topology topology =
      topology::Build("dragonfly:p=" + std::to_string(p) + ",a=" + std::to_string(2 * p) + ",h=" + std::to_string(p));
  network::NetworkOptions options;
  options.bench_timing = state.range(3) != 0;
  options.acks = state.range(4) != 0 ? network::AckUse::kOn : network::AckUse::kOff;
  options.halves = state.range(5) != 0;
  options.traffic.load = static_cast<double>(state.range(2)) / 100;
  options.traffic.size = std::to_string(state.range(1));
  options.cycles = std::max<Cycle>(800, 6'000'000 / static_cast<Cycle>(topology.endpoints.size()));
  options.warmup = 0;
  double flit_hops = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto network = std::make_unique<network::Network>(topology, options);
    state.ResumeTiming();
    network->Run();
    flit_hops += static_cast<double>(network->statistics().flit_hops);
    state.PauseTiming();
    network.reset();
    state.ResumeTiming();
  }
  state.counters["flit-hops/s"] = benchmark::Counter(flit_hops, benchmark::Counter::kIsRate);
}
BENCHMARK(NetworkUniform)
    ->ArgNames({"p", "bytes", "load", "bench", "acks", "halves"})
    ->Unit(benchmark::kMillisecond)
    ->Args({2, 32, 50, 1, 0, 1})
    ->Args({2, 32, 50, 1, 0, 0})
    ->Args({2, 496, 50, 1, 0, 1})
    ->Args({2, 496, 50, 1, 0, 0})
    ->Args({4, 32, 50, 1, 0, 1})
    ->Args({4, 32, 50, 1, 0, 0})
    ->Args({4, 496, 50, 1, 0, 1})
    ->Args({4, 496, 50, 1, 0, 0})
    ->Args({4, 4080, 50, 1, 0, 1})
    ->Args({4, 4080, 50, 1, 0, 0})
    ->Args({8, 496, 50, 1, 0, 1})
    ->Args({8, 496, 50, 1, 0, 0})
    ->Args({4, 496, 50, 0, 0, 1})
    ->Args({4, 496, 50, 0, 0, 0})
    ->Args({4, 496, 50, 0, 1, 1})
    ->Args({4, 32, 50, 1, 1, 1})
    ->Args({4, 496, 50, 1, 1, 1});

}  // namespace
}  // namespace tilefly::golden
