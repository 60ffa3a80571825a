// SPDX-License-Identifier: Apache-2.0
// Impact factors of GPCNeT, from the samples of its runs.
#include <fmt/format.h>

#include <algorithm>

#include "runs/repro/gpcnet.h"

namespace tilefly::runs {
namespace {

constexpr double kWanted = 1.3;
/// Congestors of a figure, whether they have run or not, so that each test and congestor has its x.
const std::vector<std::string>& Names() {
  static const std::vector<std::string> names = GpcnetCongestors(false);
  return names;
}

/// The largest impact of all seeds; none when a seed has none.
std::optional<GpcnetImpact> LargestImpact(const StudyOptions& options, const StudyValues& values,
                                          const std::string& test, const std::string& congestor, bool control) {
  GpcnetImpact most{0, 0};
  for (int seed = 1; seed <= options.seeds; ++seed) {
    const auto one = GpcnetImpactOf(values, test, congestor, control, seed);
    if (!one) return std::nullopt;
    most = {std::max(most.mean, one->mean), std::max(most.p99, one->p99)};
  }
  return most;
}

Figure Impact(const StudyOptions& options, const StudyValues& values) {
  Figure figure{"impact", "GPCNeT: time beside congestors over time alone", "test, congestors", "", false, true, {}};
  figure.line = kWanted;
  for (const bool control : {false, true}) {
    FigureCurve mean{control ? "on mean" : "off mean", {}}, p99{control ? "on p99" : "off p99", {}};
    double x = 0;
    for (const GpcnetTest& test : GpcnetTests()) {
      for (const std::string& congestor : Names()) {
        if (const auto most = LargestImpact(options, values, test.name, congestor, control)) {
          mean.points.push_back({x, most->mean});
          p99.points.push_back({x, most->p99});
        }
        ++x;
      }
    }
    figure.curves.push_back(std::move(mean));
    figure.curves.push_back(std::move(p99));
  }
  for (const GpcnetTest& test : GpcnetTests()) {
    for (const std::string& congestor : Names()) figure.bars.push_back(fmt::format("{}, {}", test.name, congestor));
  }
  return figure;
}

/// The impact with control off over that with control on, beside the worst congestors of control off, least of all
/// seeds. None when a run is missing that could be the worst one, or its counterpart.
std::optional<double> TimesOf(const StudyOptions& options, const StudyValues& values, const std::string& test,
                              double GpcnetImpact::*kind) {
  std::optional<double> least;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    double worst = 0;
    std::optional<double> times;
    for (const std::string& congestor : GpcnetCongestors(options.quick)) {
      const auto off = GpcnetImpactOf(values, test, congestor, false, seed);
      const auto on = GpcnetImpactOf(values, test, congestor, true, seed);
      if (!off) return std::nullopt;
      if (*off.*kind <= worst) continue;
      worst = *off.*kind;
      times = on ? std::optional(worst / *on.*kind) : std::nullopt;
    }
    if (!times) return std::nullopt;
    least = std::min(least.value_or(*times), *times);
  }
  return least;
}

Figure Times(const StudyOptions& options, const StudyValues& values) {
  Figure figure{"times", "GPCNeT: impact with control off over that with control on, beside the worst congestors",
                "test",  "",
                false,   true,
                {}};
  for (const auto& [name, kind] : {std::pair{"mean", &GpcnetImpact::mean}, std::pair{"p99", &GpcnetImpact::p99}}) {
    FigureCurve curve{name, {}};
    double x = 0;
    for (const GpcnetTest& test : GpcnetTests()) {
      if (const auto times = TimesOf(options, values, test.name, kind)) curve.points.push_back({x, *times});
      ++x;
    }
    figure.curves.push_back(std::move(curve));
  }
  for (const GpcnetTest& test : GpcnetTests()) figure.bars.push_back(test.name);
  return figure;
}

/// "" of a number that was not measured.
std::string Number(std::optional<double> value) { return value ? fmt::format("{:.12g}", *value) : ""; }

std::string Row(const StudyValues& values, int seed, bool control, const GpcnetTest& test,
                const std::string& congestor) {
  const auto samples = GpcnetSamplesOf(values, GpcnetCurve(test.name, congestor, control), seed);
  const auto impact =
      congestor == kNoCongestor ? std::nullopt : GpcnetImpactOf(values, test.name, congestor, control, seed);
  const auto of = [](const auto& some, auto member) {
    return Number(some ? std::optional<double>(*some.*member) : std::nullopt);
  };
  const std::string rate =
      samples && test.bytes > 0 ? fmt::format("{:.12g}", 8 * static_cast<double>(test.bytes) / samples->mean_ns) : "";
  return fmt::format("{},{},{},{},{},{},{},{},{},{}\n", seed, control ? "on" : "off", test.name, congestor,
                     of(samples, &GpcnetSamples::count), of(samples, &GpcnetSamples::mean_ns),
                     of(samples, &GpcnetSamples::p99_ns), rate, of(impact, &GpcnetImpact::mean),
                     of(impact, &GpcnetImpact::p99));
}

}  // namespace

std::optional<GpcnetSamples> GpcnetSamplesOf(const StudyValues& values, const std::string& curve, int seed) {
  const auto count = values.Of(curve + " samples", seed), mean = values.Of(curve + " mean", seed),
             p99 = values.Of(curve + " p99", seed);
  if (!count || !mean || !p99) return std::nullopt;
  return GpcnetSamples{*count, *mean, *p99};
}

std::optional<GpcnetImpact> GpcnetImpactOf(const StudyValues& values, const std::string& test,
                                           const std::string& congestor, bool control, int seed) {
  const auto quiet = GpcnetSamplesOf(values, GpcnetCurve(test, kNoCongestor, control), seed);
  const auto beside = GpcnetSamplesOf(values, GpcnetCurve(test, congestor, control), seed);
  if (!quiet || !beside || quiet->mean_ns <= 0 || quiet->p99_ns <= 0) return std::nullopt;
  return GpcnetImpact{beside->mean_ns / quiet->mean_ns, beside->p99_ns / quiet->p99_ns};
}

std::vector<Figure> GpcnetFigures(const StudyOptions& options, const StudyValues& values) {
  return {Impact(options, values), Times(options, values)};
}

std::vector<StudyFile> GpcnetFiles(const StudyOptions& options, const StudyValues& values) {
  std::string text = "seed,control,test,congestor,samples,mean_ns,p99_ns,gbps,mean_impact,p99_impact\n";
  std::vector<std::string> congestors = GpcnetCongestors(options.quick);
  congestors.insert(congestors.begin(), kNoCongestor);
  for (int seed = 1; seed <= options.seeds; ++seed) {
    for (const bool control : {true, false}) {
      for (const GpcnetTest& test : GpcnetTests()) {
        for (const std::string& congestor : congestors) text += Row(values, seed, control, test, congestor);
      }
    }
  }
  return {{"impact.csv", std::move(text)}};
}

}  // namespace tilefly::runs
