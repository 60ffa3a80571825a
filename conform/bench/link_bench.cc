// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/link_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "conform/bench/link_classes.h"
#include "conform/bench/part_source.h"
#include "conform/device/device_view.h"
#include "cosim/golden_device.h"
#include "cosim/traffic/fuzz_stimulus.h"
#include "golden/common/register_write.h"
#include "runs/switch/everything.h"
#include "runs/switch/switch_run.h"
#include "runs/switch/tracing.h"
#include "support/random.h"

namespace tilefly::conform {
namespace {

constexpr tilefly::Cycle kAnswers = 20;       ///< after which the register bus has answered
constexpr tilefly::Cycle kMostDrain = 400000;  ///< full buffers before a link of one lane
constexpr tilefly::Cycle kTableEvery = 700;   ///< from one change of tables to the next

/// Mixes what the device shows into a digest: links that carry something, with cycle and port.
class LinkDigest final : public cosim::Recorder {
 public:
  explicit LinkDigest(std::uint64_t* digest) : digest_(*digest) {}
  void Record(cosim::Lockstep& devices, const cosim::Device::Inputs&) override {
    static const Link kIdle{};
    const std::vector<Link>& links = devices.Outputs();
    for (std::size_t port = 0; port < links.size(); ++port) {
      if (links[port] == kIdle) continue;
      Add(static_cast<std::uint64_t>(devices.cycle()) << 8 | port);
      std::array<std::uint8_t, (Link::kBytes + 7) / 8 * 8> bytes{};
      links[port].PackBytes(bytes.data());
      for (std::size_t at = 0; at < bytes.size(); at += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, &bytes[at], sizeof eight);
        Add(eight);
      }
    }
  }

 private:
  void Add(std::uint64_t value) { digest_ = Mix64(digest_ ^ value) + kGolden64; }
  std::uint64_t& digest_;
};

/// Writes while traffic flows that change no frame's fate.
void AddRewrites(const LinkScenario& scenario, std::uint64_t seed, runs::RunOptions* options) {
  const Profile& profile = *options->profile;
  Stream random(seed, 0, 0, Purpose::kScenario);
  for (tilefly::Cycle at = kTableEvery; at < scenario.cycles; at += kTableEvery) {
    runs::Rewrite rewrite{at, {}};
    if (scenario.swaps_tables) {
      const bool other = at / kTableEvery % 2 == 1;
      rewrite.writes = FourClasses(profile, options->lanes, scenario.lossy, other).SchedulerWrites();
    }
    for (int n = 0; scenario.writes_hosts && n < 64; ++n) {
      // Locally administered addresses that no frame of the generator has.
      const std::uint64_t mac = 0x0a'00'00'00'00'00 | (random.Next() & 0xff'ff'ff'ff);
      const int entries = profile.mac_sets * profile.mac_ways;
      const int index = static_cast<int>(random.Below(static_cast<std::uint64_t>(entries)));
      rewrite.writes.push_back(golden::WriteRegister(golden::kAllPorts, CfgSpace::kMacPorts, index, random.Next()));
      rewrite.writes.push_back(golden::WriteRegister(golden::kAllPorts, CfgSpace::kMacKey, index,
                                                     MacKey::Of(mac, random.Below(2) == 0).ToBits()));
    }
    for (int n = 0; scenario.writes_rules && n < 64; ++n) {
      const auto tc = static_cast<std::uint64_t>(n % profile.classes);
      const ClassIndex index = ClassIndex::Of(static_cast<std::uint64_t>(ClassReg::kRouting), tc);
      const ClassRouting routing = ClassRouting::Of(random.Below(kRouteModeValues.size()), random.Below(2));
      rewrite.writes.push_back(golden::WriteRegister(golden::kAllPorts, CfgSpace::kClass,
                                                     static_cast<int>(index.ToBits()), routing.ToBits()));
    }
    options->rewrites.push_back(std::move(rewrite));
  }
}

