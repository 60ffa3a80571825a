// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/link_efficiency.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "generated/profile.h"
#include "network/traffic.h"
#include "network/wiring.h"
#include "runs/repro/retry_cost.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

struct Length {
  const char* name;
  int bytes;
};
struct Cable {
  const char* name;
  const char* text;  ///< of a topology
  double metres;
};
constexpr std::array<Length, 3> kLengths = {{{"64 B", 64}, {"1 KiB", 1024}, {"4224 B", 4224}}};
constexpr std::array<Cable, 2> kCables = {{{"2.6 m", "2.6m", 2.6}, {"100 m", "100m", 100}}};

/// Until the link is full, and its replay buffers with it.
constexpr Cycle kFilled = 10'000;
constexpr int kDirections = 2;
/// The link between the switches.
constexpr const char* kLink = "s0.4";

std::string CurveOf(const Length& length, const Cable& cable) {
  return fmt::format("{} at {}", length.name, cable.name);
}

FullLink LinkOf(const Length& length, const Cable& cable) {
  const network::LinkTiming timing = network::LinkTiming::Chip(kTile8);
  return {network::WordsOf(length.bytes), timing.DelayOf(topology::LinkKind::kGlobal, cable.metres)};
}

/// Calls `visit(length, cable)` for every curve.
template <typename Visit>
void ForEachCurve(Visit&& visit) {
  for (const Cable& cable : kCables) {
    for (const Length& length : kLengths) visit(length, cable);
  }
}

FullLink LinkOf(const std::string& curve) {
  FullLink link{};
  ForEachCurve([&](const Length& length, const Cable& cable) {
    if (CurveOf(length, cable) == curve) link = LinkOf(length, cable);
  });
  if (link.words == 0) throw std::logic_error("repro: no link of the curve " + curve);
  return link;
}

/// Errors happen in the measured cycles alone, so that the counts of the whole run are theirs.
StudyFile PlanOf(double ber, Cycle end) {
  const auto event = [](Cycle at, double value) {
    return fmt::format("  - {{at: {}, link: {}, kind: ber, value: {}}}\n", at, kLink, value);
  };
  return {fmt::format("plans/ber-{:g}.yaml", ber), "events:\n" + event(kFilled, ber) + event(end, 0)};
}

/// Measured cycles of both directions of the link, and how many of them carried words that came to a NIC; none were
/// measured: 0.
struct Share {
  double useful = 0, all = 0;
};
Share ShareOf(const Json& results) {
  const Json load = results.value("accepted_load", Json());
  if (!load.is_number()) return {};
  // Whatever comes to the NICs, at one word a cycle each, came over the link.
  const double cycles = results.at("traffic_cycles").get<double>() - results.at("warmup").get<double>();
  return {load.get<double>() * results.at("endpoints").get<double>() * cycles, kDirections * cycles};
}

}  // namespace

std::string ByErrors(const std::string& curve) { return curve + ", by its errors"; }

std::vector<StudyRun> LinkEfficiencyRuns(bool quick) {
  const std::vector<double> rates = quick ? std::vector<double>{1e-8, 1e-6, 1e-5}
                                          : std::vector<double>{1e-8, 3e-8, 1e-7, 3e-7, 1e-6, 3e-6, 1e-5};
  const Cycle end = kFilled + (quick ? 200'000 : 1'000'000);
  std::vector<StudyRun> runs;
  ForEachCurve([&](const Length& length, const Cable& cable) {
    for (const double ber : rates) {
      StudyRun run{CurveOf(length, cable), ber,
                   {fmt::format("dragonfly:p=4,a=1,h=1,global_cable={}", cable.text), "200Gbps"}, "adversarial:1"};
      run.settings = {{"profile", "tile8"},
                      {"traffic.load", "1"},
                      {"traffic.size", std::to_string(length.bytes)},
                      {"traffic.classes", "0,1,2,3"},
                      {"max_cycles", std::to_string(end)},
                      {"warmup", std::to_string(kFilled)},
                      {"faults.retry", "on"},
                      {"faults.lines", "0"}};
      run.fault_plan = PlanOf(ber, end);
      runs.push_back(std::move(run));
    }
  });
  return runs;
}

void MeasureLink(const StudyRun& run, const Json& results, StudyValues* values) {
  const Share share = ShareOf(results);
  if (share.all == 0) throw std::runtime_error("repro: a run of " + run.curve + " has no measured cycles of the link");
  const Json& retry = results.at("link_retry");
  const LinkErrors errors{retry.at("nacks").get<std::int64_t>(), retry.at("timeouts").get<std::int64_t>()};
  values->Set(run, share.useful / share.all);
  values->Set(ByErrors(run.curve), run.x, EfficiencyOfErrors(LinkOf(run.curve), run.x, share.useful, errors));
}

std::string LinkSummary(const Json& results) {
  const Share share = ShareOf(results);
  return share.all > 0 ? fmt::format("efficiency {:.4f}", share.useful / share.all) : "";
}

std::vector<Figure> LinkEfficiencyFigures(const StudyValues& values) {
  std::vector<Figure> figures;
  Figure ratio{"of-formula", "efficiency of a full link: share of the formula with the errors that happened",
               "bit error rate", "", true, false, {}};
  for (const Cable& cable : kCables) {
    Figure figure{fmt::format("efficiency-{}", cable.text), fmt::format("efficiency of a full link of {}", cable.name),
                  "bit error rate", "", true, false, {}};
    for (const Length& length : kLengths) {
      const std::string curve = CurveOf(length, cable);
      FigureCurve measured{length.name, {}}, expected{std::string(length.name) + ", formula", {}}, over{curve, {}};
      for (const double ber : values.XOf(curve)) {
        const double efficiency = *values.Of(curve, ber);
        measured.points.push_back({ber, efficiency});
        expected.points.push_back({ber, ExpectedEfficiency(LinkOf(length, cable), ber)});
        if (const std::optional<double> by_errors = values.Of(ByErrors(curve), ber))
          over.points.push_back({ber, efficiency / *by_errors});
      }
      figure.curves.push_back(std::move(measured));
      figure.curves.push_back(std::move(expected));
      ratio.curves.push_back(std::move(over));
    }
    figures.push_back(std::move(figure));
  }
  figures.push_back(std::move(ratio));
  return figures;
}

}  // namespace tilefly::runs
