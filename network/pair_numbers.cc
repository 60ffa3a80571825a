// SPDX-License-Identifier: Apache-2.0
#include "network/pair_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace tilefly::network {

void MovingBits::MoveOn(int by) {
  if (by >= size_) {
    std::fill(words_.begin(), words_.end(), 0);
    return;
  }
  for (int i = 0; i < by; ++i) {
    words_[WordOf(0)] &= ~BitOf(0);
    first_ = (first_ + 1) % size_;
  }
}

void SentNumbers::End(std::uint32_t number) {
  ended_.Set(static_cast<int>(number - oldest_));
  for (; oldest_ != next_ && ended_.Test(0); ++oldest_) ended_.MoveOn(1);
}

bool ArrivedNumbers::Take(std::uint32_t number, std::uint32_t oldest) {
  MoveOn(std::max(0, AheadOf(base_, oldest)));
  const std::int32_t ahead = AheadOf(base_, number);
  if (ahead >= arrived_.size()) {
    throw std::logic_error(
        fmt::format("network: packet {} of a pair is {} ahead of {}, of {} at most", number, ahead, base_, arrived_.size()));
  }
  if (ahead < 0 || arrived_.Test(ahead)) return false;
  arrived_.Set(ahead);
  while (arrived_.Test(0)) MoveOn(1);
  return true;
}

void ArrivedNumbers::MoveOn(std::int32_t by) {
  base_ += static_cast<std::uint32_t>(by);
  arrived_.MoveOn(by);
}

bool PairNumbers::Arrive(const PacketRecord& record) {
  return arrived_.try_emplace(record.source, setup_).first->second.Take(record.sequence, record.oldest);
}

}  // namespace tilefly::network
