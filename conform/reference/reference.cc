// SPDX-License-Identifier: Apache-2.0
#include "conform/reference/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/errors.h"
#include "support/text.h"

namespace tilefly::conform {
namespace {

/// Of own traffic: it goes in as fast as it can, and ends when the program says so.
Scenario OwnScenario() {
  Scenario scenario;
  scenario.load = 1;
  scenario.traffic = std::numeric_limits<Cycle>::max() / 4;
  return scenario;
}

Scenario ScenarioOf(const Capability& capability, const std::string& id) {
  if (id.empty()) return OwnScenario();
  const Test& test = TestOf(id);
  const std::string excuse =
      test.level > capability.claims.level ? "claims.level is below it" : test.excuse(capability);
  if (!excuse.empty())
    throw UsageError(fmt::format("{} does not apply to {}: {}", id, capability.file.string(), excuse));
  return test.scenario(capability);
}

StreamBench BenchOf(const Capability& capability, const Scenario& scenario, std::uint64_t seed, bool own_traffic,
                    OwnFrames** own) {
  if (!own_traffic) return StreamBench(capability, scenario, seed);
  auto frames = std::make_unique<OwnFrames>(capability, scenario, seed);
  *own = frames.get();
  return StreamBench(capability, scenario, seed, std::move(frames));
}

nlohmann::ordered_json SeenJson(const Books::Seen& seen) {
  if (!seen.frame) return nullptr;
  const Frame& frame = *seen.frame;
  nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
  for (int output = 0; output < 64; ++output) {
    if ((frame.outputs >> output & 1) != 0) outputs.push_back(output);
  }
  return {
      {"frame", frame.number}, {"input", frame.source},
      {"outputs", outputs},    {"bytes", frame.bytes.size()},
      {"first", seen.first},   {"last", seen.last < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(seen.last)}};
}

}  // namespace

Reference::Reference(Capability capability, const std::string& test, std::uint64_t seed)
    : capability_(std::move(capability)),
      test_(test),
      seed_(seed),
      scenario_(ScenarioOf(capability_, test)),
      bench_(BenchOf(capability_, scenario_, seed, test.empty(), &own_)),
      was_shown_(static_cast<std::size_t>(capability_.ports), false) {
  shown_.in_ready.assign(was_shown_.size(), false);
  shown_.out.resize(was_shown_.size());
}

Turn Reference::Next() {
  if (!reset_) {
    reset_ = true;
    return turn_ = Turn::kReset;
  }
  if (turn_ == Turn::kCycle) EndCycle();
  return turn_ = bench_.Next();
}

OwnFrames& Reference::own() {
  if (own_ == nullptr)
    throw UsageError(
        fmt::format("{} has its own frames; a reference without a test takes those of the program", test_));
  return *own_;
}

void Reference::Configure(const std::string& name, double value) {
  own();
  const auto require = [&](bool right, const char* what) {
    if (!right) throw UsageError(fmt::format("{}: {} is not {}", name, value, what));
  };
  const auto share = [&] { return require(value >= 0 && value <= 1, "a share, 0 to 1"), value; };
  const auto most = [&] {
    require(value >= 1 && value <= 1e6 && value == std::floor(value), "a number of cycles, 1 to 1000000");
    return static_cast<int>(value);
  };
  const bool of_outputs = name.rfind("st", 0) == 0;
  if (of_outputs && !capability_.flow.outputs_stop)
    throw UsageError(
        fmt::format("{} has no effect: the capability file says that outputs cannot be stopped (flow.out)", name));
  if (name == "load") {
    require(value > 0 && value <= 1, "a share above 0, to 1");
    scenario_.load = value;
  } else if (name == "gaps.share") {
    scenario_.gaps.share = share();
  } else if (name == "gaps.most") {
    scenario_.gaps.most = most();
  } else if (name == "stalls.share") {
    scenario_.stalls.share = share();
  } else if (name == "stalls.most") {
    scenario_.stalls.most = most();
  } else if (name == "stopped") {
    require(value >= -1 && value < capability_.ports && value == std::floor(value), "an output, or -1: none");
    scenario_.stopped = static_cast<int>(value);
  } else {
    ThrowUnknown("setting", name, {"load", "gaps.share", "gaps.most", "stalls.share", "stalls.most", "stopped"});
  }
}

void Reference::LeaveOut(const std::string& rule, int port) {
  if (reset_) throw UsageError("what is left out is named before the first turn: what was judged cannot be taken back");
  if (port < -1) throw UsageError(fmt::format("there is no port {}; -1 stands for all", port));
  if (port >= 0) PortOf(static_cast<std::uint32_t>(port));
  std::string moot = MootBecause(rule, capability_);
  if (rule == "isolation" && !scenario_.isolation) moot = (test_.empty() ? "own traffic" : test_) + " does not judge it";
  if (!moot.empty())
    throw UsageError(fmt::format("leaving out rule '{}' has no effect: {}; leave the mask out", rule, moot));
  scenario_.mask.Add(rule, port);
}

std::optional<Beat> Reference::Expect(std::size_t output, std::size_t input, std::size_t k) const {
  const FramePtr frame = bench_.books().Due(static_cast<int>(input), static_cast<int>(output));
  if (!frame || k >= BeatsOf(*frame, capability_.signals.data_bytes)) return std::nullopt;
  const std::uint32_t bad = capability_.frames.bad == Fate::kMarked ? 1u << capability_.frames.bad_bit : 0;
  return BeatOf(*frame, k, capability_.signals.data_bytes, bad);
}

std::int64_t Reference::Counter(std::size_t port, const std::string& name) const {
  const Books::PortCounts& at = bench_.books().at(static_cast<int>(port));
  const std::pair<const char*, std::int64_t> counters[] = {{"frames_in", at.frames_in},
                                                           {"bytes_in", at.bytes_in},
                                                           {"frames_out", at.frames_out},
                                                           {"bytes_out", at.bytes_out},
                                                           {"dropped", at.dropped},
                                                           {"lost", at.lost},
                                                           {"due", bench_.books().Due(static_cast<int>(port))}};
  std::vector<std::string> names;
  for (const auto& [known, value] : counters) {
    if (name == known) return value;
    names.emplace_back(known);
  }
  ThrowUnknown("counter", name, names);
}

nlohmann::ordered_json Reference::Observe(std::size_t port) const {
  const Books::PortCounts& at = bench_.books().at(static_cast<int>(port));
  return {{"cycle", bench_.now()}, {"in", SeenJson(at.in)}, {"out", SeenJson(at.out)}};
}

void Reference::EndCycle() {
  const auto missing = std::find(was_shown_.begin(), was_shown_.end(), false);
  if (missing != was_shown_.end())
    throw UsageError(
        fmt::format("cycle {}: tfr_show was not called for port {}", bench_.now(), missing - was_shown_.begin()));
  if (!capability_.flow.drops.empty() && !drops_shown_)
    throw UsageError(
        fmt::format("cycle {}: tfr_show_drops was not called, and the capability file has flow.drops", bench_.now()));
  std::fill(was_shown_.begin(), was_shown_.end(), false);
  drops_shown_ = false;
  bench_.Judge(shown_);
}

const StreamInputs& Reference::Inputs() const {
  if (turn_ != Turn::kCycle || !reset_)
    throw UsageError("no cycle is under way: tfr_next has to answer TFR_CYCLE before");
  return bench_.inputs();
}

std::size_t Reference::PortOf(std::uint32_t port) const {
  if (port < static_cast<std::uint32_t>(capability_.ports)) return port;
  throw UsageError(
      fmt::format("there is no port {}: the capability file has {} (ports.count)", port, capability_.ports));
}

void Reference::Show(std::size_t port, bool ready, const Beat& beat) {
  Inputs();
  if (was_shown_[port]) throw UsageError(fmt::format("cycle {}: port {} is shown twice", bench_.now(), port));
  was_shown_[port] = true;
  shown_.in_ready[port] = ready;
  shown_.out[port] = beat;
}

void Reference::ShowDrops(std::uint64_t drops) {
  Inputs();
  if (capability_.flow.drops.empty())
    throw UsageError("tfr_show_drops has no effect: the capability file has no flow.drops");
  if (drops_shown_) throw UsageError(fmt::format("cycle {}: the drop counter is shown twice", bench_.now()));
  drops_shown_ = true;
  shown_.drops = drops;
}

void Reference::ShowUnknown(std::size_t port, const std::string& signal) {
  Show(port, false, Beat{});
  bench_.Reject("unknown", static_cast<int>(port), signal + " is X or Z");
}

TestResult Reference::Result() const {
  TestResult result{test_, seed_, bench_.Found(), {}, scenario_.mask, 1};
  result.judgement = Judge(capability_, scenario_, result.outcome);
  return result;
}

nlohmann::ordered_json Reference::ResultJson() const {
  nlohmann::ordered_json json = ToJson(Result());
  if (own_ == nullptr) return json;
  json["test"] = nullptr;
  json["settings"] = {
      {"load", scenario_.load},
      {"gaps", {{"share", scenario_.gaps.share}, {"most", scenario_.gaps.most}}},
      {"stalls", {{"share", scenario_.stalls.share}, {"most", scenario_.stalls.most}}},
      {"stopped", scenario_.stopped < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(scenario_.stopped)}};
  return json;
}

}  // namespace tilefly::conform
