// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "apps/given_settings.h"
#include "runs/repro/host_constants.h"
#include "runs/repro/repro_session.h"
#include "support/errors.h"
#include "workload/segments.h"

namespace tilefly::apps {
namespace {

constexpr std::int64_t kMostNodes = 1 << 20;
constexpr std::int64_t kMostSeeds = 1000;
constexpr std::int64_t kMostTimeUs = 1'000'000;
constexpr std::int64_t kMostPingPongNs = 1'000'000'000;  ///< a second
constexpr std::int64_t kLongestTimeout = 1'000'000'000;  ///< seconds

struct GivenRepro {
  runs::ReproOptions options;
  std::string output_dir;
  bool list = false;
  bool json = false;
  bool quiet = false;
  double timeout = 0;
  int threads = 0;
};

int RunRepro(GivenRepro given, const Common& common) {
  if (given.list) {
    for (const runs::Study& study : runs::Studies()) fmt::print("{:<18}{}\n", study.name, study.title);
    return kPassed;
  }
  if (given.options.study.empty()) throw UsageError("repro: which figure? Give a name of `tilefly repro --list`");
  if (given.timeout > 0)
    given.options.deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(std::llround(given.timeout * 1000));
  runs::SessionOptions session = SessionOf(common, given.output_dir, given.quiet ? -1 : 0);
  session.threads = given.threads;
  runs::ReproSession repro(given.options, std::move(session),
                            std::filesystem::read_symlink("/proc/self/exe"));
  const int status = repro.Run();
  if (given.json) fmt::print("{}\n", repro.results().dump(2));
  return status;
}

}  // namespace

void AddRepro(const Command& program, const Common& common, int* status) {
  const Command command = program.AddCommand("repro", "a published figure beside the model's own");
  auto given = std::make_shared<GivenRepro>();
  given->options.ping_pong_ns = runs::HostTargets().ping_pong_ns;
  command.Add("FIGURE", &given->options.study, "its name");
  command.AddFlag("--list", &given->list, "the names");
  command.AddFlag("--quick", &given->options.asked.quick, "few sizes, for a first look");
  runs::StudyOptions& asked = given->options.asked;
  command.Add("--topology", &asked.topology, "system of gpcnet or incast [the figure's own]");
  command.Add("--nodes", &asked.nodes, "endpoints that take part in gpcnet").Between(1, kMostNodes).ShowInitial();
  command.Add("--victims", &asked.victims, "of these nodes, those that are timed").Between(1, kMostNodes).ShowInitial();
  command.Add("--contributors", &asked.contributors, "endpoints that send to one in incast [50; with --quick 8]")
      .Between(1, kMostNodes);
  command.Add("--size", &asked.size, "bytes of data in a packet of incast")
      .Between(1, workload::kMostData)
      .ShowInitial();
  command.Add("--time", &asked.time_us, "time of a run of incast in us [600; with --quick 150]")
      .Between(3, kMostTimeUs);
  command.Add("--seeds", &asked.seeds, "placements of the nodes of gpcnet, with runs for each")
      .Between(1, kMostSeeds)
      .ShowInitial();
  command
      .Add("--ping-pong-ns", &given->options.ping_pong_ns,
           "time of 8 bytes from host to host, by which host-send and host-receive are fixed")
      .Between(1, kMostPingPongNs)
      .ShowInitial();
  command.Add("-j,--jobs", &given->options.jobs, "processors to use at most, one a run [cores]").Between(1, kMostJobs);
  command.Add("--threads", &given->threads, "that run the switches of a run [its part of the cores]")
      .Between(1, runs::kMostThreads);
  command.Add("--timeout", &given->timeout, "seconds of wall clock for the whole command; 0: no limit [0]")
      .Between(0, kLongestTimeout);
  command.Add("-o,--output-dir", &given->output_dir, "folder: new, empty or of the same command [out/TIME-NAME]");
  command.AddFlag("--json", &given->json, "print results.json on standard output");
  command.AddFlag("-q,--quiet", &given->quiet, "print only errors");
  command.Footer("Examples:\n  tilefly repro --list\n  tilefly repro sharp-latency --quick -j 2");
  command.Callback([given, common, status, command] {
    CheckOptions("repro", command);
    *status = RunRepro(*given, common);
  });
}

}  // namespace tilefly::apps
