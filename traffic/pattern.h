// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilefly {

/// What most patterns are given by. Messages begin with the option.
inline constexpr const char* kTrafficOption = "--traffic";

/// Throws UsageError: no --traffic of the names in `known` is written so. It says what may be meant.
[[noreturn]] void ThrowUnknownTraffic(const std::string& text, const std::vector<std::string>& known,
                                      const std::string& option);

/// Who sends to whom, among numbered ports (or whatever `noun` says): uniform | permutation:NAME | hotspot:PORTS:SHARE
/// | incast:PORT. Names of permutations: identity, shift:K, bitreverse, bitcomplement, transpose, tornado, random.
class Pattern {
 public:
  /// Throws UsageError naming the nearest known name.
  Pattern(const std::string& text, int ports, std::uint64_t seed, const std::string& noun = "port",
          const std::string& option = kTrafficOption);
  /// Destination of frame `id` of `source`; -1 when the source sends nothing.
  int Destination(int source, std::uint64_t id) const;
  bool Sends(int source) const { return incast_ != source; }
  /// The names that --traffic takes, for error messages.
  static std::vector<std::string> Names();

 private:
  int Uniform(int source, std::uint64_t bits) const;
  int Parse(const std::string& text) const;
  void MakePermutation(const std::vector<std::string>& words);

  int ports_;
  std::uint64_t seed_;
  std::string noun_, option_;     ///< for messages
  std::vector<int> permutation_;  ///< empty: none
  std::vector<int> hot_;
  double hot_share_ = 0;
  int incast_ = -1;
};

}  // namespace tilefly
