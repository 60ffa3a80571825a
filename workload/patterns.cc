// SPDX-License-Identifier: Apache-2.0
#include "workload/patterns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "support/errors.h"
#include "support/text.h"
#include "workload/generators.h"

namespace tilefly::workload {
namespace {

constexpr int kMostIterations = 1'000'000;
constexpr const char* kMost = "more operations than memory holds";

/// As near to a cube (or square) as the prime factors allow.
template <std::size_t kAxes>
std::array<int, kAxes> BalancedGrid(int ranks) {
  std::array<int, kAxes> grid;
  grid.fill(1);
  std::vector<int> factors;
  for (int factor = 2; ranks > 1; ++factor) {
    for (; ranks % factor == 0; ranks /= factor) factors.push_back(factor);
  }
  for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor)
    *std::min_element(grid.begin(), grid.end()) *= *factor;
  std::sort(grid.rbegin(), grid.rend());
  return grid;
}

/// For a grid of `places` that are not as many as the ranks.
std::string GridRemedy(std::int64_t places, int ranks, int most_ranks) {
  if (places >= 2 && places <= most_ranks) return fmt::format("give ranks={}", places);
  if (most_ranks == 0) return fmt::format("give a grid of {} places", ranks);
  return fmt::format("give a grid of at most {} places, with ranks= as many, or a larger topology", most_ranks);
}

/// Key `grid`: "4x4x2".
template <std::size_t kAxes>
std::array<int, kAxes> GridOf(KeyValues* keys, int ranks, int most_ranks) {
  std::array<int, kAxes> grid = BalancedGrid<kAxes>(ranks);
  const std::string text = keys->Text("grid", "");
  if (text.empty()) return grid;
  const std::vector<std::string> sizes = Split(text, 'x');
  if (sizes.size() != kAxes)
    throw UsageError(fmt::format("{}: grid={} is to have {} sizes with x between them", keys->origin(), text, kAxes));
  std::int64_t product = 1;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const std::int64_t size = ParseInteger(sizes[axis], keys->origin() + ": grid");
    if (size < 1 || size > ranks)
      throw UsageError(fmt::format("{}: grid={}: {} is not between 1 and {} ranks", keys->origin(), text, size, ranks));
    grid[axis] = static_cast<int>(size);
    product *= size;
  }
  if (product != ranks)
    throw UsageError(fmt::format("{}: grid={} has {} places for {} ranks; {}", keys->origin(), text, product, ranks,
                                 GridRemedy(product, ranks, most_ranks)));
  return grid;
}

std::int64_t Time(KeyValues* keys, const std::string& key) {
  return ParseNanoseconds(keys->Text(key, "0ns"), keys->origin() + ": " + key);
}

// Messages that a rank has under way to or from one root, when key `window` is not given.
constexpr int kReceiveWindow = 8, kPutWindow = 64;
int Window(KeyValues* keys, int initial) {
  return keys->Integer("window", initial, 1, kMostIterations, "the iterations that a job may have");
}

int Root(KeyValues* keys, int ranks) { return keys->Integer("root", 0, 0, ranks - 1, "a rank"); }

void NeedPairs(const KeyValues& keys, int ranks) {
  if (ranks % 2 != 0)
    throw UsageError(fmt::format("{}: {} ranks have no pairs; give ranks=, an even number", keys.origin(), ranks));
}

/// Algorithms of a pattern besides the one without a name, which those have that `may_have_none`.
struct Algorithms {
  std::string pattern;
  bool may_have_none;
  std::vector<std::string> names;
};

const std::vector<Algorithms>& AlgorithmsOfAll() {
  static const std::vector<Algorithms> all = {
      {"allreduce", false, {"ring", "rabenseifner", "sharp", "sharp-low", "sharp-auto"}},
      {"reduce", false, {"sharp"}},
      {"broadcast", true, {"sharp", "get"}},
      {"gather", true, {"two-sided", "put"}},
      {"barrier", true, {"sharp"}}};
  return all;
}

void Fill(const PatternText& pattern, KeyValues* keys, const PatternSize& size, std::uint64_t seed,
          std::int64_t reduce_ns_per_kib, int most_ranks, Schedule* schedule) {
  const auto ranks = static_cast<int>(schedule->ranks.size());
  const std::string& name = pattern.name;
  if (pattern.InSwitches()) {
    schedule->reduction = ReadReduction(pattern, keys, size.bytes, ranks);
    ReduceInSwitches(size, schedule);
  } else if (name == "pingpong") {
    NeedPairs(*keys, ranks);
    PingPong(size, schedule);
  } else if (name == "stream") {
    NeedPairs(*keys, ranks);
    PacedStream(size, Time(keys, "every"), schedule);
  } else if (name == "alltoall") {
    const bool pairwise = keys->Choice("order", "pairwise", {"pairwise", "random"}) == "pairwise";
    const int window = keys->Integer("window", 1, 1, std::max(1, ranks - 1), "the other ranks");
    pairwise ? AllToAllPairwise(size, window, schedule) : AllToAllRandom(size, window, seed, schedule);
  } else if (name == "bisection") {
    NeedPairs(*keys, ranks);
    Bisection(size, seed, schedule);
  } else if (name == "allreduce") {
    const ReduceTime compute{Time(keys, "compute"), reduce_ns_per_kib};
    pattern.algorithm == "ring" ? AllReduceRing(size, compute, schedule)
                                : AllReduceRabenseifner(size, compute, schedule);
  } else if (name == "barrier") {
    Barrier(size, schedule);
  } else if (name == "ring") {
    const bool random = keys->Choice("order", "natural", {"natural", "random"}) == "random";
    RingExchange(size, random, keys->Choice("sync", "no", {"no", "yes"}) == "yes", seed, schedule);
  } else if (pattern.algorithm == "two-sided" || pattern.algorithm == "put") {
    const bool put = pattern.algorithm == "put";
    GatherInWindows(size, Root(keys, ranks), Window(keys, put ? kPutWindow : kReceiveWindow), put, schedule);
  } else if (pattern.algorithm == "get") {
    GetFromRoot(size, Root(keys, ranks), Window(keys, kReceiveWindow), schedule);
  } else if (name == "broadcast") {
    Broadcast(size, Root(keys, ranks), schedule);
  } else if (name == "gather") {
    Gather(size, Root(keys, ranks), schedule);
  } else if (name == "halo3d") {
    const bool periodic = keys->Choice("periodic", "no", {"no", "yes"}) == "yes";
    Halo3d(size, GridOf<3>(keys, ranks, most_ranks), periodic, Time(keys, "compute"), schedule);
  } else {
    const int blocks = keys->Integer("blocks", 4, 1, 10000, kMost);
    Sweep3d(size, GridOf<2>(keys, ranks, most_ranks), blocks, Time(keys, "compute"), schedule);
  }
}

}  // namespace

