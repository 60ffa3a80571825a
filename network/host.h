// SPDX-License-Identifier: Apache-2.0
// The host of an endpoint: a rank of a job. It executes the rank's schedule, and makes packets of its messages
// (docs/workloads.md).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "network/host_setup.h"
#include "network/messages.h"
#include "network/reduction_host.h"
#include "network/statistics.h"
#include "network/traffic.h"
#include "workload/app_aware.h"
#include "workload/rank_run.h"
#include "workload/segments.h"

namespace tilefly::network {

class Host {
 public:
  /// `endpoint` must have a rank. The host begins in cycle `begin`. `reductions`: by job.
  Host(const HostSetup& setup, int endpoint, Cycle begin, int clock_khz, const std::vector<ReductionJob>& reductions);

  /// The next cycle in which the host has to be run; kNever: nothing happens by itself.
  Cycle due() const {
    if (!reductions_) return run_.due();
    return failed() ? reductions_->due() : std::min(run_.due(), reductions_->due());
  }
  /// Does what happens in cycle `now`.
  void Run(Cycle now, Statistics* statistics);

  /// Whether the host has a packet to send.
  bool has_packet() const { return loaded_ || HasReduction(); }
  /// The packet to be sent next. It was created when its message was handed over. A message that has begun is finished
  /// first; then reduction packets go before new messages.
  Traffic::NewPacket Head() const;
  /// Whether the packet to be sent next is the first of its message.
  bool begins_message() const { return loaded_ && packet_ == 0; }
  /// The message whose packets are being sent.
  workload::NextMessage Message() const;
  /// The first cycle in which the packet to be sent next may be on the link.
  Cycle ready() const;
  /// That packet's first word is on the link in cycle `now`, its last word `offset` cycles later. Notes in `record` to
  /// which operation the packet belongs.
  void Start(Cycle now, Cycle offset, PacketRecord* record);
  /// The reduction packet to be sent next is on the link in cycle `now`. It can be taken then.
  void StartReduction(Cycle now);
  RedPacket TakeStarted() { return reductions_->TakeStarted(); }

  /// Takes a packet of another host, which `record` describes; its last word comes in cycle `last`.
  void Arrive(const PacketRecord& record, Cycle last, Statistics* statistics);
  void ArriveReduction(const RedPacket& packet, Cycle last) { reductions_->Arrive(packet, last); }

  /// Calls `visit(count, length, created)` for the packets that have not been sent, once for all equal packets of a
  /// message.
  template <typename Visit>
  void ForEachQueued(Visit&& visit) const;

  const workload::Seat& seat() const { return seat_; }
  const workload::RankRun& run() const { return run_; }
  /// Whether something will happen without a message of another rank.
  bool busy() const { return has_packet() || due() != kNever || run_.busy(); }
  /// Whether the rank's job has failed, so that the rank has stopped.
  bool failed() const { return reductions_ && reductions_->failed(); }
  /// A text that says what the rank's reduction waits for; empty: it has none.
  std::string Waiting() const { return reductions_ ? reductions_->Waiting() : ""; }
  /// Whether the rank begins anew whenever it is done.
  bool repeats() const { return job_.schedule.repeats; }
  /// Whether the rank has nothing more to do.
  bool over() const { return failed() || run_.done(); }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(run_, loaded_, message_, packet_, packets_, ready_, free_);
    if (reductions_) archive(*reductions_);
  }

 private:
  const workload::Operation& OperationOf(int index) const { return job_.schedule.ranks[seat_.rank].operations[index]; }
  int LengthOf(std::int64_t bytes, int packet) const;
  template <typename Visit>
  void ForEachPacketOf(const workload::Posted& message, int from, Visit&& visit) const;
  static bool IsReduction(const workload::Posted& one) { return one.slot < 0; }
  bool HasReduction() const { return reductions_ && reductions_->has_packet(); }
  void Load();

  const HostSetup& setup_;
  const workload::Seat seat_;
  const workload::Job& job_;
  const int most_data_;
  workload::RankRun run_;
  bool loaded_ = false;
  workload::Posted message_{};  ///< the message whose packets are being sent
  int packet_ = 0;              ///< number of its next packet
  int packets_ = 0;
  Cycle ready_ = 0;
  Cycle free_ = 0;                             ///< the packet before has started
  std::unique_ptr<ReductionHost> reductions_;  ///< null: the job does not reduce in switches
};

/// Visits the packets of a message from packet `from` on. The first and the last packet may have other lengths than the
/// rest.
template <typename Visit>
void Host::ForEachPacketOf(const workload::Posted& message, int from, Visit&& visit) const {
  const std::int64_t bytes = OperationOf(message.operation).amount;
  const int last = workload::PacketsOf(bytes, most_data_) - 1;
  if (from == 0) visit(1, LengthOf(bytes, 0), message.at);
  const int between = std::max(from, 1);
  if (between < last) visit(last - between, LengthOf(bytes, between), message.at);
  if (between <= last) visit(1, LengthOf(bytes, last), message.at);
}

template <typename Visit>
void Host::ForEachQueued(Visit&& visit) const {
  if (loaded_) ForEachPacketOf(message_, packet_, visit);
  for (std::size_t i = 0; i < run_.posted().size(); ++i) {
    if (!IsReduction(run_.posted()[i])) ForEachPacketOf(run_.posted()[i], 0, visit);
  }
}

}  // namespace tilefly::network
