// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "conform/run/certificate.h"
#include "conform/run/child_test.h"
#include "conform/run/conform_session.h"
#include "conform/verilated/device_build.h"
#include "runs/common/digest.h"
#include "runs/common/manifest.h"
#include "runs/common/run_log.h"
#include "support/errors.h"

namespace tilefly::conform {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kVerify = "conform verify";

ordered_json ReadCertificate(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw UsageError(fmt::format("{}: cannot be read", file));
  const ordered_json certificate = ordered_json::parse(in, nullptr, false);
  if (!certificate.is_object() || !certificate.contains("tests") || !certificate.contains("device") ||
      !certificate.contains("capability"))
    throw UsageError(fmt::format("{}: is no certificate of `tilefly conform run`", file));
  return certificate;
}

/// The fields of a test that have to be the same again; empty: they are.
std::string Difference(const ordered_json& certified, const ordered_json& now) {
  for (const auto& [key, value] : certified.items()) {
    if (!now.contains(key) || now.at(key) != value)
      return fmt::format("{}: {} is certified, and it is {}", key, value.dump(),
                         now.contains(key) ? now.at(key).dump() : "absent");
  }
  return "";
}

}  // namespace

runs::Verdict VerifyCertificate(const VerifyOptions& options, const runs::SessionOptions& session) {
  const ordered_json certificate = ReadCertificate(options.certificate);
  ConformOptions run;
  run.file = options.file.empty() ? certificate.at("capability").at("file").get<std::string>() : options.file;
  run.program = options.program;
  run.limit_s = options.limit_s;
  const Capability capability = ReadCapability(run.file);
  const auto require = [&](const std::string& what, const std::string& certified, const std::string& found) {
    if (certified != found)
      throw UsageError(fmt::format("{}: its {} is not the certified one: digest {}, {} is certified", run.file, what,
                                   found, certified));
  };
  require("capability file", certificate.at("capability").at("digest"), runs::FileDigest(run.file));
  runs::RunLog log(session, "verify-" + capability.device, kVerify);
  log.directory().Write("manifest.json", runs::ManifestJson(session.version, session.arguments, 0, "",
                                                            {capability.file.string()}, kVerify));
  const Built built = BuildDevice(capability, log.directory().path() / "device", session.stop);
  require("device", certificate.at("device").at("digest"), built.digest);
  const auto& tests = certificate.at("tests");
  if (options.quick) {
    log.Say(fmt::format(
        "UNDECIDED: {}: device and capability file are the certified ones; --quick: none of {} runs was repeated",
        capability.device, tests.size()));
    log.Close();
    return runs::Verdict::kPass;
  }
  std::vector<ordered_json> again(tests.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> workers;
  const auto stopped = [&] { return session.stop != nullptr && session.stop->load(); };
  for (int n = 0; n < options.jobs; ++n) {
    workers.emplace_back([&] {
      for (std::size_t at = next++; at < tests.size() && !stopped(); at = next++)
        again[at] = RunInChild(run, {tests[at].at("test"), tests[at].at("seed"), built.library.string(), {}, {}, 0},
                               session.stop);
    });
  }
  for (std::thread& worker : workers) worker.join();
  if (stopped()) return runs::Verdict::kInterrupted;
  std::size_t other = 0;
  for (std::size_t at = 0; at < tests.size(); ++at) {
    const std::string difference = Difference(tests[at], again[at]);
    if (difference.empty()) continue;
    ++other;
    log.Say(fmt::format("differs   {} seed {}: {}", tests[at].at("test").get<std::string>(),
                        tests[at].at("seed").get<std::uint64_t>(), difference));
  }
  // Verdict, claims and what is left out follow from the results: nothing of them is taken on trust.
  ordered_json whole = MakeCertificate(capability, {session.version, run.file, built.digest}, again);
  bool same = other == 0;
  for (const char* key : {"claimed", "verdict", "why_undecided", "left_out", "claims", "bins", "do_not_apply"}) {
    const ordered_json certified = certificate.value(key, ordered_json("absent"));
    if (certified == whole.at(key)) continue;
    same = false;
    log.Say(fmt::format("differs   {}: {} is certified, and the results say {}", key, certified.dump(),
                        whole.at(key).dump()));
  }
  log.Say(fmt::format("{}: {} of {} runs are as certified; the verdict that follows from them is {}",
                      same ? "PASS" : "FAIL", tests.size() - other, tests.size(),
                      whole.at("verdict").get<std::string>()));
  log.Close();
  return same ? runs::Verdict::kPass : runs::Verdict::kFail;
}

}  // namespace tilefly::conform
