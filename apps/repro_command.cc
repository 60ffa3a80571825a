// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

#include "apps/between.h"
#include "apps/command.h"
#include "apps/given_settings.h"
#include "runs/repro/host_constants.h"
#include "runs/repro/repro_session.h"
#include "support/errors.h"

namespace tilefly::apps {
namespace {

constexpr std::int64_t kMostPingPongNs = 1'000'000'000;  ///< a second
constexpr std::int64_t kLongestTimeout = 1'000'000'000;  ///< seconds

struct Given {
  runs::ReproOptions options;
  std::string output_dir;
  bool list = false;
  bool json = false;
  bool quiet = false;
  double timeout = 0;
};

int RunRepro(Given given, const Common& common) {
  if (given.list) {
    for (const runs::Study& study : runs::Studies()) fmt::print("{:<18}{}\n", study.name, study.title);
    return kPassed;
  }
  if (given.options.study.empty()) throw UsageError("repro: which figure? Give a name of `tilefly repro --list`");
  if (given.timeout > 0)
    given.options.deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(std::llround(given.timeout * 1000));
  runs::ReproSession repro(given.options, SessionOf(common, given.output_dir, given.quiet ? -1 : 0),
                            std::filesystem::read_symlink("/proc/self/exe"));
  const int status = repro.Run();
  if (given.json) fmt::print("{}\n", repro.results().dump(2));
  return status;
}

}  // namespace

void AddRepro(CLI::App* app, const Common& common, int* status) {
  CLI::App* const command = app->add_subcommand("repro", "a published figure beside the model's own");
  auto given = std::make_shared<Given>();
  given->options.ping_pong_ns = runs::HostTargets().ping_pong_ns;
  command->add_option("FIGURE", given->options.study, "its name");
  command->add_flag("--list", given->list, "the names");
  command->add_flag("--quick", given->options.quick, "few sizes, for a first look");
  command
      ->add_option("--ping-pong-ns", given->options.ping_pong_ns,
                   "time of 8 bytes from host to host, by which host-send and host-receive are fixed")
      ->check(Between(1, kMostPingPongNs))
      ->capture_default_str();
  command->add_option("-j,--jobs", given->options.jobs, "processors to use at most, one a run [cores]")
      ->check(Between(1, kMostJobs));
  command->add_option("--timeout", given->timeout, "seconds of wall clock for the whole command; 0: no limit [0]")
      ->check(Between(0, kLongestTimeout));
  command->add_option("-o,--output-dir", given->output_dir,
                      "folder: new, empty or of the same command [out/TIME-NAME]")
      ->check(NotEmpty());
  command->add_flag("--json", given->json, "print results.json on standard output");
  command->add_flag("-q,--quiet", given->quiet, "say nothing but errors");
  command->footer("Examples:\n  tilefly repro --list\n  tilefly repro sharp-latency --quick -j 2");
  command->callback([given, common, status, command] {
    CheckOptions("repro", *command);
    *status = RunRepro(*given, common);
  });
}

}  // namespace tilefly::apps
