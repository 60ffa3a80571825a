// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "apps/between.h"
#include "apps/command.h"
#include "apps/given_settings.h"
#include "cosim/errors.h"
#include "cosim/run/block_session.h"
#include "cosim/run/session.h"
#include "support/text.h"

namespace tilefly::apps {
namespace {

using cosim::Settings;

struct Given : GivenSettings {
  int verbose = 0;
  std::string color = "auto";
  int jobs = 0;
};

Settings SettingsOf(const Given& given) {
  Settings settings;
  Collect(given, &settings);
  if (given.jobs > 1 && settings.Get("level") == "switch") settings.Set("rtl.threads", "2", "--jobs");
  return settings;
}

/// While it lives, whatever is printed to standard output goes to standard error (the models print there): standard
/// output is for the JSON only.
class StandardOutputForJson {
 public:
  StandardOutputForJson() : saved_(dup(STDOUT_FILENO)) { dup2(STDERR_FILENO, STDOUT_FILENO); }
  ~StandardOutputForJson() {
    std::fflush(stdout);
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
  }

 private:
  int saved_;
};

/// Paths of the settings given by an option or --set.
std::vector<std::string> GivenPaths(const Given& given) {
  std::vector<std::string> paths;
  for (const auto& [path, value] : given.values) paths.push_back(path);
  for (const std::string& set : given.sets) paths.push_back(set.substr(0, set.find('=')));
  return paths;
}

/// `--level tile` is the tile as a block. Throws UsageError for a level or a block that does not fit.
bool IsBlockLevel(Settings* settings) {
  const std::string level = settings->Get("level");
  const std::string block = settings->Get("block");
  if (level != "switch" && level != "block" && level != "tile") {
    ThrowUnknown("--level", level, {"block", "tile", "switch"});
  }
  if (level == "switch" && !block.empty()) throw UsageError(fmt::format("--block {}: give --level block too", block));
  if (level != "tile") return level == "block";
  if (!block.empty() && block != "tile") throw UsageError(fmt::format("--block {}: give --level block", block));
  settings->Set("block", "tile", "--level tile");
  return true;
}

int RunCosim(const Given& given, const Common& common) {
  Settings settings = SettingsOf(given);
  const bool block = IsBlockLevel(&settings);
  cosim::SessionOptions options = SessionOf(common, given.output_dir, given.quiet ? -1 : given.verbose);
  int status = 0;
  std::string json;
  {
    std::unique_ptr<StandardOutputForJson> redirected;
    if (given.json) redirected = std::make_unique<StandardOutputForJson>();
    const auto run = [&](auto session) {
      status = session.Run();
      json = session.results().dump(2);
    };
    if (block) {
      run(cosim::BlockSession(std::move(settings), GivenPaths(given), std::move(options)));
    } else {
      run(cosim::Session(std::move(settings), std::move(options)));
    }
  }
  if (given.json) fmt::print("{}\n", json);
  return status;
}

}  // namespace

void AddCosim(CLI::App* app, const Common& common, int* status) {
  CLI::App* const command =
      app->add_subcommand("cosim", "RTL against golden: synthetic traffic or a capture, in lockstep");
  auto given = std::make_shared<Given>();
  AddSettings(command, Settings::Table(), given.get());
  command->add_flag("-v,--verbose", given->verbose, "say more");
  command->add_option("--color", given->color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  command->add_option("-j,--jobs", given->jobs, "threads; with 2 or more the array of tiles takes two")
      ->check(Between(1, kMostJobs));
  command->callback([given, common, status] { *status = RunCosim(*given, common); });
}

}  // namespace tilefly::apps
