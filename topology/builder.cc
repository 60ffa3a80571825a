// SPDX-License-Identifier: Apache-2.0
#include "topology/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "golden/common/generated/profile.h"
#include "support/errors.h"
#include "support/text.h"
#include "topology/families.h"
#include "topology/parameters.h"

namespace tilefly::topology {
namespace {

struct Family {
  std::string name;
  Topology (*build)(Parameters* parameters);
};

const std::vector<Family>& Families() {
  static const std::vector<Family> families = {{"dragonfly", BuildDragonfly}};
  return families;
}

const Family& FindFamily(const std::string& name) {
  std::vector<std::string> known;
  for (const Family& family : Families()) {
    if (family.name == name) return family;
    known.push_back(family.name);
  }
  known.push_back("preset");
  ThrowUnknown("topology", name, known);
}

const Preset& FindPreset(const std::string& name) {
  std::vector<std::string> known;
  for (const Preset& preset : Presets()) {
    if (preset.name == name) return preset;
    known.push_back(preset.name);
  }
  ThrowUnknown("preset", name, known);
}

/// The parts before and after the first `separator`; the second is empty when there is none.
std::pair<std::string, std::string> Cut(const std::string& text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

}  // namespace

const std::vector<Preset>& Presets() {
  static const std::vector<Preset> presets = {
      {"slingshot-max", "dragonfly:p=16,a=32,h=17,g=511"},
      {"shandy", "dragonfly:p=16,a=16,h=7,g=8,links=8,nics=2"},
      {"malbec", "dragonfly:p=16,a=8,h=18,g=4,links=48,nodes=484"},
  };
  return presets;
}

Topology Build(const std::string& description) {
  auto [family, keys] = Cut(description, ':');
  std::string overrides;
  if (family == "preset") {
    std::string name;
    std::tie(name, overrides) = Cut(keys, ',');
    std::tie(family, keys) = Cut(FindPreset(name).description, ':');
  }
  const Family& chosen = FindFamily(family);
  Parameters parameters(family, keys);
  parameters.Override(overrides);
  Topology topology = chosen.build(&parameters);
  topology.name = description;
  NumberTrunks(&topology);
  return topology;
}

void ChooseProfile(Parameters* parameters, int needed, Topology* topology) {
  std::vector<std::string> names;
  for (const Profile& profile : kProfiles) names.push_back(profile.name);
  const Profile* chosen = nullptr;
  if (parameters->Has("profile")) {
    chosen = FindProfile(parameters->Choice("profile", "", names));
    if (chosen->ports < needed)
      throw UsageError(
          fmt::format("{}: a switch needs {} ports, and profile {} has {}; leave the profile out, or give "
                      "fewer links or endpoints a switch",
                      parameters->origin(), needed, chosen->name, chosen->ports));
  } else {
    parameters->Text("profile", "");
    int most = 0;
    for (const Profile& profile : kProfiles) {
      most = std::max(most, profile.ports);
      if (profile.ports >= needed && (chosen == nullptr || profile.ports < chosen->ports)) chosen = &profile;
    }
    if (chosen == nullptr)
      throw UsageError(
          fmt::format("{}: a switch needs {} ports, and no profile has as many ({} at most); give fewer "
                      "links or endpoints a switch",
                      parameters->origin(), needed, most));
  }
  topology->profile = chosen->name;
  topology->radix = chosen->ports;
}

void NumberTrunks(Topology* topology) {
  std::map<std::pair<int, int>, int> count;
  for (Link& link : topology->links) link.trunk = count[std::minmax(link.a.at, link.b.at)]++;
}

}  // namespace tilefly::topology
