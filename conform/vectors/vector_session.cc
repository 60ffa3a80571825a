// SPDX-License-Identifier: Apache-2.0
#include "conform/vectors/vector_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "conform/bench/claims.h"
#include "conform/bench/suite.h"
#include "conform/run/choice.h"
#include "conform/run/count_text.h"
#include "conform/run/simulator_files.h"
#include "conform/vectors/vector_files.h"
#include "runs/common/manifest.h"
#include "runs/common/run_directory.h"
#include "runs/common/run_log.h"
#include "support/errors.h"

namespace tilefly::conform {

extern const char* const kBeatPackage;  // conform/include/tilefly_beat_pkg.sv
extern const char* const kVectorBench;  // conform/include/tilefly_vector_bench.sv

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kCommand = "conform vectors";

/// Why a test says nothing when its frames are played from a file; empty: it does.
std::string ExcuseOfVectors(const Scenario& scenario) {
  if (const ClaimKind* const kind = KindOf(scenario.measure))
    return fmt::format("it measures claims.{}, by times that follow from the device", kind->key);
  if (scenario.fill_rounds > 0) return "it fills the device, and how much goes in follows from the device";
  if (scenario.isolation) return "it asks how long frames wait, not what comes out";
  return "";
}

SimulatorBench BenchOf(const Capability& it, const VectorSizes& sizes, const std::vector<std::string>& tests) {
  SimulatorBench bench;
  bench.command = "vectors";
  bench.files = {{"tilefly_beat_pkg.sv", kBeatPackage}, {"tilefly_vector_bench.sv", kVectorBench}};
  bench.sources = {"tilefly_beat_pkg.sv", "tilefly_vector_bench.sv"};
  bench.module = "tilefly_vector_bench";
  const std::pair<const char*, std::int64_t> parameters[] = {
      {"ROWS", sizes.rows},
      {"FRAMES", sizes.frames},
      {"COPIES", sizes.copies},
      {"CYCLES", sizes.cycles},
      {"WRITES", sizes.writes},
      {"LONGEST", sizes.longest},
      {"NUMBERS", sizes.numbers},
      {"RESET_CYCLES", it.reset_cycles},
      {"PROGRESS", it.claims.progress},
      {"CUT_THROUGH", it.flow.cut_through},
      {"MARK_BIT", it.frames.bad == Fate::kMarked ? it.frames.bad_bit : -1},
      {"TID", it.signals.id_bits > 0 && it.signals.id_passes}};
  for (const auto& [name, value] : parameters) bench.parameters += fmt::format(", .{}({})", name, value);
  bench.tests = tests;
  bench.plusargs = R"("+vectors=$here/$test" "+test=$test")";
  return bench;
}

/// Of a device whose ports have beats that can be written down.
Capability StreamCapability(const std::string& file) {
  Capability capability = ReadCapability(file);
  if (capability.style == PortStyle::kLink)
    throw UsageError(
        fmt::format("{}: ports.style: link: vectors are of AXI-Stream ports: what goes in at links follows from "
                    "credits, which the device gives",
                    file));
  if (!capability.library.empty())
    throw UsageError(fmt::format("{}: library: vectors have a bench for a Verilog top and its files", file));
  if (capability.classes.count > 1)
    throw UsageError(fmt::format("{}: classes: vectors have one order for each input and output, which classes may change",
                                 file));
  return capability;
}

class Session {
 public:
  Session(const VectorOptions& options, const runs::SessionOptions& session)
      : options_(options),
        session_(session),
        capability_(StreamCapability(options.file)),
        choice_(Choose(capability_, options.tests, options.tests.empty())),
        log_(session, "vectors-" + capability_.device, kCommand),
        folder_(log_.directory().path() / "vectors") {}

  runs::Verdict Run() {
    log_.directory().Write("manifest.json", runs::ManifestJson(session_.version, session_.arguments,
                                                               static_cast<std::uint32_t>(options_.seed), "",
                                                               {capability_.file.string()}, kCommand));
    for (const std::string& id : choice_.tests) {
      if (Stopped()) break;
      if (session_.show_progress)
        runs::Tell(fmt::format("\r{} of {} tests\033[K\r", written_.size(), choice_.tests.size()));
      WriteTest(id);
    }
    if (Stopped()) {
      log_.Say(
          fmt::format("interrupted: {} of {} tests are written, and no bench", written_.size(), choice_.tests.size()));
      log_.Close();
      return runs::Verdict::kInterrupted;
    }
    if (written_.empty())
      throw UsageError(
          fmt::format("{}: no test has vectors: {}", options_.file, unfit_.at(0).at("reason").get<std::string>()));
    WriteSimulatorFiles(capability_, BenchOf(capability_, sizes_, written_), folder_);
    WriteSummary();
    return runs::Verdict::kPass;
  }

 private:
  bool Stopped() const { return session_.stop != nullptr && session_.stop->load(); }

  void WriteTest(const std::string& id) {
    VectorTest test{id, options_.seed, TestOf(id).scenario(capability_), {}};
    std::string excuse = ExcuseOfVectors(test.scenario);
    if (excuse.empty()) {
      try {
        test.run = RunIdeal(capability_, test.scenario, options_.seed);
      } catch (const std::runtime_error& error) {
        excuse = error.what();
      }
    }
    if (!excuse.empty()) {
      unfit_.push_back({{"test", id}, {"reason", excuse}});
      log_.Note(fmt::format("no vectors  {}: {}", id, excuse));
      return;
    }
    const fs::path folder = folder_ / id;
    fs::remove_all(folder);
    WriteVectors(capability_, test, folder);
    const ordered_json manifest = VectorManifest(capability_, options_.file, session_.version, test, folder);
    log_.directory().Write(fmt::format("vectors/{}/manifest.json", id), manifest.dump(2) + "\n");
    sizes_.Widen(SizesOf(capability_, test));
    written_.push_back(id);
    log_.Note(fmt::format("{}: {} frames in, {} out", id, manifest.at("frames_in").get<int>(),
                          manifest.at("frames_out").get<int>()));
  }

  void WriteSummary() {
    const ordered_json summary = {{"kit", session_.version},
                                  {"seed", options_.seed},
                                  {"tests", written_},
                                  {"without_vectors", unfit_},
                                  {"left_out", choice_.left_out}};
    log_.directory().Write("vectors/vectors.json", summary.dump(2) + "\n");
    log_.Say(fmt::format("{}: vectors of {}; without vectors {}, long ones left out {}; {}", folder_.string(),
                         CountText(static_cast<std::int64_t>(written_.size()), "test"), unfit_.size(),
                         choice_.left_out.size(), ExcusedText(choice_.excused)));
    log_.Say(fmt::format("next: {}/simulate.sh verilator (or questa, vcs, xcelium)", folder_.string()));
    log_.Close();
  }

  const VectorOptions& options_;
  const runs::SessionOptions& session_;
  const Capability capability_;
  const Choice choice_;
  runs::RunLog log_;
  const fs::path folder_;
  VectorSizes sizes_;
  std::vector<std::string> written_;
  ordered_json unfit_ = ordered_json::array();
};

}  // namespace

runs::Verdict WriteVectorFolder(const VectorOptions& options, const runs::SessionOptions& session) {
  return Session(options, session).Run();
}

}  // namespace tilefly::conform
