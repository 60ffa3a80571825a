// SPDX-License-Identifier: Apache-2.0
// Shows a run: its report in the browser, or its waves. What cannot be shown is named, with how to see it elsewhere.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "apps/command.h"
#include "apps/given_settings.h"
#include "runs/common/run_log.h"
#include "runs/open/run_files.h"
#include "runs/open/viewer.h"
#include "support/errors.h"

namespace tilefly::apps {
namespace {

namespace fs = std::filesystem;

struct GivenOpen {
  std::string folder;
  bool waves = false;
  bool print = false;
};

/// A file and what shows it.
struct View {
  fs::path file;
  std::vector<std::string> command;  ///< empty: no program for it is there
  std::string remedy;                ///< what to do where it cannot be shown
};

View ReportView(const fs::path& file) {
  const std::string path = fs::absolute(file).lexically_normal().string();
  const bool there = runs::HasProgram("xdg-open");
  return {file, there ? std::vector<std::string>{"xdg-open", path} : std::vector<std::string>{},
          there ? "open the file in a browser, here or where you copy it: it needs nothing else"
                : "xdg-open is missing (package xdg-utils): install it, or open the file in a browser"};
}

/// Surfer is used by those who have installed it; GTKWave is a package.
View WavesView(const fs::path& folder) {
  const runs::WaveView waves = runs::WavesOf(folder);
  const auto path = [](const fs::path& file) { return fs::absolute(file).lexically_normal().string(); };
  if (runs::HasProgram("surfer") && fs::exists(waves.surfer))
    return {waves.surfer, {"surfer", "-c", path(waves.surfer)}, "copy the folder waves to a machine with a screen"};
  if (runs::HasProgram("gtkwave"))
    return {waves.gtkwave, {"gtkwave", path(waves.gtkwave)}, "copy the folder waves to a machine with a screen"};
  return {waves.gtkwave, {}, "gtkwave is missing (package gtkwave), and so is surfer: install one of them"};
}

int Show(const View& view) {
  std::string why;
  if (!view.command.empty()) {
    why = runs::HasScreen()
              ? runs::StartViewer(view.command, view.file.parent_path().empty() ? "." : view.file.parent_path())
              : "there is no screen (DISPLAY and WAYLAND_DISPLAY are empty)";
    if (why.empty()) {
      runs::Tell(fmt::format("{} shows {}\n", view.command.front(), view.file.string()));
      return kPassed;
    }
  }
  fmt::print("{}\n", view.file.string());
  runs::Tell(fmt::format("tilefly: not shown: {}{}\n", why.empty() ? "" : why + "; ", view.remedy));
  return kInternal;
}

int RunOpen(const GivenOpen& given) {
  const bool is_page = fs::path(given.folder).extension() == ".html" && fs::is_regular_file(given.folder);
  if (is_page && given.waves)
    throw UsageError(fmt::format("--waves: {} is a page; name the folder of a run", given.folder));
  const fs::path folder = given.folder.empty() ? runs::NewestRun("out") : fs::path(given.folder);
  const View view = given.waves ? WavesView(folder) : ReportView(is_page ? folder : runs::ReportOf(folder));
  if (!given.print) return Show(view);
  fmt::print("{}\n", view.file.string());
  return kPassed;
}

}  // namespace

void AddOpen(const Command& program, int* status) {
  const Command command = program.AddCommand("open", "a run's report in the browser, or its waves");
  auto given = std::make_shared<GivenOpen>();
  command.Add("DIR", &given->folder, "folder of a run, or a page FILE.html [the newest run below out/]");
  command.AddFlag("--waves", &given->waves,
                  "show the waves of the run, by Surfer where it is installed, else by GTKWave");
  command.AddFlag("--print", &given->print, "print the path of the file, show nothing");
  command.Footer(
      "Exit code: 0 shown or printed, 2 the run has no such file, 3 not shown: the path is printed, with what to do.\n"
      "Examples:\n"
      "  tilefly open\n"
      "  tilefly open out/failed --waves");
  command.Callback([given, status, command] {
    CheckOptions("open", command);
    *status = RunOpen(*given);
  });
}

}  // namespace tilefly::apps
