// SPDX-License-Identifier: Apache-2.0
// Which frame a drop is of, by the cycle and the reason that the device's record shows.
#include <fmt/format.h>

#include <algorithm>

#include "cosim/errors.h"
#include "cosim/scoreboard/scoreboard.h"

namespace tilefly::cosim {
namespace {

// A scoreboard judges: these are written apart from golden/common/stage_times.h, on purpose.
constexpr Cycle kAdmission = 4;    // from a packet's first word to its admission
constexpr Cycle kAccounting = 18;  // from its first word, or its last when it is stored first, to its class's account
constexpr Cycle kEnd = 6;          // from its last word to its release at the earliest

}  // namespace

void Scoreboard::Dropped(int port, Cycle cycle, Drop reason) {
  const auto at = static_cast<std::size_t>(port);
  if (reason == Drop::kClassFull) {
    DroppedByClass(port, cycle);
    return;
  }
  MaybeDroppedByClass(port, cycle);
  if (reason == Drop::kControl) return;  // counted when it was sent
  if (reason == Drop::kBufferFull) {
    for (auto it = sent_[at].rbegin(); it != sent_[at].rend(); ++it) {
      const auto packet = packets_.find(*it);
      if (packet == packets_.end() || packet->second.first != cycle - kAdmission) continue;
      // Room for attempts that were broken off is a matter of chance.
      surprises_ += !setup_.mode(port).retry;
      Forget(*it, reason);
      return;
    }
    // A control frame that found the buffer full.
    for (DropCounts* counts : {&books_.drops, &seen_[at]}) {
      --(*counts)[static_cast<std::size_t>(Drop::kControl)];
      ++(*counts)[static_cast<std::size_t>(Drop::kBufferFull)];
    }
    return;
  }
  const auto doomed = std::find_if(doomed_[at].begin(), doomed_[at].end(),
                                   [&](std::uint64_t id) { return packets_.at(id).fate.drop == reason; });
  if (doomed == doomed_[at].end() && reason == Drop::kNoRoute && HasRisky(port)) {
    ++no_way_[at];  // which one it was is not known: in the end it is lost
    return;
  }
  if (doomed == doomed_[at].end()) {
    throw CheckFailure(cycle, port, 0, fmt::format("a good packet is dropped ({})", ToString(reason)));
  }
  Forget(*doomed, reason);
}

/// The cycle in which a packet that its class has no room for is released and counted (ingress page).
Cycle Scoreboard::Accounting(const Packet& packet) const {
  const bool cut_through = packet.frame->enh && setup_.mode(packet.frame->source).cut_through;
  return cut_through ? std::max(packet.first + kAccounting, packet.last + kEnd) : packet.last + kAccounting;
}

/// The packet of `port` whose class decides on it in this cycle; null: there is none.
Scoreboard::Packet* Scoreboard::AccountedIn(int port, Cycle cycle) {
  const auto& sent = sent_[static_cast<std::size_t>(port)];
  for (auto it = sent.rbegin(); it != sent.rend(); ++it) {
    const auto found = packets_.find(*it);
    if (found == packets_.end() || Accounting(found->second) != cycle) continue;
    // What outputs will refuse takes its place in the input buffer first.
    const Drop fate = found->second.fate.drop;
    if (fate == Drop::kNone || fate == Drop::kNoEthHeader) return &found->second;
  }
  return nullptr;
}

/// A lossy class had no room: which packet it was says the cycle.
void Scoreboard::DroppedByClass(int port, Cycle cycle) {
  const Packet* packet = AccountedIn(port, cycle);
  if (packet == nullptr)
    throw CheckFailure(cycle, port, 0, "a packet is dropped (CLASS_FULL) in a cycle in which none is accounted");
  const std::uint64_t id = packet->frame->id;
  const int tc = packet->fate.tc;
  if (!setup_.classes() || !setup_.classes()->Of(tc).lossy)
    throw CheckFailure(cycle, port, id,
                       fmt::format("packet {:#x} of class {}, which is not lossy, is dropped (CLASS_FULL)", id, tc));
  Forget(id, Drop::kClassFull);
}

/// Of two drops in a cycle the record shows the admission's: what comes out later, and in the end the counters, tell
/// whether a class had no room in that cycle.
void Scoreboard::MaybeDroppedByClass(int port, Cycle cycle) {
  Packet* packet = AccountedIn(port, cycle);
  if (packet == nullptr || !setup_.classes() || !setup_.classes()->Of(packet->fate.tc).lossy) return;
  uncertain_ -= packet->uncertain();
  packet->maybe_lost = true;
  uncertain_ += packet->uncertain();
  refused_ -= __builtin_popcountll(packet->fate.refused);
}

/// In the end: when two drops fall in one cycle the record shows one. The rest of the planted ones is told by the
/// counters, and so is which of those that outputs refuse had no room in their class before.
void Scoreboard::ForgetDoomed(const std::function<std::uint64_t(int, Drop)>& counter) {
  std::vector<std::uint64_t> open;
  for (const auto& doomed : doomed_) {
    for (const std::uint64_t id : std::deque<std::uint64_t>(doomed)) {
      if (packets_.at(id).maybe_lost) {
        open.push_back(id);
      } else {
        Forget(id, packets_.at(id).fate.drop);
      }
    }
  }
  const auto refused_at = [this](std::uint64_t id) { return packets_.at(id).fate.refused; };
  std::sort(open.begin(), open.end(), [&](std::uint64_t a, std::uint64_t b) {
    return __builtin_popcountll(refused_at(a)) > __builtin_popcountll(refused_at(b));
  });
  for (const std::uint64_t id : open) {
    bool counted = true;  // by the outputs, beside the others
    for (std::uint64_t left = refused_at(id); left != 0; left &= left - 1) {
      const int output = __builtin_ctzll(left);
      const auto seen = seen_[static_cast<std::size_t>(output)][static_cast<std::size_t>(Drop::kNoEthHeader)];
      counted = counted && static_cast<std::int64_t>(counter(output, Drop::kNoEthHeader)) > seen;
    }
    Forget(id, counted ? Drop::kNoEthHeader : Drop::kClassFull);
  }
}

/// A frame ends in a drop counter.
void Scoreboard::Forget(std::uint64_t id, Drop reason) {
  const auto found = packets_.find(id);
  const Packet& packet = found->second;
  const auto source = static_cast<std::size_t>(packet.frame->source);
  const bool counts = !packet.frame->broken_off;
  ++(counts ? books_.drops : books_.broken_drops)[static_cast<std::size_t>(reason)];
  ClassOf(packet).dropped += counts;
  if (fates_ != nullptr && counts) fates_->Dropped(*packet.frame, reason);
  if (reason == Drop::kNoEthHeader) {
    CountRefused(packet.fate);
  } else {
    ++seen_[source][static_cast<std::size_t>(reason)];
    if (!packet.maybe_lost) refused_ -= __builtin_popcountll(packet.fate.refused);
  }
  auto& doomed = doomed_[source];
  doomed.erase(std::remove(doomed.begin(), doomed.end(), id), doomed.end());
  for (std::uint64_t left = packet.fate.outputs; left != 0; left &= left - 1) {
    const int output = __builtin_ctzll(left);
    auto& expected = expected_[static_cast<std::size_t>(output)];
    for (auto it = expected.begin(); it != expected.end(); ++it) {
      if (it->second.packet != id) continue;
      expected.erase(it);
      break;
    }
    auto& packets = flows_.at(FlowKey(packet, output)).packets;
    packets.erase(std::find(packets.begin(), packets.end(), id));
  }
  if (packet.fate.outputs != 0) {
    outstanding_ -= packet.copies_left;
    uncertain_ -= packet.uncertain();
  }
  packets_.erase(found);
}

}  // namespace tilefly::cosim