runs::RunOptions OptionsOf(const Capability& capability, const LinkScenario& scenario, std::uint64_t seed,
                           const LinkPart& part) {
  runs::Settings settings;
  settings.Set("profile", capability.profile->name, "ports.profile");
  settings.Set("devices", "golden", "conform");
  settings.Set("max_cycles", std::to_string(scenario.cycles), "conform");
  for (const auto& [path, value] : scenario.settings) settings.Set(path, value, "conform");
  settings.Resolve();
  const auto number = static_cast<std::uint32_t>(seed);
  runs::RunOptions options =
      runs::IsEverything(settings) ? runs::DrawEverything(settings, number).ToRunOptions() : settings.ToRunOptions();
  options.seed = number;
  options.device.first_cycle = 0;  // cycles of the device begin with 0
  if (scenario.classes) {
    options.classes.emplace(FourClasses(*options.profile, options.lanes, scenario.lossy, false));
    options.generator.classes = "table";
  }
  AddRewrites(scenario, seed, &options);
  options.rules_open = scenario.writes_rules;
  if (part.frames > 0 || ~part.senders != 0) {
    const std::int64_t frames = part.frames > 0 ? part.frames : std::int64_t{1} << 62;
    options.source = [generator = options.generator, senders = part.senders, frames](const cosim::SwitchSetup& setup,
                                                                                   std::uint32_t of) {
      return std::make_unique<PartSource>(std::make_unique<cosim::Generator>(setup, generator, of), setup.profile().ports,
                                          senders, frames);
    };
  }
  return options;
}

/// The device under test, and how it is looked at.
class LinkBench {
 public:
  LinkBench(const Capability& capability, const LinkScenario& scenario, std::uint64_t seed, const std::string& library,
            std::uint32_t power_up, const LinkPart& part)
      : capability_(capability),
        scenario_(scenario),
        seed_(seed),
        part_(part),
        name_(cosim::kLibraryPrefix + library),
        device_(MakeLinkDevice(capability, library, power_up)) {}

  LinkOutcome Run() {
    if (scenario_.kind == LinkKind::kGarbage) {
      RunGarbage();
    } else {
      for (const tilefly::Cycle at : scenario_.resets) {
        if (!RunTraffic(at)) return outcome_;
        device_->Reset();
      }
      RunTraffic(-1);
    }
    return outcome_;
  }

 private:
  bool alone() const { return capability_.claims.level == Level::kBooks; }
  std::unique_ptr<DeviceView> View() {
    return std::make_unique<DeviceView>(device_.get(), *capability_.profile, capability_.claims.level != Level::kCycle);
  }
  std::unique_ptr<cosim::Device> Golden() const {
    return alone() ? nullptr : std::make_unique<cosim::GoldenDevice>(*capability_.profile);
  }

  /// Up to cycle `until`, or with -1 to the end. False: the device failed.
  bool RunTraffic(tilefly::Cycle until) {
    runs::RunOptions options = OptionsOf(capability_, scenario_, seed_, part_);
    options.devices = alone() ? std::vector{name_} : std::vector<std::string>{name_, "golden"};
    std::optional<runs::Tracing> tracing;
    if (!part_.waves.file.empty() && until < 0) {
      cosim::WaveOptions window;
      window.from = static_cast<tilefly::Cycle>(part_.waves.from);
      window.to = static_cast<tilefly::Cycle>(part_.waves.to);
      tracing.emplace(window, &options);
    }
    runs::SwitchRun run(options, View(), Golden());
    LinkDigest digest(&outcome_.digest);
    std::atomic<bool> stop{false};
    runs::RunControl control;
    control.recorder = &digest;
    control.stop = &stop;
    if (until >= 0) control.progress = [&](tilefly::Cycle now, const cosim::Books&) { stop = now >= until; };
    const std::filesystem::path waves(part_.waves.file);
    if (tracing) tracing->Begin(waves.parent_path(), waves.stem().string(), &control);
    const runs::Outcome found = run.Run(control);
    if (tracing) {
      run.ShowFailure(control, cosim::kAfterFailure);
      tracing->End(&found);
    }
    outcome_.books = run.scoreboard().books();
    outcome_.cycle = run.lockstep().cycle();
    TakeCompared(run.lockstep(), run.drained());
    const bool cut = until >= 0 && found.verdict == runs::Verdict::kInterrupted;
    if (found.verdict == runs::Verdict::kPass || cut) return true;
    TakeFailure(found);
    return false;
  }

  void TakeFailure(const runs::Outcome& found) {
    const bool differs = found.message.rfind("first divergence", 0) == 0;
    const bool broke = found.message.find(fmt::format(": {}: ", device_->Name())) != std::string::npos;
    outcome_.rule = found.verdict == runs::Verdict::kNoProgress ? "progress"
                    : differs                                   ? "golden"
                    : broke                                     ? "device"
                                                                : "books";
    outcome_.reason = found.message;
    outcome_.port = found.port;
    outcome_.events = found.history;
    if (found.failed_at >= 0) outcome_.cycle = found.failed_at;
  }

