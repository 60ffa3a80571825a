// SPDX-License-Identifier: Apache-2.0
#include "conform/reference/link_reference.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <tilefly_device.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#include "conform/bench/suite.h"
#include "conform/reference/link_channel.h"
#include "support/errors.h"

extern char** environ;

namespace tilefly::conform {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgramVariable = "TILEFLY";
constexpr const char* kResultLine = "result: ";  // of `tilefly conform test`

/// This shared library, which the child loads as its device.
fs::path ThisLibrary() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&tfd_link_outputs), &info) == 0 || info.dli_fname == nullptr)
    throw UsageError("libtilefly_ref.so does not know its own file");
  return fs::absolute(info.dli_fname);
}

/// `tilefly` of the build or installation that the library is of, or in PATH.
std::string Program() {
  if (const char* const named = std::getenv(kProgramVariable); named != nullptr && *named != '\0') return named;
  const fs::path folder = ThisLibrary().parent_path();
  for (const char* place : {"../bin/tilefly", "../../apps/tilefly"}) {
    if (fs::exists(folder / place)) return (folder / place).lexically_normal().string();
  }
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string one; std::getline(folders, one, ':');) {
    if (access((fs::path(one) / "tilefly").c_str(), X_OK) == 0) return (fs::path(one) / "tilefly").string();
  }
  throw UsageError(
      fmt::format("the program `tilefly`, which runs golden, is neither beside libtilefly_ref.so nor in PATH; name "
                  "it by the environment variable {}",
                  kProgramVariable));
}

}  // namespace

LinkReference::LinkReference(Capability capability, const std::string& test, std::uint64_t seed)
    : capability_(std::move(capability)), test_(test), seed_(seed) {
  if (test.empty())
    throw UsageError(capability_.file.string() +
                     ": ports.style: link: name a test (`tilefly conform list FILE`); traffic of one's own is of "
                     "AXI-Stream ports");
  const Test& known = TestOf(test, PortStyle::kLink);
  const std::string excuse =
      known.level > capability_.claims.level ? "claims.level is below it" : known.excuse(capability_);
  if (!excuse.empty())
    throw UsageError(fmt::format("{} does not apply to {}: {}", test, capability_.file.string(), excuse));
  const auto size = [](Shown* shown, const char* what, std::size_t bytes, int count) {
    const auto number = static_cast<std::size_t>(count);
    *shown = {what, bytes, Bytes(bytes * number), std::vector<bool>(number, false)};
  };
  const bool observed = capability_.claims.level == Level::kObserved;
  size(&links_, "link", capability_.wire->link_bytes, capability_.ports);
  size(&ports_, "record of port", capability_.wire->record_bytes, observed ? capability_.ports : 0);
  size(&turns_, "record of turn tile", TFD_TURN_RECORD_BYTES, observed ? capability_.profile->tiles : 0);
  size(&reds_, "record of reduction port", TFD_RED_RECORD_BYTES, observed ? capability_.ports : 0);
  size(&cfu_, "record of CFU", TFD_CFU_RECORD_BYTES, observed ? 1 : 0);
  const auto ports = static_cast<std::size_t>(capability_.ports);
  in_links_.resize(ports * capability_.wire->link_bytes);
  in_up_.assign(ports, 1);
  in_cfg_.resize(TFD_CFG_BYTES);
  Start(Program());
}

