// SPDX-License-Identifier: Apache-2.0
#include "runs/common/manifest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "runs/common/digest.h"
#include "runs/common/extensions.h"

namespace tilefly::runs {

std::string ManifestJson(const std::string& version, const std::vector<std::string>& arguments, std::uint32_t seed,
                         const std::string& config, const std::vector<std::string>& inputs,
                         const std::string& command) {
  nlohmann::ordered_json manifest;
  manifest["version"] = version;
  manifest["program_digest"] = ProgramDigest();
  manifest["compiler"] = __VERSION__;
  if (nlohmann::ordered_json extensions = ExtensionsJson(); !extensions.empty())
    manifest["extensions"] = std::move(extensions);
  if (!command.empty()) manifest["command"] = command;
  manifest["arguments"] = arguments;
  manifest["seed"] = seed;
  manifest["config_digest"] = Digest(fmt::format("{}", fmt::join(DecidingLines(config), "\n")));
  manifest["inputs"] = nlohmann::ordered_json::array();
  for (const std::string& file : inputs) manifest["inputs"].push_back({{"file", file}, {"digest", FileDigest(file)}});
  return manifest.dump(2) + "\n";
}

std::vector<std::string> DecidingLines(const std::string& config) {
  std::vector<std::string> lines;
  std::istringstream in(config);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("timeout:", 0) != 0) lines.push_back(line.substr(0, line.find("  #")));
  }
  return lines;
}

std::string DigestLines(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += fmt::format("{}: {}\n", file, FileDigest(file));
  return text;
}

}  // namespace tilefly::runs
