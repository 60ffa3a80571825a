// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic beside the jobs of `tilefly net` (docs/workloads.md, Background).
#include <fmt/format.h>

#include <algorithm>

#include "cosim/traffic/class_mix.h"
#include "runs/system/net_settings.h"
#include "support/errors.h"
#include "support/key_values.h"
#include "support/text.h"
#include "traffic/size_mix.h"
#include "workload/jobs.h"

namespace tilefly::runs {
namespace {

/// "PATTERN:key=value,...": the colon before the first key parts them.
std::pair<std::string, std::string> PatternAndKeys(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t colon = text.rfind(':', equals);
  if (equals == std::string::npos) return {text, ""};
  if (colon == std::string::npos)
    throw UsageError(
        fmt::format("{} {}: which pattern? Write PATTERN:key=value, such as uniform:load=0.3", option, text));
  return {text.substr(0, colon), text.substr(colon + 1)};
}

/// Of keys that have commas where options have them, as `at=` of a job.
std::string WithCommas(std::string text) {
  std::replace(text.begin(), text.end(), '/', ',');
  return text;
}

double LoadOf(KeyValues* keys) {
  const double load = ParseReal(keys->Text("load", "0.5"), keys->origin() + ": load");
  if (load > 0 && load <= 1) return load;
  throw UsageError(fmt::format("{}: load={} is no share of word slots above 0, up to 1", keys->origin(), load));
}

}  // namespace

void NetSettings::AddBackground(const Profile& profile, NetRunOptions* options) const {
  const std::string& text = Get("traffic.background");
  const std::string option = NameOf("traffic.background");
  const auto [pattern, given] = PatternAndKeys(option, text);
  KeyValues keys(fmt::format("{} {}", option, text), given);
  if (workload::IsPattern(pattern))
    throw UsageError(
        fmt::format("{}: {} is a job; add it to --traffic with a +, or give synthetic traffic, such as uniform",
                    keys.origin(), pattern));
  network::TrafficOptions traffic;
  traffic.pattern = pattern;
  traffic.option = option;
  traffic.load = LoadOf(&keys);
  traffic.size = WithCommas(keys.Text("size", "512"));
  const bool constant = pattern == "cbr";
  if (constant && keys.Has("process"))
    throw UsageError(keys.origin() + ": the rate of cbr is constant; leave process out");
  traffic.periodic = keys.Choice("process", "bernoulli", {"bernoulli", "periodic"}) == "periodic";
  const std::string tc = keys.Text("class", "0");
  keys.Finish();
  const std::vector<cosim::ClassPart> parts = ParseClasses(tc, options->classes, profile, option + ": class");
  if (parts.size() != 1) throw UsageError(fmt::format("{}: class={} is to be one class", keys.origin(), tc));
  traffic.classes.push_back({parts[0].tc, 1, parts[0].largest});
  traffic.endpoints = options->network.hosts.workload->Free();
  if (traffic.endpoints.size() < 2)
    throw UsageError(fmt::format("{}: {} of {} endpoints have no job, and it takes two; give the jobs fewer (ranks=)",
                                 keys.origin(), traffic.endpoints.size(), options->topology->endpoints.size()));
  const network::Traffic check(*options->topology, profile, traffic, options->network.nic_lanes, options->network.seed);
  if (SizeMix(traffic.size, profile.min_enh_bytes, profile.mtu_bytes).largest() > parts[0].largest)
    options->warnings.push_back(
        fmt::format("warning: {}: frames of class {} have at most {} B, its MTU in {}; longer ones are cut to it",
                    keys.origin(), options->classes->Of(parts[0].tc).name, parts[0].largest, options->classes->file()));
  if (!Get("traffic.only").empty()) {
    options->network.traffic.classes.push_back(traffic.classes.front());  // it keeps its lanes
    return;
  }
  options->network.background = std::move(traffic);
  options->background = text;
}

}  // namespace tilefly::runs
