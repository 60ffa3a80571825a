// SPDX-License-Identifier: Apache-2.0
// The keys of a short description ("p=2,a=4,h=2"), asked for one by one and read strictly.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tilefly {

/// Every complaint is a UsageError that begins with the origin and names the key, what is possible and why.
class KeyValues {
 public:
  /// `origin` ("topology dragonfly") is how messages begin; `text` holds the keys.
  KeyValues(std::string origin, const std::string& text);

  /// Values of `text` replace those that are there; throws for a key twice within `text`.
  void Override(const std::string& text);

  bool Has(const std::string& key) const;
  /// A whole number between `least` and `most`; `why` says where the upper limit comes from. A key that must be there.
  int Integer(const std::string& key, int least, int most, const std::string& why);
  /// The same, with the value of an absent key; that is checked against the limits too.
  int Integer(const std::string& key, int initial, int least, int most, const std::string& why);
  /// One of `known`.
  std::string Choice(const std::string& key, const std::string& initial, const std::vector<std::string>& known);
  std::string Text(const std::string& key, const std::string& initial);
  std::string Text(const std::string& key);
  /// Throws for a key that nobody asked for, with the nearest known one.
  void Finish() const;

  /// How messages begin.
  const std::string& origin() const { return origin_; }

 private:
  const std::string* Find(const std::string& key) const;

  std::string origin_;
  std::vector<std::pair<std::string, std::string>> values_;
  std::vector<std::string> asked_;
};

}  // namespace tilefly
