// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cosim/errors.h"
#include "golden/retry/retry_out.h"
#include "runs/common/common_settings.h"
#include "runs/switch/everything.h"
#include "support/text.h"
#include "traffic/pattern.h"

namespace tilefly::runs {
namespace {

bool ParseSwitch(const std::string& text, const std::string& what) {
  if (text == "on" || text == "true") return true;
  if (text == "off" || text == "false") return false;
  ThrowUnknown(what, text, {"on", "off"});
}

/// Off, `on`, or the share itself.
double ParseShare(const SettingValues& settings, const char* path, double on) {
  const std::string& text = settings.Get(path);
  if (text == "off") return 0;
  if (text == "on") return on;
  if (!text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0)
    throw UsageError(fmt::format("{}: '{}' is none of on, off and a share from 0 to 1", settings.NameOf(path), text));
  return settings.Share(path);
}

/// Cycles of a link whose packets the replay buffer holds until they are acknowledged (retry page, Picture and timing).
int LongestRetryDelay(const Profile& profile) {
  constexpr int kAckGap = 8, kStages = 10;
  return (golden::RetryOut::Parameters().depth - 2 * profile.mtu_words_enh - kAckGap - kStages) / 2;
}

/// The settings of links with retry, and of what goes wrong on them.
void ReadRetry(const SettingValues& settings, RunOptions* options) {
  constexpr int kLongestDelay = 10'000;
  options->retry = ParseShare(settings, "faults.retry", 1);
  options->link_delay = static_cast<int>(settings.Integer("ports.link_delay", 0, kLongestDelay));
  const int longest = LongestRetryDelay(*options->profile);
  if (options->retry > 0 && options->link_delay < 1)
    throw UsageError(fmt::format("{}: a link with --retry takes 1 cycle or more; give 1", settings.NameOf("ports.link_delay")));
  if (options->retry > 0 && options->link_delay > longest)
    throw UsageError(fmt::format("{}: the replay buffer has no room for a link of {} cycles; give up to {}",
                                 settings.NameOf("ports.link_delay"), options->link_delay, longest));
  options->fault_lines = settings.Integer("faults.lines", 0, 1 << 30);
  if (settings.Get("faults.plan").empty()) return;
  options->plan = std::make_shared<const faults::Plan>(faults::ReadPlan(settings.Get("faults.plan")));
}

}  // namespace

const std::vector<Setting>& Settings::Table() {
  static const std::vector<Setting> table = WithDepartures(Bench::kSwitch, {
      {"level", "level", "switch", "what is checked: block, tile or switch"},
      {"block", "block", "", "the block of --level block: a folder of rtl/"},
      {"profile", "profile", "rosetta64", "switch profile"},
      {"devices", "devices", "rtl,golden", "the two sides, or one alone: rtl, golden, rtl-flat, systemc, lib:FILE.so",
       false, Commas::kWithin},
      kSeed,
      kReseeds,
      kSample,
      {"max_cycles", "max-cycles", "auto",
       "cycles of traffic, then the switch is drained; 0: until the capture is over (auto: 20000, or 0)"},
      {"journey", "journey", "",
       "packets to follow stage by stage: slowest:K, pP:N (the N-th that port P's endpoint sends), in a list",
       false, Commas::kWithin},
      kTimeout,
      {"timing", "timing", "chip", "chip: latencies include the calibrated channel; bench: they do not"},
      {"ports.kind", "ports", "auto", "fabric, enhanced, standard or mixed (auto: fabric; standard for a capture)"},
      {"ports.lanes", "lanes", "4", "lanes of every link, 1 to 4"},
      {"ports.eth_header", "eth-header", "on",
       "enhanced IP frames get an Ethernet header at standard ports; off: they are dropped there"},
      {"ports.link_delay", "link-delay", "auto",
       "delay of each direction of every link, in cycles (auto: 1 with --retry, else 0)"},
      kQosFile,
      kScheduler,
      kSenderQueues,
      {"traffic.pattern", "traffic", "uniform",
       "uniform, permutation:NAME, hotspot:PORT,PORT:SHARE, incast:PORT, or everything: all features at once, drawn by "
       "the seed", false, Commas::kNames},
      {"traffic.load", "load", "0.5", "share of word slots, 0 to 1"},
      {"traffic.size", "size", "64", "frame sizes in bytes, FCS included: 64,1024*0.5,4096", false, Commas::kWithin},
      {"traffic.process", "process", "bernoulli", "arrivals: bernoulli or periodic"},
      {"traffic.classes", "classes", "auto",
       "traffic classes, drawn for each frame: 0,3*0.5 or names of --qos; weights are shares of the load (auto: 0; "
       "table)", false, Commas::kWithin},
      {"traffic.replicated", "replicated", "0", "share of frames that go to all other ports"},
      {"traffic.routed", "routed", "0", "share of the other frames that goes to other switches, by sets of ports"},
      {"traffic.faults", "faults", "0", "share of frames damaged on purpose"},
      {"traffic.acks", "acks", "0",
       "acks: off, on (0.5), or the share of ports that are edge ports of the ack network; the far ends of the other "
       "ports acknowledge the same share of packets"},
      {"traffic.flow_channels", "flow-channels", "0",
       "edge ports that have flow channels: they mark acks by drawn thresholds, and hold the packets of throttled flows "
       "back: off, on (all edge ports), or a share of the edge ports, drawn; the option needs --acks"},
      {"traffic.reductions", "reductions", "0",
       "reduction groups, 0 to 8, whose drawn trees lock, stream and combine beside the other traffic"},
      {"traffic.mishaps", "mishaps", "0", "share of the reductions' episodes in which a peer makes an error"},
      kCaptureFile,
      kCapturePace,
      kCapturePortsBy,
      kCaptureRepeat,
      {"stalls.share", "stalls", "0",
       "share of frames that start late, and of packets that are consumed late; a quarter of it is answered by a "
       "PAUSE"},
      {"stalls.max_cycles", "stall-cycles", "400", "longest stall"},
      {"stalls.kinds", "stall-kinds", "starts,credits,pause", "kinds of stalls: starts, credits, pause",
       false, Commas::kWithin},
      {"stalls.outages", "outages", "0",
       "mean number of cycles after which a link goes down and comes back; with --reductions a link of a tree"},
      {"stalls.ignore_pause", "ignore-pause", "off",
       "on: senders of standard ports do not obey PAUSE, so that input buffers overflow"},
      {"faults.retry", "retry", "off",
       "which ports send again the words that their link damages: off, on (all ports with credits and header), or a "
       "share of these ports, drawn"},
      {"faults.plan", "fault-plan", "",
       "YAML file of a fault plan, which says which faults happen on links with --retry, where and when", false,
       Commas::kWithin},
      {"faults.lines", "fault-lines", "10000", "faults.csv has at most so many lines of drawn errors"},
      {"output.captures", "captures", "auto", "captures of every port: on, off (auto: on for a capture)"},
      {"waves.mode", "waves", "on-fail", "off, full or on-fail"},
      kWaveStart,
      kWaveEnd,
      kWaveScope,
      kWaveLimit,
      {"waves.packet", "trace-packet", "",
       "with --waves full: the run is repeated and traced around this packet: pP:N as for --journey, or slowest",
       false, Commas::kWithin},
      {"first_cycle", "first-cycle", "0",
       "number of the first cycle inside rtl and golden, up to 2^47, a multiple of the load ring's epoch: times wrap "
       "as in a run that has lasted so long"},
      {"rtl.threads", "rtl-threads", "1", "threads of the array of tiles, 1 or 2"},
      {"rtl.assert", "rtl-assert", "on", "assertions of the tiles in every cycle: off for long runs"},
      {"rtl.evaluate_all", "rtl-evaluate-all", "off", "on: quiescent tiles are clocked too"},
      {"rtl.random_reset", "rtl-random-reset", "0",
       "seed of random initial values of the registers; 0: no random values"},
      {"rtl.shuffle", "rtl-shuffle", "0",
       "seed of an order of the tiles that is drawn in every cycle; 0: their own order"},
  });
  return table;
}

void Settings::Resolve() {
  ResolveFilesAndSeed();
  const bool capture = !Get("capture.file").empty();
  Replace("max_cycles", capture ? "0" : "20000");
  Replace("ports.kind", capture ? "standard" : "fabric");
  Replace("traffic.classes", Get("qos.file").empty() ? "0" : "table");
  Replace("output.captures", capture ? "on" : "off");
  Replace("ports.link_delay", Get("faults.retry") == "off" || Get("faults.retry") == "0" ? "0" : "1");
  if (IsEverything(*this)) {
    for (const std::string& path : DrawnPaths()) {
      if (path != "traffic.pattern") Overrule(path, kDrawn);
    }
  }
}

const Profile* Settings::KnownProfile() const {
  const Profile* const profile = FindProfile(Get("profile"));
  if (profile != nullptr) return profile;
  std::vector<std::string> names;
  for (const Profile& known : kProfiles) names.emplace_back(known.name);
  ThrowUnknown("profile", Get("profile"), names);
}

/// Throws UsageError for a pattern that no run has.
void Settings::RequirePattern() const {
  const std::string& pattern = Get("traffic.pattern");
  const std::string name = pattern.substr(0, pattern.find(':'));
  std::vector<std::string> known = Pattern::Names();
  known.emplace_back(kEverything);
  if (std::find(known.begin(), known.end(), name) == known.end()) ThrowUnknown("traffic", name, known);
  if (name == kEverything && pattern != name)
    throw UsageError(
        fmt::format("--traffic {}: {} draws all that it does and takes no parameters; give --traffic {}", pattern,
                    name, name));
}

RunOptions Settings::ToRunOptions() const {
  RunOptions options;
  options.devices = Split(Get("devices"), ',');
  const bool golden = std::all_of(options.devices.begin(), options.devices.end(),
                                  [](const std::string& device) { return device == "golden"; });
  options.departed = Depart(*KnownProfile(), *this, golden ? "" : "--devices " + Get("devices"));
  options.profile = options.departed.profile.get();
  options.seed = static_cast<std::uint32_t>(Integer("seed", 0, 0xffffffff));
  options.max_cycles = Integer("max_cycles", 0, std::int64_t{1} << 40);
  options.sample = SampleCyclesOf(*this, options.profile->clock_khz);
  options.chip_timing = Choice("timing", {"chip", "bench"}) == "chip";
  options.kinds = ParsePortKinds(Get("ports.kind"), options.profile->ports);
  options.lanes = static_cast<int>(Integer("ports.lanes", 1, 4));
  options.eth_header = ParseSwitch(Get("ports.eth_header"), NameOf("ports.eth_header"));
  if (!Get("qos.file").empty()) options.classes.emplace(Get("qos.file"), *options.profile, options.lanes);
  options.device.scheduler = SchedulerOf(*this);
  RequirePattern();
  options.generator.traffic = Get("traffic.pattern");
  options.generator.load = Share("traffic.load");
  options.generator.size = Get("traffic.size");
  options.generator.process = Choice("traffic.process", {"bernoulli", "periodic"}) == "periodic"
                                  ? cosim::Process::kPeriodic
                                  : cosim::Process::kBernoulli;
  options.generator.classes = Get("traffic.classes");
  options.generator.replicated = Share("traffic.replicated");
  options.generator.routed = Share("traffic.routed");
  options.generator.faults = Share("traffic.faults");
  options.acks = ParseShare(*this, "traffic.acks", 0.5);
  options.flow_channels = ParseShare(*this, "traffic.flow_channels", 1);
  options.reductions.groups = static_cast<int>(Integer("traffic.reductions", 0, options.profile->red_groups));
  options.reductions.mishaps = Share("traffic.mishaps");
  ReadRetry(*this, &options);
  options.capture = ReadCaptureOptions(*this);
  options.class_queues = HasClassQueues(*this);
  options.stalls.share = Share("stalls.share");
  options.outages.every = Integer("stalls.outages", 0, 1 << 30);
  options.stalls.max_cycles = static_cast<int>(Integer("stalls.max_cycles", 1, 1 << 20));
  options.stalls.starts = options.stalls.credits = options.stalls.pause = false;
  if (Get("stalls.kinds").empty()) {
    throw UsageError(fmt::format("{}: no kind; name some of starts, credits, pause, or leave --stalls out",
                                 NameOf("stalls.kinds")));
  }
  for (const std::string& kind : Split(Get("stalls.kinds"), ',')) {
    if (kind != "starts" && kind != "credits" && kind != "pause")
      ThrowUnknown(NameOf("stalls.kinds"), kind, {"starts", "credits", "pause"});
    bool& stalls = kind == "starts"    ? options.stalls.starts
                   : kind == "credits" ? options.stalls.credits
                                       : options.stalls.pause;
    if (stalls) throw UsageError(fmt::format("{}: {} is named twice; give it once", NameOf("stalls.kinds"), kind));
    stalls = true;
  }
  Choice("output.captures", {"on", "off"});
  options.stalls.ignore_pause = ParseSwitch(Get("stalls.ignore_pause"), NameOf("stalls.ignore_pause"));
  options.device.first_cycle = Integer("first_cycle", 0, std::int64_t{1} << 47);
  if (options.device.first_cycle % options.profile->load_epoch_cycles != 0) {
    throw UsageError(fmt::format("{}: no multiple of {}, the epoch of {}'s load ring; give {}",
                                 NameOf("first_cycle"), options.profile->load_epoch_cycles,
                                 options.profile->name,
                                 options.device.first_cycle / options.profile->load_epoch_cycles *
                                     options.profile->load_epoch_cycles));
  }
  options.device.two_threads = Integer("rtl.threads", 1, 2) == 2;
  Choice("waves.mode", {"off", "full", "on-fail"});
  options.device.assertions = ParseSwitch(Get("rtl.assert"), NameOf("rtl.assert"));
  options.device.evaluate_all = ParseSwitch(Get("rtl.evaluate_all"), NameOf("rtl.evaluate_all"));
  options.device.random_reset = static_cast<int>(Integer("rtl.random_reset", 0, 0x7fffff00));
  options.device.shuffle = static_cast<int>(Integer("rtl.shuffle", 0, 0x7fffffff));
  return options;
}

}  // namespace tilefly::runs
