// SPDX-License-Identifier: Apache-2.0
#include "golden/reduction/result_row.h"

#include "golden/arbiter/round_robin.h"
#include "golden/common/stage_times.h"

namespace tilefly::golden {

const std::vector<ResultRow::Ask>& ResultRow::Decide() {
  asks_.clear();
  ForEachBit(asking_, [&](int p) {
    Port& port = ports_[p];
    unsigned wants = 0;
    for (int lane = 0; lane < kRedLanes; ++lane) {
      if (!port.fifos[static_cast<std::size_t>(lane)].empty()) wants |= 1u << lane;
    }
    const unsigned due = red_ports_.credits_due(p);
    if (due != 0) wants |= 1u << kCredits;
    wants &= ~unsigned{port.asked};
    if (wants == 0 || (wants & (wants - 1)) == 0) asking_ &= ~Bit(p);
    if (wants == 0) return;
    const int input = RoundRobin(wants, port.pointer);
    port.pointer = PointerAfter(input, kRedInputs);
    bool more;
    if (input == kCredits) {
      const int slot = RoundRobin(due, port.credit_pointer);
      port.credit_pointer = PointerAfter(slot, kRedSlots);
      port.credit = MakeCredit(p, slot);
      red_ports_.CreditAsked(p, slot);
      more = (due & (due - 1)) != 0;
    } else {
      more = port.fifos[static_cast<std::size_t>(input)].size() > 1;
    }
    port.asked = static_cast<std::uint8_t>(port.asked | 1u << input);
    port.more = static_cast<std::uint8_t>((port.more & ~(1u << input)) | unsigned{more} << input);
    const Packet& packet = context_.packets[PacketOf(port, input)];
    asks_.push_back({static_cast<std::uint8_t>(p), static_cast<std::uint8_t>(input), packet.vl, packet.cells});
  });
  return asks_;
}

StoredRequest ResultRow::Head(int p, int input) const {
  const Port& port = ports_[p];
  return {kNone, context_.packets[PacketOf(port, input)].cells, (port.more >> input & 1) != 0};
}

void ResultRow::Granted(Cycle now, int p, int input) {
  Port& port = ports_[p];
  const Index id = PacketOf(port, input);
  const int cells = context_.packets[id].cells;
  port.asked = static_cast<std::uint8_t>(port.asked & ~(1u << input));
  const Cycle first = std::max(now + kGrantToCell, port.free_from);
  port.free_from = first + cells;
  ++port.crossing;
  cells_.Enter(first, id);
  asking_ |= Bit(p);
  context_.due.Set(now + 1, kDueReduction);
  if (input == kCredits) return;
  port.fifos[static_cast<std::size_t>(input)].pop_front();
  rooms_.Enter(first + cells,
               {static_cast<std::uint8_t>(p), static_cast<RedLane>(input), static_cast<std::uint8_t>(cells)});
}

void ResultRow::Complete(int p, RedLane lane, int group, Index parent) {
  const int input = static_cast<int>(lane);
  const Index id = MakePacket(p, input, group, context_.packets[parent].length);
  context_.packets[id].parent = parent;
  ports_[p].fifos[static_cast<std::size_t>(input)].push_back(id);
  asking_ |= Bit(p);
}

/// A packet for the peer of the port.
Index ResultRow::MakePacket(int p, int input, int group, int length) {
  const RedPeer& peer = registers_.peer(p, group);
  const Index id = context_.packets.Allocate();
  Packet& packet = context_.packets[id];
  packet = Packet{};
  packet.header = HeaderBits(peer.HeaderFrom(context_.registers.AddressOf(p), length));
  packet.parent = id;
  packet.length = static_cast<std::uint16_t>(length);
  packet.cells = static_cast<std::uint8_t>(CellsOf(length));
  packet.input = static_cast<std::uint8_t>(context_.profile.ports + input);
  packet.output = static_cast<std::uint8_t>(p);
  packet.vl = peer.vl;
  packet.holds = 1;
  return id;
}

Index ResultRow::MakeCredit(int p, int slot) {
  Red header;
  header.what = static_cast<std::uint8_t>(RedWhat::kCredit);
  header.group = binds_[slot].group;
  header.tag = binds_[slot].tag;
  header.credit = static_cast<std::uint8_t>(red_ports_.launched(p, slot));
  const int length = RedFrame::LengthOf(context_.profile, 0);
  const Index id = MakePacket(p, kCredits, header.group, length);
  context_.packets[id].copies_left = 1;
  context_.packets[id].payload = context_.red_bytes->Make(header, length, {});
  return id;
}

}  // namespace tilefly::golden
