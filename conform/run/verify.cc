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
#include "conform/run/count_text.h"
#include "conform/verilated/device_build.h"
#include "conform/verilated/steps.h"
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

/// The capability file as RunConform's manifest beside the certificate names it; empty: there is none.
std::string FileOfManifest(const fs::path& folder) {
  std::ifstream in(folder / "manifest.json", std::ios::binary);
  const ordered_json manifest = ordered_json::parse(in, nullptr, false);
  const ordered_json inputs = manifest.is_object() ? manifest.value("inputs", ordered_json()) : ordered_json();
  return inputs.is_array() && !inputs.empty() ? inputs.at(0).value("file", "") : "";
}

/// The capability file of a certificate: the one that has the certified digest, of those that may be meant.
std::string CapabilityFileOf(const VerifyOptions& options, const ordered_json& certificate) {
  const std::string digest = certificate.at("capability").at("digest");
  const std::string named = certificate.at("capability").at("file");
  const fs::path folder = fs::absolute(options.certificate).parent_path();
  std::vector<std::string> places = {options.file};
  if (options.file.empty())
    places = {named, (folder / named).string(), (folder / fs::path(named).filename()).string(), FileOfManifest(folder)};
  std::string other;
  for (const std::string& place : places) {
    if (!fs::is_regular_file(place)) continue;
    if (runs::FileDigest(place) == digest) return place;
    if (other.empty()) other = place;
  }
  if (!options.file.empty() && other.empty())
    throw UsageError(fmt::format("--capability {}: there is no such file", options.file));
  if (other.empty())
    throw UsageError(
        fmt::format("{}: its capability file, {}, is neither there as seen from this folder, nor beside the "
                    "certificate; name it by --capability FILE",
                    options.certificate, named));
  throw UsageError(
      fmt::format("{}: is not the certified capability file: digest {}, {} is certified; name that one by "
                  "--capability FILE",
                  other, runs::FileDigest(other), digest));
}

/// Throws UsageError for another device than the certified one.
Built BuildCertified(const Capability& capability, const ordered_json& certificate, const fs::path& folder,
                     const ConformOptions& run, const std::atomic<bool>* stop) {
  const Built built = BuildDevice(capability, folder, stop);
  if (const std::string certified = certificate.at("device").at("digest"); certified != built.digest)
    throw UsageError(fmt::format("{}: its device is not the certified one: digest {}, {} is certified", run.file,
                                 built.digest, certified));
  RequireLoads(run, capability, stop);
  return built;
}

}  // namespace

runs::Verdict VerifyCertificate(const VerifyOptions& options, const runs::SessionOptions& session) {
  const ordered_json certificate = ReadCertificate(options.certificate);
  ConformOptions run;
  run.file = CapabilityFileOf(options, certificate);
  run.program = options.program;
  run.limit_s = options.limit_s;
  const Capability capability = ReadCapability(run.file);
  runs::RunLog log(session, "verify-" + capability.device, kVerify);
  log.directory().Write("manifest.json", runs::ManifestJson(session.version, session.arguments, 0, "",
                                                            {capability.file.string()}, kVerify));
  Built built;
  try {
    built = BuildCertified(capability, certificate, log.directory().path() / "device", run, session.stop);
  } catch (const BuildInterrupted& error) {
    log.Say(error.what());
    log.Close();
    return runs::Verdict::kInterrupted;
  }
  const auto& tests = certificate.at("tests");
  if (options.quick) {
    log.Say(fmt::format(
        "UNDECIDED: {}: device and capability file are the certified ones; --quick: none of {} was repeated",
        capability.device, CountText(static_cast<std::int64_t>(tests.size()), "run")));
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
  if (stopped()) {
    log.Say("INTERRUPTED: nothing is verified");
    log.Close();
    return runs::Verdict::kInterrupted;
  }
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
  log.Say(fmt::format("{}: as certified {} of {}; the verdict that follows from them is {}", same ? "PASS" : "FAIL",
                      tests.size() - other, CountText(static_cast<std::int64_t>(tests.size()), "run"),
                      whole.at("verdict").get<std::string>()));
  log.Close();
  return same ? runs::Verdict::kPass : runs::Verdict::kFail;
}

}  // namespace tilefly::conform
