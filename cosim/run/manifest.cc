// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/manifest.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cosim/errors.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325u, kFnvPrime = 0x100000001b3u;

/// FNV-1a, 64 bits: tells configurations and files apart.
std::string Digest(const std::string& text) {
  std::uint64_t hash = kFnvOffset;
  for (unsigned char c : text) hash = (hash ^ c) * kFnvPrime;
  return fmt::format("{:016x}", hash);
}

std::string ReadWhole(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw UsageError(fmt::format("{}: cannot be read", file));
  return text.str();
}

}  // namespace

std::string ManifestJson(const std::string& version, const std::vector<std::string>& arguments, std::uint32_t seed,
                         const std::string& config, const std::vector<std::string>& inputs) {
  nlohmann::ordered_json manifest;
  manifest["version"] = version;
  manifest["compiler"] = __VERSION__;
  manifest["arguments"] = arguments;
  manifest["seed"] = seed;
  manifest["config_digest"] = Digest(config);
  manifest["inputs"] = nlohmann::ordered_json::array();
  for (const std::string& file : inputs)
    manifest["inputs"].push_back({{"file", file}, {"digest", Digest(ReadWhole(file))}});
  return manifest.dump(2) + "\n";
}

std::string DigestLines(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += fmt::format("{}: {}\n", file, Digest(ReadWhole(file)));
  return text;
}

}  // namespace tilefly::cosim
