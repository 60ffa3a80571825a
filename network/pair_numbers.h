// SPDX-License-Identifier: Apache-2.0
// Numbers of the packets that one NIC sends to another, by which the receiver recognizes copies whatever their age
// (docs/blocks/link_retry.md, NIC, "Exactly once").
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "network/messages.h"

namespace tilefly::network {

/// The numbers of a pair are those of a queue pair of RoCEv2.
inline constexpr int kNumberBits = 24;

/// How far `number` is ahead of `from`: -2^23 to 2^23 - 1. Only the lowest 24 bits of both count.
inline std::int32_t AheadOf(std::uint32_t from, std::uint32_t number) {
  constexpr int kAbove = 32 - kNumberBits;
  return static_cast<std::int32_t>((number - from) << kAbove) >> kAbove;
}

/// How the numbers of all pairs of a run are used.
struct NumberSetup {
  int window = 0;           ///< N: numbers that a receiver remembers; 0: packets have no such numbers
  std::uint32_t first = 0;  ///< number of the first packet of each pair
};

/// One bit for each of `size` numbers, from a first one that moves on.
class MovingBits {
 public:
  MovingBits() = default;
  explicit MovingBits(int size) : size_(size), words_(static_cast<std::size_t>((size + 63) / 64)) {}

  int size() const { return size_; }
  /// Of the number that is `ahead` of the first, 0 to size - 1.
  bool Test(int ahead) const { return (words_[WordOf(ahead)] & BitOf(ahead)) != 0; }
  void Set(int ahead) { words_[WordOf(ahead)] |= BitOf(ahead); }
  /// The first number moves on; the bits of the numbers that it passes are forgotten.
  void MoveOn(int by);

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(size_, first_, words_);
  }

 private:
  std::size_t At(int ahead) const { return static_cast<std::size_t>((first_ + ahead) % size_); }
  std::size_t WordOf(int ahead) const { return At(ahead) / 64; }
  std::uint64_t BitOf(int ahead) const { return std::uint64_t{1} << At(ahead) % 64; }

  std::int32_t size_ = 0;
  std::int32_t first_ = 0;  ///< place of the first number's bit
  std::vector<std::uint64_t> words_;
};

/// The numbers of a pair at their sender.
class SentNumbers {
 public:
  SentNumbers() = default;
  explicit SentNumbers(const NumberSetup& setup) : next_(setup.first), oldest_(setup.first), ended_(setup.window) {}

  /// Whether a new packet may start.
  bool MaySend() const { return next_ - oldest_ < static_cast<std::uint32_t>(ended_.size()); }
  /// The number of a new packet.
  std::uint32_t Take() { return next_++; }
  /// The lowest number that is neither acknowledged nor given up; without one that of the next packet.
  std::uint32_t oldest() const { return oldest_; }
  /// The packet is acknowledged or given up.
  void End(std::uint32_t number);

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(next_, oldest_, ended_);
  }

 private:
  std::uint32_t next_ = 0;
  std::uint32_t oldest_ = 0;
  MovingBits ended_;  ///< from `oldest_` on
};

/// The numbers of a pair at their receiver.
class ArrivedNumbers {
 public:
  ArrivedNumbers() = default;
  explicit ArrivedNumbers(const NumberSetup& setup) : base_(setup.first), arrived_(setup.window) {}

  /// A packet comes that carries these two numbers. Returns whether it is new. Throws std::logic_error for a number that
  /// is beyond what the receiver remembers: its sender has not waited.
  bool Take(std::uint32_t number, std::uint32_t oldest);

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(base_, arrived_);
  }

 private:
  void MoveOn(std::int32_t by);

  std::uint32_t base_ = 0;
  MovingBits arrived_;  ///< from `base_` on
};

/// The numbers of all pairs that a NIC belongs to.
class PairNumbers {
 public:
  explicit PairNumbers(const NumberSetup& setup) : setup_(setup) {}

  bool MaySend(int destination) const {
    const auto pair = sent_.find(destination);
    return pair == sent_.end() || pair->second.MaySend();
  }
  std::uint32_t Take(int destination) { return Sent(destination).Take(); }
  std::uint32_t oldest(int destination) { return Sent(destination).oldest(); }
  void End(const PacketRecord& record) { Sent(record.destination).End(record.sequence); }
  /// Whether a packet that comes is new.
  bool Arrive(const PacketRecord& record);

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(sent_, arrived_);
  }

 private:
  SentNumbers& Sent(int destination) { return sent_.try_emplace(destination, setup_).first->second; }

  const NumberSetup setup_;
  std::map<std::int32_t, SentNumbers> sent_;        ///< by destination
  std::map<std::int32_t, ArrivedNumbers> arrived_;  ///< by source
};

}  // namespace tilefly::network
