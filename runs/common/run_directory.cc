// SPDX-License-Identifier: Apache-2.0
#include "runs/common/run_directory.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "cosim/errors.h"

namespace tilefly::runs {
namespace {

namespace fs = std::filesystem;

/// Of the folder of a command, while that is at work.
constexpr const char* kLockFile = "lock";

std::string XmlText(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // XML 1.0 has no other control characters.
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return out;
}

/// Of `tilefly net`, "net sweep". Throws UsageError unless a folder that holds something is one of `command`.
void RequireCommand(const fs::path& folder, const std::string& command) {
  std::ifstream in(folder / "manifest.json", std::ios::binary);
  const auto manifest = nlohmann::json::parse(in, nullptr, false);
  const std::string there = manifest.is_object() ? manifest.value("command", "") : "";
  if (!command.empty() && there == command) return;
  const std::string whose = there.empty() ? "is not empty" : fmt::format("is the folder of another command, {}", there);
  throw UsageError(fmt::format("--output-dir: {} {}; name a new folder or remove it", folder.string(), whose));
}

/// Of a command that was ended at its begin, or has just begun.
bool HoldsOnlyALock(const fs::path& folder, const std::string& command) {
  const auto count = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  return !command.empty() && count == 1 && fs::exists(folder / kLockFile);
}

}  // namespace

RunDirectory::RunDirectory(fs::path path, const std::string& command) : path_(std::move(path)) {
  std::error_code error;
  made_ = fs::create_directories(path_, error);
  if (error || !fs::is_directory(path_)) {
    throw UsageError(
        fmt::format("--output-dir: {}: cannot be made a folder ({}); name one in a place that can be written",
                    path_.string(), error ? error.message() : "it is a file"));
  }
  const bool empty = fs::is_empty(path_, error);
  if (error) throw UsageError(fmt::format("--output-dir: {}: cannot be read ({})", path_.string(), error.message()));
  if (!empty && !HoldsOnlyALock(path_, command)) RequireCommand(path_, command);
  if (access(path_.c_str(), W_OK | X_OK) != 0) {
    throw UsageError(fmt::format("--output-dir: {}: no permission to write in it; name another one", path_.string()));
  }
  if (!command.empty()) Lock();
}

/// The system gives the lock of a process up when that ends, so a file that is left behind locks nothing.
void RunDirectory::Lock() {
  const fs::path file = path_ / kLockFile;
  for (;;) {
    lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_ < 0)
      throw UsageError(fmt::format("--output-dir: {}: cannot be written ({})", file.string(), std::strerror(errno)));
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
      const int why = errno;
      std::string holder;
      std::getline(std::ifstream(file), holder);
      close(lock_);
      lock_ = -1;
      if (why != EWOULDBLOCK) return;  // a file system without locks
      throw UsageError(
          fmt::format("--output-dir: {}: another command is at work in it, {}; let it come to its end, or name another "
                      "folder",
                      path_.string(), holder.empty() ? "which has just begun" : holder));
    }
    struct stat locked {
    }, there{};
    const bool same = fstat(lock_, &locked) == 0 && stat(file.c_str(), &there) == 0 && locked.st_ino == there.st_ino;
    if (same) break;
    close(lock_);  // its holder has removed it since
  }
  const std::string text = fmt::format("process {}\n", getpid());
  if (ftruncate(lock_, 0) != 0 || write(lock_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error(fmt::format("{}: writing failed ({}); free some space, or name another --output-dir",
                                         file.string(), std::strerror(errno)));
}

RunDirectory::~RunDirectory() {
  std::error_code error;
  if (lock_ >= 0) {
    fs::remove(path_ / kLockFile, error);
    close(lock_);
  }
  if (made_ && fs::is_empty(path_, error)) fs::remove(path_, error);
}

fs::path RunDirectory::NewName(const std::string& run) {
  std::string name = run;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '-';
  }
  const std::string stem = fmt::format("out/{:%Y%m%d-%H%M%S}-{}", fmt::localtime(std::time(nullptr)), name);
  fs::path path = stem;
  for (int n = 2; fs::exists(path); ++n) path = fmt::format("{}-{}", stem, n);
  return path;
}

void RunDirectory::Write(const std::string& name, const std::string& text) const {
  RunFile file(*this, name);
  file.Write(text);
  file.Close();
}

RunFile::RunFile(const RunDirectory& directory, const std::string& name)
    : path_(directory.path() / name), part_(directory.path() / (name + ".part")), out_(part_, std::ios::binary) {
  RequireWritten();
}

void RunFile::Write(std::string_view text) {
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  RequireWritten();
}

void RunFile::Close() {
  out_.close();
  RequireWritten();
  fs::rename(part_, path_);
}

void RunFile::RequireWritten() const {
  if (out_) return;
  throw std::runtime_error(fmt::format(
      "{}: writing failed (is the disk full?); free some space, or name another --output-dir", part_.string()));
}

fs::path RunDirectory::Folder(const std::string& name) const {
  fs::create_directories(path_ / name);
  return path_ / name;
}

std::string JunitXml(const std::string& suite, const std::vector<JunitCase>& cases) {
  const auto failures =
      std::count_if(cases.begin(), cases.end(), [](const JunitCase& c) { return !c.failure.empty(); });
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n", XmlText(suite), cases.size(), failures);
  for (const JunitCase& c : cases) {
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", XmlText(suite), XmlText(c.name),
                        c.seconds);
    if (c.failure.empty()) {
      text += "/>\n";
    } else {
      text += fmt::format(">\n    <failure>{}</failure>\n  </testcase>\n", XmlText(c.failure));
    }
  }
  return text + "</testsuite>\n";
}

}  // namespace tilefly::runs
