// SPDX-License-Identifier: Apache-2.0
#include "traffic/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numeric>
#include <utility>

#include "support/errors.h"
#include "support/extension_error.h"
#include "support/random.h"
#include "support/text.h"

namespace tilefly {
namespace {

const std::vector<std::string> kBuiltIn = {"uniform", "permutation", "hotspot", "incast"};

const std::vector<std::string> kPermutations = {"identity",  "shift",   "bitreverse", "bitcomplement",
                                                "transpose", "tornado", "random"};

std::string Capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

void ThrowUnknownTraffic(const std::string& text, const std::vector<std::string>& known, const std::string& option) {
  const std::string name = text.substr(0, text.find(':'));
  const std::size_t mark = name.find_first_of(",;= ");
  const std::string word = name.substr(0, mark);
  if (mark != std::string::npos && std::find(known.begin(), known.end(), word) != known.end())
    throw UsageError(fmt::format("{} {}: what belongs to {} stands behind a colon; write {}:{}", option, text, word,
                                 word, text.substr(mark + 1)));
  ThrowUnknown(option == kTrafficOption ? "traffic" : fmt::format("traffic ({})", option), name, known);
}

Registry<PatternMaker>& Patterns() {
  static Registry<PatternMaker> patterns = [] {
    std::vector<std::string> taken = kBuiltIn;
    taken.insert(taken.end(), std::begin(kSystemPatterns), std::end(kSystemPatterns));
    return Registry<PatternMaker>("traffic pattern", std::move(taken));
  }();
  return patterns;
}

std::vector<std::string> Pattern::Names() {
  std::vector<std::string> names = kBuiltIn;
  for (std::string& own : Patterns().Names()) names.push_back(std::move(own));
  return names;
}

Pattern::Pattern(const std::string& text, int ports, std::uint64_t seed, const std::string& noun,
                 const std::string& option, std::vector<int> group_of)
    : ports_(ports), seed_(seed), noun_(noun), option_(option) {
  const auto words = Split(text, ':');
  const std::string name = words.empty() ? "" : words[0];
  if (name == "uniform" && words.size() == 1) return;
  if (name == "permutation" && words.size() >= 2) {
    MakePermutation(words);
  } else if (name == "hotspot" && words.size() == 3) {
    for (const std::string& port : Split(words[1], ',')) {
      hot_.push_back(Parse(port));
      if (std::count(hot_.begin(), hot_.end(), hot_.back()) > 1)
        throw UsageError(fmt::format("{} {}: {} {} is named twice; give it once", option_, text, noun_, hot_.back()));
    }
    hot_share_ = ParseReal(words[2], option_ + ", share");
    if (hot_.empty() || !(hot_share_ >= 0 && hot_share_ <= 1))
      throw UsageError(option_ + ": hotspot:PORTS:SHARE with a share of 0 to 1");
  } else if (name == "incast" && words.size() == 2) {
    incast_ = Parse(words[1]);
  } else if (name == "uniform" || name == "permutation" || name == "hotspot" || name == "incast") {
    throw UsageError(
        fmt::format("{2}: '{0}' is none of uniform, permutation:NAME, permutation:shift:K, "
                    "hotspot:{1},{1}:SHARE, incast:{1}",
                    text, Capitals(noun_), option_));
  } else if (!MakeOwn(words, std::move(group_of))) {
    ThrowUnknownTraffic(text, Names(), option_);
  }
}

/// Whether the first word names one of Patterns().
bool Pattern::MakeOwn(const std::vector<std::string>& words, std::vector<int> group_of) {
  const PatternMaker* const make = words.empty() ? nullptr : Patterns().Find(words[0]);
  if (make == nullptr) return false;
  own_name_ = words[0];
  own_ = InExtension(Patterns().kind(), own_name_, [&] {
    return (*make)({{words.begin() + 1, words.end()}, ports_, seed_, std::move(group_of)});
  });
  if (!own_) throw ExtensionError(Patterns().kind(), own_name_, "its maker has returned an empty function");
  return true;
}

int Pattern::AskOwn(int source, std::uint64_t id) const {
  return InExtension(Patterns().kind(), own_name_, [&] { return own_(source, id); });
}

bool Pattern::OwnSends(int source) const {
  const int to = AskOwn(source, 0);
  if (to < -1) ThrowNone(source, 0, to);
  return to >= 0;
}

int Pattern::OwnDestination(int source, std::uint64_t id) const {
  const int to = AskOwn(source, id);
  if (to < 0 || to >= ports_) ThrowNone(source, id, to);
  return to;
}

void Pattern::ThrowNone(int source, std::uint64_t id, int to) const {
  throw UsageError(fmt::format("{} {}: its destination of packet {} of {} {} is {}, which is not one of 0 to {}{}",
                               option_, own_name_, id, noun_, source, to, ports_ - 1,
                               id == 0 ? "; -1 for packet 0 says that the source sends nothing" : ""));
}

/// A number as the user typed it.
int Pattern::Parse(const std::string& text) const {
  const std::int64_t port = ParseInteger(text, fmt::format("{}, {}", option_, noun_));
  if (port < 0 || port >= ports_)
    throw UsageError(fmt::format("{}: {} {} is not one of 0 to {}", option_, noun_, port, ports_ - 1));
  return static_cast<int>(port);
}

void Pattern::MakePermutation(const std::vector<std::string>& words) {
  const std::string& name = words[1];
  int bits = 0;
  while (1 << bits < ports_) ++bits;
  const bool bitwise = name == "bitreverse" || name == "bitcomplement" || name == "transpose";
  if (bitwise && 1 << bits != ports_) {
    throw UsageError(
        fmt::format("{}: permutation {} needs a power of two of {}s, not {}", option_, name, noun_, ports_));
  }
  const int shift =
      name == "shift" && words.size() == 3 ? static_cast<int>(ParseInteger(words[2], option_ + ", shift") % ports_) : 1;
  if (words.size() > (name == "shift" ? 3u : 2u))
    throw UsageError(fmt::format("{}: too many fields after permutation:{}", option_, name));
  permutation_.resize(static_cast<std::size_t>(ports_));
  std::iota(permutation_.begin(), permutation_.end(), 0);
  if (name == "random") {
    Stream stream(seed_, 0, 0, Purpose::kPermutation);
    for (std::size_t i = permutation_.size(); i > 1; --i) std::swap(permutation_[i - 1], permutation_[stream.Below(i)]);
    return;
  }
  for (int& port : permutation_) {
    if (name == "shift") {
      port = ((port + shift) % ports_ + ports_) % ports_;
    } else if (name == "bitreverse") {
      int reversed = 0;
      for (int b = 0; b < bits; ++b) reversed |= (port >> b & 1) << (bits - 1 - b);
      port = reversed;
    } else if (name == "bitcomplement") {
      port = ports_ - 1 - port;
    } else if (name == "transpose") {  // rotation by half of the address bits
      const int half = bits / 2;
      port = (port >> half | port << (bits - half)) & (ports_ - 1);
    } else if (name == "tornado") {
      port = (port + (ports_ + 1) / 2 - 1) % ports_;
    } else if (name != "identity") {
      ThrowUnknown("permutation", name, kPermutations);
    }
  }
}

/// Any port but the source.
int Pattern::Uniform(int source, std::uint64_t bits) const {
  const int other = static_cast<int>(Below(bits, static_cast<std::uint64_t>(ports_ - 1)));
  return other + (other >= source);
}

int Pattern::Destination(int source, std::uint64_t id) const {
  if (!permutation_.empty()) return permutation_[static_cast<std::size_t>(source)];
  if (incast_ >= 0) return source == incast_ ? -1 : incast_;
  if (own_) return OwnDestination(source, id);
  const std::uint64_t bits = Draw(seed_, static_cast<std::uint32_t>(source), 2 * id, Purpose::kDestination);
  if (!hot_.empty()) {
    const std::uint64_t choice = Draw(seed_, static_cast<std::uint32_t>(source), 2 * id + 1, Purpose::kDestination);
    if (Unit(choice) < hot_share_) return hot_[Below(bits, hot_.size())];
  }
  return Uniform(source, bits);
}

}  // namespace tilefly
