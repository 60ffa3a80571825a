// SPDX-License-Identifier: Apache-2.0
#include "traffic/size_mix.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/errors.h"
#include "support/random.h"
#include "support/text.h"

namespace tilefly {

SizeMix::SizeMix(const std::string& text, int least, int most, const std::string& option) {
  double total = 0;
  for (const std::string& part : Split(text, ',')) {
    const auto fields = Split(part, '*');
    if (fields.empty() || fields.size() > 2)
      throw UsageError(fmt::format("{}: '{}' is not SIZE or SIZE*WEIGHT", option, part));
    const std::int64_t size = ParseBytes(fields[0], option);
    const double weight = fields.size() == 2 ? ParseWeight(fields[1], option + " " + part) : 1;
    if (size < least || size > most) {
      throw UsageError(fmt::format("{}: {} B is not between {} and {} B, the smallest and largest frame on these ports",
                                   option, size, least, most));
    }
    total += weight;
    entries_.push_back({static_cast<int>(size), weight, total});
  }
  if (entries_.empty()) throw UsageError(option + ": no size given");
  for (Entry& entry : entries_) {
    entry.share /= total;
    entry.up_to /= total;
  }
}

int SizeMix::largest() const {
  return std::max_element(entries_.begin(), entries_.end(),
                          [](const Entry& a, const Entry& b) { return a.size < b.size; })
      ->size;
}

int SizeMix::Pick(std::uint64_t bits) const {
  const double at = Unit(bits);
  for (const Entry& entry : entries_) {
    if (at < entry.up_to) return entry.size;
  }
  return entries_.back().size;
}

}  // namespace tilefly
