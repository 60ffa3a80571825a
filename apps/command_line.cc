// SPDX-License-Identifier: Apache-2.0
#include "apps/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "support/errors.h"
#include "support/text.h"

namespace tilefly::apps {

namespace {

std::vector<const CLI::App*> CommandsOf(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

/// The command that was named.
const CLI::App* NamedIn(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return command;
}

constexpr const char* kEmpty = "the value is empty; give one, or leave the option out";

/// Of every option and argument that has a value.
CLI::Option* NotEmpty(CLI::Option* option) {
  const bool dashes = option->nonpositional();
  const auto refuse = [dashes](const std::string& text) -> std::string {
    return !text.empty() ? "" : dashes ? kEmpty : "it is empty; give one";
  };
  return option->check(CLI::Validator(refuse, ""));
}

/// CLI11 would take the next argument for the value of `--option=`.
void RefuseNothingBehindEquals(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument.rfind("--", 0) == 0 && argument.size() > 3 && argument.find('=') == argument.size() - 1)
      throw UsageError(fmt::format("{}: {}", argument.substr(0, argument.size() - 1), kEmpty));
  }
}

std::string GivenTwice(const std::string& option, const std::vector<std::string>& values) {
  return fmt::format("{}: given {} times, as {}; give it once", option, values.size(), fmt::join(values, " and "));
}

/// CLI11 says how many values an option takes, not which were given, nor what to do.
std::string MismatchText(const CLI::App& app, const CLI::ArgumentMismatch& error) {
  for (const CLI::Option* option : NamedIn(app)->get_options()) {
    const bool once = option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw;
    if (once && static_cast<int>(option->count()) > std::max(1, option->get_items_expected_max()))
      return GivenTwice(option->get_name(), option->results());
  }
  return error.what();
}

/// CLI11 says that a command is missing, not which there are.
std::string RequiredText(const CLI::App& app, const CLI::RequiredError& error) {
  const CLI::App* const command = NamedIn(app);
  std::vector<std::string> parts;
  for (const CLI::App* part : CommandsOf(*command)) parts.push_back(part->get_name());
  if (!parts.empty()) return fmt::format("a command is missing; give one of {}", fmt::join(parts, ", "));
  return fmt::format("{}: {}; --help says more", command->get_name(), error.what());
}

/// CLI11 says that it could not convert, not to what.
std::string ConversionText(const CLI::App& app, const CLI::ConversionError& error) {
  for (const CLI::Option* option : NamedIn(app)->get_options()) {
    const std::string said =
        fmt::format("Could not convert: {} = {}", option->get_name(), fmt::join(option->results(), ","));
    if (said == error.what())
      return fmt::format("{}: '{}' is not {}", option->get_name(), fmt::join(option->results(), ","),
                         option->get_type_name().rfind("INT", 0) == 0 ? "a whole number" : "a number");
  }
  return error.what();
}

/// CLI11 knows that an option is unknown, not what was meant.
std::string Suggestion(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* const command = NamedIn(app);
  std::vector<std::string> known;
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::vector<const CLI::App*> parts = CommandsOf(*command);
  for (const CLI::App* part : parts) known.push_back(part->get_name());
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    const bool looks_right = !parts.empty() || name.rfind("--", 0) == 0;
    if (!looks_right || std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (command != &app && name == command->get_name()) continue;
    return fmt::format("; did you mean '{}'?", Nearest(name, known));
  }
  return "";
}

}  // namespace

const Option& Option::Group(const std::string& name) const {
  option_->group(name);
  return *this;
}

const Option& Option::Required() const {
  option_->required();
  return *this;
}

const Option& Option::Needs(const Option& other) const {
  option_->needs(other.option_);
  return *this;
}

const Option& Option::ShowInitial() const {
  option_->capture_default_str();
  return *this;
}

const Option& Option::Between(std::int64_t low, std::int64_t high) const {
  const auto refuse = [low, high](const std::string& text) -> std::string {
    double number = 0;
    if (!CLI::detail::lexical_cast(text, number)) return fmt::format("'{}' is no number", text);
    // So that a NaN is refused, too.
    const bool within = number >= static_cast<double>(low) && number <= static_cast<double>(high);
    return within ? "" : fmt::format("{} is not between {} and {}", text, low, high);
  };
  option_->check(CLI::Validator(refuse, fmt::format("{}..{}", low, high)));
  return *this;
}

