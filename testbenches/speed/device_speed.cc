// SPDX-License-Identifier: Apache-2.0
// Speed of the devices, rosetta64: what a run puts on the links is recorded once, then played to each device alone, so that
// only the device is timed.
#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/device_factory.h"
#include "cosim/lockstep/recorder.h"
#include "cosim/run/switch_run.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kTrafficCycles = 3000;

using Played = std::vector<Device::Inputs>;

class InputRecorder final : public Recorder {
 public:
  void Record(Lockstep&, const Device::Inputs& inputs) override { played_.push_back(inputs); }
  Played Take() { return std::move(played_); }

 private:
  Played played_;
};

/// The inputs of every cycle of a run of the golden switch: configuration, traffic, drain.
const Played& Inputs(int bytes, int load) {
  static std::map<std::pair<int, int>, Played> recorded;
  Played& played = recorded[{bytes, load}];
  if (!played.empty()) return played;
  RunOptions options;
  options.profile = &kRosetta64;
  options.devices = {"golden"};
  options.kinds = ParsePortKinds("fabric", kRosetta64.ports);
  options.generator.load = load / 100.0;
  options.generator.size = std::to_string(bytes);
  options.max_cycles = kTrafficCycles;
  InputRecorder recorder;
  RunControl control;
  control.recorder = &recorder;
  SwitchRun run(options);
  run.Run(control);
  played = recorder.Take();
  // Without the drain; an idle run is ended early for want of traffic, and goes on as it ended.
  const Device::Inputs last = played.back();
  played.resize(static_cast<std::size_t>(run.traffic_begin() + kTrafficCycles), last);
  return played;
}

void Play(benchmark::State& state, const char* name, const DeviceOptions& options) {
  const Played& played = Inputs(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
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
