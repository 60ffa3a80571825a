// SPDX-License-Identifier: Apache-2.0
// The host of an endpoint: a rank of a job that executes its schedule, its messages as packets (docs/workloads.md).
#pragma once

#include <memory>
#include <vector>

#include "golden/network/messages.h"
#include "golden/network/statistics.h"
#include "golden/network/traffic.h"
#include "workload/app_aware.h"
#include "workload/jobs.h"
#include "workload/rank_run.h"
#include "workload/segments.h"

namespace tilefly::golden {

/// What all hosts of a run have in common.
struct HostSetup {
  /// Whether endpoints execute jobs instead of sending synthetic traffic.
  bool used() const { return workload != nullptr; }

  std::shared_ptr<const workload::Workload> workload;
  std::vector<int> classes;    ///< traffic class by job
  std::vector<int> most_data;  ///< of a packet, bytes, by job
  Cycle message_overhead = 0;  ///< before the first packet of a message
  Cycle packet_overhead = 0;   ///< before every packet
};

class Host {
 public:
  /// The endpoint has a rank; it begins in cycle `begin`.
  Host(const HostSetup& setup, int endpoint, Cycle begin, int clock_khz);

  /// The next cycle in which it is to be run, kNever: nothing happens by itself.
  Cycle due() const { return run_.due(); }
  /// What happens in cycle `now`.
  void Run(Cycle now, Statistics* statistics);

  /// There is a packet to be sent.
  bool has_packet() const { return loaded_; }
  /// The packet to be sent next: created when its message was handed over.
  Traffic::NewPacket Head() const;
  /// It is the first one of its message.
  bool begins_message() const { return packet_ == 0; }
  /// The message whose packets are sent.
  workload::NextMessage Message() const;
  /// The first cycle in which it may be on the link.
  Cycle ready() const { return ready_; }
  /// Its first word is on the link in cycle `now`, its last one `offset` cycles later. Notes in the record whose it is.
  void Start(Cycle now, Cycle offset, PacketRecord* record);

  /// A packet of another host comes, as `record` says; its last word is there in cycle `last`.
  void Arrive(const PacketRecord& record, Cycle last, Statistics* statistics);

  /// Packets that have not been sent, as (length, created).
  template <typename Visit>
  void ForEachQueued(Visit&& visit) const;

  const workload::Seat& seat() const { return seat_; }
  const workload::RankRun& run() const { return run_; }
  /// Something will happen without a message of another rank.
  bool busy() const { return loaded_ || run_.busy(); }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(run_, loaded_, message_, packet_, packets_, ready_, free_);
  }

 private:
  const workload::Operation& OperationOf(int index) const { return job_.schedule.ranks[seat_.rank].operations[index]; }
  int LengthOf(std::int64_t bytes, int packet) const;
  void Load();

  const HostSetup& setup_;
  const workload::Seat seat_;
  const workload::Job& job_;
  const int most_data_;
  workload::RankRun run_;
  bool loaded_ = false;
  workload::Posted message_{};  ///< of which packets are sent
  int packet_ = 0;              ///< of it, the next
  int packets_ = 0;
  Cycle ready_ = 0;
  Cycle free_ = 0;  ///< the packet before has started
};

template <typename Visit>
void Host::ForEachQueued(Visit&& visit) const {
  const auto message = [&](const workload::Posted& one, int from) {
    const std::int64_t bytes = OperationOf(one.operation).amount;
    for (int packet = from; packet < workload::PacketsOf(bytes, most_data_); ++packet)
      visit(LengthOf(bytes, packet), one.at);
  };
  if (loaded_) message(message_, packet_);
  for (std::size_t i = 0; i < run_.posted().size(); ++i) message(run_.posted()[i], 0);
}

}  // namespace tilefly::golden
