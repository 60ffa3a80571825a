// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/repro_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "runs/common/manifest.h"
#include "runs/report/report.h"
#include "runs/repro/host_constants.h"
#include "runs/repro/sharp.h"
#include "runs/system/net_settings.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

/// Runs without which nothing more can be done have not passed.
struct RunsEnded {
  int exit_code;
};

std::string InNs(std::int64_t value) { return fmt::format("{}ns", value); }

/// "sharp-lock=each,65536,send=290ns", "64-B-at-2.6-m,1e-06". `hosts`: null when the study fixes no constants of hosts.
std::string NameOf(const StudyRun& run, const workload::HostCosts* hosts) {
  std::string name = fmt::format("{},{:.12g}", run.curve, run.x);
  if (hosts != nullptr) name += ",send=" + InNs(hosts->send_ns);
  if (hosts != nullptr && run.hosts_reduce) name += ",reduce=" + InNs(hosts->reduce_ns_per_kib);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

PoolRun PoolRunOf(const StudyRun& run, const workload::HostCosts* hosts, const std::filesystem::path& folder) {
  NetSettings settings;
  const auto set = [&](const std::string& path, const std::string& value) { settings.Set(path, value, "repro"); };
  set("topology", run.system.topology);
  set("nic.rate", run.system.nic_rate);
  set("traffic.pattern", run.traffic);
  if (hosts != nullptr) {
    set("host.send", InNs(hosts->send_ns));
    set("host.receive", InNs(hosts->receive_ns));
  }
  if (hosts != nullptr && run.hosts_reduce) set("host.reduce", InNs(hosts->reduce_ns_per_kib));
  for (const auto& [path, value] : run.settings) set(path, value);
  if (run.fault_plan) set("faults.plan", (folder / run.fault_plan->name).string());
  settings.Resolve();
  return {NameOf(run, hosts), settings};
}

}  // namespace

ReproSession::ReproSession(ReproOptions options, SessionOptions session, std::filesystem::path program)
    : options_(std::move(options)),
      session_(std::move(session)),
      program_(std::move(program)),
      study_(FindStudy(options_.study)),
      runs_(study_.runs(options_.asked)),
      log_(session_, "repro/" + study_.name, "repro " + study_.name) {}

std::vector<RunOutcome> ReproSession::RunAll(const std::vector<StudyRun>& runs, const workload::HostCosts* hosts) {
  const std::filesystem::path folder = log_.directory().path();
  std::vector<PoolRun> all;
  for (const StudyRun& run : runs) {
    if (run.fault_plan) WriteFile(*run.fault_plan);
    all.push_back(PoolRunOf(run, hosts, folder));
  }
  RunPool pool(
      {program_, folder / "points", session_.version, options_.jobs, session_.stop, options_.deadline, "net",
       session_.threads},
      std::move(all));
  if (runs.size() > 1) {
    log_.Say(fmt::format("{} runs{}, {} at a time", runs.size(),
                         pool.reused() > 0 ? fmt::format(", {} of them done", pool.reused()) : "", pool.jobs()));
    if (const std::string remade = pool.Remade(); !remade.empty()) log_.Say(remade);
  }
  const auto summary = [&](const Json& results, std::size_t index) {
    return study_.summary(runs[index], results, folder / "points" / NameOf(runs[index], hosts), options_.asked);
  };
  std::vector<RunOutcome> outcomes = pool.Run(summary, [this](const std::string& line) { log_.Say(line); });
  for (const RunOutcome& one : outcomes) {
    if (!one.reused && one.results.is_object()) cpu_s_ += one.results.value("/machine/cpu_s"_json_pointer, 0.0);
  }
  return outcomes;
}

/// A file of the study's folder.
void ReproSession::WriteFile(const StudyFile& file) {
  const std::filesystem::path name(file.name);
  if (name.has_parent_path()) log_.directory().Folder(name.parent_path().string());
  log_.directory().Write(file.name, file.text);
}

/// Throws NoConstants and RunsEnded.
workload::HostCosts ReproSession::FixCosts() {
  HostTargets targets;
  targets.ping_pong_ns = options_.ping_pong_ns;
  targets.largest_bytes = LargestBytes(options_.asked.quick);
  const workload::HostCosts costs =
      FixHostCosts(targets, [this](const StudyRun& run, const workload::HostCosts& tried) {
        const RunOutcome outcome = RunAll({run}, &tried).front();
        if (outcome.exit_code != kPassed) throw RunsEnded{outcome.exit_code};
        return OperationNs(run, outcome.results);
      });
  log_.Say(
      fmt::format("constants: host-send = host-receive = {} ns, so that a ping-pong of {} B takes {:.6g} ns one way; "
                  "host-reduce = {} ns a KiB, so that the streamed tree is {} times as fast as Rabenseifner's at {} B",
                  costs.send_ns, targets.ping_pong_bytes, targets.ping_pong_ns, costs.reduce_ns_per_kib,
                  targets.times_rabenseifner, targets.largest_bytes));
  return costs;
}

