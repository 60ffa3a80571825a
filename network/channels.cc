// SPDX-License-Identifier: Apache-2.0
#include "network/channels.h"

#include <iterator>

#include "golden/common/types.h"

namespace tilefly::network {
namespace {

constexpr int kBits = 64;

}  // namespace

Channels::Channels(const ChannelSetup& setup)
    : setup_(setup), channels_(setup.count), free_(static_cast<std::size_t>(golden::CeilDiv(setup.count, kBits))) {
  for (int channel = 0; channel < setup.count; ++channel) Open(channel);
}

int Channels::FreeFor(std::uint64_t number) const {
  const auto wanted = static_cast<int>(number % channels_.size());
  if (channels_[wanted].state == State::kFree) return wanted;
  if (!setup_.any) return -1;
  const auto words = static_cast<int>(free_.size());
  for (int i = 0; i <= words; ++i) {  // the wanted one's word twice: first the part behind it, in the end all
    const int word = (wanted / kBits + i) % words;
    const std::uint64_t from = i == 0 ? ~std::uint64_t{0} << wanted % kBits : ~std::uint64_t{0};
    if ((free_[word] & from) != 0) return word * kBits + golden::LowestBit(free_[word] & from);
  }
  return -1;
}

void Channels::Start(int channel, const SentPacket& packet, Cycle last) {
  Channel& own = channels_[channel];
  own.packet = packet;
  own.resends = 0;
  own.turn = setup_.turns && !own.turn;
  own.state = State::kSent;
  free_[channel / kBits] &= ~(std::uint64_t{1} << channel % kBits);
  ++outstanding_;
  SetTimer(channel, last);
}

void Channels::StartAgain(int channel, Cycle now, Cycle last, std::uint32_t oldest) {
  StopWaiting(channel);
  Channel& own = channels_[channel];
  own.packet.record.sent = now;
  own.packet.record.oldest = oldest;
  ++own.resends;
  own.state = State::kSent;
  SetTimer(channel, last);
}

void Channels::SetTimer(int channel, Cycle last) {
  if (setup_.timeout == 0) return;
  channels_[channel].deadline = last + setup_.timeout;
  timers_.Push({channels_[channel].deadline, channel});
}

const SentPacket* Channels::Acknowledge(int flow, Cycle now) {
  const int channel = ChannelOf(flow);
  const Channel& own = channels_[channel];
  if (own.state != State::kSent && own.state != State::kWaiting) return nullptr;
  if (FlowOf(channel) != flow) return nullptr;
  if (own.state == State::kWaiting) StopWaiting(channel);
  --outstanding_;
  own.resends == 0 ? Open(channel) : Close(channel, now);
  ForgetTimers();
  return &own.packet;
}

/// Acks of its packet's copies may come for some time yet: another packet must not have them.
void Channels::Close(int channel, Cycle now) {
  channels_[channel].state = State::kClosed;
  closed_.Push({now + setup_.timeout, channel});
}

void Channels::Open(int channel) {
  channels_[channel].state = State::kFree;
  free_[channel / kBits] |= std::uint64_t{1} << channel % kBits;
}

/// The first timer is one that still runs.
void Channels::ForgetTimers() {
  const auto runs = [&](const Timer& timer) {
    const Channel& own = channels_[timer.channel];
    return own.state == State::kSent && own.deadline == timer.at;
  };
  while (!timers_.empty() && !runs(timers_.front())) timers_.Pop();
}

bool Arrivals::Add(const PacketRecord& record) {
  Runs& runs = got_[record.source].runs;
  const std::uint32_t number = record.sequence;
  const auto next = runs.upper_bound(number);
  const bool joins_next = next != runs.end() && next->first == number + 1;
  if (next != runs.begin()) {
    const auto before = std::prev(next);
    if (number < before->second) return false;
    if (number == before->second) {
      ++before->second;
      if (!joins_next) return true;
      before->second = next->second;
      runs.erase(next);
      return true;
    }
  }
  runs[number] = joins_next ? next->second : number + 1;
  if (joins_next) runs.erase(next);
  return true;
}

bool Arrivals::Has(const PacketRecord& record) const {
  const auto sender = got_.find(record.source);
  if (sender == got_.end()) return false;
  const Runs& runs = sender->second.runs;
  const auto next = runs.upper_bound(record.sequence);
  return next != runs.begin() && record.sequence < std::prev(next)->second;
}

}  // namespace tilefly::network
