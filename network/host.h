// SPDX-License-Identifier: Apache-2.0
// The host of an endpoint: a rank of a job. It executes the rank's schedule, and makes packets of its messages
// (docs/workloads.md).
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
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
  /// The message that is being sent, among those of which packets may be sent.
  static constexpr int kCurrent = -1;

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
  /// Whether a message has begun to be sent since the last call.
  bool TakeBegin() { return std::exchange(begins_, false); }
  /// The message whose packets are being sent.
  workload::NextMessage Message() const;
  /// The first cycle in which the packet to be sent next may be on the link.
  Cycle ready() const;
  /// The next packet of a message, kCurrent or one that was put aside, has its first word on the link in cycle `now`, its
  /// last word `offset` cycles later. Notes in `record` to which operation the packet belongs.
  void Start(int message, Cycle now, Cycle offset, PacketRecord* record);
  /// The reduction packet to be sent next is on the link in cycle `now`. It can be taken then.
  void StartReduction(Cycle now);
  RedPacket TakeStarted() { return reductions_->TakeStarted(); }

  // Messages of paused flows, which gave way to others (docs/blocks/flow_channel.md, NIC).

  /// Whether a message is being sent, which may be put aside, and (below) the endpoint that it is for.
  bool sends_message() const { return loaded_; }
  int Destination() const { return PeerOf(sending_); }
  /// The message that is being sent gives way in cycle `now`; its packets have this mode. The next message begins then.
  void PutAside(Cycle now, RouteMode mode);
  /// The messages that were put aside, numbered from 0 in the order in which they began.
  int aside() const { return static_cast<int>(aside_.size()); }
  int DestinationAside(int message) const { return PeerOf(aside_[message]); }
  RouteMode ModeAside(int message) const { return aside_[message].mode; }
  Traffic::NewPacket HeadAside(int message) const { return HeadOf(aside_[message]); }
  /// As `ready`, of such a message, and of the first of them; kNever: there is none.
  Cycle ReadyAside(int message) const { return ReadyOf(aside_[message]); }
  Cycle FirstReadyAside() const {
    Cycle first = kNever;
    for (int i = 0; i < aside(); ++i) first = std::min(first, ReadyAside(i));
    return first;
  }

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
  bool busy() const { return has_packet() || !aside_.empty() || due() != kNever || run_.busy(); }
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
    archive(run_, loaded_, begins_, sending_, aside_, free_);
    if (reductions_) archive(*reductions_);
  }

 private:
  /// A message whose packets are being sent.
  struct Sending {
    workload::Posted message{};
    std::int32_t packet = 0;  ///< number of its next packet
    std::int32_t packets = 0;
    Cycle ready = 0;  ///< first cycle of its next packet, whatever other messages the NIC sends
    RouteMode mode{};  ///< of a message that was put aside
  };

  int PeerOf(const Sending& one) const { return job_.endpoints[OperationOf(one.message.operation).peer]; }
  Traffic::NewPacket HeadOf(const Sending& one) const;
  Cycle ReadyOf(const Sending& one) const { return std::max(one.ready, free_ + setup_.packet_overhead); }
  const workload::Operation& OperationOf(int index) const { return job_.schedule.ranks[seat_.rank].operations[index]; }
  int LengthOf(std::int64_t bytes, int packet) const;
  template <typename Visit>
  void ForEachPacketOf(const workload::Posted& message, int from, Visit&& visit) const;
  static bool IsReduction(const workload::Posted& one) { return one.slot < 0; }
  bool HasReduction() const { return reductions_ && reductions_->has_packet(); }
  void Load(Cycle from);

  const HostSetup& setup_;
  const workload::Seat seat_;
  const workload::Job& job_;
  const int most_data_;
  workload::RankRun run_;
  bool loaded_ = false;
  bool begins_ = false;  ///< see TakeBegin
  Sending sending_;      ///< while `loaded_`
  std::deque<Sending> aside_;
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
  for (const Sending& one : aside_) ForEachPacketOf(one.message, one.packet, visit);
  if (loaded_) ForEachPacketOf(sending_.message, sending_.packet, visit);
  for (std::size_t i = 0; i < run_.posted().size(); ++i) {
    if (!IsReduction(run_.posted()[i])) ForEachPacketOf(run_.posted()[i], 0, visit);
  }
}

}  // namespace tilefly::network
