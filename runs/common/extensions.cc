// SPDX-License-Identifier: Apache-2.0
#include "runs/common/extensions.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "network/counters.h"
#include "network/routing_rules.h"
#include "network/schedulers.h"
#include "runs/switch/everything.h"
#include "support/errors.h"
#include "topology/builder.h"
#include "traffic/patterns.h"
#include "workload/jobs.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

/// A seam whose extensions a setting names.
struct NamedBy {
  const ExtensionNames* seam;
  const char* path;
};

std::vector<NamedBy> Seams() {
  return {{&Patterns(), "traffic.pattern"},
          {&Patterns(), "traffic.background"},
          {&topology::Families(), "topology"},
          {&network::RoutingRules(), "routing"},
          {&network::Schedulers(), "qos.scheduler"}};
}

bool HasName(const ExtensionNames& seam, const std::string& name) {
  const std::vector<std::string> names = seam.Names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<const ExtensionNames*> AllExtensions() {
  return {&Patterns(), &topology::Families(), &network::RoutingRules(), &network::Schedulers(), &network::Counters()};
}

void CheckExtensions() {
  for (const std::string& name : Patterns().Names()) {
    const bool reserved = name == kEverything || name == "auto" || name == "none";
    if (reserved || workload::IsPattern(name))
      throw UsageError(fmt::format("{} '{}': --traffic has one of this name already; take another name",
                                   Patterns().kind(), name));
  }
}

std::string ExtensionHelp(const std::vector<const ExtensionNames*>& seams) {
  std::string lines;
  for (const ExtensionNames* const seam : seams) {
    for (const ExtensionNames::Entry& entry : seam->entries())
      lines += fmt::format("\n  {} {}: {}", seam->kind(), entry.name, entry.help);
  }
  return lines.empty() ? "" : "\nExtensions of this program:" + lines;
}

Json ExtensionsJson() {
  Json json = Json::object();
  for (const ExtensionNames* const seam : AllExtensions()) {
    if (!seam->entries().empty()) json[seam->kind()] = seam->Names();
  }
  return json;
}

Json UsedExtensions(const SettingValues& settings, bool counters) {
  Json used = Json::object();
  for (const NamedBy& one : Seams()) {
    if (!settings.Has(one.path)) continue;
    const std::string& text = settings.Get(one.path);
    if (HasName(*one.seam, NameAndArguments(text).name)) used[one.seam->kind()] = text;
  }
  if (counters && !network::Counters().entries().empty()) used[network::Counters().kind()] = network::Counters().Names();
  return used;
}

}  // namespace tilefly::runs
