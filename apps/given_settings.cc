// SPDX-License-Identifier: Apache-2.0
#include "apps/given_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <map>
#include <set>

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

void AddSettings(const Command& command, const std::vector<runs::Setting>& table, GivenSettings* given) {
  for (const runs::Setting& setting : table) {
    if (setting.by_path) continue;
    const std::string path = setting.path;
    std::string help = setting.help;
    if (*setting.initial != '\0') help += fmt::format(" [{}]", setting.initial);
    const std::string option = std::string("--") + setting.option;
    if (setting.list) {
      const auto join = [given, path](const std::vector<std::string>& values) {
        given->values.emplace_back(path, fmt::format("{}", fmt::join(values, ",")));
      };
      command.AddList(option, join, help).Group(GroupOf(path));
      continue;
    }
    const auto take = [given, path](const std::string& value) { given->values.emplace_back(path, value); };
    const std::string several = fmt::format("as a list, for a run of each value: {} '{{a;b}}'", option);
    command.AddOnce(option, take, several, help).Group(GroupOf(path));
  }
  given->command = command;
  command.Add("--config", &given->config, "YAML file of settings, such as a run's config.resolved.yaml");
  command.Add("--set", &given->sets, "a setting by its path: PATH=VALUE");
  command.Add("-o,--output-dir", &given->output_dir, "folder of the run: new or empty [out/TIME-NAME]");
  command.AddFlag("--json", &given->json, "print results.json on standard output");
  command.Add("--color", &given->color, "colours of verdicts and warnings: auto, always or never [auto]")
      .OneOf({"auto", "always", "never"});
  command.AddFlag("-v,--verbose", &given->verbose,
                  "print more: the values of auto settings, and the lines that are else in log.txt only");
  command.AddFlag("-q,--quiet", &given->quiet, "print only errors");
}

void Collect(const GivenSettings& given, runs::SettingValues* settings) {
  if (!given.config.empty()) settings->Load(given.config);
  std::set<std::string> paths;
  for (const std::string& set : given.sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos) throw UsageError(fmt::format("--set: '{}' is not PATH=VALUE", set));
    const std::string path = set.substr(0, equals), value = set.substr(equals + 1);
    settings->Set(path, value, "--set");
    if (value.empty()) throw UsageError(fmt::format("--set {}: the value is empty; give one, or leave it out", set));
    if (!paths.insert(path).second)
      throw UsageError(fmt::format("--set {}: {} is given twice; give it once", set, path));
  }
  for (const auto& [path, value] : given.values) {
    if (paths.count(path) > 0)
      throw UsageError(fmt::format("--set {}: its option is given too, as {}; leave one of them out", path, value));
    settings->Set(path, value, runs::kCommandLine);
  }
}

runs::OptionValues OptionsOf(const std::string& name, const Command& command) {
  runs::OptionValues values(name);
  for (const GivenOption& option : command.Given()) {
    for (const std::string& option_name : option.names) values.Set(option_name, option.value, true);
  }
  return values;
}

void CheckOptions(const std::string& name, const Command& command) {
  for (const std::string& warning : runs::CheckOptionEffects(OptionsOf(name, command))) runs::Tell(warning + "\n");
}

void RefuseFolder(const Command& command) {
  const auto refuse = [](const std::string& file) {
    throw UsageError(
        fmt::format("-o {}: -o is the folder of a run everywhere; for this file give --output {}", file, file));
  };
  command.Add("-o", refuse, "").Group("");
}

runs::SessionOptions SessionOf(const Common& common, const GivenSettings& given) {
  runs::SessionOptions session = SessionOf(common, given.output_dir, given.quiet ? -1 : given.verbose);
  session.color = given.color == "always" || (given.color == "auto" && isatty(STDERR_FILENO) == 1);
  return session;
}

}  // namespace tilefly::apps
