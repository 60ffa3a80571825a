// SPDX-License-Identifier: Apache-2.0
// Speed of the devices, rosetta64: what a run puts on the links is recorded once, then played to each device alone, so that
// only the device is timed.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "cosim/device_factory.h"
#include "testbenches/speed/played.h"

namespace tilefly::cosim {
namespace {

void Play(benchmark::State& state, const char* name, const DeviceOptions& options) {
  const Played& played = PlayedInputs(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  const std::size_t first = played.size() - static_cast<std::size_t>(kTrafficCycles);
  std::int64_t cycles = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const auto device = MakeDevice(name, kRosetta64, options);
    for (std::size_t i = 0; i < first; ++i) device->Step(played[i]);
    state.ResumeTiming();
    for (std::size_t i = first; i < played.size(); ++i) device->Step(played[i]);
    cycles += kTrafficCycles;
  }
  state.counters["cycles/s"] = benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}

void Rtl(benchmark::State& state) { Play(state, "rtl", {}); }
void RtlTwoThreads(benchmark::State& state) {
  DeviceOptions options;
  options.two_threads = true;
  Play(state, "rtl", options);
}
void GoldenWords(benchmark::State& state) { Play(state, "golden", {}); }

/// Arguments: bytes of a frame, load in percent.
void Loads(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"bytes", "load"})->Unit(benchmark::kMillisecond);
  for (const std::vector<std::int64_t>& arguments : std::vector<std::vector<std::int64_t>>{{64, 0}, {64, 50}, {1024, 50}, {64, 100}, {1024, 100}, {4224, 100}}) {
    benchmark->Args(arguments);
  }
}
BENCHMARK(Rtl)->Apply(Loads);
BENCHMARK(RtlTwoThreads)->Apply(Loads)->UseRealTime();
BENCHMARK(GoldenWords)->Apply(Loads);

}  // namespace
}  // namespace tilefly::cosim
