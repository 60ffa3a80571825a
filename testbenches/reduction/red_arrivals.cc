// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/red_arrivals.h"

#include <algorithm>

namespace tilefly::bench {
namespace {

constexpr int kWordBytes = 32;

}  // namespace

void RedArrivals::Start(Cycle now, RedArrival packet, bool steady) {
  packet_ = std::move(packet);
  bytes_.resize(Header::kBytes);
  packet_.header.PackBytes(bytes_.data());
  bytes_.insert(bytes_.end(), packet_.frame.begin(), packet_.frame.end());
  busy_ = true;
  first_ = now;
  next_ = 0;
  const bool fewer = !steady && random_.Chance(48, "lanes", now, index_);
  lanes_ = fewer ? random_.Between(1, 3, "fewer lanes", now, index_) : 4;
  const bool cut = packet_.damaged && random_.Chance(128, "cut", now, index_);
  cut_after_ = cut ? random_.Between(1, words(), "cut after", now, index_) : 0;
}

RedArrivals::Event RedArrivals::Next(Cycle now) {
  Event event;
  if (!busy_) return event;
  event.length = static_cast<int>(packet_.frame.size());
  if (cut_after_ != 0 && next_ == cut_after_) {
    if (now < end_) return event;
    event.ends = true;
    event.status = Drop::kBroken;
    busy_ = false;
    return event;
  }
  if (now < first_ + 4 * next_ / lanes_) return event;
  event.word = true;
  event.begins = next_ == 0;
  const auto from = bytes_.begin() + kWordBytes * next_;
  std::copy_n(from, std::min<std::ptrdiff_t>(kWordBytes, bytes_.end() - from), event.data.begin());
  ++next_;
  if (next_ == cut_after_) {
    end_ = now + random_.Between(1, 9, "end of a cut packet", now, index_);
  } else if (next_ == words()) {
    event.ends = true;
    event.status = packet_.damaged ? Drop::kFcs : Drop::kNone;
    busy_ = false;
  }
  return event;
}

}  // namespace tilefly::bench
