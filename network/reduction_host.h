// SPDX-License-Identifier: Apache-2.0
// A rank's side of the reductions that switches do (docs/reductions.md, Hosts): locks, segments and their credits,
// short operations, failures.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "network/red_packets.h"
#include "network/reduction_job.h"
#include "network/traffic.h"
#include "workload/job_statistics.h"

namespace tilefly::network {

class ReductionHost {
 public:
  /// An operation of the rank is complete in `cycle`, which may be in the future.
  struct Completion {
    std::int32_t operation;
    Cycle cycle;
  };

  /// `job` must outlive it.
  ReductionHost(const ReductionJob& job, int rank, int endpoint) : job_(job), rank_(rank), endpoint_(endpoint) {}

  /// The next cycle in which something happens; kNever: nothing happens by itself.
  Cycle due() const;
  /// Does everything that happens in cycle `now`. Returns an operation that has become complete, if there is one.
  std::optional<Completion> Run(Cycle now, workload::JobStatistics* statistics);
  /// The rank begins an operation in cycle `now`. It begins one at a time.
  void Begin(int operation, Cycle now);

  /// Whether there is a packet to send.
  bool has_packet() const { return !outbox_.empty(); }
  /// The packet to be sent next. It was created in the cycle in which it was ready.
  Traffic::NewPacket Head() const;
  /// That packet's first word is on the link in cycle `now`.
  void Start(Cycle now);
  /// The packet that has just started.
  RedPacket TakeStarted() { return std::move(started_); }
  /// Takes a packet whose last word comes in cycle `last`.
  void Arrive(const RedPacket& packet, Cycle last) { arrivals_.push_back({last, packet}); }

  /// A text that says what the rank waits for; empty: nothing.
  std::string Waiting() const;
  /// Whether the job has failed for this rank.
  bool failed() const { return state_ == State::kFailed; }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(state_, asked_, locked_, tag_, left_, operation_, operations_done_, begun_, starts_, pause_ends_, active_,
            next_part_, results_, sent_, credited_, returned_, next_short_, under_way_, part_of_, tries_, lock_tries_,
            outbox_, arrivals_);
  }

 private:
  enum class State : std::uint8_t { kIdle, kAsking, kPausing, kWorking, kFailed };
  static constexpr int kEngines = 8;

  /// A packet that is ready to be sent.
  struct Ready {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(at, packet);
    }
    Cycle at;
    RedPacket packet;
  };
  /// A packet whose last word comes in a known cycle.
  struct Arrival {
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(last, packet);
    }
    Cycle last;
    RedPacket packet;
  };

  static Cycle CountsIn(const Arrival& arrival);
  Cycle deadline() const;
  void Want(RedAction action, Cycle begins);
  void Ask(Cycle now);
  void Work(Cycle begins, Cycle now);
  void MakeParts(Cycle now);
  bool MaySend() const;
  RedPacket Packet(RedWhat what) const;
  RedPacket Part(int part);
  RedPacket Short(RedAction action, int part);
  void Receive(const Arrival& arrival, Cycle now);
  void TakeResult(const Arrival& arrival);
  void TakeShort(const Arrival& arrival, Cycle now);
  void Answered(const Red& answer, Cycle now);
  void CheckResult(int part, const Arrival& arrival) const;
  void Complete(Cycle last);
  void Fail(Cycle now, RedCode code, bool told);

  const ReductionJob& job_;
  const int rank_;
  const int endpoint_;
  State state_ = State::kIdle;
  RedAction asked_ = RedAction::kLock;  ///< the lock or unlock that is asked for, or will be after a pause
  bool locked_ = false;
  std::uint8_t tag_ = 0;         ///< of the lock
  std::int32_t left_ = 0;        ///< operations left of the lock; 0: no limit
  std::int32_t operation_ = -1;  ///< the operation under way; -1: none
  std::int32_t operations_done_ = 0;
  Cycle begun_ = 0;   ///< cycle in which the rank began the operation
  Cycle starts_ = 0;  ///< cycle in which its first packet is ready
  Cycle pause_ends_ = 0;
  Cycle active_ = 0;                              ///< the last cycle in which something was sent or came
  std::int32_t next_part_ = 0;                    ///< next part of the operation to be made ready
  std::int32_t results_ = 0;                      ///< results of the operation that have come
  std::int64_t sent_ = 0;                         ///< segments since the lock that are ready or sent
  std::int64_t credited_ = 0;                     ///< of these segments, those that the node has reported as launched
  std::int64_t returned_ = 0;                     ///< results since the lock
  std::int64_t next_short_ = 0;                   ///< number of the group's next short operation
  std::uint8_t under_way_ = 0;                    ///< engines with a short operation, one bit each
  std::array<std::int32_t, kEngines> part_of_{};  ///< by engine: its part of the operation; -1: a lock
  std::int64_t tries_ = 0;       ///< refused locks and unlocks since the begin of the run
  std::int32_t lock_tries_ = 0;  ///< refused tries of this lock
  std::deque<Ready> outbox_;
  std::deque<Arrival> arrivals_;
  // What a call of Run or Start leaves, until it is taken in the same cycle.
  std::optional<Completion> completion_;
  std::optional<workload::JobFailure> failure_;
  RedPacket started_;
};

}  // namespace tilefly::network
