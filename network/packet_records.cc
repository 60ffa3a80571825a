// SPDX-License-Identifier: Apache-2.0
#include "network/packet_records.h"

#include <algorithm>

namespace tilefly::network {

void PacketStore::Lend(std::vector<golden::Payload>* numbers) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t i = 0; i < kLent && free_.empty(); ++i, ++made_) {
    const auto made = static_cast<golden::Payload>(made_);
    places_.Make(made);
    numbers->push_back(made);
  }
  const std::size_t count = std::min(free_.size(), kLent);
  numbers->insert(numbers->end(), free_.end() - static_cast<std::ptrdiff_t>(count), free_.end());
  free_.resize(free_.size() - count);
}

void PacketStore::TakeHalf(std::vector<golden::Payload>* numbers) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto middle = numbers->begin() + static_cast<std::ptrdiff_t>(numbers->size() / 2);
  free_.insert(free_.end(), numbers->begin(), middle);
  numbers->erase(numbers->begin(), middle);
}

}  // namespace tilefly::network
