// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/mask.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "support/errors.h"

namespace tilefly::conform {
namespace {

/// Rules that stand for themselves: without one of them all others say what they said.
constexpr const char* kAlone[] = {"marks",  "tid",   "cut-through", "drop counter", "tvalid",
                                  "stable", "tkeep", "tdest",       "isolation"};

bool StandsAlone(const std::string& rule) {
  return std::any_of(std::begin(kAlone), std::end(kAlone), [&](const char* one) { return rule == one; });
}

}  // namespace

std::string MootBecause(const std::string& rule, const Capability& it) {
  if (rule == "marks" && it.frames.bad != Fate::kMarked) return "frames.bad is not marked";
  if (rule == "tid" && it.signals.id_bits == 0) return "ports.tid is 0";
  if (rule == "tid" && !it.signals.id_passes) return "ports.tid_out is undefined";
  if (rule == "cut-through" && it.flow.cut_through) return "flow.cut_through is yes";
  if (rule == "drop counter" && it.flow.drops.empty()) return "there is no flow.drops";
  if ((rule == "tvalid" || rule == "stable") && !it.flow.outputs_stop) return "flow.out is none";
  return "";
}

void Mask::Add(const std::string& rule, int port) {
  if (rule.empty() && port < 0) throw UsageError("nothing would be judged: name a rule, or a port, or both");
  if (!rule.empty() && !StandsAlone(rule))
    throw UsageError(
        fmt::format("rule '{}' is none that can be left out; there are {}. What comes out at a port is left "
                    "out as a whole, by the port without a rule",
                    rule, fmt::join(kAlone, ", ")));
  if (rule == "drop counter" && port >= 0)
    throw UsageError("the drop counter is one for all ports: leave it out without a port");
  items_.push_back({rule, port});
}

bool Mask::Covers(const char* rule, int port) const {
  return std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
    return (item.rule.empty() || item.rule == rule) && (item.port < 0 || item.port == port);
  });
}

bool Mask::CoversPort(int port) const {
  return std::any_of(items_.begin(), items_.end(),
                     [&](const Item& item) { return item.rule.empty() && item.port == port; });
}

bool Mask::CoversPorts() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& item) { return item.rule.empty(); });
}

std::string Mask::Text() const {
  std::vector<std::string> parts;
  for (const Item& item : items_) {
    const std::string port = item.port < 0 ? "" : fmt::format("output {}", item.port);
    parts.push_back(item.rule.empty() ? port : fmt::format("rule {}{}{}", item.rule, port.empty() ? "" : " at ", port));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace tilefly::conform
