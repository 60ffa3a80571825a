// SPDX-License-Identifier: Apache-2.0
#include "topology/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

#include "generated/profile.h"
#include "support/errors.h"
#include "support/extension_error.h"
#include "support/text.h"
#include "topology/families.h"
#include "topology/file.h"
#include "topology/parameters.h"
#include "topology/validate.h"

namespace tilefly::topology {
namespace {

struct BuiltIn {
  std::string name;
  Topology (*build)(Parameters* parameters);
};

const std::vector<BuiltIn>& BuiltInFamilies() {
  static const std::vector<BuiltIn> families = {
      {"dragonfly", BuildDragonfly}, {"aries", BuildAries}, {"tree", BuildTree}, {"fattree", BuildFatTree},
      {"torus", BuildTorus}};
  return families;
}

std::vector<std::string> BuiltInNames() {
  std::vector<std::string> names;
  for (const BuiltIn& family : BuiltInFamilies()) names.push_back(family.name);
  names.push_back("preset");
  return names;
}

/// One more than the highest port that something is at.
int PortsNeeded(const Topology& topology) {
  int last = 0;
  for (const Link& link : topology.links) last = std::max({last, link.a.port, link.b.port});
  for (const Endpoint& endpoint : topology.endpoints) last = std::max(last, endpoint.port.port);
  return last + 1;
}

/// A system of Families(). What a builder leaves empty is filled in: it is a graph, of the smallest switches with ports
/// enough.
Topology BuildOwn(const std::string& name, const FamilyBuilder& build, Parameters* parameters) {
  Topology topology = InExtension(Families().kind(), name, [&] { return build(parameters); });
  if (topology.family.empty()) topology.family = "graph";
  if (topology.profile.empty()) ChooseProfile(parameters, PortsNeeded(topology), &topology);
  parameters->Finish();
  return topology;
}

/// Of Tilefly and of the program.
std::vector<std::string> FamilyNames() {
  std::vector<std::string> names = BuiltInNames();
  for (std::string& one : Families().Names()) names.push_back(std::move(one));
  return names;
}

FamilyBuilder FindFamily(const std::string& name) {
  for (const BuiltIn& family : BuiltInFamilies()) {
    if (family.name == name) return family.build;
  }
  if (const FamilyBuilder* const own = Families().Find(name))
    return [name, own](Parameters* parameters) { return BuildOwn(name, *own, parameters); };
  ThrowUnknown("topology", name, FamilyNames());
}

/// Whether it names no family, with or without keys.
bool FamilyIsUnknown(const std::string& description) {
  const std::string name = description.substr(0, description.find(':'));
  const std::vector<std::string> known = FamilyNames();
  return name != "preset" && std::find(known.begin(), known.end(), name) == known.end();
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

/// A description that is no file's path, a preset's own in its place.
struct Words {
  std::string family;
  std::string keys;
  std::string overrides;  ///< of a preset's keys
};

Words WordsOf(const std::string& description) {
  const auto [family, keys] = Cut(description, ':');
  if (family != "preset") return {family, keys, ""};
  const auto [name, overrides] = Cut(keys, ',');
  const auto [own_family, own_keys] = Cut(FindPreset(name).description, ':');
  return {own_family, own_keys, overrides};
}

}  // namespace

Registry<FamilyBuilder>& Families() {
  static Registry<FamilyBuilder> families("topology family", BuiltInNames());
  return families;
}

const std::vector<Preset>& Presets() {
  static const std::vector<Preset> presets = {
      {"slingshot-max", "dragonfly:p=16,a=32,h=17,g=511"},
      {"shandy", "dragonfly:p=16,a=16,h=7,g=8,links=8,nics=2"},
      {"malbec", "dragonfly:p=16,a=8,h=18,g=4,links=48,nodes=484"},
      {"crystal", "aries:g=2,nodes=698"},
      {"tree-4x3", "tree:k=4,n=3"},
      {"tree-24x2", "tree:k=24,n=2"},
      {"torus-8x8", "torus:size=8x8,trunk=10,p=8"},
      {"torus-8x8x8", "torus:size=8x8x8,trunk=4,p=4"},
  };
  return presets;
}

bool IsFile(const std::string& description) {
  const std::string ending = std::filesystem::path(description).extension().string();
  return ending == ".yaml" || ending == ".yml";
}

std::string FamilyOf(const std::string& description) {
  return IsFile(description) ? ReadTopology(description, "").family : WordsOf(description).family;
}

Topology Build(const std::string& description, const std::string& profile) {
  if (IsFile(description)) return ReadTopology(description, profile);
  if (std::error_code error; std::filesystem::exists(description, error) && FamilyIsUnknown(description))
    throw UsageError(fmt::format(
        "topology {}: it is no file that ends in .yaml or .yml, by which a topology's is known", description));
  const auto [family, keys, overrides] = WordsOf(description);
  const FamilyBuilder build = FindFamily(family);
  Parameters parameters(family, keys);
  parameters.Override(overrides);
  if (!profile.empty()) parameters.Override("profile=" + profile);
  Topology topology = build(&parameters);
  topology.name = description;
  NumberTrunks(&topology);
  Validate(topology, parameters.origin());
  return topology;
}

void SetProfile(const std::string& name, int needed, const std::string& origin, Topology* topology) {
  const Profile* chosen = nullptr;
  int most = 0;
  std::vector<std::string> names;
  for (const Profile& profile : kProfiles) {
    names.push_back(profile.name);
    most = std::max(most, profile.ports);
    if (profile.ports >= needed && (chosen == nullptr || profile.ports < chosen->ports)) chosen = &profile;
  }
  if (!name.empty()) {
    chosen = FindProfile(name);
    if (chosen == nullptr) ThrowUnknown("profile of " + origin, name, names);
    if (chosen->ports < needed)
      throw UsageError(
          fmt::format("{}: a switch needs {} ports, and profile {} has {}; leave the profile out, or give "
                      "fewer links or endpoints a switch",
                      origin, needed, name, chosen->ports));
  }
  if (chosen == nullptr)
    throw UsageError(
        fmt::format("{}: a switch needs {} ports, and no profile has as many ({} at most); give fewer "
                    "links or endpoints a switch",
                    origin, needed, most));
  topology->profile = chosen->name;
  topology->radix = chosen->ports;
}

void ChooseProfile(Parameters* parameters, int needed, Topology* topology) {
  SetProfile(parameters->Text("profile", ""), needed, parameters->origin(), topology);
}

void NumberTrunks(Topology* topology) {
  const auto ends = [&](std::size_t link) {
    return std::pair<int, int>(std::minmax(topology->links[link].a.at, topology->links[link].b.at));
  };
  std::vector<std::size_t> order(topology->links.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ends(a) < ends(b); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool parallel = i > 0 && ends(order[i]) == ends(order[i - 1]);
    topology->links[order[i]].trunk = parallel ? topology->links[order[i - 1]].trunk + 1 : 0;
  }
}

}  // namespace tilefly::topology
