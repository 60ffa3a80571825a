// SPDX-License-Identifier: Apache-2.0
#include "apps/given_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/errors.h"

namespace tilefly::apps {

void AddSettings(CLI::App* command, const std::vector<cosim::Setting>& table, GivenSettings* given) {
  for (const cosim::Setting& setting : table) {
    const std::string path = setting.path;
    std::string help = setting.help;
    if (*setting.initial != '\0') help += fmt::format(" [{}]", setting.initial);
    const std::string option = std::string("--") + setting.option;
    if (setting.list) {
      const auto join = [given, path](const std::vector<std::string>& values) {
        given->values.emplace_back(path, fmt::format("{}", fmt::join(values, ",")));
      };
      command->add_option_function<std::vector<std::string>>(option, join, help)->allow_extra_args(false);
      continue;
    }
    command->add_option_function<std::string>(
        option, [given, path](const std::string& value) { given->values.emplace_back(path, value); }, help);
  }
  command->add_option("--config", given->config, "YAML file of settings, such as a run's config.resolved.yaml");
  command->add_option("--set", given->sets, "a setting by its path: PATH=VALUE")->allow_extra_args(false);
  command->add_option("-o,--output-dir", given->output_dir, "folder of the run: new or empty [out/TIME-NAME]");
  command->add_flag("--json", given->json, "print results.json on standard output");
  command->add_flag("-q,--quiet", given->quiet, "say nothing but errors");
}

void Collect(const GivenSettings& given, cosim::SettingValues* settings) {
  if (!given.config.empty()) settings->Load(given.config);
  for (const std::string& set : given.sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos) throw UsageError(fmt::format("--set: '{}' is not PATH=VALUE", set));
    settings->Set(set.substr(0, equals), set.substr(equals + 1), "--set");
  }
  for (const auto& [path, value] : given.values) settings->Set(path, value, "command line");
}

}  // namespace tilefly::apps
