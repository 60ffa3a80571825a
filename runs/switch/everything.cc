// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/everything.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "cosim/reduction/tree_plan.h"
#include "generated/profile.h"
#include "golden/reduction/red_lanes.h"
#include "support/random.h"

namespace tilefly::runs {
namespace {

constexpr const char* kPattern = "traffic.pattern";
constexpr const char* kDrawnPaths[] = {
    "ports.kind",        "ports.lanes",     "ports.eth_header", "traffic.pattern",     "traffic.load",
    "traffic.size",      "traffic.process", "traffic.classes",  "traffic.replicated",  "traffic.routed",
    "traffic.faults",    "traffic.acks",    "traffic.mishaps",  "traffic.reductions",  "stalls.share",
    "stalls.max_cycles", "stalls.kinds",    "stalls.outages",   "stalls.ignore_pause", "first_cycle",
    "traffic.flow_channels",
};

const Setting& SettingAt(const std::string& path) {
  const std::vector<Setting>& table = Settings::Table();
  return *std::find_if(table.begin(), table.end(), [&](const Setting& one) { return path == one.path; });
}

/// Draws of one seed.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : stream_(seed, 0, 0, Purpose::kScenario) {}
  int Between(int least, int most) {
    return least + static_cast<int>(stream_.Below(static_cast<std::uint64_t>(most - least + 1)));
  }
  bool OneIn(int n) { return Between(1, n) == 1; }
  const char* OneOf(const std::vector<const char*>& values) {
    return values[static_cast<std::size_t>(Between(0, static_cast<int>(values.size()) - 1))];
  }
  /// A share in hundredths.
  std::string Share(int least, int most) { return fmt::format("{:.2f}", Between(least, most) / 100.0); }

 private:
  Stream stream_;
};

/// Small, middle and large frames of any length, the small ones more often.
std::string DrawSizes(int least, int most, Dice* dice) {
  return fmt::format("{}*{},{}*{},{}", dice->Between(least, 96), dice->Between(1, 8), dice->Between(97, 600),
                     dice->Between(1, 4), dice->Between(601, most));
}

std::string DrawPattern(int ports, Dice* dice) {
  if (dice->OneIn(4)) return "uniform";
  if (dice->OneIn(4)) return "permutation:random";
  const int hot = dice->Between(0, ports - 1);
  const int other = (hot + dice->Between(1, ports - 1)) % ports;
  return fmt::format("hotspot:{},{}:{}", hot, other, dice->Share(20, 80));
}

/// Three to six classes that keep off the lanes of reductions, with weights.
std::string DrawClasses(Dice* dice) {
  constexpr int kClasses = 6;
  const int first = dice->Between(0, kClasses - 1);
  std::vector<std::string> parts;
  for (int i = dice->Between(3, kClasses); i > 0; --i)
    parts.push_back(fmt::format("{}*{}", (first + i) % kClasses, dice->Share(10, 100)));
  return fmt::format("{}", fmt::join(parts, ","));
}

/// Every fourth run begins shortly before times of so many bits are full, which then wrap or are compared.
std::string DrawFirstCycle(int epoch, Dice* dice) {
  if (!dice->OneIn(4)) return "0";
  constexpr int kEpochsBefore = 10;
  constexpr int kBits[] = {16, 24, 32, 40, 47};
  const std::int64_t edge = std::int64_t{1} << kBits[dice->Between(0, static_cast<int>(std::size(kBits)) - 1)];
  return fmt::format("{}", edge / epoch * epoch - kEpochsBefore * epoch);
}

/// Reductions have lanes 14 and 15 to themselves.
bool HasLanesOfReductions(const cosim::ClassSetup& classes) {
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    if (!classes.Has(tc)) continue;
    for (const int lane : classes.Of(tc).lanes) {
      if (lane >= kRedUpLane) return true;
    }
  }
  return false;
}

}  // namespace

bool IsEverything(const Settings& settings) { return settings.Get(kPattern) == kEverything; }

