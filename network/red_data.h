// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tilefly::network {

/// The data of a reduction packet. Copies share them: what a device of words sends becomes known word by word, and
/// everybody who has the packet then knows it.
class RedData {
 public:
  RedData() = default;
  RedData(std::vector<std::uint8_t> bytes) {
    if (!bytes.empty()) bytes_ = std::make_shared<std::vector<std::uint8_t>>(std::move(bytes));
  }

  bool empty() const { return bytes_ == nullptr; }
  std::size_t size() const { return empty() ? 0 : bytes_->size(); }
  const std::uint8_t* data() const { return empty() ? nullptr : bytes_->data(); }
  const std::uint8_t* begin() const { return data(); }
  const std::uint8_t* end() const { return data() + size(); }
  void clear() { bytes_ = nullptr; }
  /// Writes the bytes from `offset` on, for all who share the data.
  void Put(int offset, const std::uint8_t* bytes, int count) const {
    std::copy_n(bytes, count, bytes_->begin() + offset);
  }

  /// See golden/common/archive.h. What is loaded is shared with nobody.
  template <typename Archive>
  void Serialize(Archive& archive) {
    std::vector<std::uint8_t> bytes(begin(), end());
    archive(bytes);
    if (bytes.size() != size() || !std::equal(bytes.begin(), bytes.end(), begin())) *this = RedData(std::move(bytes));
  }

 private:
  std::shared_ptr<std::vector<std::uint8_t>> bytes_;  ///< null: none
};

inline bool operator==(const RedData& a, const std::vector<std::uint8_t>& b) {
  return a.size() == b.size() && std::equal(b.begin(), b.end(), a.begin());
}

}  // namespace tilefly::network
