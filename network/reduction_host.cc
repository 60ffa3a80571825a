// SPDX-License-Identifier: Apache-2.0
#include "network/reduction_host.h"

#include <fmt/format.h>

#include <utility>

#include "golden/reduction/red_part.h"
#include "network/reduction_check.h"
#include "support/random.h"

namespace tilefly::network {
namespace {

constexpr int kMostBackoff = 10;  ///< doublings

bool IsAnswer(const Red& header) {
  return static_cast<RedWhat>(header.what) == RedWhat::kShortResult &&
         static_cast<RedAction>(header.action) != RedAction::kReduce;
}

}  // namespace

/// Credits and answers count from the cycle behind their last word on, results in it.
Cycle ReductionHost::CountsIn(const Arrival& arrival) {
  const Red& header = arrival.packet.header;
  const bool later = static_cast<RedWhat>(header.what) == RedWhat::kCredit || IsAnswer(header);
  return arrival.last + (later ? 1 : 0);
}

Cycle ReductionHost::deadline() const {
  const bool waits = state_ == State::kAsking || state_ == State::kWorking;
  return waits && job_.timeout > 0 ? active_ + job_.timeout : kNever;
}

Cycle ReductionHost::due() const {
  Cycle due = deadline();
  if (state_ == State::kPausing) due = pause_ends_;
  if (state_ == State::kWorking && next_part_ == 0) due = std::min(due, starts_);
  if (!arrivals_.empty()) due = std::min(due, CountsIn(arrivals_.front()));
  return due;
}

std::optional<ReductionHost::Completion> ReductionHost::Run(Cycle now, workload::JobStatistics* statistics) {
  for (; !arrivals_.empty() && CountsIn(arrivals_.front()) <= now; arrivals_.pop_front())
    Receive(arrivals_.front(), now);
  if (state_ == State::kPausing && pause_ends_ <= now) Ask(now);
  if (deadline() <= now) Fail(now, RedCode::kTimeout, false);
  if (state_ == State::kWorking) MakeParts(now);
  if (failure_) statistics->failure = std::min(statistics->failure, *std::exchange(failure_, std::nullopt));
  if (completion_) {
    ++statistics->messages;
    statistics->bytes += job_.bytes;
    statistics->message_latency.Add(completion_->cycle - begun_);
  }
  return std::exchange(completion_, std::nullopt);
}

void ReductionHost::Begin(int operation, Cycle now) {
  operation_ = operation;
  begun_ = now;
  if (job_.is_short || locked_) return Work(now, now);
  Want(RedAction::kLock, now);
  lock_tries_ = 0;
  if (pause_ends_ <= now) Ask(now);
}

/// The rank decides in cycle `begins` to ask for LOCK or UNLOCK.
void ReductionHost::Want(RedAction action, Cycle begins) {
  state_ = State::kPausing;
  asked_ = action;
  pause_ends_ = begins + job_.send;
}

/// Sends what it wants.
void ReductionHost::Ask(Cycle now) {
  state_ = State::kAsking;
  active_ = now;
  RedPacket packet = Short(asked_, -1);
  packet.header.empty = true;
  if (asked_ == RedAction::kLock && job_.locked > 0)
    packet.header.count = static_cast<std::uint16_t>(std::min(job_.locked, job_.operations - operations_done_));
  outbox_.push_back({now, std::move(packet)});
}

/// The operation begins in cycle `begins`: the tree is locked, if it has to be.
void ReductionHost::Work(Cycle begins, Cycle now) {
  state_ = State::kWorking;
  starts_ = active_ = begins + job_.send;
  next_part_ = results_ = 0;
  MakeParts(now);
}

void ReductionHost::MakeParts(Cycle now) {
  for (; starts_ <= now && next_part_ < job_.parts() && MaySend(); ++next_part_)
    outbox_.push_back({now, Part(next_part_)});
}

/// Credit for a segment, or an engine for a short operation.
bool ReductionHost::MaySend() const {
  if (job_.is_short) return (under_way_ >> (next_short_ % kEngines) & 1) == 0;
  return sent_ < credited_ + job_.profile->red_segments;
}

RedPacket ReductionHost::Packet(RedWhat what) const {
  RedPacket packet;
  packet.header.what = static_cast<std::uint8_t>(what);
  packet.header.group = static_cast<std::uint8_t>(job_.group);
  return packet;
}

/// The next packet of the operation.
RedPacket ReductionHost::Part(int part) {
  RedPacket packet = job_.is_short ? Short(RedAction::kReduce, part) : Packet(RedWhat::kSegment);
  Red& header = packet.header;
  header.op = static_cast<std::uint8_t>(job_.op);
  header.dtype = static_cast<std::uint8_t>(job_.type);
  header.bytes = static_cast<std::uint16_t>(job_.BytesOf(part));
  header.empty = header.bytes == 0 || !job_.Contributes(rank_);
  if (!job_.is_short) {
    header.seq = static_cast<std::uint16_t>(sent_++);
    header.tag = tag_;
    header.wants = job_.Wants(rank_);
    header.ends = part + 1 == job_.parts();
  }
  if (job_.check && !header.empty) packet.data = job_.check->Operands(rank_, operations_done_, part);
  return packet;
}

/// A short operation: of part `part`, or of none (-1).
RedPacket ReductionHost::Short(RedAction action, int part) {
  RedPacket packet = Packet(RedWhat::kShort);
  const auto engine = static_cast<std::size_t>(next_short_ % kEngines);
  under_way_ = static_cast<std::uint8_t>(under_way_ | 1u << engine);
  part_of_[engine] = part;
  packet.header.action = static_cast<std::uint8_t>(action);
  packet.header.seq = static_cast<std::uint16_t>(next_short_++);
  packet.header.contributions = 1;
  return packet;
}

std::string ReductionHost::Waiting() const {
  switch (state_) {
    case State::kIdle:
      return "";
    case State::kAsking:
      return fmt::format("{} not answered", ToString(asked_));
    case State::kPausing:
      return fmt::format("{} to be sent, {} times refused", ToString(asked_), lock_tries_);
    case State::kWorking:
      return fmt::format("{} of {} packets ready, {} results came", next_part_, job_.parts(), results_);
    case State::kFailed:
      return "failed";
  }
  return "";
}

Traffic::NewPacket ReductionHost::Head() const {
  const Ready& next = outbox_.front();
  return {next.at, kNobody, golden::RedFrame::LengthOf(*job_.profile, golden::DataBytes(next.packet.header)), job_.tc};
}

void ReductionHost::Start(Cycle now) {
  active_ = std::max(active_, now);
  started_ = std::move(outbox_.front().packet);
  outbox_.pop_front();
}

void ReductionHost::Receive(const Arrival& arrival, Cycle now) {
  if (failed()) return;
  active_ = std::max(active_, arrival.last);
  const Red& header = arrival.packet.header;
  const bool of_lock = locked_ && header.tag == tag_;
  switch (static_cast<RedWhat>(header.what)) {
    case RedWhat::kFail:
      return Fail(now, static_cast<RedCode>(header.code), true);
    case RedWhat::kShortResult:
      return TakeShort(arrival, now);
    case RedWhat::kCredit:
      if (of_lock) credited_ += static_cast<std::uint8_t>(header.credit - static_cast<std::uint8_t>(credited_));
      return;
    case RedWhat::kResult:
      if (of_lock) TakeResult(arrival);
      return;
    default:
      throw WrongResult(
          fmt::format("reduction: endpoint {} gets a {}", endpoint_, ToString(static_cast<RedWhat>(header.what))));
  }
}

/// A rank that does not want results gets only the last result of an operation.
void ReductionHost::TakeResult(const Arrival& arrival) {
  const Red& header = arrival.packet.header;
  const int part = job_.Wants(rank_) ? results_++ : job_.parts() - 1;
  if (state_ != State::kWorking || header.seq != static_cast<std::uint16_t>(returned_ + part))
    throw WrongResult(fmt::format("reduction: endpoint {} gets result {} out of order", endpoint_, header.seq));
  CheckResult(part, arrival);
  if (!header.ends) return;
  returned_ += job_.parts();
  Complete(arrival.last);
}

void ReductionHost::TakeShort(const Arrival& arrival, Cycle now) {
  const Red& header = arrival.packet.header;
  const int engine = header.seq % kEngines;
  if ((under_way_ >> engine & 1) == 0)
    throw WrongResult(
        fmt::format("reduction: endpoint {} gets a short result that it did not ask for", endpoint_));
  under_way_ = static_cast<std::uint8_t>(under_way_ & ~(1u << engine));
  if (IsAnswer(header)) return Answered(header, now);
  if (const auto code = static_cast<RedCode>(header.code); code != RedCode::kOk) return Fail(now, code, false);
  CheckResult(part_of_[static_cast<std::size_t>(engine)], arrival);
  if (++results_ == job_.parts()) Complete(arrival.last);
}

/// LOCK or UNLOCK was answered, in the cycle before `now`; the host knows it when it has taken its time.
void ReductionHost::Answered(const Red& answer, Cycle now) {
  const auto code = static_cast<RedCode>(answer.code);
  if (code == RedCode::kBusy) {
    const std::int64_t within = job_.backoff << std::min(++lock_tries_, kMostBackoff);
    const std::uint64_t bits = Draw(job_.seed, static_cast<std::uint32_t>(endpoint_),
                                    static_cast<std::uint64_t>(tries_++), Purpose::kLockBackoff);
    Want(asked_, now + job_.receive + static_cast<Cycle>(Below(bits, static_cast<std::uint64_t>(within))));
  } else if (code != RedCode::kOk) {
    Fail(now, code, false);
  } else if (asked_ == RedAction::kUnlock) {
    locked_ = false;
    state_ = State::kIdle;
  } else {
    locked_ = true;
    tag_ = answer.tag;
    left_ = answer.count;
    sent_ = credited_ = returned_ = 0;
    Work(now + job_.receive, now);
  }
}

void ReductionHost::CheckResult(int part, const Arrival& arrival) const {
  if (!job_.check) return;
  job_.check->Compare(operations_done_, part, arrival.packet,
                      fmt::format("cycle {}, rank {} at endpoint {}", arrival.last, rank_, endpoint_));
}

/// The last result is there in cycle `last`. Who locked the tree for the whole job gives it back after its last
/// operation.
void ReductionHost::Complete(Cycle last) {
  completion_ = Completion{std::exchange(operation_, -1), last + job_.receive};
  state_ = State::kIdle;
  ++operations_done_;
  if (!locked_) return;
  if (left_ > 0) {
    locked_ = --left_ > 0;
  } else if (operations_done_ == job_.operations) {
    Want(RedAction::kUnlock, last + job_.receive);
    lock_tries_ = 0;
  }
}

/// The rank stops, and says so unless it was `told`.
void ReductionHost::Fail(Cycle now, RedCode code, bool told) {
  state_ = State::kFailed;
  failure_ = workload::JobFailure{now, rank_, static_cast<std::int32_t>(code)};
  if (told) return;
  RedPacket packet = Packet(RedWhat::kFail);
  packet.header.tag = tag_;
  packet.header.code = static_cast<std::uint8_t>(RedCode::kLeft);
  outbox_.push_back({now, std::move(packet)});
}

}  // namespace tilefly::network
