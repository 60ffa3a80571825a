// SPDX-License-Identifier: Apache-2.0
#include "runs/common/extensions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
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

/// Throws UsageError for an extension without a function: `function_of` gives that of what was added.
template <typename Make, typename FunctionOf>
void RequireFunctions(const Registry<Make>& seam, FunctionOf&& function_of) {
  for (std::size_t i = 0; i < seam.makes().size(); ++i) {
    if (!function_of(seam.makes()[i]))
      throw UsageError(fmt::format("{} '{}': it was added with an empty function; give Add one that can be called",
                                   seam.kind(), seam.entries()[i].name));
  }
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
  const auto itself = [](const auto& make) -> const auto& { return make; };
  RequireFunctions(Patterns(), itself);
  RequireFunctions(topology::Families(), itself);
  RequireFunctions(
      network::RoutingRules(), [](const network::RoutingRule& rule) -> const auto& { return rule.make; });
  RequireFunctions(network::Schedulers(), itself);
  RequireFunctions(network::Counters(), itself);
}

std::string ExtensionHelp(const std::vector<const ExtensionNames*>& seams) {
  std::string lines;
  for (const ExtensionNames* const seam : seams) {
    for (const ExtensionNames::Entry& entry : seam->entries())
      lines += fmt::format("\n  {} {}: {}", seam->kind(), entry.name, entry.help);
  }
  return lines.empty() ? "" : "\nExtensions of this program:" + lines;
}

std::string ProgramName() {
  return ExtensionsJson().empty() ? "tilefly" : std::filesystem::read_symlink("/proc/self/exe").filename().string();
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
