// SPDX-License-Identifier: Apache-2.0
// The keys of a capability file, in one table: the reader, `conform init` and docs/reference/capability.md are made of
// it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilefly::conform {

enum class KeyKind {
  kText,    ///< any text
  kWord,    ///< one of `words`
  kNumber,  ///< a whole number from `low` to `high`
  kShare,   ///< a real number above 0, at most 1
  kTexts,   ///< a list of texts
  kPairs,   ///< a mapping of names to texts
};

/// The style of ports that a key belongs to.
enum class KeyStyle { kBoth, kStream, kLink };

struct Key {
  std::string section;  ///< "" at the top
  std::string name;
  KeyKind kind;
  std::string initial;             ///< value when the key is absent; kRequired: it must be there; "": none
  std::vector<std::string> words;  ///< of kWord; of kTexts those that an item may be, none: any
  std::int64_t low;                ///< of kNumber
  std::int64_t high;
  std::string help;  ///< a sentence without its full stop, with the unit
  KeyStyle style = KeyStyle::kBoth;

  /// "claims.latency".
  std::string Path() const { return section.empty() ? name : section + "." + name; }
};

inline constexpr const char* kRequired = "(required)";
/// Value of a key that names a port of the top: it has none.
inline constexpr const char* kNoPort = "none";

/// The values that a key may have: " (dropped, flooded, undefined)", " (2 to 64)"; empty: any text.
std::string Choices(const Key& key);

/// In the order in which a file should have them.
const std::vector<Key>& Keys();

}  // namespace tilefly::conform
