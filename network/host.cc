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
  if (!loaded_) Load();
}

/// Messages leave one after another, in the order in which they were handed over.
void Host::Load() {
  while (!run_.posted().empty() && IsReduction(run_.posted().front())) {
    const workload::Posted one = run_.posted().front();
    run_.TakePosted();
    reductions_->Begin(one.operation, one.at);
  }
  if (HasReduction() || run_.posted().empty()) return;
  message_ = run_.posted().front();
  run_.TakePosted();
  loaded_ = true;
  packet_ = 0;
  packets_ = workload::PacketsOf(OperationOf(message_.operation).amount, most_data_);
  ready_ = std::max(message_.at, free_) + setup_.message_overhead + setup_.packet_overhead;
}

int Host::LengthOf(std::int64_t bytes, int packet) const {
  return workload::FrameOf(workload::DataOf(bytes, most_data_, packet), packet == 0);
}

Cycle Host::ready() const {
  return loaded_ ? ready_ : std::max(reductions_->Head().created, free_) + setup_.packet_overhead;
}

Traffic::NewPacket Host::Head() const {
  if (!loaded_) return reductions_->Head();
  const workload::Operation& send = OperationOf(message_.operation);
  return {message_.at, job_.endpoints[send.peer], LengthOf(send.amount, packet_), setup_.classes[seat_.job]};
}

workload::NextMessage Host::Message() const {
  const workload::Operation& send = OperationOf(message_.operation);
  workload::NextMessage message{send.amount, packets_, 0, job_.endpoints[send.peer]};
  for (int packet = 0; packet < packets_; ++packet) message.flits += WordsOf(LengthOf(send.amount, packet));
  return message;
}

void Host::Start(Cycle now, Cycle offset, PacketRecord* record) {
  record->operation = message_.operation;
  record->slot = message_.slot;
  free_ = now;
  ready_ = now + setup_.packet_overhead;
  if (++packet_ < packets_) return;
  run_.Sent(message_.operation, now + offset);
  loaded_ = false;
  Load();
}

void Host::StartReduction(Cycle now) {
  reductions_->Start(now);
  free_ = now;
  Load();
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
