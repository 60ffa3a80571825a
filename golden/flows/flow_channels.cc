// SPDX-License-Identifier: Apache-2.0
#include "golden/flows/flow_channels.h"

#include <map>

namespace tilefly::golden {

FlowChannels::FlowChannels(const Parameters& parameters)
    : parameters_(parameters), table_(parameters.set_bits, parameters.ways) {
  for (int tc = 0; tc < parameters.classes; ++tc) {
    FlowState state;
    state.key = FlowState::kOfClass;
    state.number = static_cast<std::uint16_t>((1 << parameters.sweep_bits) + tc);
    state.swept = LastSweep(state, -1);
    states_[states_.Allocate()] = state;
  }
}

/// The latest cycle up to `until` in which the channel is swept.
Cycle FlowChannels::LastSweep(const FlowState& state, Cycle until) const {
  const Cycle mask = (Cycle{1} << parameters_.sweep_bits) - 1;
  return until - ((until - state.number) & mask);
}

/// There were some. A class channel that is not in use has none.
int FlowChannels::MakeUp(FlowState* state, Cycle until) {
  const Cycle last = LastSweep(*state, until);
  const Cycle sweeps = (last - state->swept) >> parameters_.sweep_bits;
  state->swept = last;
  return state->in_use() ? state->Sweep(sweeps, registers_.deadline()) : 0;
}

void FlowChannels::Schedule(Index at) {
  FlowState& state = states_[at];
  const Cycle sweeps = state.SweepsToEvent(registers_.deadline(), registers_.idle());
  if (sweeps == 0) return;
  const Cycle due = state.swept + (sweeps << parameters_.sweep_bits);
  if (due >= state.due) return;  // the event that it has comes early enough
  state.due = due;
  events_.Enter(due, at);
}

std::optional<FlowWay> FlowChannels::WayOf(int tc, std::uint32_t destination, const FlowWay& pair) const {
  const FlowState* const entry = Entry(tc, destination);
  if (entry != nullptr && entry->busy()) return entry->path_valid ? entry->way : pair;
  const bool of_class = entry == nullptr && !MayClaim(table_.SetOf(FlowTable::KeyOf(tc, destination)), tc);
  if (of_class || ClassChannel(tc).in_use()) return pair;
  return std::nullopt;
}

void FlowChannels::Send(FlowState* state, int cells) {
  state->cells = std::min(state->cells + static_cast<std::uint32_t>(cells), FlowState::kMostCells);
}

FlowVerdict FlowChannels::Packet(Cycle now, const FlowArrival& arrival) {
  const std::uint32_t key = FlowTable::KeyOf(arrival.tc, arrival.destination);
  const bool as_routed = arrival.chooses && !WayOf(arrival.tc, arrival.destination, arrival.routed).has_value();
  FlowVerdict verdict;
  const int set = table_.SetOf(key);
  Index at = table_.FindIn(set, key);
  const bool claims = at == kNone && MayClaim(set, arrival.tc);
  if (claims) {
    at = table_.Claim(&states_, set, key);
    ++entries_;
  } else if (at == kNone) {
    at = arrival.tc;
    verdict.full = true;
  }
  FlowState& channel = states_[at];
  Touch(kPacket, at);
  if (claims) Begin(now, &channel);
  else CatchUp(&channel, now - 1);
  if (!channel.of_class() && !channel.busy()) {
    channel.path_valid = as_routed;
    if (as_routed) channel.way = arrival.routed;
  }
  channel.idle = 0;
  verdict.by_class = channel.of_class();
  verdict.channel = channel.number;
  verdict.gen = channel.gen;
  if (channel.held == 0 && channel.may_send()) {
    // Of cells in flight before these, the event to come is early enough.
    const bool first = channel.in_flight() == 0;
    Send(&channel, arrival.cells);
    if (first) Schedule(at);
    return verdict;
  }
  verdict.held = true;
  const bool first = channel.held == 0;
  Hold(&channel, arrival);
  if (!first || channel.of_class()) return verdict;
  channel.asked = true;
  Schedule(at);
  return verdict;
}

/// An entry that was free is that of the packet of cycle `now`.
void FlowChannels::Begin(Cycle now, FlowState* channel) {
  channel->swept = LastSweep(*channel, now - 1);
  channel->begins = registers_.channel.first > 0;
  channel->window = registers_.channel.first;
}

/// The packet is appended to the channel's hold queue.
void FlowChannels::Hold(FlowState* channel, const FlowArrival& arrival) {
  const Index hold = holds_.Allocate();
  holds_[hold] = {arrival.packet, kNone, arrival.cells, arrival.out_port, arrival.out_lane};
  if (channel->held == 0) {
    channel->first = hold;
  } else {
    holds_[channel->last].next = hold;
  }
  channel->last = hold;
  channel->held = static_cast<std::uint16_t>(channel->held + arrival.cells);
}

/// The ready fifo is not empty.
std::optional<FlowRelease> FlowChannels::ReleaseFirst(Cycle now) {
  const Index at = ready_.Pop(&states_);
  Touch(kRelease, at);
  FlowState& channel = states_[at];
  if (channel.held == 0 || !channel.may_send()) return std::nullopt;
  CatchUp(&channel, now - 1);
  const Held hold = holds_[channel.first];
  holds_.Release(channel.first);
  channel.first = hold.next;
  channel.held = static_cast<std::uint16_t>(channel.held - hold.cells);
  channel.idle = 0;
  channel.asked = !channel.of_class();
  Send(&channel, hold.cells);
  Schedule(at);
  return FlowRelease{hold.packet, hold.cells,       hold.port,     hold.lane,
                     channel.gen, channel.of_class(), channel.number};
}

FlowAcked FlowChannels::Acknowledge(Cycle now, const Ack& ack) {
  FlowAcked acked;
  const Index at = ack.by_class ? Index{ack.tc} : table_.Find(FlowTable::KeyOf(ack.tc, ack.dst));
  if (at == kNone || states_[at].in_flight() == 0) {
    acked.stray = true;
    return acked;
  }
  FlowState& channel = states_[at];
  Touch(kAck, at);
  acked.channel = channel.number;
  CatchUp(&channel, now - 1);
  const bool present = ack.gen == channel.gen;
  std::uint32_t& of = present ? channel.cells : channel.old;
  const std::uint32_t taken = std::min<std::uint32_t>(of, ack.cells);
  of -= taken;
  if (!present && taken > 0) channel.age = 0;
  channel.idle = 0;
  Hear(ack, &channel, &acked);
  if (channel.throttled) Schedule(at);  // without a throttle fewer cells have no earlier event
  return acked;
}

/// Steps 3.3 and 3.4: what the first ack, mark and share do to the window.
void FlowChannels::Hear(const Ack& ack, FlowState* channel, FlowAcked* acked) {
  const int full = registers_.mark.full;
  if (channel->begins) {
    channel->begins = false;
    channel->window = 0;
  }
  if (ack.mark) {
    acked->marked = true;
    acked->throttled = !channel->throttled;
    channel->throttled = true;
    channel->window = static_cast<std::uint16_t>(std::min<int>(ack.share, full));
  } else if (channel->throttled && ack.share >= full) {
    channel->throttled = false;
    channel->window = 0;
  } else if (channel->throttled) {
    const int growth = std::max(1, ack.cells >> registers_.channel.grow);
    channel->window =
        static_cast<std::uint16_t>(std::min(full, std::max<int>(channel->window, ack.share) + growth));
  }
}

/// The channel's event in its own cycle (step 4). It says nothing of other sweeps: nobody sees them.
void FlowChannels::Sweep(Cycle now, Index at, FlowEnd* end) {
  FlowState& channel = states_[at];
  if (channel.due != now) return;  // an earlier event was entered for the channel, and did its work
  channel.due = kNever;
  if (!channel.in_use()) {
    if (!channel.of_class()) table_.Forget(&states_, at);
    return;
  }
  if (CatchUp(&channel, now) > 0) end->losses[static_cast<std::size_t>(end->lost++)] = {channel.number, channel.gen};
  if (channel.held > 0 && !channel.of_class()) channel.asked = true;
  if (channel.throttled && !channel.busy() && channel.idle >= registers_.idle()) {
    channel.throttled = false;
    channel.window = 0;
  }
  Touch(channel.of_class() ? kSweptClass : kSweptEntry, at);
  Schedule(at);
}

/// Step 5.
void FlowChannels::Tell(bool live, FlowEnd* end) {
  const Index at = tell_.Pop(&states_);
  Touch(kTell, at);
  if (!live) return;
  const FlowState& channel = states_[at];
  FlowPause pause;
  pause.tc = static_cast<std::uint8_t>(channel.key >> 20);
  pause.destination = channel.key & 0xf'ffff;
  if (telling_.held > 0) {
    pause.period = registers_.channel.period;
    pause.credit = static_cast<std::uint16_t>(std::max(0, registers_.channel.hold - telling_.held));
  }
  end->pause = pause;
}

/// Step 6.
void FlowChannels::Settle(Index at) {
  FlowState& channel = states_[at];
  if (channel.asked) tell_.Push(&states_, at);
  channel.asked = false;
  if (channel.held > 0 && channel.may_send()) ready_.Push(&states_, at);
  if (!channel.used || channel.busy() || channel.throttled || channel.tell) return;
  table_.Free(&channel);
  --entries_;
  if (channel.due == kNever) table_.Forget(&states_, at);
}

FlowEnd FlowChannels::EndCycle(Cycle now, bool live) {
  FlowEnd end;
  events_.Drain(now, [&](Index at) { Sweep(now, at, &end); });
  if (telling_.valid) Tell(live, &end);
  ForEachBit(steps_, [&](int step) { Settle(touched_[static_cast<std::size_t>(step)]); });
  steps_ = 0;
  telling_.valid = !tell_.empty();
  if (telling_.valid) telling_.held = states_[tell_.head()].held;
  return end;
}

void FlowChannels::SetRegisters(Cycle now, const FlowRegisters& registers) {
  ForEachIndex([&](Index at) { CatchUp(&states_[at], now); });
  registers_ = registers;
  ForEachIndex([&](Index at) { Schedule(at); });
}

bool FlowChannels::quiescent() const {
  bool none = entries_ == 0 && ready_.empty() && tell_.empty();
  for (int tc = 0; tc < parameters_.classes; ++tc) none = none && !ClassChannel(tc).in_use();
  return none;
}

void FlowChannels::Check(int port, Audit* audit) const {
  std::vector<std::uint32_t> keys;
  std::map<Index, int> ready, tell;
  ready_.ForEach(states_, [&](Index at) { ++ready[at]; });
  tell_.ForEach(states_, [&](Index at) { ++tell[at]; });
  const auto check = [&](Index at) {
    const FlowState& channel = states_[at];
    audit->Require("FLOW-3", channel.held == 0 || channel.ready || channel.in_flight() > 0, port, channel.number);
    audit->Require("FLOW-6", ready[at] == channel.ready && tell[at] == channel.tell, port, channel.number);
    audit->Require("FLOW-6", !channel.of_class() || !channel.tell, port, channel.number);
  };
  for (Index tc = 0; tc < static_cast<Index>(parameters_.classes); ++tc) check(tc);
  table_.ForEach([&](Index at, int set) {
    check(at);
    audit->Require("FLOW-5", table_.SetOf(states_[at].key) == set, port, states_[at].number);
    keys.push_back(states_[at].key);
  });
  std::sort(keys.begin(), keys.end());
  audit->Require("FLOW-5", std::adjacent_find(keys.begin(), keys.end()) == keys.end(), port, entries_);
  audit->Require("FLOW-5", static_cast<int>(keys.size()) == entries_, port, entries_);
}

}  // namespace tilefly::golden
