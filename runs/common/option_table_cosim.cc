// SPDX-License-Identifier: Apache-2.0
// Options of `cosim` without effect.
#include <algorithm>
#include <set>

#include "cosim/device_factory.h"
#include "cosim/library/device_library.h"
#include "runs/common/option_conditions.h"
#include "runs/switch/everything.h"
#include "runs/switch/settings.h"
#include "support/text.h"

namespace tilefly::runs {
namespace {

bool HasDevice(const OptionValues& run, const char* device) {
  const std::vector<std::string> devices = Split(run.Get("devices"), ',');
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

bool HasRtl(const OptionValues& run) { return HasDevice(run, "rtl"); }

bool HasLibrary(const OptionValues& run) { return !cosim::LibrariesIn(run.Get("devices")).empty(); }

bool HasStandardPorts(const OptionValues& run) { return run.Get("ports") == "standard" || run.Get("ports") == "mixed"; }

/// Nothing in a run of a capture is drawn.
bool RepeatsItself(const OptionValues& run) { return HasCapture(run) && run.Off("stalls") && run.Off("outages"); }

/// A pattern that says where frames go, and lets all ports send.
bool NamesOutputs(const OptionValues& run) {
  const std::string& traffic = run.Get("traffic");
  return traffic.rfind("hotspot:", 0) == 0 || traffic.rfind("permutation:", 0) == 0;
}

/// All settings of `cosim` but those that a comparison of blocks obeys.
std::vector<std::string> OfTheSwitch() {
  const std::set<std::string> obeyed = {"level",   "block", "seed",        "max-cycles",
                                        "timeout", "waves", "trace-start", "trace-end"};
  std::vector<std::string> options;
  for (const Setting& setting : Settings::Table()) {
    if (obeyed.count(setting.option) == 0) options.emplace_back(setting.option);
  }
  return options;
}

}  // namespace

const std::vector<OptionEffect>& EffectsOfCosim() {
  static const std::vector<OptionEffect> rows = {
      {{"cosim"},
       OfTheSwitch(),
       kRefused,
       "at --level block and --level tile: a block's comparison brings its own profiles and stimulus",
       "leave it out, or give --level switch",
       AtBlockLevel},
      {{"cosim"}, {"block"}, kRefused, "at --level switch", "give --level block too", AtSwitchLevel},
      {{"cosim"},
       DrawnOptionNames(),
       kRefused,
       "with --traffic everything: each seed draws it",
       "leave it out, or give another --traffic",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("traffic") == "everything"; }},
      {{"cosim"},
       {"traffic", "load", "size", "process", "classes", "replicated", "routed", "faults"},
       kRefused,
       "with --pcap: the frames are the capture's",
       "leave one of them out",
       HasCapture},
      {{"cosim"},
       {"routed"},
       kWarned,
       "with --replicated 1: there are no other frames",
       "",
       [](const OptionValues& run) { return IsAll(run, "replicated"); }},
      {{"cosim"},
       {"traffic"},
       kWarned,
       "with --replicated 1 or --routed 1: no frame goes where the pattern says",
       "",
       [](const OptionValues& run) { return NamesOutputs(run) && (IsAll(run, "replicated") || IsAll(run, "routed")); }},
      {{"cosim"},
       {"reseeds"},
       kWarned,
       "with --pcap, unless --stalls or --outages draw something: all runs are the same",
       "",
       RepeatsItself},
      {{"cosim"},
       {"reductions"},
       kRefused,
       "with --pcap: a capture's frames come in by standard ports, which take no reductions",
       "leave one of them out",
       [](const OptionValues& run) { return HasCapture(run) && !run.Off("reductions"); }},
      {{"cosim"},
       {"mishaps"},
       kWarned,
       "without --reductions",
       "",
       [](const OptionValues& run) { return run.Off("reductions"); }},
      {{"cosim"},
       {"stall-cycles", "stall-kinds"},
       kWarned,
       "without --stalls",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Off("stalls"); }},
      {{"cosim"},
       {"stalls"},
       kWarned,
       "with --stall-kinds pause and no standard ports (--ports standard or mixed)",
       "",
       [](const OptionValues& run) {
         return AtSwitchLevel(run) && run.Get("stall-kinds") == "pause" && !HasStandardPorts(run);
       }},
      {{"cosim"},
       {"stalls"},
       kWarned,
       "with --stall-kinds credits and standard ports only, which have none",
       "",
       [](const OptionValues& run) {
         return AtSwitchLevel(run) && run.Get("stall-kinds") == "credits" && run.Get("ports") == "standard";
       }},
      {{"cosim"},
       {"sender-queues"},
       kWarned,
       "with standard ports only: a PAUSE holds back all classes",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("ports") == "standard"; }},
      {{"cosim"},
       {"sender-queues"},
       kWarned,
       "with one traffic class on enhanced ports: its frames have one lane",
       "",
       [](const OptionValues& run) {
         return AtSwitchLevel(run) && run.Get("ports") == "enhanced" && HasOneClass(run);
       }},
      {{"cosim"},
       {"ignore-pause"},
       kWarned,
       "without standard ports (--ports standard or mixed)",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && !HasStandardPorts(run); }},
      {{"cosim"},
       {"profile.pause_xoff_cells", "profile.pause_xon_cells"},
       kWarned,
       "without standard ports (--ports standard or mixed)",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && !HasStandardPorts(run); }},
      {{"cosim"},
       {"profile.copy_entries"},
       kWarned,
       "without frames for several ports (--replicated, or a capture's)",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Off("replicated") && !HasCapture(run); }},
      {{"cosim", "net"},
       {"profile.cells"},
       kWarned,
       "by itself: senders fill no more of a buffer than profile.credit_reserve_cells and profile.credit_shared_cells "
       "say",
       "",
       [](const OptionValues& run) {
         const bool credits = run.Given("profile.credit_reserve_cells") || run.Given("profile.credit_shared_cells");
         return !credits && run.Off("qos") &&
                (run.command() == "net" || (AtSwitchLevel(run) && !HasStandardPorts(run)));
       }},
      {{"cosim"},
       {"profile.credit_reserve_cells", "profile.credit_shared_cells", "profile.credit_cap_cells"},
       kWarned,
       "with standard ports only: they have no credits",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("ports") == "standard"; }},
      {{"cosim"},
       {"profile.channel_cycles"},
       kWarned,
       "with --timing bench: latencies are without the channel",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("timing") == "bench"; }},
      {{"cosim"},
       {"profile.load_epoch_cycles", "profile.neighbour_epochs"},
       kWarned,
       "without --routed: nothing compares loads",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Off("routed"); }},
      {{"cosim"},
       {"retry"},
       kWarned,
       "with standard ports only: they have no retry",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("ports") == "standard"; }},
      {{"cosim"},
       {"fault-plan"},
       kRefused,
       "without --retry: partners demand each packet, and a link without retry loses what the plan damages",
       "give --retry on, or leave it out",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Off("retry"); }},
      {{"cosim"},
       {"fault-lines"},
       kWarned,
       "without --fault-plan",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Off("fault-plan"); }},
      {{"cosim"},
       {"acks"},
       kWarned,
       "with standard ports only, and without --flow-channels: no result shows their acks",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("ports") == "standard" && run.Off("flow-channels"); }},
      {{"cosim"},
       {"flow-channels"},
       kRefused,
       "without --acks: no port makes acks",
       "give --acks on, or leave it out",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Off("acks"); }},
      {{"cosim"},
       {"eth-header"},
       kWarned,
       "without --ports mixed: no frame goes from a fabric port to a standard one",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && run.Get("ports") != "mixed"; }},
      {{"cosim"},
       {"rtl-threads", "rtl-assert", "rtl-evaluate-all", "rtl-shuffle", "trace-scope"},
       kWarned,
       "without device rtl (--devices)",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && !HasRtl(run); }},
      {{"cosim"},
       {"rtl-random-reset"},
       kWarned,
       "without device rtl or one in a library (--devices)",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && !HasRtl(run) && !HasLibrary(run); }},
      {{"cosim"},
       {"first-cycle"},
       kWarned,
       "on device systemc, which numbers its cycles from 0",
       "",
       [](const OptionValues& run) { return HasDevice(run, cosim::kSystemc); }},
      {{"cosim"},
       {"first-cycle"},
       kWarned,
       "on a device in a library, which numbers its cycles from 0",
       "",
       [](const OptionValues& run) { return AtSwitchLevel(run) && HasLibrary(run); }},
      {{"cosim"},
       {"rtl-threads", "rtl-evaluate-all"},
       kWarned,
       "with --waves full and no --trace-packet: one thread traces, and every tile is clocked",
       "",
       [](const OptionValues& run) {
         return AtSwitchLevel(run) && HasRtl(run) && run.Get("waves") == "full" && run.Off("trace-packet");
       }},
      {{"cosim"},
       {"jobs"},
       kWarned,
       "with --waves full and no --trace-packet: one thread traces",
       "",
       [](const OptionValues& run) {
         return AtSwitchLevel(run) && HasRtl(run) && run.Off("sweep") && run.Get("waves") == "full" &&
                run.Off("trace-packet");
       }},
      {{"cosim"},
       {"jobs"},
       kRefused,
       "with another --rtl-threads: the two name one thread and two",
       "leave one of them out",
       [](const OptionValues& run) {
         return HasRtl(run) && run.Off("sweep") && run.Given("rtl-threads") &&
                (run.Get("jobs") == "1") != (run.Get("rtl-threads") == "1");
       }},
      {{"cosim"},
       {"jobs"},
       kWarned,
       "but at --level switch with device rtl: one processor does it all",
       "",
       [](const OptionValues& run) { return run.Off("sweep") && (AtBlockLevel(run) || !HasRtl(run)); }}};
  return rows;
}

}  // namespace tilefly::runs
