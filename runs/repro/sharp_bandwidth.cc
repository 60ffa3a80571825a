// SPDX-License-Identifier: Apache-2.0
// Bandwidth over sizes (figures 3a and 4a of the paper), over hosts of a switch (5a), and over their places.
#include <fmt/format.h>

#include <array>
#include <functional>
#include <utility>

#include "runs/repro/sharp.h"

namespace tilefly::runs {
namespace {

const char* const kHosts[] = {"ping-pong", "sharp", "sharp-low", "rabenseifner", "ring"};
/// Curves of what is not over bytes of 64 hosts have this before their names.
const std::string kFast = "fast ", kOverHosts = "hosts ", kOverPlaces = "places ";
constexpr std::int64_t kSmallSwitchBytes = kMiB;

/// Endpoint i of the switch is on port i: the first half ring, half of it and half of the other, each tile once.
const std::array<std::string, 3>& Places() {
  static const std::array<std::string, 3> places = [] {
    std::array<std::string, 3> at;
    for (int i = 0; i < 16; ++i) {
      const std::array<int, 3> port = {i, i < 8 ? i : 24 + i, 2 * i};
      for (std::size_t p = 0; p < at.size(); ++p) at[p] += fmt::format("{}{}", i == 0 ? ",at=" : "/", port[p]);
    }
    return at;
  }();
  return places;
}

std::vector<std::int64_t> Sizes(bool quick) {
  if (quick) return {4 * kKiB, 8 * kKiB, 64 * kKiB, 128 * kKiB, LargestBytes(quick)};
  return Doubling(4 * kKiB, LargestBytes(quick));
}

StudyRun Named(const std::string& before, StudyRun run, double x) {
  run.curve = before + run.curve;
  run.x = x;
  return run;
}

void AddFastNics(bool quick, std::vector<StudyRun>* runs) {
  constexpr std::int64_t kMostShort = 4 * kMiB;
  const StudySystem fast = SharpSwitch("200Gbps");
  const std::string ranks = ",ranks=8";
  for (const std::int64_t bytes : quick ? std::vector<std::int64_t>{64 * kKiB, kMiB} : Doubling(64 * kKiB, 64 * kMiB)) {
    const auto x = static_cast<double>(bytes);
    runs->push_back(Named(kFast, PingPong(fast, bytes), x));
    for (const char* algorithm : {"sharp", "rabenseifner"})
      runs->push_back(Named(kFast, AllReduce(fast, algorithm, bytes, ranks), x));
    if (bytes <= kMostShort) runs->push_back(Named(kFast, AllReduce(fast, "sharp-low", bytes, ranks), x));
  }
}

void AddSwitch(bool quick, std::vector<StudyRun>* runs) {
  const StudySystem lone = SharpSwitch("100Gbps");
  for (const int hosts : quick ? std::vector<int>{2, 32} : std::vector<int>{2, 4, 8, 16, 32}) {
    runs->push_back(
        Named(kOverHosts, AllReduce(lone, "sharp", kSmallSwitchBytes, fmt::format(",ranks={}", hosts)), hosts));
  }
  for (std::size_t p = 0; p < Places().size(); ++p)
    runs->push_back(
        Named(kOverPlaces, AllReduce(lone, "sharp", kSmallSwitchBytes, Places()[p]), static_cast<double>(p)));
}

/// A curve of f(ns, x) over all x of `curve`; where f is not known it has no point.
FigureCurve CurveOf(const StudyValues& times, const std::string& curve, const std::string& name,
                    const std::function<std::optional<double>(double ns, double x)>& of) {
  FigureCurve result{name, {}};
  for (const double x : times.XOf(curve)) {
    if (const std::optional<double> y = of(*times.Of(curve, x), x)) result.points.push_back({x, *y});
  }
  return result;
}

/// Bits of x bytes in a ns: Gb/s.
std::optional<double> Rate(double ns, double x) { return 8 * x / ns; }

/// Curves of bandwidths, and how many times as fast `sharp` is as each.
void AddOverBytes(const StudyValues& times, const std::string& before, Figure rates, Figure ratios,
                  std::vector<Figure>* figures) {
  for (const char* name : kHosts) {
    rates.curves.push_back(CurveOf(times, before + name, name, Rate));
    if (name == std::string("ping-pong") || name == std::string("sharp")) continue;
    ratios.curves.push_back(CurveOf(times, before + name, name, [&](double ns, double x) -> std::optional<double> {
      const std::optional<double> sharp = times.Of(before + "sharp", x);
      if (!sharp) return std::nullopt;
      return ns / *sharp;
    }));
  }
  figures->push_back(std::move(rates));
  figures->push_back(std::move(ratios));
}

/// The bandwidth over that of the first point.
Figure Relative(const StudyValues& times, const std::string& before, Figure figure) {
  const std::string curve = before + "sharp";
  const std::vector<double> x = times.XOf(curve);
  if (!x.empty()) {
    const double first = *times.Of(curve, x.front());
    figure.curves.push_back(
        CurveOf(times, curve, "sharp", [&](double ns, double) -> std::optional<double> { return first / ns; }));
  }
  return figure;
}

}  // namespace

std::vector<StudyRun> SharpBandwidthRuns(bool quick) {
  constexpr std::int64_t kMostShort = 64 * kKiB;
  std::vector<StudyRun> runs;
  for (const std::int64_t bytes : Sizes(quick)) {
    runs.push_back(PingPong(SharpTree(), bytes));
    for (const char* algorithm : {"sharp", "rabenseifner", "ring"})
      runs.push_back(AllReduce(SharpTree(), algorithm, bytes));
    if (bytes <= kMostShort) runs.push_back(AllReduce(SharpTree(), "sharp-low", bytes));
  }
  AddFastNics(quick, &runs);
  AddSwitch(quick, &runs);
  return runs;
}

std::vector<Figure> SharpBandwidthFigures(const StudyValues& times) {
  std::vector<Figure> figures;
  AddOverBytes(times, "",
               {"bandwidth", "all-reduce of 64 hosts at 100 Gb/s: bytes / time", "bytes", "Gb/s", true, false, {}},
               {"times", "streamed all-reduce of 64 hosts: times as fast as", "bytes", "", true, false, {}}, &figures);
  Figure part{
      "of-ping-pong", "all-reduce of 64 hosts: share of the bandwidth of a ping-pong", "bytes", "", true, false, {}};
  for (const char* name : kHosts) {
    if (name == std::string("ping-pong")) continue;
    part.curves.push_back(CurveOf(times, name, name, [&](double ns, double x) -> std::optional<double> {
      const std::optional<double> pingpong = times.Of("ping-pong", x);
      if (!pingpong) return std::nullopt;
      return *pingpong / ns;
    }));
  }
  figures.push_back(std::move(part));
  AddOverBytes(
      times, kFast,
      {"fast-nics", "all-reduce of 8 hosts of one switch at 200 Gb/s: bytes / time", "bytes", "Gb/s", true, false, {}},
      {"fast-nics-times", "streamed all-reduce of 8 hosts at 200 Gb/s: times as fast as", "bytes", "", true, false, {}},
      &figures);
  figures.push_back(Relative(times, kOverHosts,
                             {"hosts",
                              "streamed all-reduce of 1 MiB in one switch: share of the bandwidth of two hosts",
                              "hosts",
                              "",
                              true,
                              false,
                              {}}));
  figures.push_back(Relative(times, kOverPlaces,
                             {"placement",
                              "16 hosts of one switch, 1 MiB: on one half ring (0), on both (1), each at a tile of its "
                              "own (2); share of the first's bandwidth",
                              "place",
                              "",
                              false,
                              false,
                              {}}));
  return figures;
}

}  // namespace tilefly::runs