LinkReference::~LinkReference() {
  if (channel_ >= 0) close(channel_);
  if (output_ >= 0) close(output_);
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

void LinkReference::Start(const std::string& program) {
  std::array<int, 2> channel{};
  std::array<int, 2> output{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel.data()) != 0 || pipe2(output.data(), O_CLOEXEC) != 0)
    throw UsageError("no more files can be opened: the child that runs golden cannot be spoken to");
  channel_ = channel[0];
  output_ = output[0];
  // The child's end may have the number that it is moved to: then it would be closed when the child begins.
  const int end = fcntl(channel[1], F_DUPFD_CLOEXEC, kChannel + 1);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, end, kChannel);
  std::vector<std::string> words = {
      program,  "conform", "test",   capability_.file.string(), "--library", ThisLibrary().string(),
      "--test", test_,     "--seed", std::to_string(seed_),     "--remote"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::string shows = fmt::format("{}={}", kShowsVariable, cfu_.known.empty() ? "links" : "record");
  std::vector<char*> environment;
  for (char** one = environ; *one != nullptr; ++one) environment.push_back(*one);
  environment.push_back(shows.data());
  std::string wire = fmt::format("{}={}", kWireVariable, capability_.wire->number);
  environment.push_back(wire.data());
  environment.push_back(nullptr);
  const int status = posix_spawn(&child_, program.c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  for (const int one : {channel[1], end, output[1]}) close(one);
  if (status == 0) return;
  child_ = -1;
  throw UsageError(fmt::format("{} cannot be started: {}", program, strerror(status)));
}

char LinkReference::NextRequest() {
  if (request_ == 0 && !over_ && !ReceiveAll(channel_, &request_, 1)) {
    request_ = 0;
    End();
  }
  return request_;
}

/// The child has ended: what it printed is the result, or why there is none.
void LinkReference::End() {
  over_ = true;
  std::string text;
  std::array<char, 4096> some{};
  for (ssize_t got = 0; (got = read(output_, some.data(), some.size())) > 0 || (got < 0 && errno == EINTR);) {
    if (got > 0) text.append(some.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = -1;
  std::istringstream lines(text);
  std::string said;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(kResultLine, 0) == 0) {
      result_ = nlohmann::ordered_json::parse(line.substr(std::char_traits<char>::length(kResultLine)), nullptr, false);
    } else if (!line.empty()) {
      said = line;
    }
  }
  if (!result_.is_object())
    throw UsageError("`tilefly conform test` ended without a result: " + (said.empty() ? "no message" : said));
}

void LinkReference::TakeCycle() const {
  if (turn_ != Turn::kCycle || !begun_)
    throw UsageError("no cycle is under way: tfr_next has to answer TFR_CYCLE before");
}

void LinkReference::RequirePort(std::uint32_t port) const {
  if (port >= static_cast<std::uint32_t>(capability_.ports))
    throw UsageError(
        fmt::format("there is no port {}: profile {} has {}", port, capability_.profile->name, capability_.ports));
}

Turn LinkReference::Next() {
  if (!begun_) {
    begun_ = true;
    return turn_ = Turn::kReset;
  }
  if (turn_ == Turn::kCycle) Exchange();
  if (reset_is_due_) {
    const char done = 1;
    reset_is_due_ = false;
    request_ = 0;
    SendAll(channel_, &done, 1);
  }
  const char request = NextRequest();
  if (over_) return turn_ = Turn::kOver;
  reset_is_due_ = request == static_cast<char>(Request::kReset);
  if (reset_is_due_) return turn_ = Turn::kReset;
  ++cycle_;
  stepped_ = false;
  for (Shown* shown : {&links_, &ports_, &turns_, &reds_, &cfu_})
    std::fill(shown->known.begin(), shown->known.end(), false);
  return turn_ = Turn::kCycle;
}

void LinkReference::RequireShown() const {
  for (const Shown* shown : {&links_, &ports_, &turns_, &reds_, &cfu_}) {
    const auto missing = std::find(shown->known.begin(), shown->known.end(), false);
    if (missing != shown->known.end())
      throw UsageError(fmt::format("cycle {}: {} {} is not shown; what goes in follows from all that comes out", cycle_,
                                   shown->what, missing - shown->known.begin()));
  }
}

void LinkReference::Exchange() {
  if (stepped_) return;
  RequireShown();
  stepped_ = true;
  std::fill(in_links_.begin(), in_links_.end(), 0);
  std::fill(in_cfg_.begin(), in_cfg_.end(), 0);
  while (true) {
    const char request = NextRequest();
    if (over_ || request == static_cast<char>(Request::kReset)) return;
    request_ = 0;
    if (request == static_cast<char>(Request::kStep)) {
      ReceiveAll(channel_, in_links_.data(), in_links_.size());
      ReceiveAll(channel_, in_up_.data(), in_up_.size());
      ReceiveAll(channel_, in_cfg_.data(), in_cfg_.size());
      return;
    }
    if (request == static_cast<char>(Request::kLinks)) {
      SendAll(channel_, links_.bytes.data(), links_.bytes.size());
    } else {
      for (const Shown* shown : {&ports_, &turns_, &reds_, &cfu_})
        SendAll(channel_, shown->bytes.data(), shown->bytes.size());
    }
  }
}

void LinkReference::Put(Shown* shown, std::uint32_t index, const std::uint8_t* bytes) {
  TakeCycle();
  if (shown->known.empty())
    throw UsageError(fmt::format("a {} has no effect: claims.level is not observed", shown->what));
  if (index >= shown->known.size())
    throw UsageError(fmt::format("there is no {} {}: there are {}", shown->what, index, shown->known.size()));
  if (shown->known[index]) throw UsageError(fmt::format("cycle {}: {} {} is shown twice", cycle_, shown->what, index));
  shown->known[index] = true;
  std::copy_n(bytes, shown->size, shown->bytes.begin() + static_cast<std::ptrdiff_t>(index * shown->size));
}

void LinkReference::ShowLink(std::uint32_t port, const std::uint8_t* bytes) {
  RequirePort(port);
  Put(&links_, port, bytes);
}

void LinkReference::ShowRecord(Part part, std::uint32_t index, const std::uint8_t* bytes) {
  Put(part == Part::kPort   ? &ports_
      : part == Part::kTurn ? &turns_
      : part == Part::kRed  ? &reds_
                            : &cfu_,
      index, bytes);
}

const std::uint8_t* LinkReference::Link(std::uint32_t port) {
  TakeCycle();
  RequirePort(port);
  Exchange();
  return &in_links_[port * capability_.wire->link_bytes];
}

bool LinkReference::LinkUp(std::uint32_t port) {
  TakeCycle();
  RequirePort(port);
  Exchange();
  return in_up_[port] != 0;
}

const std::uint8_t* LinkReference::Cfg() {
  TakeCycle();
  Exchange();
  return in_cfg_.data();
}

nlohmann::ordered_json LinkReference::Result() const {
  if (result_.is_object()) return result_;
  return {
      {"test", test_},
      {"seed", seed_},
      {"verdict", "undecided"},
      {"rule", "time"},
      {"reason", fmt::format("the test was ended in cycle {}, before it was over", std::max<std::int64_t>(cycle_, 0))},
      {"port", nullptr},
      {"cycles", std::max<std::int64_t>(cycle_, 0)},
      {"power_ups", 1}};
}

}  // namespace tilefly::conform
