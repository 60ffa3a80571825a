// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "apps/command.h"
#include "cosim/run/session.h"
#include "support/errors.h"
#include "topology/builder.h"
#include "topology/describe.h"
#include "topology/file.h"
#include "topology/svg.h"

namespace tilefly::apps {
namespace {

struct Given {
  std::string topology;
  std::string svg;
  std::string output;
  bool json = false;
  bool presets = false;
};

int ListPresets(const Given& given) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const topology::Preset& preset : topology::Presets()) {
    if (!given.json) fmt::print("{:<14}{}\n", preset.name, preset.description);
    json[preset.name] = preset.description;
  }
  if (given.json) fmt::print("{}\n", json.dump(2));
  return cosim::kPassed;
}

int Run(const Given& given) {
  if (given.presets) return ListPresets(given);
  if (given.topology.empty())
    throw UsageError("topo: give --topology FAMILY:key=value,..., preset:NAME or FILE.yaml; --presets lists the names");
  if (!given.output.empty() && !topology::IsFile(given.output))
    throw UsageError(
        fmt::format("-o {}: a topology's file ends in .yaml or .yml, by which --topology knows it", given.output));
  const topology::Topology system = topology::Build(given.topology);
  const topology::Description description = topology::Describe(system);
  if (!given.svg.empty()) WriteFile(given.svg, topology::DrawSvg(system, description));
  if (!given.output.empty()) WriteFile(given.output, topology::TopologyYaml(system));
  if (given.json) {
    fmt::print("{}\n", topology::DescriptionJson(system, description).dump(2));
  } else {
    fmt::print("{}", topology::DescriptionText(system, description));
  }
  return cosim::kPassed;
}

}  // namespace

void AddTopo(CLI::App* app, int* status) {
  CLI::App* const topo = app->add_subcommand("topo", "describe and draw a system of switches");
  auto given = std::make_shared<Given>();
  topo->add_option("--topology", given->topology, "FAMILY:key=value,..., preset:NAME or FILE.yaml");
  topo->add_flag("--presets", given->presets, "list the presets and what they stand for");
  topo->add_flag("--json", given->json, "print JSON on standard output");
  topo->add_option("--svg", given->svg, "draw it into this file");
  topo->add_option("-o,--output", given->output, "YAML file for all switches, links and endpoints");
  topo->callback([given, status] { *status = Run(*given); });
}

}  // namespace tilefly::apps