int ReproSession::Run() {
  log_.Say(fmt::format("{}: {}, in {}", study_.name, study_.title, log_.directory().path().string()));
  if (options_.asked.quick) log_.Say("--quick: " + study_.quick);
  log_.directory().Write(
      "manifest.json", ManifestJson(session_.version, session_.arguments, 0, study_.name, {}, "repro " + study_.name));
  std::optional<workload::HostCosts> costs;
  try {
    if (study_.fits_hosts) costs = FixCosts();
  } catch (const RunsEnded& ended) {
    return Conclude(WorstExitCode({ended.exit_code}), Json::object());
  } catch (const NoConstants& error) {
    log_.Say(error.what());
    return Conclude(kCheckFailed, Json{{"ended", error.what()}});
  }
  const std::vector<RunOutcome> outcomes = RunAll(runs_, costs ? &*costs : nullptr);
  const workload::HostCosts* const hosts = costs ? &*costs : nullptr;
  StudyValues values;
  std::vector<int> codes;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    codes.push_back(outcomes[i].exit_code);
    if (outcomes[i].exit_code != kPassed) continue;
    const std::filesystem::path folder = log_.directory().path() / "points" / NameOf(runs_[i], hosts);
    study_.measure(runs_[i], outcomes[i].results, folder, &values);
  }
  const int code = WorstExitCode(codes);
  figures_ = study_.figures(options_.asked, values);
  if (study_.files != nullptr) files_ = study_.files(options_.asked, values);
  claims_ = Judge(ClaimsOf(study_.name), figures_);
  return Conclude(code, Json{{"constants", costs ? ConstantsJson(*costs, options_.ping_pong_ns) : Json::object()},
                             {"runs", runs_.size()},
                             {"claims_hit", CountOf(claims_, "hit")},
                             {"claims_missed", CountOf(claims_, "miss")},
                             {"figures", FiguresJson(figures_)},
                             {"claims", ClaimsJson(claims_)}});
}

/// What ended the runs before all were made; null: nothing.
Json ReproSession::EndedBy(int code) const {
  if (code == kTimedOut) return kTimeIsUp;
  if (code == kInterruptedByUser) return "interrupted";
  return code == kPassed ? Json(nullptr) : Json(fmt::format("a run ended with exit code {}", code));
}

/// `measured`: what is known of the results; the rest is null.
int ReproSession::Conclude(int code, const Json& measured) {
  results_ = Json{{"verdict", VerdictOfExitCode(code)},
                  {"exit_code", code},
                  {"ended", EndedBy(code)},
                  {"study", study_.name},
                  {"title", study_.title},
                  {"quick", options_.asked.quick},
                  {"options", Json::object()},
                  {"system", nullptr}};
  if (study_.described != nullptr) results_.update(study_.described(options_.asked));
  for (const char* key : {"constants", "runs", "claims_hit", "claims_missed", "figures", "claims"}) results_[key] = nullptr;
  results_.update(measured);
  results_["machine"] = {{"wall_s", std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count()},
                         {"cpu_s", cpu_s_}};
  if (results_["figures"].is_null()) {
    log_.directory().Write("results.json", results_.dump(2) + "\n");
  } else {
    WriteFigures();
  }
  return Finish(code);
}

void ReproSession::WriteFigures() {
  log_.directory().Write("points.csv", PointsCsv(figures_));
  log_.directory().Write("claims.csv", ClaimsCsv(claims_));
  for (const Figure& figure : figures_)
    log_.directory().Write(figure.name + ".svg", FigureSvg(figure, MarksOf(claims_, figure.name)));
  for (const StudyFile& file : files_) WriteFile(file);
  log_.Hold();
  for (const std::string& line : ClaimLines(claims_)) log_.Say(line);
  log_.Say(Score(CountOf(claims_, "hit"), CountOf(claims_, "miss")));
  log_.Say(fmt::format("  results: {}", (log_.directory().path() / "results.json").string()));
  log_.Say(fmt::format("  report:  {}", (log_.directory().path() / "report.html").string()));
  log_.directory().Write("results.json", results_.dump(2) + "\n");
  std::vector<std::string> files;
  for (const StudyFile& file : files_) files.push_back(file.name);
  const ReportParts report = ReproReport(results_, files);
  WriteReport(log_.directory().path(), report.results, report.detail);
}

/// The log is written whatever the end.
int ReproSession::Finish(int code) {
  if (code == kTimedOut) log_.Say(fmt::format("TIMEOUT repro/{}: {}", study_.name, kTimeIsUp));
  if (code == kInterruptedByUser || code == kTimedOut)
    log_.Say(fmt::format("runs are left; the same command with --output-dir {} makes them",
                         log_.directory().path().string()));
  log_.Close();
  return code;
}

}  // namespace tilefly::runs
