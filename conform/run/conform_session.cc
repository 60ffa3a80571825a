// SPDX-License-Identifier: Apache-2.0
#include "conform/run/conform_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "conform/run/certificate.h"
#include "conform/run/child_test.h"
#include "conform/run/choice.h"
#include "conform/run/conform_page.h"
#include "conform/run/count_text.h"
#include "conform/run/dpi_bench.h"
#include "conform/run/failure.h"
#include "conform/verilated/device_build.h"
#include "conform/verilated/steps.h"
#include "runs/common/manifest.h"
#include "runs/common/run_directory.h"
#include "runs/common/run_log.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::conform {
namespace {

using nlohmann::ordered_json;

constexpr const char* kCommand = "conform";
constexpr const char* kBenchCommand = "conform --simulator dpi";

/// The capability file of a device that, if it is in a library, loads and is what the file says.
Capability ReadFitting(const ConformOptions& options, const runs::SessionOptions& session) {
  Capability capability = ReadCapability(options.file);
  if (options.dpi && capability.style == PortStyle::kLink)
    throw UsageError(fmt::format("{}: ports.style: link: --simulator dpi drives AXI-Stream ports only", options.file));
  RequireLoads(options, capability, session.stop);
  return capability;
}

/// A run of the suite.
class Session {
 public:
  Session(const ConformOptions& options, const runs::SessionOptions& session)
      : options_(options),
        session_(session),
        capability_(ReadFitting(options, session)),
        choice_(Choose(capability_, options.tests, options.short_only)),
        command_(options.dpi ? kBenchCommand : kCommand),
        log_(session, "conform-" + capability_.device, command_) {}

  runs::Verdict Run() {
    log_.directory().Write("manifest.json", runs::ManifestJson(session_.version, session_.arguments,
                                                               static_cast<std::uint32_t>(options_.seed), "",
                                                               {capability_.file.string()}, command_));
    if (options_.dpi) return WriteBench();
    try {
      Build();
    } catch (const BuildInterrupted& error) {
      log_.Say(error.what());
      log_.Close();
      return runs::Verdict::kInterrupted;
    }
    RemoveEarlierResults();
    RunTests();
    return Conclude();
  }

 private:
  runs::Verdict WriteBench() {
    const std::filesystem::path folder = log_.directory().path() / "dpi";
    WriteDpiBench(capability_, choice_.tests, options_.seed, options_.program, folder);
    log_.Say(fmt::format("{}: a bench for {}; nothing was built, and nothing was run", folder.string(), Tests()));
    log_.Say(fmt::format("next: {}/simulate.sh verilator (or questa, vcs, xcelium)", folder.string()));
    log_.Close();
    return runs::Verdict::kPass;
  }

  void Build() {
    const std::filesystem::path folder = log_.directory().path() / "device";
    if (capability_.library.empty())
      log_.Say(fmt::format("building {} of {}", capability_.top, CountText(Size(capability_.files), "file")));
    built_ = BuildDevice(capability_, folder, session_.stop);
    if (built_.reused && capability_.library.empty()) log_.Say("the device is as it was built before");
    log_.Say(fmt::format("{}: {}, {} each; {}, {} left out", capability_.device, Tests(),
                         CountText(options_.seeds, "seed"), ExcusedText(choice_.excused), choice_.left_out.size()));
  }

  /// What another run has left in the folder says nothing of this one.
  void RemoveEarlierResults() {
    namespace fs = std::filesystem;
    const fs::path folder = log_.directory().path();
    std::ifstream in(folder / "certificate.json", std::ios::binary);
    const ordered_json earlier = ordered_json::parse(in, nullptr, false);
    if (earlier.is_object())
      log_.Say(fmt::format("replacing the certificate of an earlier run in {}: {}, {}, {}", folder.string(),
                           earlier.value("verdict", "?"), earlier.value("claimed", "?"),
                           CountText(Size(earlier.value("tests", ordered_json::array())), "run")));
    for (const char* name : {"certificate.json", "results.json", "junit.xml", "report.html", "waves"})
      fs::remove_all(folder / name);
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

  template <typename Some>
  static std::int64_t Size(const Some& some) {
    return static_cast<std::int64_t>(some.size());
  }
  std::string Tests() const { return CountText(Size(choice_.tests), "test"); }
  bool Stopped() const { return session_.stop != nullptr && session_.stop->load(); }

  static std::int64_t Count(const ordered_json& some, const char* verdict) {
    return std::count_if(some.begin(), some.end(),
                         [&](const ordered_json& one) { return one.at("verdict") == verdict; });
  }

  /// A test failed for `reason`, so it was told.
  bool IsReasonOfATest(const std::string& reason) const {
    return std::any_of(results_.begin(), results_.end(), [&](const ordered_json& one) {
      return one.at("verdict") == "fail" && one.at("reason") == reason;
    });
  }

  runs::Verdict Conclude() {
    const ordered_json certificate =
        MakeCertificate(capability_, {session_.version, options_.file, built_.digest}, results_);
    const ordered_json& claims = certificate.at("claims");
    const std::string verdict = certificate.at("verdict");
    std::int64_t failed = Count(certificate.at("tests"), "fail");
    const std::int64_t undecided = Count(certificate.at("tests"), "undecided");
    for (const ordered_json& claim : claims) {
      if (claim.at("verdict") != "fail" || IsReasonOfATest(claim.at("reason"))) continue;
      ++failed;
      log_.Say(fmt::format("{:<9} {}", "fail", claim.at("reason").get<std::string>()));
    }
    const Explained explained =
        ExplainFailure(capability_, options_, session_, built_.library.string(), results_, &log_);
    log_.directory().Write("certificate.json",
                           certificate.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    ordered_json results = certificate;
    results["tests"] = results_;
    results["shortest"] = explained.shortest;
    results["waves"] = explained.waves;
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
    const std::string lacks =
        capability_.lacks.empty() ? "" : fmt::format(" without {}", fmt::join(capability_.lacks, ", "));
    log_.Say(fmt::format("{}: {} {}{}: {} of {}, {} failed, {} undecided; {}",
                         Stopped() ? "INTERRUPTED" : runs::Headline(verdict), capability_.device,
                         ToString(capability_.claims.level), lacks, CountText(Size(results_), "run"), Tests(), failed,
                         undecided, ExcusedText(choice_.excused)));
    if (verdict == "undecided" && undecided == 0 && !Stopped())
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

  const ConformOptions& options_;
  const runs::SessionOptions& session_;
  const Capability capability_;
  const Choice choice_;
  const char* const command_;
  runs::RunLog log_;
  Built built_;
  std::atomic<bool> failed_{false};
  std::vector<ordered_json> results_;
};

}  // namespace

runs::Verdict RunConform(const ConformOptions& options, const runs::SessionOptions& session) {
  return Session(options, session).Run();
}

}  // namespace tilefly::conform
