// SPDX-License-Identifier: Apache-2.0
#include "conform/verilated/device_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include "conform/verilated/link_wrapper.h"
#include "conform/verilated/port_check.h"
#include "conform/verilated/steps.h"
#include "conform/verilated/wrapper.h"
#include "runs/common/child_process.h"
#include "runs/common/digest.h"
#include "support/errors.h"

namespace tilefly::conform {

extern const char* const kStreamDevice;  // stream_device.cpp
extern const char* const kLinkDevice;    // link_device.cpp
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
  std::string all = fmt::format("{} {}\n", fmt::join(capability.verilator, " "), capability.optimize);
  for (const auto& [name, value] : capability.defines) all += fmt::format("{}={}\n", name, value);
  for (const std::string& file : files) all += runs::FileDigest(file);
  return all;
}

/// Whether a file of the device is not Verilog: the functions that it imports by DPI.
bool IsForCompiler(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  return extension == ".c" || extension == ".cc" || extension == ".cpp" || extension == ".cxx";
}

/// What the device is made of, as Verilator is told.
std::vector<std::string> SourceArguments(const Capability& it, const fs::path& wrapper) {
  std::vector<std::string> arguments = {"--no-timing", "-Wno-fatal", "--top-module", kWrapper};
  for (const std::string& path : it.include) arguments.push_back("-I" + path);
  for (const auto& [name, value] : it.defines) arguments.push_back(fmt::format("-D{}={}", name, value));
  arguments.insert(arguments.end(), it.verilator.begin(), it.verilator.end());
  arguments.push_back(wrapper.string());
  std::copy_if(it.files.begin(), it.files.end(), std::back_inserter(arguments),
               [](const std::string& file) { return !IsForCompiler(file); });
  return arguments;
}

/// The C++ around the Verilated wrapper.
std::string DeviceText(const Capability& it) {
  if (it.style == PortStyle::kLink) return Replace(kLinkDevice, LinkDeviceMarks(it));
  return Replace(kStreamDevice, {{"@PORTS@", std::to_string(it.ports)},
                                 {"@BEAT_BYTES@", std::to_string(it.signals.data_bytes)},
                                 {"@RESET_CYCLES@", std::to_string(it.reset_cycles)},
                                 {"@NAME@", it.top},
                                 {"@COUNTS@", it.flow.drops.empty() ? "false" : "true"},
                                 {"@TABLE@", it.forwarding.by == Addressing::kTable ? "true" : "false"}});
}

/// What Verilator and its makefile are told of the compiler. The model of a large switch is compiled by ccache, where
/// there is one: of two switches that differ in a module most files are the same.
std::vector<std::string> CompilerArguments(const Capability& it, bool waves) {
  std::string make = fmt::format("OPT= OPT_FAST={} OPT_SLOW=-O0", it.optimize);  // whatever the environment has
  if (HasProgram("ccache")) make += " OBJCACHE=ccache";
  if (HasProgram("clang++")) make += " CXX=clang++";  // which takes two thirds of the time of g++
  std::string flags = "-fPIC -fvisibility=hidden -DVL_USER_FATAL -DVL_USER_STOP -DVL_USER_FINISH";
  if (it.optimize == "-O2") flags += " -march=native";
  std::vector<std::string> arguments = {"-CFLAGS", flags, "-MAKEFLAGS", make};
  if (waves) arguments.insert(arguments.end(), {"--trace-fst", "--trace-structs"});
  return arguments;
}

std::vector<std::string> Joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// In `folder`, which is there.
Built BuildIn(const Capability& it, const fs::path& folder, const std::atomic<bool>* stop, bool waves) {
  const std::string wrapper = WrapperText(it);
  const std::string device = DeviceText(it);
  const std::string verilator = FindProgram("verilator");
  const std::string compiler = FindProgram("c++");
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
  const std::vector<std::string> sources = SourceArguments(it, folder / "wrapper.sv");
  // Ports are read of a top that nothing is connected to: a name that it lacks is an error of the file, not of Verilator.
  const fs::path xml = folder / "ports.xml";
  Write(folder / "ports.sv", UnconnectedText(it));
  RunStep(Joined({verilator, "--xml-only", "--xml-output", xml.string(), "-Wno-lint"},
                 SourceArguments(it, folder / "ports.sv")),
          &log, log_file, stop);
  RequirePorts(it, ReadPortsXml(xml, it.top));
  RunStep(Joined(Joined({verilator, "--cc", "--build", "-j", "2", "-O3", "--x-assign", "unique", "--x-initial",
                         "unique", "--assert", "--prefix", "Vdevice", "--Mdir", (folder / "verilated").string()},
                        CompilerArguments(it, waves)),
                 sources),
          &log, log_file, stop);
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
  const auto compile = [&](std::vector<std::string> rest, const std::string& failure = "the device cannot be built") {
    rest.insert(rest.begin(), flags.begin(), flags.end());
    rest.insert(rest.begin(), compiler);
    RunStep(rest, &log, log_file, stop, failure);
  };
  // The runtime takes longer to compile than a small device: it is kept for the next one.
  std::vector<std::string> objects;
  std::vector<std::string> runtime = {"verilated", "verilated_threads"};
  if (waves) runtime.push_back("verilated_fst_c");
  for (const std::string& name : runtime) {
    objects.push_back((folder / fmt::format("{}_{}.o", name, version)).string());
    if (fs::exists(objects.back())) continue;
    compile({"-c", include + "/" + name + ".cpp", "-o", objects.back() + ".part"});
    fs::rename(objects.back() + ".part", objects.back());
  }
  const std::string verilated = (folder / "verilated").string();
  std::vector<std::string> link = {"-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-I" + verilated};
  for (const std::string& path : it.include) link.push_back("-I" + path);
  for (const std::string& file : it.files) {
    if (IsForCompiler(file)) link.insert(link.end(), {"-x", fs::path(file).extension() == ".c" ? "c" : "c++", file});
  }
  link.insert(link.end(), {"-x", "c++", (folder / "device.cpp").string(), "-x", "none", verilated + "/Vdevice__ALL.a"});
  link.insert(link.end(), objects.begin(), objects.end());
  link.insert(link.end(), {"-lz", "-lpthread", "-o", library.string() + ".part"});
  compile(link,
          "the device cannot be linked; the C or C++ source of a function that it imports by DPI is one of its "
          "files (files: [..., model.c])");
  fs::rename(library.string() + ".part", library);
  Write(mark, digest + "\n");
  return {library, digest, false};
}

}  // namespace

Built BuildDevice(const Capability& it, const fs::path& base, const std::atomic<bool>* stop, BuildFor purpose) {
  if (!it.library.empty()) return {it.library, runs::FileDigest(it.library), true};
  // The waves of links are written by the lockstep, of both sides.
  const bool waves = purpose == BuildFor::kWaves && it.style == PortStyle::kStream;
  const fs::path folder = waves ? base / "waves" : base;
  fs::create_directories(folder);
  try {
    return BuildIn(it, folder, stop, waves);
  } catch (const BuildInterrupted&) {
    fs::remove_all(folder);  // a program that was ended may have left a part of a file
    throw;
  }
}

}  // namespace tilefly::conform
