// SPDX-License-Identifier: Apache-2.0
#include "runs/compare/run_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>

#include "support/errors.h"
#include "support/yaml_map.h"

namespace tilefly::runs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Folders of runs directly below one that is none: what may have been meant.
std::string RunsBelow(const fs::path& folder) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (fs::exists(entry.path() / "manifest.json", error)) names.push_back(entry.path().string());
  }
  std::sort(names.begin(), names.end());
  const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
  names.resize(names.size() - more);
  if (names.empty()) return "";
  return fmt::format(", such as {}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" ({} more)", more) : "");
}

/// An object. Throws UsageError with `remedy`.
Json ReadObject(const fs::path& file, const std::string& remedy) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw UsageError(fmt::format("{}: is missing; {}", file.string(), remedy));
  Json json = Json::parse(in, nullptr, false);
  if (!json.is_object()) throw UsageError(fmt::format("{}: is no JSON object; {}", file.string(), remedy));
  return json;
}

void AddYamlSettings(const YAML::Node& node, const std::string& prefix, RunFolder* run) {
  for (const auto& entry : node) {
    const std::string path = prefix + entry.first.Scalar();
    if (entry.second.IsMap()) {
      AddYamlSettings(entry.second, path + ".", run);
    } else {
      run->settings.emplace_back(path, entry.second.IsScalar() ? entry.second.Scalar() : YAML::Dump(entry.second));
    }
  }
}

/// `repro` has no file of settings: they are the name of the figure and what its results repeat.
void ReadSettings(RunFolder* run) {
  const fs::path file = run->path / "config.resolved.yaml";
  if (run->command.rfind("repro", 0) == 0) {
    run->settings.emplace_back("quick", run->results.value("quick", Json()).dump());
    run->settings.emplace_back("ping_pong_ns",
                               run->results.value("/constants/ping_pong_ns"_json_pointer, Json()).dump());
    for (const auto& [name, value] : run->results.value("options", Json::object()).items())
      run->settings.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
    return;
  }
  if (!fs::exists(file))
    throw UsageError(fmt::format("{}: is missing; the run was refused, run it again", file.string()));
  AddYamlSettings(LoadYaml(file), "", run);
}

/// A single run's manifest does not name its command; what it has compared or measured tells.
std::string CommandOfRun(const RunFolder& run) {
  const std::string command = run.manifest.value("command", "");
  if (!command.empty()) return command;
  if (run.results.contains("block")) return "cosim block";
  if (run.results.contains("topology")) return "net";
  if (run.results.contains("devices")) return "cosim";
  throw UsageError(fmt::format("{}: is of no command that can be compared; they are cosim, net and repro",
                               ResultsFileOf(run.path, run.manifest).string()));
}

bool HasEnd(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

fs::path ResultsFileOf(const fs::path& folder, const Json& manifest) {
  const std::string command = manifest.value("command", "");
  return folder / (HasEnd(command, " sweep")        ? "sweep.json"
                   : HasEnd(command, " saturation") ? "saturation.json"
                                                    : "results.json");
}

RunFolder ReadRunFolder(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) throw UsageError(fmt::format("{}: there is no such folder", folder.string()));
  if (!fs::is_directory(folder, error))
    throw UsageError(fmt::format("{}: is a file; name the folder that it is in", folder.string()));
  RunFolder run;
  run.path = folder;
  run.manifest = ReadObject(folder / "manifest.json",
                            fmt::format("{} is no run directory; name a folder that cosim, net or repro has written{}",
                                        folder.string(), RunsBelow(folder)));
  if (run.manifest.value("command", "") == "net interference")
    throw UsageError(fmt::format("{0}: the runs of --interference are below it; compare these, such as {0}/points/together",
                                 folder.string()));
  run.results = ReadObject(ResultsFileOf(folder, run.manifest), "the run did not come to its end, run it again");
  run.command = CommandOfRun(run);
  ReadSettings(&run);
  run.machine = run.results.value("machine", Json::object());
  run.results.erase("machine");
  return run;
}

Json RunFolder::ResultsOfPoint(const std::string& directory) const {
  std::ifstream in(path / directory / "results.json", std::ios::binary);
  if (directory.empty() || !in) return nullptr;
  Json json = Json::parse(in, nullptr, false);
  return json.is_object() ? json : Json(nullptr);
}

}  // namespace tilefly::runs
