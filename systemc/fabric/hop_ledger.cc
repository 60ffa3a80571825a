// SPDX-License-Identifier: Apache-2.0
#include "systemc/fabric/hop_ledger.h"

#include <algorithm>
#include <numeric>

#include "golden/acks/ack_route.h"
#include "systemc/fabric/time.h"

namespace tilefly::fabric {
namespace {

/// Whether an ack may come for the packet (docs/blocks/acks.md, Made).
bool Answerable(const Packet& packet, int hops) {
  return packet.enh && !packet.bad && packet.header.destination() != golden::HeaderBits::kReplicated &&
         !packet.header.is_red() && hops <= golden::kMostAckHops;
}

bool Answers(const Ack& ack, const Packet& packet, int back) {
  const Header header = packet.header.Unpack();
  const std::uint32_t known = (std::uint32_t{1} << golden::kPortBits * back) - 1;  // ports that the path has
  return ack.flow == header.flow && ack.cells == packet.cells() && ack.hops == back &&
         ack.port == (header.src & (golden::kMaxPorts - 1)) && ((ack.path ^ header.path) & known) == 0;
}

}  // namespace

HopLedger::Handle HopLedger::Begin(Packet& packet, Cycle last, int hops, int back, bool credits) {
  packet.acquire();
  ++open_;
  const Handle hop =
      hops_.insert(hops_.end(), {&packet, last, back, credits && Answerable(packet, hops), false, kNever});
  if (credits) lanes_[packet.header.vl()].push_back(hop);
  return hop;
}

void HopLedger::Return(int vl, std::uint16_t freed) {
  Lane& lane = lanes_[vl];
  std::uint16_t& ended = ended_[vl];
  for (const Lane::iterator packet : Nearest(&lane, static_cast<std::uint16_t>(freed - ended))) {
    const Handle hop = *packet;
    lane.erase(packet);
    ended = static_cast<std::uint16_t>(ended + hop->packet->cells());
    End(hop);
  }
}

/// Of those whose last word is sent a packet of so many cells, else the oldest several that come nearest to it from below; none,
/// if they have fewer.
std::vector<HopLedger::Lane::iterator> HopLedger::Nearest(Lane* lane, int cells) {
  const Cycle now = CycleAt(sc_core::sc_time_stamp());
  const auto none = std::find_if(lane->begin(), lane->end(), [&](Handle hop) { return hop->last >= now; });
  const auto one = std::find_if(lane->begin(), none, [&](Handle hop) { return hop->packet->cells() == cells; });
  if (one != none) return {one};
  const auto add = [](int sum, Handle hop) { return sum + hop->packet->cells(); };
  if (cells > std::accumulate(lane->begin(), none, 0, add)) return {};
  // By sums of cells: the youngest of the packets that make it, the oldest ones that do.
  std::vector<Lane::iterator> makes(static_cast<std::size_t>(cells) + 1, none);
  for (auto packet = lane->begin(); packet != none && makes.back() == none; ++packet) {
    const int own = (*packet)->packet->cells();
    for (int sum = cells; sum >= own; --sum) {
      if (makes[sum] == none && (sum == own || makes[sum - own] != none)) makes[sum] = packet;
    }
  }
  int sum = cells;
  while (sum > 0 && makes[sum] == none) --sum;
  std::vector<Lane::iterator> nearest;
  for (; sum > 0; sum -= (*nearest.back())->packet->cells()) nearest.push_back(makes[sum]);
  return {nearest.rbegin(), nearest.rend()};
}

void HopLedger::End(Handle hop) {
  --open_;
  hop->ended = true;
  hop->lost = CycleAt(sc_core::sc_time_stamp()) + kAckWait;
  tell_(*hop->packet, END_PACKET);
  if (!hop->answerable) Forget(hop);
}

void HopLedger::Acknowledge(const Ack& ack) {
  const Handle hop = std::find_if(hops_.begin(), hops_.end(), [&](const Hop& one) {
    return one.answerable && Answers(ack, *one.packet, one.back);
  });
  if (hop == hops_.end()) return;
  hop->answerable = false;
  hop->packet->ack = ack;
  tell_(*hop->packet, ACK);
  if (hop->ended) Forget(hop);
}

Cycle HopLedger::ForgetLost(Cycle now) {
  Cycle next = kNever;
  for (Handle hop = hops_.begin(); hop != hops_.end();) {
    const Handle one = hop++;
    if (one->lost <= now) {
      Forget(one);
    } else {
      next = std::min(next, one->lost);
    }
  }
  return next;
}

void HopLedger::Forget(Handle hop) {
  hop->packet->release();
  hops_.erase(hop);
}

}  // namespace tilefly::fabric
