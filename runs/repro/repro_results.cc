// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/repro_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

/// A field of a CSV file.
std::string Quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string BoundText(double bound) { return std::isinf(bound) ? "" : fmt::format("{:.12g}", bound); }
Json BoundJson(double bound) { return std::isinf(bound) ? Json(nullptr) : Json(bound); }

/// "0.75 .. 0.85", "at least 2", "".
std::string BoundsText(const Claim& claim) {
  if (!claim.judged()) return "";
  if (std::isinf(claim.high)) return fmt::format("at least {}", BoundText(claim.low));
  if (std::isinf(claim.low)) return fmt::format("at most {}", BoundText(claim.high));
  return fmt::format("{} .. {}", BoundText(claim.low), BoundText(claim.high));
}

/// " --ping-pong-ns 1200.0", by which the constants were fixed; empty: the study has none.
std::string PingPongOption(const Json& constants) {
  return constants.empty() ? "" : " --ping-pong-ns " + constants.at("ping_pong_ns").dump();
}

/// " --nodes 64": the study's own options.
std::string OptionsText(const Json& options) {
  std::string text;
  for (const auto& [name, value] : options.items())
    text += fmt::format(" --{} {}", name, value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

std::string ValueText(const std::optional<double>& value) { return value ? fmt::format("{:.4g}", *value) : "-"; }

}  // namespace

std::vector<JudgedClaim> Judge(std::vector<Claim> claims, const std::vector<Figure>& figures) {
  std::vector<JudgedClaim> judged;
  for (Claim& claim : claims) {
    const std::optional<double> value = ValueOf(claim, figures);
    judged.push_back({std::move(claim), value});
  }
  return judged;
}

int CountOf(const std::vector<JudgedClaim>& claims, const std::string& verdict) {
  return static_cast<int>(
      std::count_if(claims.begin(), claims.end(), [&](const JudgedClaim& one) { return one.verdict() == verdict; }));
}

std::string Score(int hits, int misses) {
  return fmt::format("{} of {} judged claims hit, {} missed", hits, hits + misses, misses);
}

std::string PointsCsv(const std::vector<Figure>& figures) {
  std::string text = "figure,curve,x,value,unit\n";
  for (const Figure& figure : figures) {
    for (const FigureCurve& curve : figure.curves) {
      for (const CurvePoint& point : curve.points)
        text += fmt::format("{},{},{:.12g},{:.9g},{}\n", Quoted(figure.name), Quoted(curve.name), point.x, point.y,
                            Quoted(figure.unit));
    }
  }
  return text;
}

std::string ClaimsCsv(const std::vector<JudgedClaim>& claims) {
  std::string text = "figure,curve,claim,value,low,high,published,verdict,source\n";
  for (const JudgedClaim& one : claims) {
    const Claim& claim = one.claim;
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", claim.figure, claim.curve, Quoted(claim.name),
                        one.value ? fmt::format("{:.9g}", *one.value) : "", BoundText(claim.low), BoundText(claim.high),
                        Quoted(claim.published), one.verdict(), Quoted(claim.source));
  }
  return text;
}

std::vector<std::string> ClaimLines(const std::vector<JudgedClaim>& claims) {
  std::vector<std::vector<std::string>> rows = {{"claim", "ours", "wanted", "published", "verdict"}};
  for (const JudgedClaim& one : claims) {
    rows.push_back({fmt::format("{} {}: {}", one.claim.figure, one.claim.curve, one.claim.name), ValueText(one.value),
                    BoundsText(one.claim), one.claim.published,
                    one.verdict() + (one.claim.fixed ? ": a constant is fixed by it" : "")});
  }
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += i + 1 < row.size() ? fmt::format("{:{}}  ", row[i], widths[i]) : row[i];
    lines.push_back(line);
  }
  return lines;
}

Json ConstantsJson(const workload::HostCosts& costs, double ping_pong_ns) {
  return Json{{"ping_pong_ns", ping_pong_ns},
              {"host_send_ns", costs.send_ns},
              {"host_receive_ns", costs.receive_ns},
              {"host_reduce_ns_per_kib", costs.reduce_ns_per_kib}};
}

Json FiguresJson(const std::vector<Figure>& figures) {
  Json all = Json::array();
  for (const Figure& figure : figures) {
    Json json{{"name", figure.name},   {"title", figure.title}, {"x", figure.x},          {"unit", figure.unit},
              {"log_x", figure.log_x}, {"log_y", figure.log_y}, {"curves", Json::array()}};
    for (const FigureCurve& curve : figure.curves) {
      Json points = Json::array();
      for (const CurvePoint& point : curve.points) points.push_back({point.x, point.y});
      json["curves"].push_back({{"name", curve.name}, {"points", std::move(points)}});
    }
    if (!figure.bars.empty()) json["bars"] = figure.bars;
    if (figure.line) json["line"] = *figure.line;
    all.push_back(std::move(json));
  }
  return all;
}

Json ClaimsJson(const std::vector<JudgedClaim>& claims) {
  Json all = Json::array();
  for (const JudgedClaim& one : claims) {
    const Claim& claim = one.claim;
    all.push_back(Json{{"figure", claim.figure},
                       {"curve", claim.curve},
                       {"claim", claim.name},
                       {"value", one.value ? Json(*one.value) : Json(nullptr)},
                       {"low", BoundJson(claim.low)},
                       {"high", BoundJson(claim.high)},
                       {"published", claim.published},
                       {"mark", claim.mark ? Json{claim.mark->x, claim.mark->y} : Json(nullptr)},
                       {"fixed", claim.fixed},
                       {"verdict", one.verdict()},
                       {"source", claim.source}});
  }
  return all;
}

std::vector<PublishedMark> MarksOf(const std::vector<JudgedClaim>& claims, const std::string& figure) {
  std::vector<PublishedMark> marks;
  for (const JudgedClaim& one : claims) {
    if (one.claim.figure == figure && one.claim.mark) marks.push_back({one.claim.curve, *one.claim.mark});
  }
  return marks;
}

ReportParts ReproReport(const Json& results, const std::vector<std::string>& own_files) {
  ReportParts parts{results, nlohmann::json::object()};
  for (const char* key : {"figures", "claims"}) {
    parts.detail[key] = results.at(key);
    parts.results.erase(key);
  }
  parts.results["level"] = fmt::format("repro {}: {}", results.at("study").get<std::string>(),
                                       Score(results.at("claims_hit"), results.at("claims_missed")));
  for (const auto& [name, value] : results.at("constants").items()) parts.results[name] = value;
  for (const auto& [name, value] : results.at("options").items()) parts.results[name] = value;
  for (const char* key : {"constants", "options", "system", "ended"}) parts.results.erase(key);
  nlohmann::json& files =
      parts.detail["files"] = {"points.csv", "claims.csv", "results.json", "manifest.json", "log.txt"};
  for (const auto& figure : results.at("figures")) files.push_back(figure.at("name").get<std::string>() + ".svg");
  for (const std::string& file : own_files) files.push_back(file);
  parts.detail["command"] =
      fmt::format("tilefly repro {}{}{}{}", results.at("study").get<std::string>(),
                  results.at("quick").get<bool>() ? " --quick" : "", PingPongOption(results.at("constants")),
                  OptionsText(results.at("options")));
  return parts;
}

}  // namespace tilefly::runs
