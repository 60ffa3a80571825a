// SPDX-License-Identifier: Apache-2.0
#include "qos/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "generated/profile.h"
#include "qos/quantity.h"

namespace tilefly::qos {
namespace {

double Nanoseconds(std::int64_t cycles) { return static_cast<double>(cycles) * 1e6 / kRosetta64.clock_khz; }

std::string Weights(const Holding& held) {
  return held.least == held.most ? fmt::format("{}", held.most) : fmt::format("{}-{}", held.least, held.most);
}

nlohmann::json OriginJson(const Origin& origin) {
  return {{"k", origin.k / 10.0}, {"w", origin.w / 10.0}, {"pool", origin.pool}};
}

nlohmann::json ClassJson(const TrafficClass& one, const Holding& held) {
  nlohmann::json json = {{"name", one.name},         {"level", one.level},       {"group", one.group},
                         {"mtu_credits", one.mtu},   {"distance", one.distance}, {"lanes", one.lanes},
                         {"entries", held.entries},  {"weight", held.weight},    {"least_weight", held.least},
                         {"most_weight", held.most}, {"largest_gap", held.gap}};
  if (one.share > 0) json["bandwidth"] = static_cast<double>(one.share) / kWhole;
  return json;
}

}  // namespace

std::string PlanText(const Plan& plan) {
  const Table& table = plan.table;
  const std::vector<Holding> held = Holdings(table);
  const CheckResult result = CheckTable(table);
  std::string text =
      fmt::format("k {}, w {}, pool {} credits of {} B, {} entries\n\n", TenthsText(table.origin->k),
                  TenthsText(table.origin->w), table.origin->pool, table.units.credit_bytes, table.size());
  text += fmt::format("{:<16} {:>8} {:>8} {:>7} {:>9} {:>7} {:>9} {:>9} {:>9} {:>9}\n", "class", "distance", "entries",
                      "MTU", "weights", "total", "min", "max", "wish", "expected");
  for (std::size_t c = 0; c < held.size(); ++c) {
    const TrafficClass& one = table.classes[c];
    text += fmt::format("{:<16} {:>8} {:>8} {:>7} {:>9} {:>7} {:>8.2f}% {:>8.2f}% {:>8.2f}% {:>8.2f}%\n", one.name,
                        one.distance, held[c].entries, one.mtu, Weights(held[c]), held[c].weight,
                        100 * plan.assignable[c].least, 100 * plan.assignable[c].most,
                        100.0 * static_cast<double>(one.share) / kWhole, 100 * result.classes[c].expected);
  }
  text += fmt::format("{:<16} {:>8} {:>8} {:>7} {:>9} {:>7}\n", "sum", "", table.size(), "", "", TotalWeight(table));
  for (const Finding& finding : result.findings)
    text += fmt::format("{}: {}\n", finding.error ? "error" : "warning", finding.text);
  return text;
}

std::string CheckText(const Table& table, const CheckResult& result) {
  std::string text =
      fmt::format("{:<16} {:>7} {:>9} {:>7} {:>8} {:>8} {:>5} {:>8} {:>9} {:>10}\n", "class", "entries", "weights",
                  "total", "share", "expected", "gap", "distance", "wait", "");
  for (std::size_t c = 0; c < result.classes.size(); ++c) {
    const ClassFigures& f = result.classes[c];
    const TrafficClass& one = table.classes[c];
    text += fmt::format("{:<16} {:>7} {:>9} {:>7} {:>7.2f}% {:>7.2f}% {:>5} {:>8} ", one.name, f.held.entries,
                        Weights(f.held), f.held.weight, 100 * f.share, 100 * f.expected, f.held.gap,
                        one.distance > 0 ? fmt::format("{}", one.distance) : "-");
    text += f.wait_cycles == 0
                ? std::string("no bound\n")
                : fmt::format("{:>6} cy {:>7.0f} ns\n", f.wait_cycles, Nanoseconds(f.wait_cycles));
  }
  for (const Finding& finding : result.findings)
    text += fmt::format("{}: {}\n", finding.error ? "error" : "warning", finding.text);
  return text + fmt::format("{} entries, {} credits, {} errors, {} warnings\n", table.size(), TotalWeight(table),
                            result.errors(), static_cast<int>(result.findings.size()) - result.errors());
}

nlohmann::json TableJson(const Table& table) {
  nlohmann::json json;
  json["link_mbps"] = table.units.link_mbps;
  json["credit_bytes"] = table.units.credit_bytes;
  json["gmtu_credits"] = table.units.gmtu;
  json["total_weight"] = TotalWeight(table);
  if (table.origin) json["planned"] = OriginJson(*table.origin);
  const std::vector<Holding> held = Holdings(table);
  for (std::size_t c = 0; c < held.size(); ++c) json["classes"].push_back(ClassJson(table.classes[c], held[c]));
  json["table"] = nlohmann::json::array();
  for (const Entry& entry : table.entries) {
    nlohmann::json one = {{"weight", entry.weight}};
    one["class"] = entry.owner < 0 ? nlohmann::json() : nlohmann::json(table.classes[entry.owner].name);
    json["table"].push_back(std::move(one));
  }
  return json;
}

nlohmann::json PlanJson(const Plan& plan) {
  nlohmann::json json = CheckJson(plan.table, CheckTable(plan.table));
  for (std::size_t c = 0; c < plan.assignable.size(); ++c) {
    json["classes"][c]["least_assignable"] = plan.assignable[c].least;
    json["classes"][c]["most_assignable"] = plan.assignable[c].most;
  }
  return json;
}

nlohmann::json CheckJson(const Table& table, const CheckResult& result) {
  nlohmann::json json = TableJson(table);
  for (std::size_t c = 0; c < result.classes.size(); ++c) {
    const ClassFigures& f = result.classes[c];
    nlohmann::json& one = json["classes"][c];
    one["share"] = f.share;
    one["expected"] = f.expected;
    if (f.wait_cycles == 0) continue;
    one["wait_credits"] = f.wait_credits;
    one["wait_cycles"] = f.wait_cycles;
    one["wait_ns"] = Nanoseconds(f.wait_cycles);
  }
  json["verdict"] = result.errors() == 0 ? "passed" : "failed";
  json["findings"] = nlohmann::json::array();
  for (const Finding& finding : result.findings)
    json["findings"].push_back({{"kind", finding.error ? "error" : "warning"}, {"text", finding.text}});
  return json;
}

}  // namespace tilefly::qos
