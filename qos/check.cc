// SPDX-License-Identifier: Apache-2.0
#include "qos/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "qos/buffers.h"
#include "qos/quantity.h"
#include "qos/shares.h"
#include "qos/wait.h"
#include "support/errors.h"

namespace tilefly::qos {
namespace {

/// First entry of the class with a weight below `limit`, and how many there are.
std::pair<int, int> EntriesBelow(const Table& table, int c, int limit) {
  int first = -1;
  int count = 0;
  for (int i = 0; i < table.size(); ++i) {
    if (table.entries[i].owner != c || table.entries[i].weight >= limit) continue;
    if (count++ == 0) first = i;
  }
  return {first, count};
}

void CheckWeights(const Table& table, int c, const Holding& held, std::vector<Finding>* findings) {
  const TrafficClass& one = table.classes[c];
  if (held.entries == 0) {
    findings->push_back({true, fmt::format("class {}: it has no entry and would never be served", one.name)});
    return;
  }
  if (held.least < one.mtu) {
    const auto [first, count] = EntriesBelow(table, c, one.mtu);
    findings->push_back(
        {true, fmt::format("class {}: {} of its {} entries weigh less than its MTU of {} credits; entry {} "
                           "has {}, {} too few",
                           one.name, count, held.entries, one.mtu, first, table.entries[first].weight,
                           one.mtu - table.entries[first].weight)});
  } else if (held.least < 2 * one.mtu) {
    findings->push_back({false, fmt::format("class {}: the least of its entries weighs {} credits; two MTU, {}, are "
                                            "recommended",
                                            one.name, held.least, 2 * one.mtu)});
  }
  if (one.distance > 0 && held.gap > one.distance) {
    findings->push_back({true, fmt::format("class {}: {} entries from one of its entries to the next, {} more than its "
                                           "distance {}",
                                           one.name, held.gap, held.gap - one.distance, one.distance)});
  }
}

/// A plan's weights are within one credit of the wishes; where there are several groups, the rounding of the classes of
/// the other groups moves the sum of this one's by as much again.
void CheckShare(const Table& table, int c, const ClassFigures& figures, std::vector<Finding>* findings) {
  const TrafficClass& one = table.classes[c];
  const auto others = std::count_if(table.classes.begin(), table.classes.end(),
                                    [&](const TrafficClass& other) { return other.group != one.group; });
  const double wish = static_cast<double>(one.share) / kWhole;
  const double slack = static_cast<double>(1 + others) / std::max(TotalWeight(table), 1);
  if (figures.held.entries == 0 || figures.expected + slack + 1e-9 >= wish) return;
  findings->push_back(
      {true, fmt::format("class {}: it can expect {:.3f}% of the link, {:.3f}% less than its bandwidth {}", one.name,
                         100 * figures.expected, 100 * (wish - figures.expected), ShareText(one.share))});
}

}  // namespace

int CheckResult::errors() const {
  return static_cast<int>(std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.error; }));
}

std::vector<Finding> CheckClasses(const std::vector<TrafficClass>& classes) {
  std::vector<Finding> findings;
  std::string minimums;
  std::int64_t sum = 0;
  int lowest = kMaxGroup;
  for (const TrafficClass& one : classes) {
    lowest = std::min(lowest, one.group);
    sum += one.share;
    if (one.share > 0) minimums += fmt::format("{}{} {}", minimums.empty() ? "" : ", ", one.name, ShareText(one.share));
    if (one.maximum && one.maximum->share < one.share)
      findings.push_back({true, fmt::format("class {}: its maximum {} is {} below its bandwidth {}", one.name,
                                            ShareText(one.maximum->share), ShareText(one.share - one.maximum->share),
                                            ShareText(one.share))});
  }
  if (sum > kWhole)
    findings.push_back({true, fmt::format("the minimums sum to {}, {} above the link: {}", ShareText(sum),
                                          ShareText(sum - kWhole), minimums)});
  std::int64_t above = 0;
  std::int64_t below = 0;
  for (const TrafficClass& one : classes) {
    if (one.group == lowest) {
      below += one.share;
    } else if (one.maximum) {
      above += one.maximum->share;
    } else {
      findings.push_back(
          {true, fmt::format("class {}: it is in priority group {}, above group {}, and has no maximum: the "
                             "groups below could wait for ever; give it a maximum or group {}",
                             one.name, one.group, lowest, lowest)});
    }
  }
  if (sum <= kWhole && above + below > kWhole)
    findings.push_back(
        {true, fmt::format("the maximums of the upper priority groups, {}, and the minimums of group {}, {}, "
                           "sum to {}, {} above the link",
                           ShareText(above), lowest, ShareText(below), ShareText(above + below),
                           ShareText(above + below - kWhole))});
  return findings;
}

void RefuseErrors(const std::vector<Finding>& findings, const std::string& file) {
  std::string errors;
  for (const Finding& finding : findings) {
    if (finding.error) errors += fmt::format("\n  {}", finding.text);
  }
  if (!errors.empty()) throw UsageError(fmt::format("{}: no switch can use this table:{}", file, errors));
}

CheckResult CheckTable(const Table& table) {
  CheckResult result;
  result.findings = CheckClasses(table.classes);
  for (Finding& finding : CheckBuffers(table.classes, table.shared_buffer, kRosetta64))
    result.findings.push_back(std::move(finding));
  const std::vector<Holding> held = Holdings(table);
  const std::vector<double> expected = ExpectedShares(table);
  const int total = TotalWeight(table);
  for (int c = 0; c < static_cast<int>(table.classes.size()); ++c) {
    ClassFigures figures;
    figures.held = held[c];
    figures.share = total == 0 ? 0 : static_cast<double>(held[c].weight) / total;
    figures.expected = expected[c];
    CheckWeights(table, c, held[c], &result.findings);
    if (const auto wait = WaitCredits(table, c)) {
      figures.wait_credits = *wait;
      figures.wait_cycles = WaitCycles(table.units, *wait);
    }
    CheckShare(table, c, figures, &result.findings);
    result.classes.push_back(figures);
  }
  return result;
}

}  // namespace tilefly::qos