const Option& Option::OneOf(const std::vector<std::string>& words) const {
  option_->check(CLI::IsMember(words));
  return *this;
}

const Option& Option::WithFollowing() const {
  option_->allow_extra_args(true);
  return *this;
}

Command Command::AddCommand(const std::string& name, const std::string& help) const {
  return Command(app_->add_subcommand(name, help));
}

void Command::RequireCommand() const { app_->require_subcommand(1); }

void Command::Footer(const std::string& text) const { app_->footer(text); }

void Command::Callback(std::function<void()> run) const { app_->callback(std::move(run)); }

Option Command::Add(const std::string& names, std::string* value, const std::string& help) const {
  return Option(NotEmpty(app_->add_option(names, *value, help)));
}

Option Command::Add(const std::string& names, int* value, const std::string& help) const {
  return Option(NotEmpty(app_->add_option(names, *value, help)));
}

Option Command::Add(const std::string& names, double* value, const std::string& help) const {
  return Option(NotEmpty(app_->add_option(names, *value, help)));
}

Option Command::Add(const std::string& names, std::vector<std::string>* values, const std::string& help) const {
  return Option(NotEmpty(app_->add_option(names, *values, help)->allow_extra_args(false)));
}

Option Command::Add(const std::string& names, std::function<void(const std::string&)> take,
                    const std::string& help) const {
  return Option(NotEmpty(app_->add_option_function<std::string>(names, std::move(take), help)));
}

Option Command::AddOnce(const std::string& names, std::function<void(const std::string&)> take,
                        const std::string& several, const std::string& help) const {
  const auto take_one = [names, take = std::move(take), several](const std::vector<std::string>& values) {
    if (values.size() > 1) throw UsageError(fmt::format("{}, or {}", GivenTwice(names, values), several));
    take(values.front());
  };
  return Option(AddList(names, take_one, help).option_->option_text("TEXT"));
}

Option Command::AddList(const std::string& names, std::function<void(const std::vector<std::string>&)> take,
                        const std::string& help) const {
  using Values = std::vector<std::string>;
  return Option(NotEmpty(app_->add_option_function<Values>(names, std::move(take), help)->allow_extra_args(false)));
}

Option Command::AddFlag(const std::string& names, bool* value, const std::string& help) const {
  return Option(app_->add_flag(names, *value, help));
}

Option Command::AddFlag(const std::string& names, int* count, const std::string& help) const {
  return Option(app_->add_flag(names, *count, help));
}

std::vector<GivenOption> Command::Given() const {
  std::vector<GivenOption> given;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    if (option->count() == 0) continue;
    std::vector<std::string> names = option->get_lnames();
    if (names.empty()) names.push_back(option->get_single_name());
    given.push_back({std::move(names), fmt::format("{}", fmt::join(option->results(), ","))});
  }
  return given;
}

CommandLine::CommandLine(const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description)) {
  app_->set_version_flag("--version", version);
}

CommandLine::~CommandLine() = default;

// CLI11 would show the whole program's help for a command that it does not know, and be content.
void CommandLine::RequireKnownCommand(const std::vector<std::string>& arguments) const {
  const CLI::App* command = app_.get();
  for (std::size_t i = 0; i < arguments.size() && arguments[i].rfind('-', 0) != 0; ++i) {
    std::vector<std::string> names;
    for (const CLI::App* part : CommandsOf(*command)) names.push_back(part->get_name());
    if (names.empty()) return;
    if (std::find(names.begin(), names.end(), arguments[i]) == names.end())
      ThrowUnknown("command", arguments[i], names);
    command = command->get_subcommand(arguments[i]);
  }
}

void CommandLine::Read(int argc, char** argv) const {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  RefuseNothingBehindEquals(arguments);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& success) {
    app_->exit(success);
  } catch (const CLI::RequiredError& error) {
    throw UsageError(RequiredText(*app_, error));
  } catch (const CLI::ConversionError& error) {
    throw UsageError(ConversionText(*app_, error));
  } catch (const CLI::ArgumentMismatch& error) {
    throw UsageError(MismatchText(*app_, error));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what() + Suggestion(*app_, arguments));
  }
}

}  // namespace tilefly::apps