const std::vector<std::string>& PatternNames() {
  static const std::vector<std::string> names = {"pingpong", "stream", "alltoall",  "bisection", "ring",   "allreduce",
                                                 "reduce",   "barrier", "broadcast", "gather",    "halo3d", "sweep3d"};
  return names;
}

PatternText::PatternText(const std::string& text) {
  const std::size_t colon = text.find(':');
  name = text.substr(0, colon);
  if (colon != std::string::npos) keys = text.substr(colon + 1);
  if (std::find(PatternNames().begin(), PatternNames().end(), name) == PatternNames().end())
    ThrowUnknown("message pattern", name, PatternNames());
  const auto own = std::find_if(AlgorithmsOfAll().begin(), AlgorithmsOfAll().end(),
                                [&](const Algorithms& one) { return one.pattern == name; });
  if (own == AlgorithmsOfAll().end()) return;
  const std::size_t comma = keys.find(',');
  const std::string first = keys.substr(0, comma);
  if (const std::size_t mark = first.find_first_of(":="); mark != std::string::npos && first[mark] == ':')
    throw UsageError(fmt::format("--traffic {}: keys stand behind an algorithm with a comma. Give {}:{},{}", text, name,
                                 first.substr(0, mark), keys.substr(mark + 1)));
  if (own->may_have_none && (first.empty() || first.find('=') != std::string::npos)) return;
  algorithm = first;
  keys = comma == std::string::npos ? "" : keys.substr(comma + 1);
  if (algorithm.empty())
    throw UsageError(fmt::format("--traffic {}: which algorithm? Give {}:{}", name, name,
                                 fmt::join(own->names, fmt::format(" or {}:", name))));
  if (std::find(own->names.begin(), own->names.end(), algorithm) == own->names.end())
    ThrowUnknown("algorithm of " + name, algorithm, own->names);
}

std::int64_t ParseBytes(const std::string& text, const std::string& what) {
  const std::int64_t bytes = tilefly::ParseBytes(text, what);
  if (bytes < 0 || bytes > kMostBytes)
    throw UsageError(fmt::format("{}: '{}' is not between 0 and {} bytes", what, text, kMostBytes));
  return bytes;
}

std::int64_t ParseNanoseconds(const std::string& text, const std::string& what) {
  constexpr double kLongest = 1e12;
  const std::optional<double> nanoseconds = NanosecondsOf(text);
  if (!nanoseconds || *nanoseconds > kLongest)
    throw UsageError(fmt::format("{}: '{}' is not a time; write ns, us or ms, up to 1000000ms: 250ns", what, text));
  if (std::abs(*nanoseconds - std::round(*nanoseconds)) > 1e-6)
    throw UsageError(fmt::format("{}: '{}' is no whole number of ns; give one, such as 1.5us or 250ns", what, text));
  return std::llround(*nanoseconds);
}

Schedule MakePattern(const PatternText& pattern, KeyValues* keys, int ranks, std::uint64_t seed,
                     const HostCosts& costs, int most_ranks) {
  Schedule schedule;
  schedule.name = pattern.name + (pattern.algorithm.empty() ? "" : ":" + pattern.algorithm);
  schedule.ranks.resize(static_cast<std::size_t>(ranks));
  if (ranks < 2) throw UsageError(fmt::format("{}: {} ranks; a pattern needs at least two", keys->origin(), ranks));
  const std::int64_t bytes = ParseBytes(keys->Text("bytes", pattern.name == "barrier"    ? "0"
                                                            : pattern.name == "pingpong" ? "8"
                                                                                         : "4096"),
                                        keys->origin() + ": bytes");
  schedule.bytes = bytes;
  schedule.phases = keys->Integer("iterations", pattern.name == "pingpong" ? 10 : 1, 1, kMostIterations, kMost);
  Fill(pattern, keys, {bytes, schedule.phases}, seed, costs.reduce_ns_per_kib, most_ranks, &schedule);
  AddHostCosts(costs, &schedule);
  return schedule;
}

}  // namespace tilefly::workload
