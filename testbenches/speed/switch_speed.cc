// SPDX-License-Identifier: Apache-2.0
// Speed of the golden switch at packet level, rosetta64, ideal sources and sinks included.
#include <benchmark/benchmark.h>

#include <array>

#include "testbenches/switch/packet_rig.h"

namespace tilefly::golden {
namespace {

/// Uniform destinations, gaps drawn from 0 to twice their mean.
class UniformSource {
 public:
  UniformSource(int length, double load)
      : length_(length), words_(CeilDiv(length + HeaderBits::kBytes, kWordBytes)), widest_gap_(2 * words_ * (1 / load - 1)) {}

  PacketRig::Request operator()(int port) {
    const std::uint64_t bits = Random();
    const Cycle not_before = static_cast<Cycle>(next_[port]);
    next_[port] += words_ + static_cast<double>(bits >> 40) * 0x1p-24 * widest_gap_;
    return {static_cast<int>(bits & 63), length_, 0, not_before};
  }

 private:
  std::uint64_t Random() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }

  int length_;
  int words_;
  double widest_gap_;
  std::array<double, kMaxPorts> next_{};
  std::uint64_t state_ = 88172645463325252u;
};

/// Arguments: bytes of a frame, load in percent.
void SwitchUniform(benchmark::State& state) {
  constexpr Cycle kBatch = 1000;
  PacketRig rig(kRosetta64);
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
BENCHMARK(SwitchUniform)
    ->ArgNames({"bytes", "load"})
    ->Args({64, 50})
    ->Args({1024, 50})
    ->Args({64, 100})
    ->Args({1024, 100})
    ->Args({4224, 100});

}  // namespace
}  // namespace tilefly::golden
