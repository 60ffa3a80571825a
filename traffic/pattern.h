// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traffic/patterns.h"

namespace tilefly {

/// What most patterns are given by. Messages begin with the option.
inline constexpr const char* kTrafficOption = "--traffic";

/// Throws UsageError: no --traffic of the names in `known` is written so. It says what may be meant.
[[noreturn]] void ThrowUnknownTraffic(const std::string& text, const std::vector<std::string>& known,
                                      const std::string& option);

/// Who sends to whom, among numbered ports (or whatever `noun` says): uniform | permutation:NAME | hotspot:PORTS:SHARE
/// | incast:PORT, or one of Patterns(). Names of permutations: identity, shift:K, bitreverse, bitcomplement, transpose,
/// tornado, random.
class Pattern {
 public:
  /// `group_of`: of each of what is numbered; empty: there are no groups. Throws UsageError naming the nearest known name.
  Pattern(const std::string& text, int ports, std::uint64_t seed, const std::string& noun = "port",
          const std::string& option = kTrafficOption, std::vector<int> group_of = {});
  /// Destination of frame `id` of `source`; -1 when the source sends nothing. Throws UsageError when a pattern of
  /// Patterns() answers what is none.
  int Destination(int source, std::uint64_t id) const;
  /// Throws as Destination does.
  bool Sends(int source) const { return incast_ != source && (!own_ || OwnSends(source)); }
  /// The names that --traffic takes, for error messages.
  static std::vector<std::string> Names();

 private:
  int Uniform(int source, std::uint64_t bits) const;
  int Parse(const std::string& text) const;
  void MakePermutation(const std::vector<std::string>& words);
  bool MakeOwn(const std::vector<std::string>& words, std::vector<int> group_of);
  int AskOwn(int source, std::uint64_t id) const;
  bool OwnSends(int source) const;
  int OwnDestination(int source, std::uint64_t id) const;
  [[noreturn]] void ThrowNone(int source, std::uint64_t id, int to) const;

  int ports_;
  std::uint64_t seed_;
  std::string noun_, option_;     ///< for messages
  std::vector<int> permutation_;  ///< empty: none
  std::vector<int> hot_;
  double hot_share_ = 0;
  int incast_ = -1;
  std::string own_name_;
  DestinationFunction own_;  ///< of Patterns(); empty: none
};

}  // namespace tilefly
