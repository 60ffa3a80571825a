// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/command.h"
#include "apps/given_settings.h"
#include "network/mpi/mpi_processes.h"
#include "network/reduction_check.h"
#include "runs/common/common_settings.h"
#include "runs/common/extensions.h"
#include "runs/sweep/interference.h"
#include "runs/sweep/saturation_gate.h"
#include "runs/sweep/saturation_search.h"
#include "runs/sweep/sweep.h"
#include "runs/system/net_session.h"
#include "support/errors.h"
#include "support/extension_error.h"
#include "support/text.h"

namespace tilefly::apps {
namespace {

using runs::NetSettings;

struct GivenNet : GivenSettings {
  int jobs = 0;
  int threads = 0;
  std::string checkpoint;
  std::int64_t checkpoint_every = 0;
  std::string resume;
  bool interference = false;
  bool saturation = false;
  double saturation_step = 0.01;
  int past_saturation = -1;
};

/// The warnings about options without effect, of a sweep at its first point. Throws UsageError for those that are
/// refused.
std::vector<std::string> WarningsOf(const GivenNet& given, const NetSettings& settings) {
  const runs::SweepPlan plan(settings);
  const runs::SweepPoint& first = plan.points.front();
  const bool sweep = !plan.swept.empty();
  runs::OptionValues options = OptionsOf("net", given.command);
  options.SetAll(settings, first.settings);
  for (std::size_t i = 0; i < plan.swept.size(); ++i) {
    if (first.LeavesOut(i)) options.LeaveOut(plan.swept[i].setting->option);
  }
  options.Set("sweep", sweep || given.saturation || given.interference ? "on" : "off", false);
  options.Set("loads", sweep && runs::HasSeveralLoads(plan) ? "several" : "off", false);
  return CheckOptionEffects(options);
}

int RunNet(const GivenNet& given, const Common& common, network::Processes* processes) {
  runs::SessionOptions options = SessionOf(common, given);
  NetSettings settings;
  Collect(given, &settings);
  options.warnings = WarningsOf(given, settings);
  options.threads = given.threads;
  const auto run = [&](auto session) {
    const int status = session->Run();
    if (given.json && processes->first()) fmt::print("{}\n", session->results().dump(2));
    return status;
  };
  if (given.interference) {
    if (given.saturation)
      throw UsageError("--interference, --saturation: one compares jobs, the other searches a load; leave one of them out");
    if (!given.checkpoint.empty() || !given.resume.empty() || network::MpiProcesses::Launched())
      throw UsageError("--interference starts its runs itself: leave --checkpoint, --resume and mpirun out");
    return run(std::make_unique<runs::InterferenceSession>(std::move(settings), std::move(options),
                                                            std::filesystem::read_symlink("/proc/self/exe"),
                                                            given.jobs));
  }
  if (given.saturation) {
    if (!given.checkpoint.empty() || !given.resume.empty() || network::MpiProcesses::Launched())
      throw UsageError("--saturation starts its runs itself: leave --checkpoint, --resume and mpirun out");
    return run(std::make_unique<runs::SaturationSession>(std::move(settings), std::move(options),
                                                          std::filesystem::read_symlink("/proc/self/exe"), given.jobs,
                                                          given.saturation_step));
  }
  if (runs::IsSweep(settings)) {
    if (!given.checkpoint.empty() || !given.resume.empty())
      throw UsageError("--checkpoint, --resume: a sweep goes on with its unfinished runs by itself; leave them out");
    if (network::MpiProcesses::Launched())
      throw UsageError("a sweep starts its runs itself, each in one process: start it without mpirun");
    return run(std::make_unique<runs::SweepSession>(runs::SweepPlan(std::move(settings)), std::move(options),
                                                    std::filesystem::read_symlink("/proc/self/exe"), given.jobs,
                                                    given.past_saturation));
  }
  return run(std::make_unique<runs::NetSession>(
      std::move(settings), std::move(options),
      runs::CheckpointOptions{given.checkpoint, given.checkpoint_every, given.resume}, processes));
}

/// Ends all processes; the others may be waiting for this one. What all have met, the first one says.
[[noreturn]] void EndAll(network::Processes* processes, const std::string& message, int code) {
  constexpr std::chrono::seconds kFirstSpeaks{2};
  if (!processes->first()) std::this_thread::sleep_for(kFirstSpeaks);
  fmt::print(stderr, "tilefly: process {} of {}: {}\n", processes->index(), processes->size(), message);
  processes->Abort(code);
}

int RunProcesses(const GivenNet& given, const Common& common) {
  if (!network::MpiProcesses::Launched()) {
    network::Alone alone;
    return RunNet(given, common, &alone);
  }
  network::MpiProcesses processes;
  try {
    return RunNet(given, common, &processes);
  } catch (const UsageError& error) {
    EndAll(&processes, error.what(), kUsage);
  } catch (const network::WrongResult& error) {
    EndAll(&processes, error.what(), kCheckFailed);
  } catch (const ExtensionError& error) {
    EndAll(&processes, error.what(), kInternal);
  } catch (const std::exception& error) {
    EndAll(&processes, fmt::format("internal error: {}", error.what()), kInternal);
  }
}

}  // namespace

void AddNet(const Command& program, const Common& common, int* status) {
  const Command command = program.AddCommand("net", "a system of golden switches from a topology and a workload");
  auto given = std::make_shared<GivenNet>();
  AddSettings(command, NetSettings::Table(), given.get());
  command.Add("-j,--jobs", &given->jobs, "processors to use at most, one a run [cores]").Between(1, kMostJobs);
  command.Add("--threads", &given->threads, "that run the switches [the cores that the process may use]")
      .Between(1, runs::kMostThreads);
  command.Add("--checkpoint", &given->checkpoint, "file for the run's state, written when it is stopped");
  const auto every = [given](const std::string& text) {
    given->checkpoint_every = ParseInteger(text, "--checkpoint-every");
  };
  command.Add("--checkpoint-every", every, "cycles after which --checkpoint writes its file, too")
      .Between(1, runs::kMostCycles);
  command.Add("--resume", &given->resume, "file of --checkpoint from which the run goes on, with the same settings");
  const Option search = command.AddFlag("--saturation", &given->saturation,
                                        "searches the load at which the system begins to be saturated");
  command.Add("--saturation-step", &given->saturation_step,
              "step of the loads of --saturation: 1 over a whole number [0.01]")
      .Needs(search);
  command.AddFlag("--interference", &given->interference,
                  "runs each job alone and all together, on the same places: the slowdown of each");
  command.Add("--past-saturation", &given->past_saturation,
              "number of loads that a sweep runs above the lowest saturated load of each curve [all]")
      .Between(0, runs::kMostPoints);
  command.Footer(
      "A setting with several values makes a sweep, a run for each: --load 0.1:0.9:0.1, --routing min,valiant,\n"
      "--size '{64;1024}'; several make all combinations (docs/sweeps.md).\n"
      "Examples:\n"
      "  tilefly net --topology dragonfly:p=2,a=4,h=2 --routing adaptive_0 --load 0.5 --max-cycles 1e5\n"
      "  tilefly net --topology preset:shandy --routing min,valiant --traffic uniform,adversarial:1 \\\n"
      "    --load 0.05:0.95:0.1 --until converged -j 2\n"
      "  tilefly net --traffic allreduce:ring,bytes=1MiB --reseeds 5 --allocation random\n"
      "  tilefly net --traffic pingpong:ranks=2,iterations=50+alltoall:ranks=40 --background uniform:load=0.3 "
      "--interference\n"
      "  tilefly net --device 3=rtl --max-cycles 2e3 --waves full --trace-start 1000\n"
      "Options without effect in a run are refused or warned about: docs/options.md." +
      runs::ExtensionHelp(runs::AllExtensions()));
  command.Callback([given, common, status] { *status = RunProcesses(*given, common); });
}

}  // namespace tilefly::apps
