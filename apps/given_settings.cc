// SPDX-License-Identifier: Apache-2.0
#include "apps/given_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <map>

#include "apps/between.h"
#include "runs/common/run_log.h"
#include "support/errors.h"

namespace tilefly::apps {

namespace {

/// The group of --help that a setting stands in, by the first part of its path.
std::string GroupOf(const std::string& path) {
  static const std::map<std::string, std::string> groups = {{"ports", "Ports"},     {"qos", "Classes and scheduler"},
                                                            {"traffic", "Traffic"}, {"capture", "Captures"},
                                                            {"stalls", "Stalls"},   {"output", "Output"},
                                                            {"waves", "Waves"},     {"rtl", "Models of the RTL"},
                                                            {"nic", "NICs"},        {"host", "Hosts"},
                                                            {"faults", "Faults"},   {"devices", "Devices"}};
  const std::size_t dot = path.find('.');
  const auto found = groups.find(path.substr(0, dot));
  return dot == std::string::npos || found == groups.end() ? "Run" : found->second;
}

}  // namespace

void AddSettings(CLI::App* command, const std::vector<runs::Setting>& table, GivenSettings* given) {
  for (const runs::Setting& setting : table) {
    const std::string path = setting.path;
    std::string help = setting.help;
    if (*setting.initial != '\0') help += fmt::format(" [{}]", setting.initial);
    const std::string option = std::string("--") + setting.option;
    if (setting.list) {
      const auto join = [given, path](const std::vector<std::string>& values) {
        given->values.emplace_back(path, fmt::format("{}", fmt::join(values, ",")));
      };
      command->add_option_function<std::vector<std::string>>(option, join, help)
          ->allow_extra_args(false)
          ->group(GroupOf(path));
      continue;
    }
    command
        ->add_option_function<std::string>(
            option, [given, path](const std::string& value) { given->values.emplace_back(path, value); }, help)
        ->group(GroupOf(path));
  }
  given->command = command;
  command->add_option("--config", given->config, "YAML file of settings, such as a run's config.resolved.yaml");
  command->add_option("--set", given->sets, "a setting by its path: PATH=VALUE")->allow_extra_args(false);
  command->add_option("-o,--output-dir", given->output_dir, "folder of the run: new or empty [out/TIME-NAME]")
      ->check(NotEmpty());
  command->add_flag("--json", given->json, "print results.json on standard output");
  command->add_option("--color", given->color, "of verdicts and warnings: auto, always or never [auto]")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  command->add_flag("-v,--verbose", given->verbose, "say more: what auto settings came to, what is in log.txt only");
  command->add_flag("-q,--quiet", given->quiet, "say nothing but errors");
}

void Collect(const GivenSettings& given, runs::SettingValues* settings) {
  if (!given.config.empty()) settings->Load(given.config);
  for (const std::string& set : given.sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos) throw UsageError(fmt::format("--set: '{}' is not PATH=VALUE", set));
    settings->Set(set.substr(0, equals), set.substr(equals + 1), "--set");
  }
  for (const auto& [path, value] : given.values) settings->Set(path, value, runs::kCommandLine);
}

runs::OptionValues OptionsOf(const std::string& name, const CLI::App& command) {
  runs::OptionValues values(name);
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    const std::string text = fmt::format("{}", fmt::join(option->results(), ","));
    for (const std::string& long_name : option->get_lnames()) values.Set(long_name, text, true);
    if (option->get_lnames().empty()) values.Set(option->get_single_name(), text, true);
  }
  return values;
}

void CheckOptions(const std::string& name, const CLI::App& command) {
  for (const std::string& warning : runs::CheckOptionEffects(OptionsOf(name, command))) runs::Tell(warning + "\n");
}

void RefuseFolder(CLI::App* command) {
  const auto refuse = [](const std::string& file) {
    throw UsageError(
        fmt::format("-o {}: -o is the folder of a run everywhere; for this file give --output {}", file, file));
  };
  command->add_option_function<std::string>("-o", refuse, "")->group("");
}

runs::SessionOptions SessionOf(const Common& common, const GivenSettings& given) {
  runs::SessionOptions session = SessionOf(common, given.output_dir, given.quiet ? -1 : given.verbose);
  session.color = given.color == "always" || (given.color == "auto" && isatty(STDERR_FILENO) == 1);
  return session;
}

}  // namespace tilefly::apps
