// SPDX-License-Identifier: Apache-2.0
// Records of the packets under way in a process. A record belongs to the thread whose switch has the packet, and goes
// with the packet to other threads. Each thread has free numbers of its own.
#pragma once

#include <mutex>
#include <vector>

#include "golden/common/prefetch.h"
#include "network/messages.h"
#include "network/places.h"

namespace tilefly::network {

/// The records of all threads of a process.
class PacketStore {
 public:
  PacketRecord& operator[](golden::Payload payload) { return places_[payload]; }
  const PacketRecord& operator[](golden::Payload payload) const { return places_[payload]; }
  /// Adds free numbers to `*numbers`. Any thread may call it. Throws std::length_error when there are too many packets.
  void Lend(std::vector<golden::Payload>* numbers);
  /// Takes back the older half of a thread's free numbers.
  void TakeHalf(std::vector<golden::Payload>* numbers);
  /// How many numbers the threads have, in use or free.
  std::size_t lent() const { return made_ - free_.size(); }

 private:
  static constexpr std::size_t kLent = 64;

  Places<PacketRecord> places_;
  std::mutex mutex_;  ///< protects the members below
  std::vector<golden::Payload> free_;
  std::size_t made_ = 0;
};

/// The records as a thread sees them. The record that was released last is used next, because it is still in the cache.
class PacketRecords {
 public:
  /// `store` must outlive it.
  explicit PacketRecords(PacketStore* store) : store_(*store) {}

  /// A record with undefined contents.
  golden::Payload Allocate() {
    if (free_.empty()) store_.Lend(&free_);
    const golden::Payload payload = free_.back();
    free_.pop_back();
    return payload;
  }
  void Release(golden::Payload payload) {
    free_.push_back(payload);
    if (free_.size() > kMostFree) store_.TakeHalf(&free_);
  }
  PacketRecord& operator[](golden::Payload payload) { return store_[payload]; }
  const PacketRecord& operator[](golden::Payload payload) const { return store_[payload]; }
  /// Asks for the record, which may lie on two cache lines.
  void Prefetch(golden::Payload payload) const {
    const char* const record = reinterpret_cast<const char*>(&store_[payload]);
    golden::Prefetch(record, 1);
    golden::Prefetch(record + sizeof(PacketRecord) - 1, 1);
  }
  /// How many free numbers this thread has.
  std::size_t free() const { return free_.size(); }

 private:
  /// A thread with more free numbers than this gives the rest to the others.
  static constexpr std::size_t kMostFree = 4096;

  PacketStore& store_;
  std::vector<golden::Payload> free_;
};

}  // namespace tilefly::network
