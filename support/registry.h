// SPDX-License-Identifier: Apache-2.0
// What a program of one's own adds to Tilefly, by name (docs/extending.md): the same for every seam.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace tilefly {

/// The extensions at a seam: their names, and a line of help each.
class ExtensionNames {
 public:
  struct Entry {
    std::string name;
    std::string help;
  };

  /// `kind`: "traffic pattern"; `taken`: names that Tilefly has there itself.
  ExtensionNames(std::string kind, std::vector<std::string> taken) : kind_(std::move(kind)), taken_(std::move(taken)) {}

  const std::string& kind() const { return kind_; }
  /// In the order in which they were added.
  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<std::string> Names() const;

 protected:
  ~ExtensionNames() = default;
  /// Throws UsageError for a name that is taken, or that no list of values could hold.
  void Enter(const std::string& name, const std::string& help);
  /// -1: there is none.
  int PlaceOf(const std::string& name) const;

 private:
  std::string kind_;
  std::vector<std::string> taken_;
  std::vector<Entry> entries_;
};

/// Those with what makes them, or describes how they are made. To be filled before the command line is read.
template <typename Make>
class Registry final : public ExtensionNames {
 public:
  using ExtensionNames::ExtensionNames;

  /// `name`: small letters, digits, - and _, a letter first. Throws UsageError.
  void Add(const std::string& name, const std::string& help, Make make) {
    Enter(name, help);
    makes_.push_back(std::move(make));
  }
  /// Null: there is none of the name.
  const Make* Find(const std::string& name) const {
    const int place = PlaceOf(name);
    return place < 0 ? nullptr : &makes_[static_cast<std::size_t>(place)];
  }
  const std::deque<Make>& makes() const { return makes_; }

 private:
  std::deque<Make> makes_;  ///< which stay where they are
};

/// What the user typed as "NAME:ARGUMENTS"; without a colon there are no arguments.
struct NameAndArguments {
  explicit NameAndArguments(const std::string& text) : name(text.substr(0, text.find(':'))) {
    if (name.size() < text.size()) arguments = text.substr(name.size() + 1);
  }

  std::string name;
  std::string arguments;
};

}  // namespace tilefly
