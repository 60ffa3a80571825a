// SPDX-License-Identifier: Apache-2.0
// What runs of an incast did over time, and what that says of the claims.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>

#include "generated/profile.h"
#include "runs/report/chart.h"
#include "runs/repro/csv_table.h"
#include "runs/repro/incast.h"
#include "topology/builder.h"

namespace tilefly::runs {
namespace {

using topology::Anchor;
using topology::Canvas;

constexpr double kBitsOfWord = 256;
constexpr const char* kRuns[] = {kIncastQuiet, kIncastOff, kIncastOn};

/// A value of an interval: its name in StudyValues, and its member.
struct Kind {
  const char* name;
  double IncastMoment::*member;
};
constexpr Kind kKinds[] = {{"queue", &IncastMoment::queue_cells},  {"busy", &IncastMoment::busy},
                           {"victim", &IncastMoment::victim_gbps}, {"outside", &IncastMoment::outside_cells},
                           {"held", &IncastMoment::held_cells},    {"throttled", &IncastMoment::throttled}};

std::string CurveOf(const std::string& run, const Kind& kind) { return fmt::format("{} {}", run, kind.name); }

/// Adds what a line of samples.csv says of its interval.
void AddLine(const StudyRun& run, const CsvTable& table, std::map<double, IncastMoment>* moments) {
  const bool control = run.curve == kIncastOn;
  const std::string_view scope = table.Text("scope"), name = table.Text("name");
  const double time = table.Number("begin_ns") / 1000;
  const auto moment = [&]() -> IncastMoment& {
    IncastMoment& one = (*moments)[time];
    one.time_us = time;
    return one;
  };
  if (scope == "system") {
    moment().throttled = control ? table.Number("throttled_flows") : 0;
    moment().held_cells = control ? table.Number("held_cells") : 0;
    moment().outside_cells = table.Number("buffer_cells") - moment().held_cells;
  }
  if (scope != "link") return;
  if (name == run.links[0]) {
    moment().queue_cells = table.Number("load_cells");
    moment().busy = table.Number("utilisation");
  }
  if (name == run.links[1]) {
    const double ns = table.Number("cycles") * 1e6 / FindProfile("rosetta64")->clock_khz;
    moment().victim_gbps = table.Number("sent_words") * kBitsOfWord / ns;
  }
}

/// Cells that N flows of one packet in flight have outside of the source's hold queues.
double BoundOf(const StudyOptions& options) {
  const Profile& profile = *FindProfile("rosetta64");
  return static_cast<double>(options.contributors) * profile.mtu_cells;
}

double WidthOf(const std::vector<IncastMoment>& moments) { return moments[1].time_us - moments[0].time_us; }

/// The intervals in which the contributors send all the time; of the run without them, the same ones.
std::vector<IncastMoment> WhileIncast(const StudyOptions& options, const StudyValues& values, const std::string& run) {
  std::vector<IncastMoment> moments = TimelineOf(values, run);
  if (moments.size() < 2) return {};
  const double width = WidthOf(moments);
  const auto late = [&](const IncastMoment& one) { return one.time_us + width > IncastEndUs(options); };
  moments.erase(std::remove_if(moments.begin(), moments.end(), late), moments.end());
  return moments;
}

double Mean(const std::vector<IncastMoment>& moments, double IncastMoment::*member) {
  double sum = 0;
  for (const IncastMoment& one : moments) sum += one.*member;
  return moments.empty() ? 0 : sum / static_cast<double>(moments.size());
}

Figure TimeFigure(const StudyValues& values, const char* name, const char* title, const char* unit,
                  double IncastMoment::*member, std::initializer_list<const char*> runs) {
  Figure figure{name, title, "time, us", unit, false, false, {}};
  for (const char* run : runs) {
    FigureCurve curve{run, {}};
    for (const IncastMoment& one : TimelineOf(values, run)) curve.points.push_back({one.time_us, one.*member});
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

/// What the claims are about, for the runs with control off and on.
std::vector<Figure> Outcomes(const StudyOptions& options, const StudyValues& values) {
  Figure shares{"shares", "while the contributors send", "", "", false, false, {}};
  shares.bars = {"victim over quiet", "busy", "outside over bound"};
  Figure settling{"settling", "time until the cells outside stay below the bound", "", "us", false, false, {}};
  settling.bars = {"settling time"};
  for (const char* run : {kIncastOff, kIncastOn}) {
    FigureCurve share{run, {}}, settled{run, {}};
    if (const auto outcome = OutcomeOf(options, values, run)) {
      if (outcome->victim_share) share.points.push_back({0, *outcome->victim_share});
      share.points.push_back({1, outcome->busy});
      if (outcome->settled_us) {
        share.points.push_back({2, outcome->most_outside});
        settled.points.push_back({0, *outcome->settled_us});
      }
    }
    shares.curves.push_back(std::move(share));
    settling.curves.push_back(std::move(settled));
  }
  return {std::move(shares), std::move(settling)};
}

std::vector<Figure> TimeFigures(const StudyValues& values) {
  return {TimeFigure(values, "queue", "queue at the destination", "cells", &IncastMoment::queue_cells,
                     {kIncastOff, kIncastOn}),
          TimeFigure(values, "busy", "share of the destination's link in use", "", &IncastMoment::busy,
                     {kIncastOff, kIncastOn}),
          TimeFigure(values, "victim", "the victim's packets at their destination", "Gb/s", &IncastMoment::victim_gbps,
                     {kIncastOff, kIncastOn, kIncastQuiet}),
          TimeFigure(values, "outside", "cells in input buffers that are not held", "cells",
                     &IncastMoment::outside_cells, {kIncastOff, kIncastOn})};
}

constexpr double kTimeLeft = 80, kTimeRight = 640, kPanelHeight = 130, kPanelGap = 50;

/// Queue, busy and victim below each other, over one time axis.
std::string TimelineSvg(const std::vector<Figure>& figures) {
  Canvas canvas;
  Span time;
  for (const Figure& figure : figures) {
    for (const FigureCurve& curve : figure.curves) {
      for (const CurvePoint& point : curve.points) time.Add(point.x);
    }
  }
  if (time.empty()) {
    canvas.Text({0, 0}, "no run of the incast was measured.", 13, Anchor::kStart);
    return canvas.Svg();
  }
  const Axis x(time, kTimeLeft + 8, kTimeRight - 8, false);
  double top = 30;
  for (const Figure& figure : figures) {
    Span up;
    up.Add(0);
    for (const FigureCurve& curve : figure.curves) {
      for (const CurvePoint& point : curve.points) up.Add(point.y);
    }
    up.Add(up.high > 0 ? up.high : 1);
    const std::string title = figure.title + (figure.unit.empty() ? "" : ", " + figure.unit);
    const ChartPanel panel(&canvas, title, kTimeLeft, kTimeRight, x, Axis(up, top + kPanelHeight, top, false));
    panel.XTicks(Ticks(x), [](double tick) { return fmt::format("{:.6g}", tick); });
    for (std::size_t i = 0; i < figure.curves.size(); ++i) {
      std::vector<ChartMark> marks;
      for (const CurvePoint& point : figure.curves[i].points) marks.push_back({point.x, point.y});
      panel.Curve(marks, kChartColors[i], false);
      canvas.Text({kTimeRight + 20, top + 10 + 18 * static_cast<double>(i)}, figure.curves[i].name, 12, Anchor::kStart,
                  kChartColors[i]);
    }
    top += kPanelHeight + kPanelGap;
  }
  canvas.Text({(kTimeLeft + kTimeRight) / 2, top - 10}, "time, us", 12, Anchor::kMiddle);
  return canvas.Svg();
}

}  // namespace

void MeasureIncast(const StudyRun& run, const nlohmann::ordered_json& results, const std::filesystem::path& folder,
                   StudyValues* values) {
  std::map<double, IncastMoment> moments;
  for (CsvTable table(folder / "samples.csv"); table.Next();) AddLine(run, table, &moments);
  for (auto& [time, moment] : moments) {
    for (const Kind& kind : kKinds) values->Set(CurveOf(run.curve, kind), time, moment.*kind.member);
  }
  const auto measured = results.at("link_cycles").at("measured").get<double>();
  for (CsvTable table(folder / "stats.csv"); table.Next();) {
    const std::string from(table.Text("from"));
    if (from.empty() || from[0] != 's') continue;
    values->Set(LinkCurve(run.curve, std::stoi(from.substr(1)), static_cast<int>(table.Number("from_port"))), 0,
                table.Number("no_credit_cycles") / measured);
  }
}

std::string IncastSummary(const StudyRun& run, const nlohmann::ordered_json& results,
                          const std::filesystem::path& folder, const StudyOptions& given) {
  if (results.value("verdict", "") != "pass") return "";
  const StudyOptions options = IncastOptions(given);
  StudyValues values;
  MeasureIncast(run, results, folder, &values);
  const std::vector<IncastMoment> moments = WhileIncast(options, values, run.curve);
  if (moments.size() < 2) return "";
  return fmt::format("victim {:.1f} Gb/s of words from {:.1f} to {:.1f} us, in which {} send all the time",
                     Mean(moments, &IncastMoment::victim_gbps), moments.front().time_us,
                     moments.back().time_us + WidthOf(moments),
                     run.curve == kIncastQuiet ? "the contributors of the other runs" : "the contributors");
}

std::vector<IncastMoment> TimelineOf(const StudyValues& values, const std::string& run) {
  std::vector<IncastMoment> moments;
  for (const double time : values.XOf(CurveOf(run, kKinds[0]))) {
    IncastMoment one{};
    one.time_us = time;
    for (const Kind& kind : kKinds) one.*kind.member = values.Of(CurveOf(run, kind), time).value_or(0);
    moments.push_back(one);
  }
  return moments;
}

std::optional<IncastOutcome> OutcomeOf(const StudyOptions& given, const StudyValues& values, const std::string& run) {
  const StudyOptions options = IncastOptions(given);
  const std::vector<IncastMoment> moments = WhileIncast(options, values, run);
  if (moments.empty()) return std::nullopt;
  IncastOutcome outcome;
  const double quiet = Mean(WhileIncast(options, values, kIncastQuiet), &IncastMoment::victim_gbps);
  if (quiet > 0) outcome.victim_share = Mean(moments, &IncastMoment::victim_gbps) / quiet;
  outcome.busy = Mean(moments, &IncastMoment::busy);
  const double bound = BoundOf(options);
  auto one = moments.rbegin();
  for (; one != moments.rend() && one->outside_cells <= bound; ++one) {
    outcome.settled_us = one->time_us;
    outcome.most_outside = std::max(outcome.most_outside, one->outside_cells / bound);
  }
  if (2 * (one - moments.rbegin()) < static_cast<std::ptrdiff_t>(moments.size())) outcome.settled_us = std::nullopt;
  return outcome;
}

std::vector<Figure> IncastFigures(const StudyOptions& options, const StudyValues& values) {
  std::vector<Figure> figures = TimeFigures(values);
  for (Figure& figure : Outcomes(options, values)) figures.push_back(std::move(figure));
  return figures;
}

std::vector<StudyFile> IncastFiles(const StudyOptions& options, const StudyValues& values) {
  std::string text = "run,time_us,queue_cells,busy,victim_gbps,outside_cells,held_cells,throttled\n";
  for (const char* run : kRuns) {
    for (const IncastMoment& one : TimelineOf(values, run)) {
      text += fmt::format("{},{:.6g},{:.0f},{:.6g},{:.6g},{:.0f},{:.0f},{:.0f}\n", run, one.time_us, one.queue_cells,
                          one.busy, one.victim_gbps, one.outside_cells, one.held_cells, one.throttled);
    }
  }
  std::vector<Figure> panels = TimeFigures(values);
  panels.pop_back();
  std::vector<StudyFile> files = {{"timeline.csv", std::move(text)}, {"timeline.svg", TimelineSvg(panels)}};
  for (StudyFile& file : IncastLinkFiles(topology::Build(IncastOptions(options).topology), values))
    files.push_back(std::move(file));
  return files;
}

}  // namespace tilefly::runs