  void TakeCompared(const cosim::Lockstep& lockstep, bool drained) {
    if (alone()) return;
    Compared& compared = outcome_.compared ? *outcome_.compared : outcome_.compared.emplace();
    compared.words += lockstep.compared();
    compared.busy += lockstep.compared_busy();
    const auto add = [](std::optional<std::int64_t> more, std::optional<std::int64_t>* sum) {
      if (more) *sum = sum->value_or(0) + *more;
    };
    add(lockstep.observation_compared(), &compared.records);
    if (drained) add(lockstep.counters_compared(), &compared.counters);
  }

  /// Inputs of `stimulus`, then settings with which everything drains, and the counters.
  void Drive(cosim::FuzzStimulus* stimulus, const golden::Switch& inside, cosim::Lockstep* lockstep) {
    LinkDigest digest(&outcome_.digest);
    cosim::Device::Inputs idle;
    idle.links.resize(static_cast<std::size_t>(capability_.ports));
    idle.link_up.assign(static_cast<std::size_t>(capability_.ports), true);
    const auto step = [&](const cosim::Device::Inputs& inputs) {
      lockstep->Compare();
      digest.Record(*lockstep, inputs);
      lockstep->Step(inputs);
    };
    const auto write = [&](const Cfg& cfg, cosim::Device::Inputs inputs) {
      inputs.cfg = cfg;
      step(inputs);
    };
    for (const Cfg& cfg : stimulus->Setup()) write(cfg, idle);
    for (tilefly::Cycle n = 0; n < kAnswers; ++n) step(idle);
    const tilefly::Cycle end = lockstep->cycle() + scenario_.cycles;
    while (lockstep->cycle() < end) step(stimulus->Next(lockstep->cycle(), lockstep->Outputs(), true));
    for (const Cfg& cfg : stimulus->Release()) write(cfg, stimulus->Next(lockstep->cycle(), lockstep->Outputs(), false));
    while (lockstep->cycle() < end + kMostDrain && inside.packets() != 0)
      step(stimulus->Next(lockstep->cycle(), lockstep->Outputs(), false));
    for (const Cfg& cfg : lockstep->CounterReads()) write(cfg, idle);
    for (tilefly::Cycle n = 0; n < kAnswers; ++n) step(idle);
    lockstep->CompareCounters();
  }

  void RunGarbage() {
    cosim::FuzzStimulus stimulus(*capability_.profile, static_cast<unsigned>(seed_));
    auto golden = std::make_unique<cosim::GoldenDevice>(*capability_.profile);
    const golden::Switch& inside = golden->golden_switch();
    cosim::Lockstep lockstep(View(), std::move(golden));
    bool drained = false;
    try {
      Drive(&stimulus, inside, &lockstep);
      drained = true;
    } catch (const cosim::DivergenceError& error) {
      outcome_.rule = "golden";
      outcome_.reason = "first divergence: " + error.divergence().Summary();
      outcome_.port = error.divergence().port;
      outcome_.events = error.divergence().history;
    } catch (const cosim::DeviceError& error) {
      outcome_.rule = "device";
      outcome_.reason = fmt::format("cycle {}: {}", lockstep.cycle(), error.what());
    }
    outcome_.cycle = lockstep.cycle();
    TakeCompared(lockstep, drained);
  }

  const Capability& capability_;
  const LinkScenario& scenario_;
  const std::uint64_t seed_;
  const LinkPart& part_;
  const std::string name_;
  const std::unique_ptr<cosim::LibraryDevice> device_;
  LinkOutcome outcome_;
};

}  // namespace

std::unique_ptr<cosim::LibraryDevice> MakeLinkDevice(const Capability& capability, const std::string& library,
                                                     std::uint32_t power_up) {
  cosim::DeviceOptions options;
  options.random_reset = static_cast<int>(power_up);
  auto device = std::make_unique<cosim::LibraryDevice>(cosim::LibraryName{library, ParametersOf(capability)},
                                                       *capability.profile, options);
  if (capability.claims.level == Level::kObserved && !device->Observes())
    throw UsageError(fmt::format("{}: claims.level: observed compares an observation record, and {} shows none: write "
                                 "claims.level: cycle, or have the device show one (TFD_OBSERVES)",
                                 capability.file.string(), library));
  return device;
}

LinkOutcome RunLinkTest(const Capability& capability, const LinkScenario& scenario, std::uint64_t seed,
                        const std::string& library, std::uint32_t power_up, const LinkPart& part) {
  return LinkBench(capability, scenario, seed, library, power_up, part).Run();
}

}  // namespace tilefly::conform
