// SPDX-License-Identifier: Apache-2.0
// The commands: parse, call a library, print. Exit codes are on the interface page of the manual.
#include "apps/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>

#include "apps/command.h"
#include "cosim/errors.h"
#include "network/mpi/mpi_processes.h"
#include "runs/common/command.h"
#include "runs/common/extensions.h"
#include "support/errors.h"
#include "support/extension_error.h"

namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the signal handler needs it");

/// The first signal asks for an orderly end; a second one ends the program.
extern "C" void OnSignal(int signal) {
  stop.store(true);
  std::signal(signal, SIG_DFL);
}

/// The writer of waves maps its files into memory; on a full disk the kernel tells so by SIGBUS. Nothing can be mended
/// here: the unfinished files keep their unfinished names.
extern "C" void OnFullDisk(int) {
  constexpr char kMessage[] =
      "tilefly: a wave file could not grow: the disk is full. Free some space, or give --waves off, a smaller window "
      "(--trace-start, --trace-end) or --trace-limit\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  _exit(tilefly::kInternal);
}

/// A launcher starts the same program several times. Only `net` divides a run among them.
void RequireOneProcess(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments[0] == "net" || arguments[0].rfind('-', 0) == 0) return;
  if (tilefly::network::MpiProcesses::LaunchedWithOthers())
    throw tilefly::UsageError(fmt::format(
        "{0} runs in one process, and a launcher (mpirun, srun) has started several that would all do the same; start "
        "{0} without it",
        arguments[0]));
}

/// Whether a signal is to end the command with the results so far; the others a signal ends at once.
bool HasOrderlyEnd(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return false;
  if (arguments[0] == "conform") return arguments.size() < 2 || arguments[1] != "test";
  return arguments[0] == "cosim" || arguments[0] == "net" || arguments[0] == "repro";
}

/// What is on its way to standard output may be lost on the way, to a full disk for example. A status that tells of
/// something worse stays.
int Delivered(int status) {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return status;
  std::fprintf(stderr, "tilefly: standard output could not be written whole: %s; what is printed there is lost\n",
               std::strerror(errno));
  return status == tilefly::kPassed ? tilefly::kInternal : status;
}

/// Complains, even where nobody listens.
int Complain(const std::string& text, int status) {
  std::fprintf(stderr, "tilefly: %s\n", text.c_str());
  return status;
}

int RunArguments(int argc, char** argv) {
  const tilefly::apps::Common common{{argv, argv + argc}, &stop};
  int status = tilefly::kPassed;
  const tilefly::apps::CommandLine line(
      "Tilefly: a cycle-accurate Rosetta-class switch in RTL, golden model and SystemC",
      std::string("tilefly ") + TILEFLY_VERSION);
  const tilefly::apps::Command program = line.program();
  program.RequireCommand();
  tilefly::apps::AddCosim(program, common, &status);
  tilefly::apps::AddNet(program, common, &status);
  tilefly::apps::AddConform(program, common, &status);
  tilefly::apps::AddRepro(program, common, &status);
  tilefly::apps::AddCompare(program, &status);
  tilefly::apps::AddOpen(program, &status);
  tilefly::apps::AddQos(program, &status);
  tilefly::apps::AddTopo(program, &status);
  tilefly::apps::AddDoctor(program, &status);
  program.Footer("`tilefly COMMAND --help` shows a command's options, in groups, with examples.");
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  line.RequireKnownCommand(arguments);
  RequireOneProcess(arguments);
  line.Read(argc, argv);
  return status;
}

}  // namespace

namespace tilefly {

int RunCommand(int argc, char** argv, const std::function<void()>& extend) {
  if (HasOrderlyEnd({argv + 1, argv + argc})) {
    std::signal(SIGINT, OnSignal);
    std::signal(SIGTERM, OnSignal);
    if (std::signal(SIGHUP, OnSignal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
  }
  std::signal(SIGBUS, OnFullDisk);
  std::signal(SIGPIPE, SIG_IGN);  // a reader of the messages may go away; the run directory is finished all the same
  try {
    if (extend) extend();
    runs::CheckExtensions();
    return Delivered(RunArguments(argc, argv));
  } catch (const UsageError& error) {
    return Complain(error.what(), kUsage);
  } catch (const cosim::DeviceError& error) {
    return Complain(error.what(), kCheckFailed);
  } catch (const ExtensionError& error) {
    return Complain(error.what(), kInternal);
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return Delivered(kInternal);
    return Complain(std::string("internal error: ") + error.what(), kInternal);
  }
}

}  // namespace tilefly