const std::vector<std::string>& DrawnPaths() {
  static const std::vector<std::string> paths(std::begin(kDrawnPaths), std::end(kDrawnPaths));
  return paths;
}

std::vector<std::string> DrawnOptionNames() {
  std::vector<std::string> names;
  for (const std::string& path : DrawnPaths()) {
    if (path != kPattern) names.emplace_back(SettingAt(path).option);
  }
  return names;
}

Settings DrawEverything(const Settings& settings, std::uint32_t seed) {
  Settings drawn = settings;
  Dice dice(seed);
  const auto set = [&](const char* path, const std::string& value) { drawn.Set(path, value, "--traffic everything"); };
  const Profile& profile = *settings.KnownProfile();
  set("seed", fmt::format("{}", seed));
  const std::string kind = dice.OneIn(4) ? dice.OneOf({"fabric", "enhanced"}) : "mixed";
  set("ports.kind", kind);
  set("ports.lanes", dice.OneIn(2) ? "4" : dice.OneOf({"1", "2", "3"}));
  set("ports.eth_header", dice.OneIn(4) ? "off" : "on");
  set(kPattern, DrawPattern(profile.ports, &dice));
  set("traffic.load", dice.OneIn(3) ? "1" : dice.Share(20, 99));
  set("traffic.size",
      DrawSizes(kind == "mixed" ? profile.min_std_bytes : profile.min_enh_bytes, profile.mtu_bytes, &dice));
  set("traffic.process", dice.OneOf({"bernoulli", "periodic"}));
  set("traffic.classes", settings.Get("qos.file").empty() ? DrawClasses(&dice) : "table");
  set("traffic.replicated", dice.Share(1, 5));
  set("traffic.routed", dice.Share(10, 60));
  set("traffic.faults", dice.Share(1, 10));
  set("traffic.acks", dice.Share(20, 60));
  set("traffic.reductions", fmt::format("{}", dice.Between(1, std::max(1, profile.red_groups))));
  set("traffic.mishaps", dice.Share(0, 50));
  set("stalls.share", dice.Share(1, 5));
  set("stalls.max_cycles", fmt::format("{}", dice.Between(50, 400)));
  set("stalls.kinds", dice.OneIn(4) ? dice.OneOf({"starts", "credits", "pause"}) : "starts,credits,pause");
  set("stalls.outages", fmt::format("{}", dice.Between(3000, 10000)));
  set("stalls.ignore_pause", dice.OneIn(8) ? "on" : "off");
  set("first_cycle", DrawFirstCycle(profile.load_epoch_cycles, &dice));
  set("traffic.flow_channels", dice.Share(20, 100));
  const RunOptions options = drawn.ToRunOptions();
  // The wires of a device in a library may be of version 1, whose acks have no shares.
  const auto marks_acks = [](const std::string& device) {
    return device == "golden" || device == "rtl" || device == "rtl-flat" || device == "systemc";
  };
  if (!std::all_of(options.devices.begin(), options.devices.end(), marks_acks)) set("traffic.flow_channels", "0");
  // Frames of a link with retry that goes down take other ways, which the books of --routed do not know.
  if (options.retry > 0) set("stalls.outages", "0");
  if (profile.red_present == 0 || (options.classes && HasLanesOfReductions(*options.classes))) {
    set("traffic.reductions", "0");
    set("traffic.mishaps", "0");
  } else {  // of a link that goes down another port of its tree must hear
    const cosim::SwitchSetup setup(profile, options.kinds, options.lanes);
    const std::vector<cosim::Tree> trees =
        cosim::DrawTrees(setup, options.reductions.groups, cosim::PortsOfTrees(setup), seed);
    if (cosim::AccompaniedPorts(trees) == 0) set("stalls.outages", "0");
  }
  return drawn;
}

std::string DrawnOptions(const Settings& drawn) {
  std::vector<std::string> words;
  for (const char* path : kDrawnPaths) words.push_back(fmt::format("--{} {}", SettingAt(path).option, drawn.Get(path)));
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace tilefly::runs
