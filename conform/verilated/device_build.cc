// SPDX-License-Identifier: Apache-2.0
#include "conform/verilated/device_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "conform/verilated/port_check.h"
#include "conform/verilated/steps.h"
#include "conform/verilated/wrapper.h"
#include "runs/common/child_process.h"
#include "runs/common/digest.h"
#include "support/errors.h"

namespace tilefly::conform {

extern const char* const kStreamDevice;  // stream_device.cpp
extern const char* const kDeviceHeader;  // conform/include/tilefly_device.h

namespace {

namespace fs = std::filesystem;

std::string Replace(std::string text, const std::vector<std::pair<std::string, std::string>>& marks) {
  for (const auto& [mark, value] : marks) {
    for (std::size_t at = text.find(mark, text.find("#include")); at != std::string::npos;
         at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  }
  return text;
}

void Write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw UsageError(fmt::format("{}: cannot be written; name another folder by --output-dir", file.string()));
}

/// The first line that a program prints.
std::string Said(const std::vector<std::string>& command) {
  std::string said;
  runs::ChildOptions options;
  options.command = command;
  options.on_line = [&](const std::string& line) {
    if (said.empty()) said = line;
  };
  runs::RunChild(options);
  return said;
}

/// Of the files that the device is made of, with those in the folders of `include`.
std::string SourcesDigest(const Capability& capability) {
  std::vector<std::string> files = capability.files;
  for (const std::string& folder : capability.include) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  std::string all = fmt::format("{}\n", fmt::join(capability.verilator, " "));
  for (const auto& [name, value] : capability.defines) all += fmt::format("{}={}\n", name, value);
  for (const std::string& file : files) all += runs::FileDigest(file);
  return all;
}

/// What the device is made of, as Verilator is told.
std::vector<std::string> SourceArguments(const Capability& it, const fs::path& folder) {
  std::vector<std::string> arguments = {"--no-timing", "-Wno-fatal", "--top-module", kWrapper};
  for (const std::string& path : it.include) arguments.push_back("-I" + path);
  for (const auto& [name, value] : it.defines) arguments.push_back(fmt::format("-D{}={}", name, value));
  arguments.insert(arguments.end(), it.verilator.begin(), it.verilator.end());
  arguments.push_back((folder / "wrapper.sv").string());
  arguments.insert(arguments.end(), it.files.begin(), it.files.end());
  return arguments;
}

bool Has(const std::string& program) {
  try {
    FindProgram(program);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

/// What runs once is compiled fast. With ccache a device that was built before, anywhere, is not compiled again.
std::vector<std::string> VerilatorArguments(const std::string& verilator, const fs::path& place, bool waves) {
  std::vector<std::string> arguments = {
      verilator, "--cc",     "--build", "-j", "2", "-O3", "--x-assign", "unique", "--x-initial", "unique",
      "--assert", "--prefix", "Vdevice", "--Mdir", place.string(), "-CFLAGS",
      "-fPIC -O2 -fvisibility=hidden -DVL_USER_FATAL -DVL_USER_STOP -DVL_USER_FINISH", "-MAKEFLAGS", "OPT_SLOW=-O0"};
  const auto add = [&](std::initializer_list<std::string> words) { arguments.insert(arguments.end(), words); };
  if (waves) add({"--trace-fst", "--trace-structs"});
  if (Has("ccache")) add({"-MAKEFLAGS", "OBJCACHE=ccache"});
  return arguments;
}

std::vector<std::string> Joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

Built BuildDevice(const Capability& it, const fs::path& base, const std::atomic<bool>* stop, BuildFor purpose) {
  if (!it.library.empty()) return {it.library, runs::FileDigest(it.library), true};
  const std::string wrapper = WrapperText(it);
  const std::string device =
      Replace(kStreamDevice, {{"@PORTS@", std::to_string(it.ports)},
                              {"@BEAT_BYTES@", std::to_string(it.signals.data_bytes)},
                              {"@RESET_CYCLES@", std::to_string(it.reset_cycles)},
                              {"@NAME@", it.top},
                              {"@COUNTS@", it.flow.drops.empty() ? "false" : "true"},
                              {"@TABLE@", it.forwarding.by == Addressing::kTable ? "true" : "false"}});
  const std::string verilator = FindProgram("verilator");
  const std::string compiler = FindProgram("c++");
  const bool waves = purpose == BuildFor::kWaves;
  const fs::path folder = waves ? base / "waves" : base;
  fs::create_directories(folder);
  const std::string digest = runs::Digest(wrapper + device + kDeviceHeader + SourcesDigest(it));
  const fs::path library = folder / "device.so";
  const fs::path mark = folder / "device.digest";
  std::string known;
  std::getline(std::ifstream(mark) >> std::ws, known);
  if (known == digest && fs::exists(library)) return {library, digest, true};
  fs::remove(mark);
  Write(folder / "wrapper.sv", wrapper);
  Write(folder / "device.cpp", device);
  Write(folder / "tilefly_device.h", kDeviceHeader);
  const fs::path log_file = folder / "build.log";
  std::ofstream log(log_file);
  const std::string root = Said({verilator, "--getenv", "VERILATOR_ROOT"});
  const std::string version = runs::Digest(Said({verilator, "--version"}) + Said({compiler, "--version"}));
  const std::vector<std::string> sources = SourceArguments(it, folder);
  const fs::path xml = folder / "ports.xml";
  RunStep(Joined({verilator, "--xml-only", "--xml-output", xml.string(), "-Wno-lint"}, sources), &log, log_file, stop);
  RequirePorts(it, ReadPortsXml(xml, it.top));
  RunStep(Joined(VerilatorArguments(verilator, folder / "verilated", waves), sources), &log, log_file, stop);
  const std::string include = root + "/include";
  const std::vector<std::string> flags = {"-std=c++17",
                                          "-O2",
                                          "-w",
                                          "-fPIC",
                                          "-fvisibility=hidden",
                                          "-DVL_USER_FATAL",
                                          "-DVL_USER_STOP",
                                          "-DVL_USER_FINISH",
                                          fmt::format("-DVM_TRACE={}", waves ? 1 : 0),
                                          fmt::format("-DVM_TRACE_FST={}", waves ? 1 : 0),
                                          "-I" + folder.string(),
                                          "-I" + include,
                                          "-I" + include + "/vltstd"};
  const auto compile = [&](std::vector<std::string> rest) {
    rest.insert(rest.begin(), flags.begin(), flags.end());
    rest.insert(rest.begin(), compiler);
    RunStep(rest, &log, log_file, stop);
  };
  // The runtime takes longer to compile than a small device: it is kept for the next one.
  std::vector<std::string> objects;
  std::vector<std::string> runtime = {"verilated", "verilated_threads"};
  if (waves) runtime.push_back("verilated_fst_c");
  for (const std::string& name : runtime) {
    objects.push_back((folder / fmt::format("{}_{}.o", name, version)).string());
    if (!fs::exists(objects.back())) compile({"-c", include + "/" + name + ".cpp", "-o", objects.back()});
  }
  const std::string verilated = (folder / "verilated").string();
  std::vector<std::string> link = {"-shared", "-Wl,-Bsymbolic", "-I" + verilated, (folder / "device.cpp").string(),
                                   verilated + "/Vdevice__ALL.a"};
  link.insert(link.end(), objects.begin(), objects.end());
  link.insert(link.end(), {"-lz", "-lpthread", "-o", library.string() + ".part"});
  compile(link);
  fs::rename(library.string() + ".part", library);
  Write(mark, digest + "\n");
  return {library, digest, false};
}

}  // namespace tilefly::conform
