// SPDX-License-Identifier: Apache-2.0
// The table of options without effect: every row speaks in a run of its kind, and in no other.
#include "runs/common/option_effects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "runs/switch/settings.h"
#include "runs/system/net_settings.h"
#include "support/errors.h"

namespace tilefly::cosim {
namespace {

using testing::HasSubstr;
using Given = std::vector<std::pair<std::string, std::string>>;

/// What each option is given as where its row is tried: something else than its default.
const std::map<std::string, std::string>& Values() {
  static const std::map<std::string, std::string> values = {{"profile", "tile8"},
                                                            {"devices", "golden"},
                                                            {"reseeds", "3"},
                                                            {"timing", "bench"},
                                                            {"ports", "mixed"},
                                                            {"lanes", "2"},
                                                            {"eth-header", "off"},
                                                            {"qos", "table.yaml"},
                                                            {"scheduler", "drr"},
                                                            {"sender-queues", "one"},
                                                            {"traffic", "permutation:tornado"},
                                                            {"load", "0.25"},
                                                            {"size", "128"},
                                                            {"process", "periodic"},
                                                            {"classes", "1"},
                                                            {"replicated", "0.5"},
                                                            {"routed", "0.5"},
                                                            {"faults", "0.5"},
                                                            {"acks", "0.5"},
                                                            {"flow-channels", "0.5"},
                                                            {"reductions", "2"},
                                                            {"mishaps", "0.5"},
                                                            {"pcap", "in.pcap"},
                                                            {"pace", "kept"},
                                                            {"ports-by", "interface"},
                                                            {"repeat", "3"},
                                                            {"stalls", "0.5"},
                                                            {"stall-cycles", "77"},
                                                            {"stall-kinds", "starts"},
                                                            {"outages", "900"},
                                                            {"ignore-pause", "on"},
                                                            {"captures", "on"},
                                                            {"trace-start", "10"},
                                                            {"trace-end", "20"},
                                                            {"trace-scope", "tile_r0_c0"},
                                                            {"trace-limit", "5"},
                                                            {"jobs", "4"},
                                                            {"first-cycle", "64"},
                                                            {"rtl-threads", "2"},
                                                            {"rtl-assert", "off"},
                                                            {"rtl-evaluate-all", "on"},
                                                            {"rtl-random-reset", "9"},
                                                            {"rtl-shuffle", "9"},
                                                            {"block", "scheduler"},
                                                            {"allocation", "interleaved"},
                                                            {"background", "uniform:load=0.2"},
                                                            {"message-overhead", "5ns"},
                                                            {"packet-overhead", "5ns"},
                                                            {"host-send", "5ns"},
                                                            {"host-receive", "5ns"},
                                                            {"host-reduce", "5ns"},
                                                            {"app-aware", "program"},
                                                            {"bias", "7"},
                                                            {"routing", "valiant"},
                                                            {"window", "3"},
                                                            {"resend", "20us"},
                                                            {"resends", "3"},
                                                            {"resend-window", "64"},
                                                            {"trace-switch", "1"},
                                                            {"waves", "off"},
                                                            {"lockstep", "off"},
                                                            {"congestion-control", "on"},
                                                            {"worst-flows", "5"},
                                                            {"journey", "slowest:3"}};
  return values;
}

/// The complaint about the options of a command, empty without one.
std::string Complaint(const std::string& command, const Given& given) {
  runs::OptionValues run(command);
  const auto set_all = [&](auto settings) {
    for (const auto& [option, value] : given) {
      run.Set(option, value, true);
      for (const runs::Setting& setting : settings.table()) {
        if (option == setting.option) settings.Set(setting.path, value, "test");
      }
    }
    auto resolved = settings;
    resolved.Resolve();
    run.SetAll(settings, resolved);
  };
  if (command == "cosim") {
    set_all(runs::Settings());
  } else if (command == "net") {
    set_all(runs::NetSettings());
  } else {
    for (const auto& [option, value] : given) run.Set(option, value, true);
  }
  try {
    return fmt::format("{}", fmt::join(runs::CheckOptionEffects(run), "\n"));
  } catch (const UsageError& error) {
    return std::string("refused: ") + error.what();
  }
}

/// Where a row speaks, and where it does not.
struct Example {
  std::string option;  ///< one of the row's
  std::string why;     ///< of the row
  Given fires;
  Given not_here;
};

/// In the order of the table.
const std::vector<Example>& Examples() {
  static const std::vector<Example> examples = {
      {"load", "at --level block", {{"level", "block"}, {"block", "scheduler"}}, {}},
      {"block", "at --level switch", {}, {{"level", "block"}}},
      {"load", "with --traffic everything", {{"traffic", "everything"}}, {}},
      {"load", "with --pcap", {{"pcap", "in.pcap"}}, {}},
      {"routed", "with --replicated 1", {{"replicated", "1.0"}}, {{"replicated", "0.9"}}},
      {"traffic", "with --replicated 1 or", {{"routed", "1"}}, {{"replicated", "0.9"}}},
      {"reseeds", "with --pcap, unless", {{"pcap", "in.pcap"}}, {{"pcap", "in.pcap"}, {"stalls", "0.1"}}},
      {"reductions", "with --pcap: a capture's", {{"pcap", "in.pcap"}}, {}},
      {"mishaps", "without --reductions", {}, {{"reductions", "4"}}},
      {"stall-cycles", "without --stalls", {{"stalls", "0.0"}}, {{"stalls", "0.1"}}},
      {"stalls",
       "with --stall-kinds pause",
       {{"stall-kinds", "pause"}},
       {{"stall-kinds", "pause"}, {"ports", "mixed"}}},
      {"stalls",
       "with --stall-kinds credits",
       {{"stall-kinds", "credits"}, {"ports", "standard"}},
       {{"stall-kinds", "credits"}}},
      {"sender-queues", "with standard ports only", {{"ports", "standard"}}, {{"ports", "mixed"}}},
      {"sender-queues",
       "with one traffic class on enhanced ports",
       {{"ports", "enhanced"}},
       {{"ports", "enhanced"}, {"classes", "0,1"}}},
      {"ignore-pause", "without standard ports", {}, {{"ports", "standard"}}},
      {"profile.pause_xoff_cells", "without standard ports", {}, {{"ports", "standard"}}},
      {"profile.copy_entries", "without frames for several", {}, {{"replicated", "0.1"}}},
      {"profile.cells", "by itself", {}, {{"profile.credit_shared_cells", "1200"}}},
      {"profile.credit_cap_cells", "with standard ports only", {{"ports", "standard"}}, {}},
      {"profile.channel_cycles", "with --timing bench", {{"timing", "bench"}}, {}},
      {"profile.load_epoch_cycles", "without --routed", {}, {{"routed", "0.1"}}},
      {"retry", "with standard ports only", {{"ports", "standard"}}, {{"ports", "mixed"}}},
      {"fault-plan", "without --retry", {}, {{"retry", "0.5"}}},
      {"fault-lines", "without --fault-plan", {}, {{"fault-plan", "plan.yaml"}}},
      {"acks", "with standard ports only", {{"ports", "standard"}}, {}},
      {"flow-channels", "without --acks", {}, {{"acks", "0.5"}}},
      {"eth-header", "without --ports mixed", {}, {{"ports", "mixed"}}},
      {"rtl-threads", "without device rtl", {{"devices", "golden"}}, {}},
      {"rtl-random-reset", "without device rtl or one in a library", {{"devices", "golden"}}, {{"devices", "lib:my.so,golden"}}},
      {"first-cycle", "on device systemc", {{"devices", "systemc,golden"}}, {{"devices", "golden"}}},
      {"first-cycle", "on a device in a library", {{"devices", "lib:my.so,golden"}}, {{"devices", "rtl,golden"}}},
      {"rtl-threads", "with --waves full", {{"waves", "full"}}, {}},
      {"jobs", "with --waves full", {{"waves", "full"}}, {{"waves", "full"}, {"sweep", "on"}}},
      {"jobs", "with another --rtl-threads", {{"rtl-threads", "1"}}, {{"rtl-threads", "2"}}},
      {"jobs", "but at --level switch", {{"devices", "golden,rtl-flat"}}, {}},
      {"load", "with --saturation", {{"saturation", "true"}}, {}},
      {"load", "with --pcap", {{"pcap", "in.pcap"}}, {}},
      {"load", "with jobs", {{"goal", "ring.goal"}}, {{"traffic", "uniform"}}},
      {"classes", "with jobs", {{"traffic", "alltoall"}}, {{"traffic", "incast:1"}}},
      {"process", "with --traffic cbr", {{"traffic", "cbr"}}, {{"traffic", "incast:1"}}},
      {"background", "without jobs", {}, {{"traffic", "alltoall"}}},
      {"only", "with --interference", {{"traffic", "alltoall"}, {"interference", "true"}}, {{"traffic", "alltoall"}}},
      {"background", "with --only", {{"traffic", "alltoall"}, {"only", "0"}}, {{"traffic", "alltoall"}}},
      {"host-send", "without jobs", {}, {{"traffic", "alltoall"}}},
      {"allocation", "with one job", {{"traffic", "alltoall"}}, {{"traffic", "alltoall:ranks=3+barrier"}}},
      {"allocation",
       "when every job",
       {{"traffic", "barrier:at=0/1+gather:bytes=8,at=2/3"}},
       {{"traffic", "barrier:at=0/1+gather:bytes=8"}}},
      {"host-send", "with --goal alone", {{"goal", "a.goal"}}, {{"goal", "a.goal"}, {"traffic", "alltoall:ranks=3"}}},
      {"host-reduce", "without jobs whose", {{"traffic", "alltoall"}}, {{"traffic", "allreduce:ring"}}},
      {"app-aware", "without --routing", {}, {{"routing", "app_aware"}}},
      {"bias", "without a routing", {}, {{"routing", "adaptive_0"}}},
      {"profile.load_epoch_cycles", "without a routing", {}, {{"routing", "adaptive_0"}}},
      {"profile.neighbour_epochs",
       "with --acks off",
       {{"routing", "adaptive_0"}, {"acks", "off"}},
       {{"routing", "adaptive_0"}}},
      {"profile.credit_cap_cells", "with --timing bench", {{"timing", "bench"}}, {}},
      {"bias",
       "on a torus",
       {{"topology", "preset:torus-8x8"}, {"routing", "adaptive_0"}},
       {{"topology", "tree:k=4,n=3"}, {"routing", "adaptive_0"}}},
      {"flows",
       "with jobs that all",
       {{"traffic", "barrier:sharp+allreduce:sharp,bytes=64"}},
       {{"traffic", "barrier:sharp,ranks=4"}, {"background", "cbr"}}},
      {"congestion-control", "with --acks off", {{"acks", "off"}}, {{"acks", "on"}}},
      {"congestion-control",
       "with jobs that all",
       {{"traffic", "barrier:sharp+allreduce:sharp,bytes=64"}},
       {{"traffic", "barrier:sharp,ranks=4"}, {"background", "cbr"}}},
      {"worst-flows", "without --congestion-control", {}, {{"congestion-control", "on"}}},
      {"profile.flow_full", "without --congestion-control", {}, {{"congestion-control", "on"}}},
      {"sender-queues",
       "with jobs and no --background",
       {{"traffic", "alltoall"}},
       {{"traffic", "alltoall:ranks=8"}, {"background", "uniform:load=0.2,class=3"}}},
      {"sender-queues", "with one traffic class (", {{"classes", "2"}}, {{"classes", "0,3"}}},
      {"resends", "without --resend", {}, {{"resend", "20us"}}},
      {"resend-window", "without --resend: no packet", {}, {{"resend", "20us"}}},
      {"fault-lines", "without --fault-plan: no word is damaged", {}, {{"fault-plan", "plan.yaml"}}},
      {"trace-switch", "without --device", {}, {{"device", "1=rtl"}, {"waves", "full"}}},
      {"lockstep", "without --device", {}, {{"device", "1=rtl"}}},
      {"trace-switch", "without --waves full", {{"device", "1=rtl"}}, {{"device", "1=rtl"}, {"waves", "full"}}},
      {"checkpoint-every", "without --checkpoint", {}, {{"checkpoint", "state"}}},
      {"past-saturation", "without several loads", {}, {{"loads", "several"}}},
      {"jobs", "beyond 2 with --saturation", {{"saturation", "true"}}, {}},
      {"jobs", "on a single run", {}, {{"sweep", "on"}}},
      {"scheduler", "with one traffic class", {}, {{"classes", "0,1"}}},
      {"profile.class_hold", "with one traffic class, or", {}, {{"classes", "0,1"}}},
      {"process", "with --load 1", {{"load", "1.0"}}, {}},
      {"pace", "without --pcap", {}, {{"pcap", "in.pcap"}}},
      {"trace-start", "without --waves full, at", {}, {{"level", "block"}, {"block", "scheduler"}}},
      {"trace-packet", "without --waves full, with", {}, {{"waves", "full"}}},
      {"trace-start", "without --waves full:", {{"device", "1=rtl"}}, {{"device", "1=rtl"}, {"waves", "full"}}},
      {"trace-start",
       "with --waves off",
       {{"device", "1=rtl"}, {"waves", "off"}},
       {{"device", "1=rtl"}, {"waves", "full"}}},
      {"verbose", "with --quiet", {{"quiet", "true"}}, {}},
      {"svg", "with --presets", {{"presets", "true"}}, {}},
      {"alpha", "without --bisection", {}, {{"bisection", "true"}}},
      {"color", "with --json", {{"json", "true"}}, {}},
      {"verbose", "with --json", {{"json", "true"}}, {}},
      {"quick", "with --list", {{"list", "true"}}, {}},
      {"ping-pong-ns", "with link-efficiency", {{"FIGURE", "link-efficiency"}}, {{"FIGURE", "sharp-latency"}}},
      {"ping-pong-ns", "with gpcnet and incast", {{"FIGURE", "gpcnet"}}, {{"FIGURE", "sharp-latency"}}},
      {"topology", "with another figure than gpcnet or", {{"FIGURE", "sharp-latency"}}, {{"FIGURE", "incast"}}},
      {"nodes", "with another figure than gpcnet", {{"FIGURE", "incast"}}, {{"FIGURE", "gpcnet"}}},
      {"time", "with another figure than incast", {{"FIGURE", "gpcnet"}}, {{"FIGURE", "incast"}}}};
  return examples;
}

/// `given`, as far as the command has it.
Given For(const std::string& command, Given given) {
  if (command == "net") return given;
  given.erase(std::remove_if(given.begin(), given.end(), [](const auto& one) { return one.first == "device"; }),
              given.end());
  return given;
}

Given With(Given given, const std::string& option) {
  const auto same = [&](const auto& one) { return one.first == option; };
  given.erase(std::remove_if(given.begin(), given.end(), same), given.end());
  const auto value = Values().find(option);
  given.emplace_back(option, value == Values().end() ? "2" : value->second);
  return given;
}

TEST(OptionEffects, EveryRowSpeaksInARunOfItsKindAndInNoOther) {
  const std::vector<runs::OptionEffect>& rows = runs::OptionEffects();
  ASSERT_EQ(rows.size(), Examples().size()) << "each row needs an example, in the table's order";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const runs::OptionEffect& row = rows[i];
    const Example& example = Examples()[i];
    EXPECT_EQ(row.why.rfind(example.why, 0), 0u) << "row " << i << ": " << row.why;
    EXPECT_THAT(row.options, testing::Contains(example.option));
    for (const std::string& command : row.commands) {
      for (const std::string& option : row.options) {
        SCOPED_TRACE(fmt::format("{} --{} {}", command, option, row.why));
        const Given fires = For(command, example.fires);
        const bool is_context =
            std::any_of(fires.begin(), fires.end(), [&](const auto& one) { return one.first == option; });
        if (is_context) continue;
        const std::string said = Complaint(command, With(fires, option));
        const bool by_path = option.find('.') != std::string::npos;
        EXPECT_THAT(said, HasSubstr((std::isupper(option.front()) != 0 ? "" : by_path ? "--set " : "--") + option));
        EXPECT_THAT(said, HasSubstr("no effect"));
        if (option == example.option) {
          EXPECT_THAT(said, HasSubstr(row.why));
          EXPECT_EQ(said.rfind("refused: ", 0) == 0, row.answer != runs::NoEffect::kWarned);
          const std::string silent = Complaint(command, With(For(command, example.not_here), option));
          EXPECT_EQ(silent.find(row.why), std::string::npos) << silent;
        }
      }
    }
  }
}

TEST(OptionEffects, RefusalsNameTheRemedy) {
  for (const runs::OptionEffect& row : runs::OptionEffects())
    EXPECT_EQ(row.remedy.empty(), row.answer == runs::NoEffect::kWarned) << row.why;
  EXPECT_EQ(Complaint("net", {{"goal", "ring.goal"}, {"load", "0.9"}}),
            "refused: --load has no effect with jobs (--goal, message patterns): they say what is sent, and when; "
            "leave it out");
  EXPECT_EQ(Complaint("cosim", {{"pace", "kept"}, {"repeat", "3"}}),
            "warning: --pace, --repeat have no effect without --pcap");
}

TEST(OptionEffects, WhatASweepMayLeaveOutIsWhatTheUserGaveOfThoseRows) {
  runs::NetSettings settings;
  settings.Set("bias", "5", "test");
  settings.Set("traffic.goal", "ring.goal", "test");
  settings.Set("traffic.load", "0.9", "test");
  settings.Set("profile.flow_hold", "100", "test");
  runs::NetSettings resolved = settings;
  resolved.Resolve();
  runs::OptionValues run("net");
  run.SetAll(settings, resolved);
  std::vector<std::string> said;
  for (const runs::NeedlessOption& one : runs::NeedlessOptions(run)) said.push_back(one.option + " " + one.why);
  EXPECT_THAT(said, testing::ElementsAre("bias without a routing that compares loads",
                                         "profile.flow_hold without --congestion-control on"))
      << "not --load: what jobs send contradicts it";
  run.LeaveOut("bias");
  EXPECT_EQ(runs::NeedlessOptions(run).size(), 1u);
}

TEST(OptionEffects, OnlyWhatTheUserGaveCounts) {
  for (const Given& given : {Given{}, Given{{"pcap", "in.pcap"}}, Given{{"level", "block"}, {"block", "link"}}})
    EXPECT_EQ(Complaint("cosim", given), "");
  for (const Given& given :
       {Given{}, Given{{"pcap", "in.pcap"}}, Given{{"traffic", "alltoall"}}, Given{{"goal", "a.goal"}}})
    EXPECT_EQ(Complaint("net", given), "");
  EXPECT_NE(Complaint("cosim", {{"pcap", "in.pcap"}, {"load", "0.5"}}), "") << "the default, but typed";
}

template <typename AnySettings>
void ExpectQuietAgain(const std::string& command, AnySettings settings) {
  AnySettings resolved = settings;
  resolved.Resolve();
  runs::OptionValues run(command);
  AnySettings again = resolved;  // as config.resolved.yaml gives them
  AnySettings twice = again;
  twice.Resolve();
  run.SetAll(again, twice);
  EXPECT_THAT(runs::CheckOptionEffects(run), testing::IsEmpty());
}

TEST(OptionEffects, AResolvedConfigurationRunsAgainWithoutComplaint) {
  runs::Settings block, capture, everything;
  everything.Set("traffic.pattern", "everything", "test");
  block.Set("level", "block", "test");
  block.Set("block", "link", "test");
  capture.Set("capture.file", "in.pcap", "test");
  ExpectQuietAgain("cosim", runs::Settings());
  ExpectQuietAgain("cosim", block);
  ExpectQuietAgain("cosim", capture);
  ExpectQuietAgain("cosim", everything);
  runs::NetSettings jobs, frames;
  jobs.Set("traffic.pattern", "alltoall", "test");
  frames.Set("capture.file", "in.pcap", "test");
  ExpectQuietAgain("net", runs::NetSettings());
  ExpectQuietAgain("net", jobs);
  ExpectQuietAgain("net", frames);
}

const char* AnswerOnThePage(runs::NoEffect answer) {
  return answer == runs::NoEffect::kWarned    ? "warning"
         : answer == runs::NoEffect::kRefused ? "refused"
                                              : "refused, or left out";
}

TEST(OptionEffects, ThePageListsTheTable) {
  std::ifstream in("docs/options.md");  // tests run in the source folder
  std::ostringstream page;
  page << in.rdbuf();
  for (const runs::OptionEffect& row : runs::OptionEffects()) {
    const bool many = row.options.size() > 15;
    const bool drawn = row.why.find("everything") != std::string::npos;
    std::string options = drawn  ? "what it draws"
                          : many ? "all others"
                                 : fmt::format("`--{}`", fmt::join(row.options, "`, `--"));
    for (const char* plain : {"--FIGURE", "--profile."}) {
      for (std::size_t at; (at = options.find(plain)) != std::string::npos;) options.erase(at, 2);
    }
    EXPECT_THAT(page.str(), HasSubstr(fmt::format("| {} | {} | {} | {} |", fmt::join(row.commands, ", "), options,
                                                  row.why, AnswerOnThePage(row.answer))));
  }
}

}  // namespace
}  // namespace tilefly::cosim
