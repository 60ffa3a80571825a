// SPDX-License-Identifier: Apache-2.0
// A list of a few things in the order of their cycles: nearly all are added at its end and taken from its front. The
// first N stand in the owner, because a list of memory of its own costs a cache line that is not there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace tilefly::golden {

/// `T` is trivially copyable, and has a cycle `at`.
template <typename T, int N>
class Few {
 public:
  Few() = default;
  Few(const Few&) = delete;
  Few& operator=(const Few&) = delete;
  Few(Few&& other) noexcept : size_(other.size_), free_(other.free_), capacity_(other.capacity_) {
    if (other.in_owner()) {
      std::copy(other.few_, other.few_ + N, few_);
      first_ = few_ + (other.first_ - other.few_);
    } else {
      first_ = other.first_;
      other.first_ = other.few_;
      other.size_ = 0;
      other.free_ = other.capacity_ = N;
    }
  }
  ~Few() {
    if (!in_owner()) delete[] begin();
  }

  bool empty() const { return size_ == 0; }
  int size() const { return size_; }
  T& operator[](int i) { return first_[i]; }
  const T& operator[](int i) const { return first_[i]; }
  const T& front() const { return *first_; }

  void Append(const T& value) {
    if (free_ == 0) MakeRoom();
    --free_;
    first_[size_++] = value;
  }
  /// Behind all that have the same cycle.
  void Insert(const T& value) {
    if (free_ == 0) MakeRoom();
    --free_;
    T* at = first_ + size_++;
    for (; at != first_ && at[-1].at > value.at; --at) *at = at[-1];
    *at = value;
  }
  void PopFront() {
    ++first_;
    if (--size_ == 0) StartAnew();
  }
  void Erase(int i) {
    if (i == 0) return PopFront();
    --size_;
    ++free_;
    for (; i < size_; ++i) first_[i] = first_[i + 1];
  }

  /// See golden/common/archive.h. Where the things stand in memory is not saved.
  template <typename Archive>
  void Serialize(Archive& archive) {
    std::vector<T> all(first_, first_ + size_);
    archive(all);
    while (!empty()) PopFront();
    for (const T& one : all) Append(one);
  }

 private:
  static constexpr int kMost = 32768;

  bool in_owner() const { return capacity_ == N; }
  T* begin() { return first_ - (capacity_ - free_ - size_); }
  void StartAnew() {
    first_ = begin();
    free_ = capacity_;
  }
  /// There is none behind the last: at the places of those that are gone, or in twice the memory.
  void MakeRoom() {
    T* const old = begin();
    if (first_ != old) {
      std::copy(first_, first_ + size_, old);
      first_ = old;
    } else {
      if (capacity_ >= kMost) throw std::length_error("golden: more than 32,768 messages wait at a half of a port");
      T* const larger = new T[2 * static_cast<std::size_t>(capacity_)];
      std::copy(first_, first_ + size_, larger);
      if (!in_owner()) delete[] old;
      first_ = larger;
      capacity_ = static_cast<std::uint16_t>(2 * capacity_);
    }
    free_ = static_cast<std::uint16_t>(capacity_ - size_);
  }

  T* first_ = few_;
  std::uint16_t size_ = 0;
  std::uint16_t free_ = N;  ///< places behind the last
  std::uint16_t capacity_ = N;
  T few_[N]{};
};

}  // namespace tilefly::golden
