// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "apps/given_settings.h"
#include "cosim/errors.h"
#include "runs/block/block_session.h"
#include "runs/switch/session.h"
#include "support/text.h"

namespace tilefly::apps {
namespace {

using runs::Settings;

struct GivenCosim : GivenSettings {
  int jobs = 0;
};

/// The warnings about options without effect. Throws UsageError for those that are refused.
std::vector<std::string> WarningsOf(const GivenCosim& given, const Settings& settings) {
  runs::OptionValues options = OptionsOf("cosim", given.command);
  Settings resolved = settings;
  resolved.Resolve();
  options.SetAll(settings, resolved);
  return CheckOptionEffects(options);
}

/// --jobs gives the array of tiles its second thread.
void UseJobs(int jobs, Settings* settings) {
  const std::vector<std::string> devices = Split(settings->Get("devices"), ',');
  const bool rtl = std::find(devices.begin(), devices.end(), "rtl") != devices.end();
  if (jobs > 1 && rtl && settings->Get("level") == "switch") settings->Set("rtl.threads", "2", "--jobs");
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

/// `--level tile` is the tile as a block. Throws UsageError for a level or a block that does not fit.
bool IsBlockLevel(Settings* settings) {
  const std::string level = settings->Get("level");
  const std::string block = settings->Get("block");
  if (level != "switch" && level != "block" && level != "tile") {
    ThrowUnknown("--level", level, {"block", "tile", "switch"});
  }
  if (level != "tile") return level == "block";
  if (!block.empty() && block != "tile") throw UsageError(fmt::format("--block {}: give --level block", block));
  settings->Set("block", "tile", "--level tile");
  return true;
}

int RunCosim(const GivenCosim& given, const Common& common) {
  Settings settings;
  Collect(given, &settings);
  runs::SessionOptions options = SessionOf(common, given);
  options.warnings = WarningsOf(given, settings);
  const bool block = IsBlockLevel(&settings);
  UseJobs(given.jobs, &settings);
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
      run(runs::BlockSession(std::move(settings), std::move(options)));
    } else {
      run(runs::Session(std::move(settings), std::move(options)));
    }
  }
  if (given.json) fmt::print("{}\n", json);
  return status;
}

}  // namespace

void AddCosim(const Command& program, const Common& common, int* status) {
  const Command command =
      program.AddCommand("cosim", "RTL against golden: synthetic traffic or a capture, in lockstep");
  auto given = std::make_shared<GivenCosim>();
  AddSettings(command, Settings::Table(), given.get());
  command.Add("-j,--jobs", &given->jobs, "processors to use at most: from 2 on the array of tiles takes two [1]")
      .Between(1, kMostJobs);
  command.Footer(
      "Examples:\n"
      "  tilefly cosim --profile tile8 --load 0.9 --size 64,1024 --max-cycles 1e4\n"
      "  tilefly cosim --pcap captures/lan24.pcapng --waves full --trace-start 400 --trace-end 700\n"
      "  tilefly cosim --level block --block scheduler --max-cycles 1e5\n"
      "  tilefly cosim --config out/RUN/config.resolved.yaml\n"
      "Options without effect in a run are refused or warned about: docs/options.md.");
  command.Callback([given, common, status] { *status = RunCosim(*given, common); });
}

}  // namespace tilefly::apps
