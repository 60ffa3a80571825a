// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/settings.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "cosim/errors.h"
#include "support/text.h"
#include "support/yaml_map.h"

namespace tilefly::cosim {
namespace {

/// Settings that name a file to be read.
constexpr std::array<const char*, 2> kFiles = {"capture.file", "qos.file"};

std::vector<std::string> KnownPaths() {
  std::vector<std::string> paths;
  for (const Setting& setting : Settings::Table()) paths.emplace_back(setting.path);
  return paths;
}

bool IsSection(const std::string& path) {
  const auto& table = Settings::Table();
  return std::any_of(table.begin(), table.end(),
                     [&](const Setting& s) { return std::string(s.path).rfind(path + ".", 0) == 0; });
}

std::string ScalarText(const YAML::Node& node, const std::string& origin) {
  if (node.IsNull()) return "";
  if (node.IsScalar()) return node.Scalar();
  std::string text;
  for (const YAML::Node& item : node) {
    if (!item.IsScalar()) throw UsageError(fmt::format("{}: a list of plain values was expected", origin));
    text += (text.empty() ? "" : ",") + item.Scalar();
  }
  return text;
}

void LoadNode(const YAML::Node& node, const std::string& prefix, const std::string& file, std::set<std::string>* seen,
              Settings* settings) {
  for (const auto& entry : node) {
    const std::string path = prefix + entry.first.Scalar();
    const std::string origin = fmt::format("{}:{}", file, entry.first.Mark().line + 1);
    if (!seen->insert(path).second) throw UsageError(fmt::format("{}: key '{}' appears twice", origin, path));
    if (IsSection(path) && entry.second.IsMap()) {
      LoadNode(entry.second, path + ".", file, seen, settings);
    } else if (entry.second.IsMap()) {
      ThrowUnknown(fmt::format("key ({})", origin), path, KnownPaths());
    } else {
      settings->Set(path, ScalarText(entry.second, origin), origin);
    }
  }
}

bool ParseSwitch(const std::string& text, const std::string& what) {
  if (text == "on" || text == "true") return true;
  if (text == "off" || text == "false") return false;
  ThrowUnknown(what, text, {"on", "off"});
}

golden::SchedulerKind ParseScheduler(const std::string& text) {
  std::vector<std::string> names;
  for (const golden::SchedulerName& known : golden::kSchedulerNames) {
    if (known.name == text) return known.kind;
    names.emplace_back(known.name);
  }
  ThrowUnknown("scheduler (--scheduler)", text, names);
}

}  // namespace

const std::vector<Setting>& Settings::Table() {
  static const std::vector<Setting> table = {
      {"level", "level", "switch", "what is checked: block, tile or switch"},
      {"block", "block", "", "the block of --level block: a folder of rtl/"},
      {"profile", "profile", "rosetta64", "switch profile"},
      {"devices", "devices", "rtl,golden", "the two sides, or one alone: rtl, golden, rtl-flat"},
      {"seed", "seed", "1", "root seed, 32 bits; or random"},
      {"reseeds", "reseeds", "1", "runs, each with a seed of its own"},
      {"max_cycles", "max-cycles", "auto",
       "cycles of traffic, then the switch is drained; 0: until the capture is over (auto: 20000, or 0)"},
      {"timeout", "timeout", "0", "seconds of wall clock; 0: no limit"},
      {"timing", "timing", "chip", "chip: latencies include the calibrated channel; bench: they do not"},
      {"ports.kind", "ports", "auto", "fabric, enhanced, standard or mixed (auto: fabric; standard for a capture)"},
      {"ports.lanes", "lanes", "4", "lanes of every link, 1 to 4"},
      {"ports.eth_header", "eth-header", "on",
       "enhanced IP frames get an Ethernet header at standard ports; off: they are dropped there"},
      {"qos.file", "qos", "", "traffic classes of every port: a table of `tilefly qos`, or wishes to plan one of"},
      {"qos.scheduler", "scheduler", "dtable",
       "scheduler of the outputs, golden only: dtable, dtable-paper, round-robin, drr, strict, scfq, infiniband"},
      {"traffic.pattern", "traffic", "uniform", "uniform, permutation:NAME, hotspot:PORT,PORT:SHARE, incast:PORT"},
      {"traffic.load", "load", "0.5", "share of word slots, 0 to 1"},
      {"traffic.size", "size", "64", "frame sizes in bytes, FCS included: 64,1024*0.5,4096"},
      {"traffic.process", "process", "bernoulli", "arrivals: bernoulli or periodic"},
      {"traffic.classes", "classes", "auto",
       "traffic classes, drawn for each frame: 0,3*0.5 or names of --qos; weights are shares of the load (auto: 0; "
       "table)"},
      {"traffic.replicated", "replicated", "0", "share of frames that go to all other ports"},
      {"traffic.faults", "faults", "0", "share of frames damaged on purpose"},
      {"capture.file", "pcap", "", "pcap or pcapng file whose frames are sent"},
      {"capture.pace", "pace", "back-to-back", "kept, back-to-back or xFACTOR"},
      {"capture.ports_by", "ports-by", "mac", "frames go to ports by source address (mac), interface or round-robin"},
      {"capture.repeat", "repeat", "1", "times the capture is sent"},
      {"stalls.share", "stalls", "0",
       "share of starts and of consumptions that stall; a quarter of it: of frames that are answered by a PAUSE"},
      {"stalls.max_cycles", "stall-cycles", "400", "longest stall"},
      {"stalls.kinds", "stall-kinds", "starts,credits,pause", "what stalls: starts, credits, pause"},
      {"stalls.ignore_pause", "ignore-pause", "off",
       "senders of standard ports do not obey PAUSE: input buffers overflow"},
      {"output.captures", "captures", "auto", "captures of every port: on, off (auto: on for a capture)"},
      {"waves.mode", "waves", "on-fail", "off, full or on-fail"},
      {"waves.start", "trace-start", "auto", "first cycle of the waves"},
      {"waves.end", "trace-end", "auto", "last cycle of the waves"},
      {"waves.scope", "trace-scope", "*", "tiles whose inner signals are traced, a glob: tile_r1_c*"},
      {"waves.limit_mb", "trace-limit", "1000", "size at which a wave file ends, MB"},
      {"rtl.threads", "rtl-threads", "1", "threads of the array of tiles, 1 or 2"},
      {"rtl.evaluate_all", "rtl-evaluate-all", "off", "clock quiescent tiles too"},
      {"rtl.random_reset", "rtl-random-reset", "0", "not 0: initial register values are random, of this seed"},
      {"rtl.shuffle", "rtl-shuffle", "0", "not 0: tiles are evaluated in an order drawn in every cycle, of this seed"},
  };
  return table;
}

Settings::Settings() {
  for (const Setting& setting : Table()) values_[setting.path] = setting.initial;
}

void Settings::Set(const std::string& path, const std::string& value, const std::string& origin) {
  const auto found = values_.find(path);
  if (found == values_.end()) ThrowUnknown(fmt::format("key ({})", origin), path, KnownPaths());
  found->second = value;
}

void Settings::Load(const std::filesystem::path& file) {
  const YAML::Node root = LoadYaml(file);
  if (root.IsNull()) return;
  if (!root.IsMap()) throw UsageError(fmt::format("{}: keys and values were expected", file.string()));
  std::set<std::string> seen;
  LoadNode(root, "", file.string(), &seen, this);
}

void Settings::Resolve() {
  for (const char* path : kFiles) {
    if (Get(path).empty()) continue;
    std::error_code error;
    const auto absolute = std::filesystem::absolute(Get(path), error);
    if (!error) values_[path] = absolute.lexically_normal().string();
  }
  const bool capture = !Get("capture.file").empty();
  const auto replace = [&](const char* path, const char* value) {
    if (Get(path) == "auto") values_[path] = value;
  };
  replace("max_cycles", capture ? "0" : "20000");
  replace("ports.kind", capture ? "standard" : "fabric");
  replace("traffic.classes", Get("qos.file").empty() ? "0" : "table");
  replace("output.captures", capture ? "on" : "off");
  if (Get("seed") == "random") values_["seed"] = fmt::format("{}", std::random_device{}());
}

std::vector<std::string> Settings::InputFiles() const {
  std::vector<std::string> files;
  for (const char* path : kFiles) {
    if (!Get(path).empty()) files.push_back(Get(path));
  }
  return files;
}

std::string Settings::ToYaml() const {
  std::string text;
  std::string section;
  for (const Setting& setting : Table()) {
    const std::string path = setting.path;
    const std::size_t dot = path.find('.');
    const std::string in = dot == std::string::npos ? "" : path.substr(0, dot);
    if (in != section && !in.empty()) text += in + ":\n";
    section = in;
    YAML::Emitter value;
    value << YAML::DoubleQuoted << Get(path);
    text += fmt::format("{}{}: {}  # {}\n", in.empty() ? "" : "  ", in.empty() ? path : path.substr(dot + 1),
                        value.c_str(), setting.help);
  }
  return text;
}

RunOptions Settings::ToRunOptions() const {
  const auto integer = [&](const char* path, std::int64_t least, std::int64_t most) {
    const std::int64_t value = ParseInteger(Get(path), path);
    if (value < least || value > most)
      throw UsageError(fmt::format("{}: {} is not between {} and {}", path, value, least, most));
    return value;
  };
  const auto share = [&](const char* path) {
    const double value = ParseReal(Get(path), path);
    if (!(value >= 0 && value <= 1)) throw UsageError(fmt::format("{}: {} is not between 0 and 1", path, value));
    return value;
  };
  const auto choice = [&](const char* path, const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), Get(path)) == known.end()) ThrowUnknown(path, Get(path), known);
    return Get(path);
  };
  RunOptions options;
  options.profile = FindProfile(Get("profile"));
  if (options.profile == nullptr) {
    std::vector<std::string> names;
    for (const Profile& profile : kProfiles) names.emplace_back(profile.name);
    ThrowUnknown("profile", Get("profile"), names);
  }
  options.devices = Split(Get("devices"), ',');
  options.seed = static_cast<std::uint32_t>(integer("seed", 0, 0xffffffff));
  options.max_cycles = integer("max_cycles", 0, std::int64_t{1} << 40);
  options.chip_timing = choice("timing", {"chip", "bench"}) == "chip";
  options.kinds = ParsePortKinds(Get("ports.kind"), options.profile->ports);
  options.lanes = static_cast<int>(integer("ports.lanes", 1, 4));
  options.eth_header = ParseSwitch(Get("ports.eth_header"), "ports.eth_header");
  if (!Get("qos.file").empty()) options.classes.emplace(Get("qos.file"), *options.profile, options.lanes);
  options.device.scheduler.kind = ParseScheduler(Get("qos.scheduler"));
  options.generator.traffic = Get("traffic.pattern");
  options.generator.load = share("traffic.load");
  options.generator.size = Get("traffic.size");
  options.generator.process =
      choice("traffic.process", {"bernoulli", "periodic"}) == "periodic" ? Process::kPeriodic : Process::kBernoulli;
  options.generator.classes = Get("traffic.classes");
  options.generator.replicated = share("traffic.replicated");
  options.generator.faults = share("traffic.faults");
  options.capture_file = Get("capture.file");
  options.pace = ParsePace(Get("capture.pace"));
  options.ports_by = ParsePortsBy(Get("capture.ports_by"));
  options.repeat = static_cast<int>(integer("capture.repeat", 1, 1 << 20));
  options.stalls.share = share("stalls.share");
  options.stalls.max_cycles = static_cast<int>(integer("stalls.max_cycles", 1, 1 << 20));
  options.stalls.starts = options.stalls.credits = options.stalls.pause = false;
  for (const std::string& kind : Split(Get("stalls.kinds"), ',')) {
    if (kind != "starts" && kind != "credits" && kind != "pause")
      ThrowUnknown("stalls.kinds", kind, {"starts", "credits", "pause"});
    (kind == "starts"    ? options.stalls.starts
     : kind == "credits" ? options.stalls.credits
                         : options.stalls.pause) = true;
  }
  options.stalls.ignore_pause = ParseSwitch(Get("stalls.ignore_pause"), "stalls.ignore_pause");
  options.device.two_threads = integer("rtl.threads", 1, 2) == 2;
  choice("waves.mode", {"off", "full", "on-fail"});
  options.device.evaluate_all = ParseSwitch(Get("rtl.evaluate_all"), "rtl.evaluate_all");
  options.device.random_reset = static_cast<int>(integer("rtl.random_reset", 0, 0x7fffff00));
  options.device.shuffle = static_cast<int>(integer("rtl.shuffle", 0, 0x7fffffff));
  return options;
}

}  // namespace tilefly::cosim
