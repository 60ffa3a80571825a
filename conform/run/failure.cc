// SPDX-License-Identifier: Apache-2.0
#include "conform/run/failure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "conform/run/child_test.h"
#include "conform/run/count_text.h"
#include "conform/run/shortest.h"
#include "conform/verilated/device_build.h"
#include "conform/verilated/steps.h"
#include "support/errors.h"

namespace tilefly::conform {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kWavesBefore = 400;  // cycles
constexpr std::int64_t kWavesAfter = 50;

class Explainer {
 public:
  Explainer(const Capability& capability, const ConformOptions& options, const runs::SessionOptions& session,
            const std::string& library, runs::RunLog* log)
      : capability_(capability), options_(options), session_(session), library_(library), log_(*log) {}

  Explained Explain(const ordered_json& first) {
    const auto run = [this](const OneTest& one) { return RunInChild(options_, one, session_.stop); };
    OneTest one{first.at("test"), first.at("seed"), library_, {}, {}, 0};
    ordered_json failure = first;
    // A claim is of the whole stimulus, and so is what follows from the power-up.
    const std::string rule = first.at("rule");
    const bool shortened = rule != "claim" && rule != "power-up";
    if (shortened) {
      one = Shorten(one, rule, capability_.ports, run, session_.stop);
      failure = run(one);
    }
    if (Stopped() || !failure.contains("cycles")) return {};
    Explained explained;
    const std::int64_t cycle = failure.at("cycles");
    ordered_json& shortest = explained.shortest;
    shortest = {{"test", one.id},
                {"seed", one.seed},
                {"shortened", shortened},
                {"senders", one.senders},
                {"frames", one.frames},
                {"cycle", cycle},
                {"reason", failure.at("reason")},
                {"frames_in", failure.at("frames").at("offered")}};
    shortest["command"] = fmt::format("{}", fmt::join(CommandOf(options_, one), " "));
    if (shortened)
      log_.Say(fmt::format("shortest: {} seed {} with {}: {}", one.id, one.seed,
                           CountText(shortest.at("frames_in"), "frame"), failure.at("reason").get<std::string>()));
    for (const ordered_json& event : failure.value("events", ordered_json::array()))
      log_.Say("  " + event.get<std::string>());
    log_.Say(fmt::format("repeat:   {}", shortest.at("command").get<std::string>()));
    if (!options_.no_waves) explained.waves = WriteWaves(one, failure);
    return explained;
  }

 private:
  bool Stopped() const { return session_.stop != nullptr && session_.stop->load(); }

  /// Of the device built once more, now with waves; null: there are none.
  ordered_json WriteWaves(const OneTest& one, const ordered_json& failure) {
    const std::int64_t cycle = failure.at("cycles");
    const std::filesystem::path folder = log_.directory().path();
    OneTest traced = one;
    const bool link = capability_.style == PortStyle::kLink;  // whose waves are of both sides, in time of the clock
    if (capability_.library.empty() && !link) log_.Say("building it once more, for waves");
    try {
      traced.library = BuildDevice(capability_, folder / "device", session_.stop, BuildFor::kWaves).library.string();
    } catch (const BuildInterrupted&) {
      return {};
    } catch (const UsageError& error) {
      log_.Say(fmt::format("no waves: {}", error.what()));
      return {};
    }
    const std::filesystem::path file = log_.directory().Folder("waves") / "fail.fst";
    // What stands still is reported so many cycles after it stopped.
    const std::string rule = failure.at("rule");
    const bool still = rule == "progress" || rule == "isolation" || rule == "tvalid";
    const std::int64_t before = kWavesBefore + (still ? capability_.claims.progress : 0);
    traced.waves = {file.string(), static_cast<std::uint64_t>(std::max<std::int64_t>(0, cycle - before)),
                    static_cast<std::uint64_t>(cycle + kWavesAfter)};
    RunInChild(options_, traced, session_.stop);
    std::error_code error;
    std::filesystem::remove(file.parent_path(), error);  // if nothing is in it
    if (!std::filesystem::exists(file)) return {};
    log_.Say(fmt::format("waves:    {} (it fails in cycle {}{})", file.string(), cycle,
                         link ? "" : fmt::format(", at time {}", 2 * cycle)));
    return {{"file", "waves/fail.fst"}, {"failed_at", cycle}, {"from", traced.waves.from}};
  }

  const Capability& capability_;
  const ConformOptions& options_;
  const runs::SessionOptions& session_;
  const std::string& library_;
  runs::RunLog& log_;
};

}  // namespace

Explained ExplainFailure(const Capability& capability, const ConformOptions& options,
                         const runs::SessionOptions& session, const std::string& library,
                         const std::vector<ordered_json>& results, runs::RunLog* log) {
  const auto first = std::find_if(results.begin(), results.end(), [](const ordered_json& result) {
    return result.at("verdict") == "fail" && result.contains("cycles");
  });
  if (first == results.end() || (session.stop != nullptr && session.stop->load())) return {};
  return Explainer(capability, options, session, library, log).Explain(*first);
}

}  // namespace tilefly::conform
