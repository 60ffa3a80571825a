// SPDX-License-Identifier: Apache-2.0
// Options without effect of several commands, and of commands that have few.
#include <algorithm>

#include "runs/common/option_conditions.h"

namespace tilefly::runs {
namespace {

bool HasFigure(const OptionValues& run) { return !run.Get("FIGURE").empty(); }

/// Whether `repro` makes one of these figures.
bool Repeats(const OptionValues& run, const std::vector<std::string>& figures) {
  return std::find(figures.begin(), figures.end(), run.Get("FIGURE")) != figures.end();
}

}  // namespace

const std::vector<OptionEffect>& EffectsOfSeveral() {
  static const std::vector<OptionEffect> rows = {
      {{"cosim", "net"},
       {"scheduler"},
       kWarned,
       "with one traffic class: there is nothing to choose (--qos, --classes)",
       "",
       [](const OptionValues& run) { return HasOneClass(run) && !(run.command() == "cosim" && AtBlockLevel(run)); }},
      {{"cosim", "net"},
       {"profile.class_hold"},
       kWarned,
       "with one traffic class, or another --scheduler than dtable",
       "",
       [](const OptionValues& run) {
         const bool blocks = run.command() == "cosim" && AtBlockLevel(run);
         return !blocks && (HasOneClass(run) || run.Get("scheduler") != "dtable");
       }},
      {{"cosim", "net"},
       {"process"},
       kWarned,
       "with --load 1: packets follow without a gap",
       "",
       [](const OptionValues& run) { return IsAll(run, "load") && !HasCapture(run); }},
      {{"cosim", "net"},
       {"pace", "ports-by", "repeat"},
       kWarned,
       "without --pcap",
       "",
       [](const OptionValues& run) { return !HasCapture(run) && !(run.command() == "cosim" && AtBlockLevel(run)); }},
      {{"cosim"},
       {"trace-start", "trace-end"},
       kWarned,
       "without --waves full, at --level switch: of a failure the cycles around it are traced",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("waves") == "on-fail"; }},
      {{"cosim"},
       {"trace-packet"},
       kWarned,
       "without --waves full, with which it says whose waves they are",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("waves") != "full"; }},
      {{"net"},
       {"trace-start", "trace-end"},
       kWarned,
       "without --waves full: of a failure the cycles around it are traced",
       "",
       [](const OptionValues& run) { return !run.Off("device") && run.Get("waves") == "on-fail"; }},
      {{"cosim", "net"},
       {"trace-start", "trace-end", "trace-scope", "trace-limit"},
       kWarned,
       "with --waves off",
       "",
       [](const OptionValues& run) { return run.Off("waves") && (run.command() == "cosim" || !run.Off("device")); }},
      {{"cosim", "net"},
       {"verbose"},
       kRefused,
       "with --quiet",
       "leave one of them out",
       [](const OptionValues& run) { return run.Given("quiet"); }},
      {{"topo"},
       {"topology", "bisection", "alpha", "envelope", "paths", "deadlock", "svg", "output"},
       kRefused,
       "with --presets, which lists the names only",
       "leave one of them out",
       [](const OptionValues& run) { return run.Given("presets"); }},
      {{"topo"},
       {"alpha"},
       kRefused,
       "without --bisection",
       "give --bisection too",
       [](const OptionValues& run) { return !run.Given("bisection"); }},
      {{"qos show"}, {"color"}, kWarned, "with --json", "", [](const OptionValues& run) { return run.Given("json"); }},
      {{"compare"},
       {"verbose"},
       kWarned,
       "with --json, which has every figure",
       "",
       [](const OptionValues& run) { return run.Given("json"); }},
      {{"repro"},
       {"FIGURE", "quick", "ping-pong-ns", "topology", "nodes", "victims", "seeds", "contributors", "size", "time",
        "jobs", "timeout", "output-dir", "json", "quiet"},
       kRefused,
       "with --list, which lists the names only",
       "leave one of them out",
       [](const OptionValues& run) { return run.Given("list"); }},
      {{"repro"},
       {"ping-pong-ns"},
       kRefused,
       "with link-efficiency, which has no messages",
       "leave it out",
       [](const OptionValues& run) { return run.Get("FIGURE") == "link-efficiency"; }},
      {{"repro"},
       {"ping-pong-ns"},
       kRefused,
       "with gpcnet and incast, whose hosts take no time",
       "leave it out",
       [](const OptionValues& run) { return Repeats(run, {"gpcnet", "incast"}); }},
      {{"repro"},
       {"topology"},
       kRefused,
       "with another figure than gpcnet or incast",
       "leave it out",
       [](const OptionValues& run) { return HasFigure(run) && !Repeats(run, {"gpcnet", "incast"}); }},
      {{"repro"},
       {"nodes", "victims", "seeds"},
       kRefused,
       "with another figure than gpcnet",
       "leave it out",
       [](const OptionValues& run) { return HasFigure(run) && !Repeats(run, {"gpcnet"}); }},
      {{"repro"},
       {"contributors", "size", "time"},
       kRefused,
       "with another figure than incast",
       "leave it out",
       [](const OptionValues& run) { return HasFigure(run) && !Repeats(run, {"incast"}); }}};
  return rows;
}

}  // namespace tilefly::runs
