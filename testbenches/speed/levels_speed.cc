// SPDX-License-Identifier: Apache-2.0
// One 64-port switch at every level under the same uniform traffic: packets a second of user CPU time, one table.
//
//   speed_levels [--rounds N] [--seconds S]
//
// Exit code 1: loosely timed is slower than golden at 4 KiB.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbenches/speed/tlm_rig.h"
#include "testbenches/speed/uniform_source.h"
#ifdef TILEFLY_SPEED_RTL
#include "testbenches/speed/rtl_rate.h"
#endif

namespace tilefly {
namespace {

constexpr int kLoad = 50;  // percent
constexpr std::array<int, 3> kSizes = {64, 1024, 4096};
constexpr Cycle kQuantum = 1000;
constexpr Cycle kWarmUp = 5000;
constexpr Cycle kBatch = 2000;

double UserSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

/// `run(cycles)` goes on, `packets()` counts from the start.
double Rate(double seconds, const std::function<void(Cycle)>& run, const std::function<std::uint64_t()>& packets) {
  run(kWarmUp);
  const std::uint64_t before = packets();
  const double start = UserSeconds();
  double taken = 0;
  while (taken < seconds) {
    run(kBatch);
    taken = UserSeconds() - start;
  }
  return static_cast<double>(packets() - before) / taken;
}

double TlmRate(systemc::Timing timing, int bytes, double seconds) {
  fabric::SetResolution();
  golden::UniformSource source(bytes, kLoad / 100.0);
  systemc::TlmRig rig(kRosetta64, timing, kQuantum, [&](int port) {
    const golden::PacketRig::Request request = source(port);
    return systemc::NextPacket{request.destination, request.length, request.not_before};
  });
  return Rate(seconds, [&](Cycle cycles) { rig.Run(cycles); }, [&] { return rig.packets(); });
}

double GoldenRate(int bytes, double seconds) {
  golden::PacketRig rig(kRosetta64);
  rig.set_source(golden::UniformSource(bytes, kLoad / 100.0));
  return Rate(seconds, [&](Cycle cycles) { rig.RunTo(rig.cycle() + cycles); }, [&] { return rig.packets(); });
}

/// In a process of its own: SystemC has one simulation in each.
double InChild(const std::function<double()>& measure) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    const double rate = measure();
    _exit(write(ends[1], &rate, sizeof rate) == sizeof rate ? 0 : 1);
  }
  close(ends[1]);
  double rate = 0;
  const bool there = read(ends[0], &rate, sizeof rate) == sizeof rate;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!there) throw std::runtime_error("a measurement failed");
  return rate;
}

struct Level {
  std::string name;
  std::function<double(int bytes, double seconds)> measure;
};

std::vector<Level> Levels() {
  using systemc::Timing;
  std::vector<Level> levels = {
      {"TLM, loosely timed", [](int bytes, double seconds) { return TlmRate(Timing::kLoose, bytes, seconds); }},
      {"TLM, approx. timed", [](int bytes, double seconds) { return TlmRate(Timing::kApproximate, bytes, seconds); }},
      {"golden", GoldenRate}};
#ifdef TILEFLY_SPEED_RTL
  levels.push_back({"RTL", [](int bytes, double seconds) { return cosim::RtlRate(bytes, kLoad, seconds, UserSeconds); }});
#endif
  return levels;
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

int Run(int rounds, double seconds) {
  const std::vector<Level> levels = Levels();
  std::vector<std::vector<std::vector<double>>> rates(levels.size(), std::vector<std::vector<double>>(kSizes.size()));
  for (int round = 0; round < rounds; ++round) {  // in turn: other work on the machine meets all
    for (std::size_t size = 0; size < kSizes.size(); ++size) {
      for (std::size_t level = 0; level < levels.size(); ++level) {
        rates[level][size].push_back(InChild([&] { return levels[level].measure(kSizes[size], seconds); }));
      }
    }
  }
  fmt::print("packets a second of user CPU time, one switch of 64 ports, uniform, load {} %, quantum {} cycles, median of {}\n", kLoad,
             kQuantum, rounds);
  fmt::print("{:20}", "");
  for (const int size : kSizes) fmt::print(" {:>12}", fmt::format("{} B", size));
  fmt::print("\n");
  std::vector<std::vector<double>> medians(levels.size());
  for (std::size_t level = 0; level < levels.size(); ++level) {
    fmt::print("{:20}", levels[level].name);
    for (const std::vector<double>& of_size : rates[level]) {
      medians[level].push_back(Median(of_size));
      fmt::print(" {:>12.0f}", medians[level].back());
    }
    fmt::print("\n");
  }
  const double ratio = medians[0].back() / medians[2].back();
  fmt::print("loosely timed at {} B: {:.2f} times golden{}\n", kSizes.back(), ratio, ratio < 1 ? ": too slow" : "");
  return ratio < 1 ? 1 : 0;
}

}  // namespace
}  // namespace tilefly

int sc_main(int argc, char** argv) {
  int rounds = 3;
  double seconds = 1;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    const bool known = option == "--rounds" || option == "--seconds";
    const double value = i + 1 < argc ? std::atof(argv[i + 1]) : 0;
    if (!known || value <= 0 || (option == "--rounds" && value < 1)) {
      fmt::print(stderr, "usage: speed_levels [--rounds N] [--seconds S]\n");
      return 2;
    }
    if (option == "--rounds") rounds = static_cast<int>(value);
    if (option == "--seconds") seconds = value;
  }
  try {
    return tilefly::Run(rounds, seconds);
  } catch (const std::exception& error) {
    fmt::print(stderr, "speed_levels: {}\n", error.what());
    return 3;
  }
}
