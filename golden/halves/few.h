// SPDX-License-Identifier: Apache-2.0
// A list of a few things in the order of their cycles: nearly all are added at its end and taken from its front. The
// first N stand in the owner, because a list of memory of its own costs a cache line that is not there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace tilefly::golden {

/// `T` is trivially copyable, and has a cycle `at`.
template <typename T, int N>
class Few {
 public:
  Few() = default;
  Few(const Few&) = delete;
  Few& operator=(const Few&) = delete;
  Few(Few&& other) noexcept
      : more_(std::exchange(other.more_, nullptr)), head_(other.head_), size_(other.size_), capacity_(other.capacity_) {
    std::copy(other.few_, other.few_ + N, few_);
  }
  ~Few() { delete[] more_; }

  bool empty() const { return size_ == 0; }
  int size() const { return size_; }
  T& operator[](int i) { return first()[i]; }
  const T& operator[](int i) const { return first()[i]; }
  const T& front() const { return *first(); }

  void Append(const T& value) {
    if (head_ + size_ == capacity_) MakeRoom();
    first()[size_++] = value;
  }
  /// Behind all that have the same cycle.
  void Insert(const T& value) {
    if (head_ + size_ == capacity_) MakeRoom();
    T* const at = first();
    int i = size_++;
    for (; i > 0 && at[i - 1].at > value.at; --i) at[i] = at[i - 1];
    at[i] = value;
  }
  void PopFront() {
    ++head_;
    if (--size_ == 0) head_ = 0;
  }
  void Erase(int i) {
    if (i == 0) return PopFront();
    T* const at = first();
    for (--size_; i < size_; ++i) at[i] = at[i + 1];
  }

 private:
  static constexpr int kMost = 32768;

  T* first() { return (more_ != nullptr ? more_ : few_) + head_; }
  const T* first() const { return (more_ != nullptr ? more_ : few_) + head_; }
  void MakeRoom() {
    if (head_ != 0) {
      T* const begin = first() - head_;
      std::copy(begin + head_, begin + head_ + size_, begin);
      head_ = 0;
      return;
    }
    if (capacity_ >= kMost) throw std::length_error("golden: more than 32,768 messages wait at a half of a port");
    T* const larger = new T[2 * static_cast<std::size_t>(capacity_)];
    std::copy(first(), first() + size_, larger);
    delete[] more_;
    more_ = larger;
    capacity_ = static_cast<std::uint16_t>(2 * capacity_);
  }

  T* more_ = nullptr;  ///< null: all stand in `few_`
  std::uint16_t head_ = 0;
  std::uint16_t size_ = 0;
  std::uint16_t capacity_ = N;
  T few_[N]{};
};

}  // namespace tilefly::golden
