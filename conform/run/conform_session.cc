// SPDX-License-Identifier: Apache-2.0
#include "conform/run/conform_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "conform/run/certificate.h"
#include "conform/run/child_test.h"
#include "conform/run/choice.h"
#include "conform/run/conform_page.h"
#include "conform/run/dpi_bench.h"
#include "conform/run/shortest.h"
#include "conform/verilated/device_build.h"
#include "runs/common/digest.h"
#include "runs/common/manifest.h"
#include "runs/common/run_directory.h"
#include "runs/common/run_log.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::conform {
namespace {

using nlohmann::ordered_json;

constexpr const char* kCommand = "conform";
constexpr std::int64_t kWavesBefore = 400;  // cycles
constexpr std::int64_t kWavesAfter = 50;

std::string CountText(std::int64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// A run of the suite.
class Session {
 public:
  Session(const ConformOptions& options, const runs::SessionOptions& session)
      : options_(options),
        session_(session),
        capability_(ReadCapability(options.file)),
        choice_(Choose(capability_, options.tests, options.short_only)),
        log_(session, "conform-" + capability_.device, kCommand) {}

  runs::Verdict Run() {
    log_.directory().Write("manifest.json", runs::ManifestJson(session_.version, session_.arguments,
                                                               static_cast<std::uint32_t>(options_.seed), "",
                                                               {capability_.file.string()}, kCommand));
    if (options_.dpi) return WriteBench();
    Build();
    RunTests();
    return Conclude();
  }

 private:
  runs::Verdict WriteBench() {
    if (capability_.style == PortStyle::kLink)
      throw UsageError(
          fmt::format("{}: ports.style: link: --simulator dpi drives AXI-Stream ports only", options_.file));
    const std::filesystem::path folder = log_.directory().path() / "dpi";
    WriteDpiBench(capability_, choice_.tests, options_.seed, options_.program, folder);
    log_.Say(fmt::format("{}: a bench for {} tests; nothing was built, and nothing was run", folder.string(),
                         choice_.tests.size()));
    log_.Say(fmt::format("next: {}/simulate.sh verilator (or questa, vcs, xcelium)", folder.string()));
    log_.Close();
    return runs::Verdict::kPass;
  }

  void Build() {
    const std::filesystem::path folder = log_.directory().path() / "device";
    if (capability_.library.empty())
      log_.Say(fmt::format("building {} of {} files", capability_.top, capability_.files.size()));
    built_ = BuildDevice(capability_, folder, session_.stop);
    if (built_.reused && capability_.library.empty()) log_.Say("the device is as it was built before");
    log_.Say(fmt::format("{}: {} tests, each with {}; {} do not apply, {} are left out", capability_.device,
                         choice_.tests.size(),
                         options_.seeds == 1 ? "one seed" : fmt::format("{} seeds", options_.seeds), choice_.excused,
                         choice_.left_out.size()));
  }

  void RunTests() {
    struct Job {
      std::string id;
      std::uint64_t seed;
    };
    std::vector<Job> jobs;
    for (const std::string& id : choice_.tests) {
      for (int n = 0; n < options_.seeds; ++n) jobs.push_back({id, options_.seed + static_cast<std::uint64_t>(n)});
    }
    results_.resize(jobs.size());
    std::atomic<std::size_t> next{0};
    std::size_t done = 0;
    std::mutex mutex;
    const auto work = [&] {
      for (std::size_t at = next++; at < jobs.size(); at = next++) {
        if (Stopped() || (options_.fail_fast && failed_.load())) return;
        results_[at] =
            RunInChild(options_, {jobs[at].id, jobs[at].seed, built_.library.string(), {}, {}, 0}, session_.stop);
        const std::lock_guard<std::mutex> lock(mutex);
        ++done;
        const std::string verdict = results_[at].at("verdict");
        if (verdict == "fail") failed_.store(true);
        const std::string line =
            fmt::format("{:<9} {} seed {}{}", verdict, jobs[at].id, jobs[at].seed,
                        verdict == "pass" ? "" : ": " + results_[at].at("reason").get<std::string>());
        if (verdict == "pass") {
          log_.Note(line);
        } else {
          log_.Say(line);
        }
        if (session_.show_progress) runs::Tell(fmt::format("\r{} of {} tests\033[K\r", done, jobs.size()));
      }
    };
    std::vector<std::thread> workers;
    for (int n = 0; n < options_.jobs; ++n) workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    results_.erase(
        std::remove_if(results_.begin(), results_.end(), [](const ordered_json& result) { return result.is_null(); }),
        results_.end());
  }

  bool Stopped() const { return session_.stop != nullptr && session_.stop->load(); }

  static std::int64_t Count(const ordered_json& some, const char* verdict) {
    return std::count_if(some.begin(), some.end(),
                         [&](const ordered_json& one) { return one.at("verdict") == verdict; });
  }

  runs::Verdict Conclude() {
    const ordered_json certificate =
        MakeCertificate(capability_, {session_.version, options_.file, built_.digest}, results_);
    const ordered_json& claims = certificate.at("claims");
    const std::string verdict = certificate.at("verdict");
    const std::int64_t failed = Count(certificate.at("tests"), "fail") + Count(claims, "fail");
    const std::int64_t undecided = Count(certificate.at("tests"), "undecided");
    for (const ordered_json& claim : claims) {
      if (claim.at("verdict") == "fail") log_.Say(claim.at("reason"));
    }
    if (failed > 0) ExplainFailure();
    log_.directory().Write("certificate.json",
                           certificate.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    ordered_json results = certificate;
    results["tests"] = results_;
    results["shortest"] = shortest_;
    results["waves"] = waves_;
    const std::string text = results.dump(2, ' ', false, ordered_json::error_handler_t::replace);
    log_.directory().Write("results.json", text + "\n");
    std::vector<runs::JunitCase> cases;
    for (const ordered_json& result : results_)
      cases.push_back(
          {fmt::format("{} seed {}", result.at("test").get<std::string>(), result.at("seed").get<std::uint64_t>()),
           result.at("seconds"), result.value("reason", "")});
    for (const ordered_json& claim : claims)
      cases.push_back({"claims." + claim.at("claim").get<std::string>(), 0, claim.at("reason")});
    log_.directory().Write("junit.xml", runs::JunitXml("conform/" + capability_.device, cases));
    log_.directory().Write("report.html", ConformPage(results));
    const auto path = log_.directory().path().string();
    log_.Say(fmt::format("{}: {} {}: {} runs of {} tests, {} failed, {} undecided; {} tests do not apply",
                         runs::Headline(verdict), capability_.device, ToString(capability_.claims.level),
                         results_.size(), choice_.tests.size(), failed, undecided, choice_.excused));
    if (verdict == "undecided" && undecided == 0)
      log_.Say("undecided: not all tests that apply were run; leave out --tests and --short for a certificate");
    SayBins(certificate.at("bins"));
    log_.Say(fmt::format("certificate: {}/certificate.json, report: {}/report.html", path, path));
    log_.Close();
    if (options_.json) fmt::print("{}\n", text);
    if (Stopped()) return runs::Verdict::kInterrupted;
    if (failed > 0) return runs::Verdict::kFail;
    return undecided > 0 ? runs::Verdict::kTimeout : runs::Verdict::kPass;
  }

  /// How many situations the tests have met, and which they have not.
  void SayBins(const ordered_json& bins) {
    if (bins.empty()) return;
    std::vector<std::string> missed;
    for (const ordered_json& bin : bins) {
      if (bin.at("times") == 0) missed.push_back(bin.at("bin"));
    }
    log_.Say(fmt::format("bins: {} of {} are hit{}", bins.size() - missed.size(), bins.size(),
                         missed.empty() ? "" : fmt::format("; not hit: {}", fmt::join(missed, ", "))));
  }

  /// Of the first failure: the shortest stimulus that breaks the same rule, and waves of the device's own signals
  /// around the place where it does.
  void ExplainFailure() {
    const auto first = std::find_if(results_.begin(), results_.end(), [](const ordered_json& result) {
      return result.at("verdict") == "fail" && result.contains("cycles");
    });
    if (first == results_.end() || Stopped()) return;
    const auto run = [this](const OneTest& one) { return RunInChild(options_, one, session_.stop); };
    OneTest one{first->at("test"), first->at("seed"), built_.library.string(), {}, {}, 0};
    ordered_json failure = *first;
    if (const std::string rule = first->at("rule"); rule != "claim" && rule != "power-up") {
      one = Shorten(one, rule, capability_.ports, run, session_.stop);
      failure = run(one);
    }
    if (Stopped() || !failure.contains("cycles")) return;
    const std::int64_t cycle = failure.at("cycles");
    shortest_ = {{"test", one.id},
                 {"seed", one.seed},
                 {"senders", one.senders},
                 {"frames", one.frames},
                 {"cycle", cycle},
                 {"reason", failure.at("reason")},
                 {"frames_in", failure.at("frames").at("offered")}};
    shortest_["command"] = fmt::format("{}", fmt::join(CommandOf(options_, one), " "));
    log_.Say(fmt::format("shortest: {} seed {} with {}: {}", one.id, one.seed,
                         CountText(shortest_.at("frames_in"), "frame"), failure.at("reason").get<std::string>()));
    for (const ordered_json& event : failure.value("events", ordered_json::array()))
      log_.Say("  " + event.get<std::string>());
    log_.Say(fmt::format("repeat:   {}", shortest_.at("command").get<std::string>()));
    if (!options_.no_waves) WriteWaves(one, cycle);
  }

  /// Of the device built once more, now with waves.
  void WriteWaves(const OneTest& one, std::int64_t cycle) {
    const std::filesystem::path file = log_.directory().Folder("waves") / "fail.fst";
    OneTest traced = one;
    if (capability_.library.empty() && capability_.style == PortStyle::kStream)
      log_.Say("building it once more, for waves");
    traced.library =
        BuildDevice(capability_, log_.directory().path() / "device", session_.stop, BuildFor::kWaves).library.string();
    traced.waves = {file.string(), static_cast<std::uint64_t>(std::max<std::int64_t>(0, cycle - kWavesBefore)),
                    static_cast<std::uint64_t>(cycle + kWavesAfter)};
    RunInChild(options_, traced, session_.stop);
    if (!std::filesystem::exists(file)) return;
    waves_ = {{"file", "waves/fail.fst"}, {"failed_at", cycle}, {"from", traced.waves.from}};
    const bool link = capability_.style == PortStyle::kLink;  // whose waves are of both sides, in time of the clock
    log_.Say(fmt::format("waves:    {} (it fails in cycle {}{})", file.string(), cycle,
                         link ? "" : fmt::format(", at time {}", 2 * cycle)));
  }

  const ConformOptions& options_;
  const runs::SessionOptions& session_;
  const Capability capability_;
  const Choice choice_;
  runs::RunLog log_;
  Built built_;
  std::atomic<bool> failed_{false};
  std::vector<ordered_json> results_;
  ordered_json shortest_;
  ordered_json waves_;
};

}  // namespace

runs::Verdict RunConform(const ConformOptions& options, const runs::SessionOptions& session) {
  return Session(options, session).Run();
}

}  // namespace tilefly::conform
