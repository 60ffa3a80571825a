// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "apps/command.h"
#include "cosim/network/net_session.h"
#include "support/errors.h"

namespace tilefly::apps {
namespace {

using cosim::NetSettings;

/// What was given on the command line, in its order.
struct Given {
  std::vector<std::pair<std::string, std::string>> values;  ///< by path
  std::string config;
  std::vector<std::string> sets;
  std::string output_dir;
  bool json = false;
  bool quiet = false;
};

/// Defaults, then the file, then --set, then options.
NetSettings Collect(const Given& given) {
  NetSettings settings;
  if (!given.config.empty()) settings.Load(given.config);
  for (const std::string& set : given.sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos) throw UsageError(fmt::format("--set: '{}' is not PATH=VALUE", set));
    settings.Set(set.substr(0, equals), set.substr(equals + 1), "--set");
  }
  for (const auto& [path, value] : given.values) settings.Set(path, value, "command line");
  return settings;
}

int RunNet(const Given& given, const Common& common) {
  cosim::SessionOptions options;
  options.output_dir = given.output_dir;
  options.arguments = common.arguments;
  options.version = TILEFLY_VERSION;
  options.stop = common.stop;
  options.verbosity = given.quiet ? -1 : 0;
  options.show_progress = !given.quiet && isatty(STDERR_FILENO) == 1;
  cosim::NetSession session(Collect(given), std::move(options));
  const int status = session.Run();
  if (given.json) fmt::print("{}\n", session.results().dump(2));
  return status;
}

}  // namespace

void AddNet(CLI::App* app, const Common& common, int* status) {
  CLI::App* const command = app->add_subcommand("net", "a system of golden switches from a topology and a workload");
  auto given = std::make_shared<Given>();
  for (const cosim::Setting& setting : NetSettings::Table()) {
    const std::string path = setting.path;
    std::string help = setting.help;
    if (*setting.initial != '\0') help += fmt::format(" [{}]", setting.initial);
    command->add_option_function<std::string>(
        std::string("--") + setting.option,
        [given, path](const std::string& value) { given->values.emplace_back(path, value); }, help);
  }
  command->add_option("--config", given->config, "YAML file of settings, such as a run's config.resolved.yaml");
  command->add_option("--set", given->sets, "a setting by its path: PATH=VALUE")->allow_extra_args(false);
  command->add_option("-o,--output-dir", given->output_dir, "folder of the run: new or empty [out/TIME-NAME]");
  command->add_flag("--json", given->json, "print results.json on standard output");
  command->add_flag("-q,--quiet", given->quiet, "say nothing but errors");
  command->callback([given, common, status] { *status = RunNet(*given, common); });
}

}  // namespace tilefly::apps
