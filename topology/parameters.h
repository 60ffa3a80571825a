// SPDX-License-Identifier: Apache-2.0
// The keys of a topology's description ("p=2,a=4,h=2"), asked for one by one and read strictly.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tilefly::topology {

/// Every complaint is a UsageError that names the family, the key, what is possible and why.
class Parameters {
 public:
  /// `text` is what follows "FAMILY:".
  Parameters(std::string family, const std::string& text);

  /// Values of `text` replace those that are there; throws for a key twice within `text`.
  void Override(const std::string& text);

  bool Has(const std::string& key) const;
  /// A whole number between `least` and `most`; `why` says where the upper limit comes from. A key that must be there.
  int Integer(const std::string& key, int least, int most, const std::string& why);
  /// The same, with the value of an absent key; that is checked against the limits too.
  int Integer(const std::string& key, int initial, int least, int most, const std::string& why);
  /// "2.6m": metres.
  double Metres(const std::string& key, double initial);
  /// One of `known`.
  std::string Choice(const std::string& key, const std::string& initial, const std::vector<std::string>& known);
  std::string Text(const std::string& key, const std::string& initial);
  std::string Text(const std::string& key);
  /// Throws for a key that nobody asked for, with the nearest known one.
  void Finish() const;

  /// "topology dragonfly": how messages begin.
  std::string origin() const { return "topology " + family_; }

 private:
  const std::string* Find(const std::string& key) const;

  std::string family_;
  std::vector<std::pair<std::string, std::string>> values_;
  std::vector<std::string> asked_;
};

/// "2.6m" of a cable: metres between 0 and 10 km; `what` begins the message.
double ParseMetres(const std::string& text, const std::string& what);
/// The shortest text that ParseMetres reads as the same number.
std::string MetresText(double metres);

}  // namespace tilefly::topology
