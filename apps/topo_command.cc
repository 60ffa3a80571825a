// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "apps/given_settings.h"
#include "apps/long_task.h"
#include "network/system_routes.h"
#include "runs/common/extensions.h"
#include "runs/switch/session.h"
#include "support/errors.h"
#include "topology/bisection.h"
#include "topology/builder.h"
#include "topology/channel_graph.h"
#include "topology/describe.h"
#include "topology/file.h"
#include "topology/paths.h"
#include "topology/svg.h"

namespace tilefly::apps {
namespace {

struct GivenTopo {
  std::string topology;
  std::string svg;
  std::string output;
  std::string alpha = "1";
  std::string deadlock;
  bool bisection = false;
  bool envelope = false;
  bool paths = false;
  bool json = false;
  bool presets = false;
};

int ListPresets(const GivenTopo& given) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const topology::Preset& preset : topology::Presets()) {
    if (!given.json) fmt::print("{:<14}{}\n", preset.name, preset.description);
    json[preset.name] = preset.description;
  }
  if (given.json) fmt::print("{}\n", json.dump(2));
  return kPassed;
}

bool IsRule(const std::string& routing) {
  return network::RoutingRules().Find(NameAndArguments(routing).name) != nullptr;
}

/// Of Tilefly's own; throws UsageError when it is a rule's neither.
topology::Routing OwnRouting(const std::string& name) {
  return topology::ParseRouting(name, network::RoutingRules().Names());
}

/// What was asked for beyond the description; each part is printed, or a member of the JSON.
class Report {
 public:
  Report(const topology::Topology& system, bool json) : system_(system), json_(json) {
    const topology::Description description = topology::Describe(system);
    if (json_)
      members_ = topology::DescriptionJson(system, description);
    else
      fmt::print("{}", topology::DescriptionText(system, description));
  }

  void AddBisection(const topology::BisectionOptions& options) {
    const topology::Bisection bisection = During("topo: the minimum bisection is looked for",
                                                 [&] { return topology::MinimumBisection(system_, options); });
    Add("bisection", topology::ToText(bisection), topology::ToJson(bisection));
  }
  void AddEnvelope() {
    const std::string text = During("topo: the minimum bisection is looked for, one alpha after the other",
                                    [&] { return topology::ToText(topology::BisectionEnvelope(system_, {})); });
    Add("bisection_of_alpha", fmt::format("minimum bisection for any global link a: {}\n", text), text);
  }
  void AddPaths() {
    for (const topology::PathSet set : {topology::PathSet::kShortest, topology::PathSet::kRouted}) {
      const topology::PathDiversity paths =
          During("topo: paths are counted", [&] { return topology::MeasurePaths(system_, set); });
      Add(set == topology::PathSet::kShortest ? "paths_shortest" : "paths_routed", topology::ToText(paths),
          topology::ToJson(paths));
    }
  }
  /// Whether the system is proved free of deadlock.
  bool AddDeadlock(const std::string& routing_name) {
    const topology::DeadlockCheck check =
        During("topo: the routes are searched for cycles", [&] { return CheckOf(routing_name); });
    Add("deadlock", topology::ToText(system_, check), topology::ToJson(system_, check));
    return check.deadlock_free;
  }
  void Finish() const {
    if (json_) fmt::print("{}\n", members_.dump(2));
  }

 private:
  topology::DeadlockCheck CheckOf(const std::string& routing_name) const {
    if (IsRule(routing_name))
      return network::SystemRoutes(system_, network::RoutingOptions::Named(routing_name)).CheckDeadlock();
    const topology::Routing routing = OwnRouting(routing_name);
    return topology::CheckDeadlock(system_, routing, topology::PlanLanes(system_, routing));
  }
  void Add(const char* name, const std::string& text, nlohmann::ordered_json json) {
    if (json_)
      members_[name] = std::move(json);
    else
      fmt::print("\n{}", text);
  }

  const topology::Topology& system_;
  bool json_;
  nlohmann::ordered_json members_;
};

int Run(const GivenTopo& given) {
  if (given.presets) return ListPresets(given);
  if (given.topology.empty())
    throw UsageError("topo: give --topology FAMILY:key=value,..., preset:NAME or FILE.yaml; --presets lists the names");
  if (!given.output.empty() && !topology::IsFile(given.output))
    throw UsageError(fmt::format("--output {}: a topology's file ends in .yaml or .yml, by which --topology knows it",
                                 given.output));
  topology::BisectionOptions bisection;
  bisection.alpha = topology::ParseRatio(given.alpha, "--alpha");
  if (!given.deadlock.empty() && !IsRule(given.deadlock)) OwnRouting(given.deadlock);  // before anything is written
  const topology::Topology system = topology::Build(given.topology);
  if (!given.svg.empty()) WriteFile(given.svg, topology::DrawSvg(system, topology::Describe(system)));
  if (!given.output.empty()) WriteFile(given.output, topology::TopologyYaml(system));
  Report report(system, given.json);
  if (given.bisection) report.AddBisection(bisection);
  if (given.envelope) report.AddEnvelope();
  if (given.paths) report.AddPaths();
  const bool proved = given.deadlock.empty() || report.AddDeadlock(given.deadlock);
  report.Finish();
  return proved ? kPassed : kCheckFailed;
}

}  // namespace

void AddTopo(const Command& program, int* status) {
  const Command topo = program.AddCommand("topo", "describe, draw, check and measure a system of switches");
  auto given = std::make_shared<GivenTopo>();
  topo.Add("--topology", &given->topology, "FAMILY:key=value,..., preset:NAME or FILE.yaml");
  topo.AddFlag("--presets", &given->presets, "list the presets and what they stand for");
  topo.AddFlag("--bisection", &given->bisection, "minimum bisection of the switches");
  topo.Add("--alpha", &given->alpha, "bandwidth of a global link, any other link has 1 [1]");
  topo.AddFlag("--envelope", &given->envelope,
               "minimum bisection as a function of alpha, where it can be found exactly");
  topo.AddFlag("--paths", &given->paths, "path diversity of pairs of switches");
  topo.Add("--deadlock", &given->deadlock,
           "prove freedom of deadlock for minimal, valiant or progressive routing, or a routing rule of the program");
  topo.AddFlag("--json", &given->json, "print JSON on standard output");
  topo.Add("--svg", &given->svg, "SVG file for a drawing of the system");
  RefuseFolder(topo);
  topo.Add("--output", &given->output, "YAML file for all switches, links and endpoints");
  topo.Footer(
      "Examples:\n  tilefly topo --presets\n  tilefly topo --topology preset:shandy --svg shandy.svg --output "
      "shandy.yaml\n"
      "  tilefly topo --topology dragonfly:p=2,a=4,h=2 --bisection --alpha 2 --deadlock valiant" +
      runs::ExtensionHelp({&topology::Families(), &network::RoutingRules()}));
  topo.Callback([given, status, topo] {
    CheckOptions("topo", topo);
    *status = Run(*given);
  });
}

}  // namespace tilefly::apps
