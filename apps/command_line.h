// SPDX-License-Identifier: Apache-2.0
// Commands and their options as the user types them. CLI11 is behind it, in one source: each that includes it takes
// seconds to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tilefly::apps {

/// Most runs, or threads, at a time that a command takes.
inline constexpr std::int64_t kMostJobs = 4096;

/// An option of a command. Each function adds a rule, and returns the same option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  /// Where --help shows it; "": nowhere.
  const Option& Group(const std::string& name) const;
  const Option& Required() const;
  const Option& Needs(const Option& other) const;
  /// --help shows the value that its variable has now.
  const Option& ShowInitial() const;
  /// Refuses what is no number from `low` to `high`: "--jobs: -1 is not between 1 and 4096", as settings do.
  const Option& Between(std::int64_t low, std::int64_t high) const;
  const Option& OneOf(const std::vector<std::string>& words) const;
  /// Of one with a list: the words that follow it are values, too, up to the next option.
  const Option& WithFollowing() const;

 private:
  friend class Command;

  CLI::Option* option_;
};

/// An option that the user gave.
struct GivenOption {
  std::vector<std::string> names;  ///< without dashes: its long ones, or the only one it has
  std::string value;               ///< several are joined by commas
};

/// A command, or the program as a whole. What is declared writes into its variables when the command line is read. No
/// option takes an empty value, which would be taken for none given.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  Command AddCommand(const std::string& name, const std::string& help) const;
  void RequireCommand() const;
  void Footer(const std::string& text) const;
  /// `run` is called when the command line was read and names this command.
  void Callback(std::function<void()> run) const;

  /// `names`: "-j,--jobs"; without dashes: an argument by its place.
  Option Add(const std::string& names, std::string* value, const std::string& help) const;
  Option Add(const std::string& names, int* value, const std::string& help) const;
  Option Add(const std::string& names, double* value, const std::string& help) const;
  /// May be given several times, with a value each.
  Option Add(const std::string& names, std::vector<std::string>* values, const std::string& help) const;
  /// `take` is called with the value.
  Option Add(const std::string& names, std::function<void(const std::string&)> take, const std::string& help) const;
  /// The same; `several` is what who gives it several times may do besides giving it once.
  Option AddOnce(const std::string& names, std::function<void(const std::string&)> take, const std::string& several,
                 const std::string& help) const;
  /// May be given several times; `take` is called with all values.
  Option AddList(const std::string& names, std::function<void(const std::vector<std::string>&)> take,
                 const std::string& help) const;
  Option AddFlag(const std::string& names, bool* value, const std::string& help) const;
  /// How often it is given.
  Option AddFlag(const std::string& names, int* count, const std::string& help) const;

  std::vector<GivenOption> Given() const;

 private:
  CLI::App* app_;
};

/// The program's command line.
class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& version);
  ~CommandLine();

  Command program() const { return Command(app_.get()); }
  /// Throws UsageError when the first of `arguments` (the program's name is none) name a command that does not exist.
  void RequireKnownCommand(const std::vector<std::string>& arguments) const;
  /// Calls the callback of the command that is named, or prints help or version. Throws UsageError for what cannot be.
  void Read(int argc, char** argv) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace tilefly::apps
