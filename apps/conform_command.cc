// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/command.h"
#include "conform/bench/suite.h"
#include "conform/capability/capability.h"
#include "conform/capability/schema.h"
#include "conform/capability/template.h"
#include "conform/run/certificate.h"
#include "conform/run/conform_session.h"
#include "conform/run/library_room.h"
#include "conform/run/one_test.h"
#include "conform/vectors/vector_session.h"
#include "conform/verilated/guess.h"
#include "conform/verilated/steps.h"
#include "conform/verilated/verilog_ports.h"
#include "support/errors.h"
#include "support/exit_code.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace tilefly::apps {
namespace {

std::string ThisProgram() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

std::uint64_t Seed(const std::string& text) {
  const std::int64_t seed = ParseInteger(text, "--seed");
  if (seed < 0) throw UsageError(fmt::format("--seed: {} is below 0", seed));
  return static_cast<std::uint64_t>(seed);
}

/// Options that say how tests are run, where none is.
void RefuseWithoutRun(const std::vector<GivenOption>& options) {
  for (const GivenOption& option : options) {
    for (const char* name : {"seeds", "jobs", "limit", "fail-fast", "no-waves", "json"}) {
      if (option.names.front() == name)
        throw UsageError(fmt::format("--{} has no effect with --simulator dpi, which runs nothing", name));
    }
  }
}

void AddRun(const Command& conform, const Common& common, int* status) {
  struct Given {
    conform::ConformOptions options;
    std::string tests, seed = "1", output_dir, simulator = "verilator";
    bool quiet = false, verbose = false;
  };
  const Command command = conform.AddCommand("run", "a device against what its capability file claims");
  auto given = std::make_shared<Given>();
  command.Add("FILE", &given->options.file, "capability file").Required();
  command.Add("--tests", &given->tests, "ids with commas between; * matches parts; without it all that apply");
  command.Add("--seed", &given->seed, "of the first run of each test").ShowInitial();
  command.Add("--seeds", &given->options.seeds, "runs of each test, with seeds that follow")
      .Between(1, 100000)
      .ShowInitial();
  command.Add("-j,--jobs", &given->options.jobs, "tests at a time").Between(1, kMostJobs).ShowInitial();
  command.Add("--limit", &given->options.limit_s, "seconds that a test may take").Between(1, 1000000).ShowInitial();
  command.AddFlag("--short", &given->options.short_only,
                  "without the long tests; the verdict of the device is undecided then, unless it fails");
  command.AddFlag("--fail-fast", &given->options.fail_fast, "end with the first test that fails");
  command.Add("-o,--output-dir", &given->output_dir, "folder for certificate, report, and the built device");
  command
      .Add("--simulator", &given->simulator,
           "verilator: build and run here; dpi: write bench and commands for another one, and run nothing")
      .OneOf({"verilator", "dpi"})
      .ShowInitial();
  command.AddFlag("--no-waves", &given->options.no_waves, "of a failure, for which the device is built once more");
  command.AddFlag("--json", &given->options.json, "print results.json on standard output");
  command.AddFlag("-v,--verbose", &given->verbose, "a line for each test that passes, too");
  command.AddFlag("-q,--quiet", &given->quiet, "say nothing");
  command.Footer(
      "Exit code: 0 the device is what it claims (with --short or --tests: what was run says nothing else), 1 it is "
      "not, "
      "2 wrong use, 124 undecided for want of time.\n"
      "Example:\n"
      "  tilefly conform run examples/conform/small_switch.yaml --output-dir out/small");
  command.Callback([command, given, common, status] {
    given->options.tests = Split(given->tests, ',');
    given->options.seed = Seed(given->seed);
    given->options.program = ThisProgram();
    given->options.dpi = given->simulator == "dpi";
    if (given->options.dpi) RefuseWithoutRun(command.Given());
    if (given->quiet && given->verbose) throw UsageError("--quiet and --verbose: one of them");
    const int verbosity = given->quiet ? -1 : given->verbose ? 1 : 0;
    *status = runs::ExitCodeOf(conform::RunConform(given->options, SessionOf(common, given->output_dir, verbosity)));
  });
}

void AddVectors(const Command& conform, const Common& common, int* status) {
  struct Given {
    conform::VectorOptions options;
    std::string tests, seed = "1", output_dir;
    bool quiet = false, verbose = false;
  };
  const Command command =
      conform.AddCommand("vectors", "tests as files, with a bench that reads them in any simulator without Tilefly");
  auto given = std::make_shared<Given>();
  command.Add("FILE", &given->options.file, "capability file").Required();
  command.Add("--tests", &given->tests,
              "ids with commas between; * matches parts; without it all that apply but the long ones");
  command.Add("--seed", &given->seed, "of the tests").ShowInitial();
  command.Add("-o,--output-dir", &given->output_dir, "folder for the vectors");
  command.AddFlag("-v,--verbose", &given->verbose, "a line for each test");
  command.AddFlag("-q,--quiet", &given->quiet, "say nothing");
  command.Footer(
      "Example:\n"
      "  tilefly conform vectors examples/conform/small_switch.yaml --tests 'bad.*' --output-dir out/small");
  command.Callback([given, common, status] {
    given->options.tests = Split(given->tests, ',');
    given->options.seed = Seed(given->seed);
    if (given->quiet && given->verbose) throw UsageError("--quiet and --verbose: one of them");
    const int verbosity = given->quiet ? -1 : given->verbose ? 1 : 0;
    *status =
        runs::ExitCodeOf(conform::WriteVectorFolder(given->options, SessionOf(common, given->output_dir, verbosity)));
  });
}

void AddList(const Command& conform, int* status) {
  const Command command =
      conform.AddCommand("list", "the tests; with a capability file, which apply, and why the others do not");
  auto file = std::make_shared<std::string>();
  command.Add("FILE", file.get(), "capability file");
  command.Callback([file, status] {
    std::optional<conform::Capability> capability;
    if (!file->empty()) capability = conform::ReadCapability(*file);
    const auto list = [&](conform::PortStyle style) {
      for (const conform::Test& test : conform::Suite(style)) {
        const std::string excuse = capability ? conform::ExcuseOf(test, *capability) : "";
        fmt::print("{:<36} {:<11} {}\n", test.id, ToString(test.level),
                   excuse.empty() ? test.intent : "does not apply: " + excuse);
      }
    };
    if (!capability || capability->style == conform::PortStyle::kStream) list(conform::PortStyle::kStream);
    if (!capability || capability->style == conform::PortStyle::kLink) list(conform::PortStyle::kLink);
    *status = kPassed;
  });
}

void AddExplain(const Command& conform, int* status) {
  const Command command = conform.AddCommand("explain", "what a test does, and where it comes from");
  auto id = std::make_shared<std::string>();
  command.Add("TEST", id.get(), "id").Required();
  command.Callback([id, status] {
    const bool link = id->rfind("link.", 0) == 0;
    const conform::Test& test = conform::TestOf(*id, link ? conform::PortStyle::kLink : conform::PortStyle::kStream);
    fmt::print("{}\n  level   {}\n  intent  {}\n  source  {}\n", test.id, ToString(test.level), test.intent,
               test.source);
    *status = kPassed;
  });
}

void AddKeys(const Command& conform, int* status) {
  const Command command = conform.AddCommand("keys", "the keys of capability files, as a table");
  auto schema = std::make_shared<bool>(false);
  command.AddFlag("--schema", schema.get(), "as a JSON Schema");
  command.Callback([schema, status] {
    fmt::print("{}", *schema ? conform::CapabilitySchema().dump(2) + "\n" : conform::CapabilityPage());
    *status = kPassed;
  });
}

void AddVerify(const Command& conform, const Common& common, int* status) {
  struct Given {
    conform::VerifyOptions options;
    std::string output_dir;
  };
  const Command command = conform.AddCommand("verify", "runs the tests of a certificate again, with their seeds");
  auto given = std::make_shared<Given>();
  command.Add("CERTIFICATE", &given->options.certificate, "certificate.json").Required();
  command.Add("--capability", &given->options.file,
              "capability file; without it the one that the certificate names, from here, beside it, or where it was");
  command.Add("-j,--jobs", &given->options.jobs, "tests at a time").Between(1, kMostJobs).ShowInitial();
  command.Add("--limit", &given->options.limit_s, "seconds that a test may take").Between(1, 1000000).ShowInitial();
  command.AddFlag("--quick", &given->options.quick,
                  "compare digests of device and capability file only, and run nothing");
  command.Add("-o,--output-dir", &given->output_dir, "folder for the built device");
  command.Footer(
      "Exit code: 0 all is as certified (with --quick: the digests are), 1 something differs, 2 wrong use, or another "
      "device.");
  command.Callback([given, common, status] {
    given->options.program = ThisProgram();
    *status = runs::ExitCodeOf(conform::VerifyCertificate(given->options, SessionOf(common, given->output_dir, 0)));
  });
}

/// The ports of a top, looked at in a folder that is gone then.
std::vector<conform::VerilogPort> PortsOfTop(const std::string& top, const std::vector<std::string>& files,
                                             const std::vector<std::string>& parameters,
                                             const std::atomic<bool>* stop) {
  const TemporaryFolder folder("init");
  return conform::PortsOf(top, files, parameters, folder.path(), stop);
}

void AddInit(const Command& conform, const Common& common, int* status) {
  struct Given {
    std::string top, output = "switch.yaml", parameters;
    std::vector<std::string> files;  // each one, or some with commas between
  };
  const Command command = conform.AddCommand("init", "writes a commented capability file from a Verilog top");
  auto given = std::make_shared<Given>();
  command.Add("TOP", &given->top, "module that is the switch; without it all keys are there without values");
  command.Add("--files", &given->files, "its sources, with commas or blanks between").WithFollowing();
  command.Add("--parameters", &given->parameters, "parameters of the top, NAME=VALUE with commas between");
  command.Add("-o,--output", &given->output, "file to write").ShowInitial();
  command.Footer(
      "Example:\n  tilefly conform init axis_switch --files axis_switch.v,arbiter.v --parameters S_COUNT=4,M_COUNT=4 "
      "--output switch.yaml");
  command.Callback([given, common, status] {
    namespace fs = std::filesystem;
    if (fs::exists(given->output))
      throw UsageError(fmt::format("--output {}: is there already; name another file or remove it", given->output));
    std::map<std::string, std::string> known;
    if (given->top.empty() != given->files.empty())
      throw UsageError("init: a top and --files belong together; the top goes first: init TOP --files A.sv B.sv");
    if (!given->top.empty()) {
      const std::vector<std::string> files = Split(fmt::format("{}", fmt::join(given->files, ",")), ',');
      const std::vector<std::string> parameters = Split(given->parameters, ',');
      try {
        known = conform::GuessCapability(PortsOfTop(given->top, files, parameters, common.stop));
      } catch (const conform::BuildInterrupted&) {
        *status = kInterruptedByUser;
        return;
      }
      known["device"] = known["top"] = given->top;
      std::vector<std::string> relative;
      const fs::path base = fs::absolute(given->output).parent_path();
      for (const std::string& file : files) relative.push_back(fs::relative(fs::absolute(file), base).string());
      known["files"] = fmt::format("[{}]", fmt::join(relative, ", "));
      std::vector<std::string> pairs;
      for (const std::string& parameter : parameters) {
        const std::size_t at = parameter.find('=');
        if (at == std::string::npos) throw UsageError(fmt::format("--parameters: {}: write NAME=VALUE", parameter));
        pairs.push_back(fmt::format("{}: {}", parameter.substr(0, at), parameter.substr(at + 1)));
      }
      if (!pairs.empty()) known["parameters"] = fmt::format("{{{}}}", fmt::join(pairs, ", "));
    }
    WriteFile(given->output, conform::CapabilityTemplate(known));
    fmt::print("{}: {} keys are known; fill in the others, then: tilefly conform list {}\n", given->output,
               known.size(), given->output);
    *status = kPassed;
  });
}

/// The child of `run`: one test, whose result is a line.
void AddTest(const Command& conform, int* status) {
  struct Given {
    std::string file, seed = "1", from = "0", to = "0", senders, frames = "0";
    conform::OneTest one;
  };
  const Command command = conform.AddCommand(
      "test", "one test of a device that is built; prints its result as JSON. Without --test: whether the device fits");
  auto given = std::make_shared<Given>();
  command.Add("FILE", &given->file, "capability file").Required();
  command.Add("--library", &given->one.library, "the device, FILE.so").Required();
  command.Add("--test", &given->one.id, "id of the test");
  command.Add("--seed", &given->seed, "of the test").ShowInitial();
  command.Add("--senders", &given->senders, "ports that send, with commas between; without it all that do in the test");
  command.Add("--frames", &given->frames, "frames that each of them sends at most; 0: as many as in the test")
      .ShowInitial();
  command.Add("--waves", &given->one.waves.file, "file for waves, FILE.fst");
  command.Add("--from", &given->from, "first cycle of the waves").ShowInitial();
  command.Add("--to", &given->to, "last cycle of the waves").ShowInitial();
  command.AddFlag("--remote", &given->one.remote,
                  "the device is in another process, which takes its time: run once, and wait for each call");
  command.Callback([given, status] {
    conform::BeginWithLibraryRoom();
    given->one.seed = Seed(given->seed);
    given->one.waves.from = static_cast<std::uint64_t>(ParseInteger(given->from, "--from"));
    given->one.waves.to = static_cast<std::uint64_t>(ParseInteger(given->to, "--to"));
    given->one.frames = ParseInteger(given->frames, "--frames");
    const conform::Capability capability = conform::ReadCapability(given->file, false);  // the device is --library
    for (const std::string& port : Split(given->senders, ',')) {
      const std::int64_t number = ParseInteger(port, "--senders");
      if (number < 0 || number >= capability.ports)
        throw UsageError(fmt::format("--senders: {} is no port; there are 0 to {}", number, capability.ports - 1));
      given->one.senders.push_back(static_cast<int>(number));
    }
    *status = kPassed;
    if (given->one.id.empty()) return conform::RequireFit(capability, given->one.library);
    const nlohmann::ordered_json result = conform::RunOneTest(capability, given->one);
    fmt::print("{}{}\n", conform::kResultMark,
               result.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  });
}

}  // namespace

void AddConform(const Command& program, const Common& common, int* status) {
  const Command conform = program.AddCommand("conform", "somebody's switch against what its capability file claims");
  conform.RequireCommand();
  AddRun(conform, common, status);
  AddVerify(conform, common, status);
  AddVectors(conform, common, status);
  AddInit(conform, common, status);
  AddList(conform, status);
  AddExplain(conform, status);
  AddKeys(conform, status);
  AddTest(conform, status);
}

}  // namespace tilefly::apps
