// SPDX-License-Identifier: Apache-2.0
// Speed of the golden switch at packet level, rosetta64, ideal sources and sinks included.
#include <benchmark/benchmark.h>

#include "testbenches/halves/halves_rig.h"
#include "testbenches/speed/uniform_source.h"

namespace tilefly::golden {
namespace {

/// Arguments: bytes of a frame, load in percent.
template <typename Rig>
void Uniform(benchmark::State& state) {
  constexpr Cycle kBatch = 1000;
  Rig rig(kRosetta64);
  rig.set_source(UniformSource(static_cast<int>(state.range(0)), static_cast<double>(state.range(1)) / 100));
  rig.RunTo(5 * kBatch);
  rig.ResetCounts();
  const Cycle start = rig.cycle();
  for (auto _ : state) rig.RunTo(rig.cycle() + kBatch);
  const auto cycles = static_cast<double>(rig.cycle() - start);
  const auto packets = static_cast<double>(rig.packets());
  state.counters["cycles/s"] = benchmark::Counter(cycles, benchmark::Counter::kIsRate);
  state.counters["packets/s"] = benchmark::Counter(packets, benchmark::Counter::kIsRate);
  state.counters["s/packet"] =
      benchmark::Counter(packets, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
/// The switch is stepped.
void SwitchUniform(benchmark::State& state) { Uniform<PacketRig>(state); }
/// The switch runs as halves, as most switches of systems do.
void HalvesUniform(benchmark::State& state) { Uniform<HalvesRig>(state); }

void Mixes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"bytes", "load"})->Args({1024, 2})->Args({64, 50})->Args({1024, 50});
  benchmark->Args({64, 100})->Args({1024, 100})->Args({4224, 100});
}
BENCHMARK(SwitchUniform)->Apply(Mixes);
BENCHMARK(HalvesUniform)->Apply(Mixes);

}  // namespace
}  // namespace tilefly::golden
