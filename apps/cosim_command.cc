// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "apps/given_settings.h"
#include "cosim/errors.h"
#include "network/schedulers.h"
#include "runs/block/block_session.h"
#include "runs/common/extensions.h"
#include "runs/sweep/sweep.h"
#include "runs/switch/session.h"
#include "support/text.h"
#include "traffic/patterns.h"

namespace tilefly::apps {
namespace {

using runs::Settings;

struct GivenCosim : GivenSettings {
  int jobs = 0;
};

/// Of a sweep the first point's settings.
runs::SettingValues Resolved(Settings settings) {
  if (runs::IsSweep(settings)) return runs::SweepPlan(settings).points.front().settings;
  settings.Resolve();
  return settings;
}

/// The warnings about options without effect. Throws UsageError for those that are refused.
std::vector<std::string> WarningsOf(const GivenCosim& given, const Settings& settings) {
  runs::OptionValues options = OptionsOf("cosim", given.command);
  options.SetAll(settings, Resolved(settings));
  options.Set("sweep", runs::IsSweep(settings) ? "on" : "off", false);
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

/// Throws UsageError when a point is a comparison of a block.
void RequireSwitchLevel(const runs::SweepPlan& plan) {
  for (const runs::SweepPoint& point : plan.points) {
    const std::string& level = point.settings.Get("level");
    if (level == "block" || level == "tile")
      throw UsageError(fmt::format(
          "--level {}: a block's comparison has no load and no latency to sweep; give each setting one value", level));
  }
}

int RunCosim(const GivenCosim& given, const Common& common) {
  Settings settings;
  Collect(given, &settings);
  runs::SessionOptions options = SessionOf(common, given);
  options.warnings = WarningsOf(given, settings);
  const bool sweep = runs::IsSweep(settings);
  if (sweep) RequireSwitchLevel(runs::SweepPlan(settings));
  const bool block = !sweep && IsBlockLevel(&settings);
  if (!sweep) UseJobs(given.jobs, &settings);
  int status = 0;
  std::string json;
  {
    std::unique_ptr<StandardOutputForJson> redirected;
    if (given.json) redirected = std::make_unique<StandardOutputForJson>();
    const auto run = [&](auto session) {
      status = session.Run();
      json = session.results().dump(2);
    };
    if (sweep) {
      run(runs::SweepSession(runs::SweepPlan(std::move(settings)), std::move(options),
                             std::filesystem::read_symlink("/proc/self/exe"), given.jobs));
    } else if (block) {
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
  command.Add("-j,--jobs", &given->jobs,
              "processors to use at most: from 2 on the array of tiles takes two [1]; of a sweep one a run [cores]")
      .Between(1, kMostJobs);
  command.Footer(
      "A setting with several values makes a sweep, a run for each: --load 0.1:0.9:0.2, --profile tile8,tile16,\n"
      "--size '{64;1024}' (docs/sweeps.md).\n"
      "Examples:\n"
      "  tilefly cosim --profile tile8 --load 0.9 --size 64,1024 --max-cycles 1e4\n"
      "  tilefly cosim --pcap captures/lan24.pcapng --waves full --trace-start 400 --trace-end 700\n"
      "  tilefly cosim --level block --block scheduler --max-cycles 1e5\n"
      "  tilefly cosim --profile tile8 --devices golden --load 0.1:0.9:0.2\n"
      "  tilefly cosim --config out/RUN/config.resolved.yaml\n"
      "Options without effect in a run are refused or warned about: docs/options.md." +
      runs::ExtensionHelp({&Patterns(), &network::Schedulers()}));
  command.Callback([given, common, status] { *status = RunCosim(*given, common); });
}

}  // namespace tilefly::apps
