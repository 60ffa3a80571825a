// SPDX-License-Identifier: Apache-2.0
#include "network/host.h"

#include <algorithm>

namespace tilefly::network {

static_assert(kNever == workload::kNoCycle);

Host::Host(const HostSetup& setup, int endpoint, Cycle begin, int clock_khz,
           const std::vector<ReductionJob>& reductions)
    : setup_(setup),
      seat_(setup.workload->seats[endpoint]),
      job_(setup.workload->jobs[seat_.job]),
      most_data_(setup.most_data[seat_.job]),
      run_(job_.schedule, job_.plan[seat_.rank], seat_.rank, begin, clock_khz) {
  if (job_.schedule.reduction)
    reductions_ = std::make_unique<ReductionHost>(reductions[seat_.job], seat_.rank, endpoint);
}

void Host::Run(Cycle now, Statistics* statistics) {
  workload::JobStatistics* const job = &statistics->jobs[seat_.job];
  if (reductions_) {
    if (const auto complete = reductions_->Run(now, job)) run_.Sent(complete->operation, complete->cycle);
    if (failed()) return;
  }
  if (run_.due() <= now) run_.Run(now, job);
  if (!loaded_) Load(0);
}

/// Messages leave one after another, in the order in which they were handed over. The NIC turns to the next one in cycle
/// `from` at the earliest.
void Host::Load(Cycle from) {
  while (!run_.posted().empty() && IsReduction(run_.posted().front())) {
    const workload::Posted one = run_.posted().front();
    run_.TakePosted();
    reductions_->Begin(one.operation, one.at);
  }
  if (HasReduction() || run_.posted().empty()) return;
  sending_ = {};
  sending_.message = run_.posted().front();
  run_.TakePosted();
  loaded_ = begins_ = true;
  sending_.packets = workload::PacketsOf(OperationOf(sending_.message.operation).amount, most_data_);
  sending_.ready = std::max({sending_.message.at, free_, from}) + setup_.message_overhead + setup_.packet_overhead;
}

void Host::PutAside(Cycle now, RouteMode mode) {
  sending_.mode = mode;
  aside_.push_back(sending_);
  loaded_ = begins_ = false;
  Load(now);
}

int Host::LengthOf(std::int64_t bytes, int packet) const {
  return workload::FrameOf(workload::DataOf(bytes, most_data_, packet), packet == 0);
}

Cycle Host::ready() const {
  return loaded_ ? ReadyOf(sending_) : std::max(reductions_->Head().created, free_) + setup_.packet_overhead;
}

Traffic::NewPacket Host::Head() const { return loaded_ ? HeadOf(sending_) : reductions_->Head(); }

Traffic::NewPacket Host::HeadOf(const Sending& one) const {
  const int length = LengthOf(OperationOf(one.message.operation).amount, one.packet);
  return {one.message.at, PeerOf(one), length, setup_.classes[seat_.job]};
}

workload::NextMessage Host::Message() const {
  const workload::Operation& send = OperationOf(sending_.message.operation);
  workload::NextMessage message{send.amount, sending_.packets, 0, job_.endpoints[send.peer]};
  for (int packet = 0; packet < sending_.packets; ++packet) message.flits += WordsOf(LengthOf(send.amount, packet));
  return message;
}

void Host::Start(int message, Cycle now, Cycle offset, PacketRecord* record) {
  Sending& own = message == kCurrent ? sending_ : aside_[message];
  record->operation = own.message.operation;
  record->slot = own.message.slot;
  free_ = now;
  own.ready = now + setup_.packet_overhead;
  if (++own.packet < own.packets) return;
  run_.Sent(own.message.operation, now + offset);
  if (message != kCurrent) {
    aside_.erase(aside_.begin() + message);
    return;
  }
  loaded_ = false;
  Load(0);
}

void Host::StartReduction(Cycle now) {
  reductions_->Start(now);
  free_ = now;
  Load(0);
}

void Host::Arrive(const PacketRecord& record, Cycle last, Statistics* statistics) {
  const workload::Seat& from = setup_.workload->seats[record.source];
  const std::int64_t bytes = job_.schedule.ranks[from.rank].operations[record.operation].amount;
  if (!run_.Arrive(record.slot, workload::PacketsOf(bytes, most_data_), last)) return;
  workload::JobStatistics& own = statistics->jobs[seat_.job];
  ++own.messages;
  own.bytes += bytes;
  own.message_latency.Add(last - record.created);
}

}  // namespace tilefly::network
