// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/address_table.h"

#include <algorithm>

namespace tilefly::conform {
namespace {

constexpr std::uint8_t kGroupBit = 1;  // of a MAC's first byte

/// The port that the frame is for, -1: none.
int DestinationOf(const Capability& it, const AddressTable& table, const Frame& frame) {
  if (it.forwarding.by == Addressing::kTdest) {
    const auto& tdests = it.forwarding.tdests;
    const auto at = std::find(tdests.begin(), tdests.end(), frame.dest);
    return at == tdests.end() ? -1 : static_cast<int>(at - tdests.begin());
  }
  Mac mac{};
  std::copy_n(frame.bytes.begin(), mac.size(), mac.begin());
  return table.PortOf(mac);
}

Frame::To AddresseeOf(const Forwarding& forwarding, const Frame& frame) {
  if (frame.destination >= 0) return Frame::To::kPort;
  if (forwarding.by == Addressing::kTdest) return Frame::To::kNobody;
  if (std::equal(kBroadcast.begin(), kBroadcast.end(), frame.bytes.begin())) return Frame::To::kAll;
  return (frame.bytes[0] & kGroupBit) != 0 ? Frame::To::kGroup : Frame::To::kNobody;
}

/// What becomes of a frame that is for no port.
Fate FateOfOthers(const Forwarding& forwarding, const Frame& frame) {
  if (forwarding.by == Addressing::kTdest) return Fate::kUndefined;
  if (frame.to == Frame::To::kAll) return forwarding.broadcast;
  return frame.to == Frame::To::kGroup ? forwarding.group : forwarding.unknown;
}

}  // namespace

AddressTable::AddressTable(const std::vector<Mac>& macs) {
  for (int port = 0; port < static_cast<int>(macs.size()); ++port)
    Write({true, macs[static_cast<std::size_t>(port)], port, port});
}

void AddressTable::Write(const TableWrite& write) { entries_[write.index] = write; }

int AddressTable::PortOf(const Mac& mac) const {
  const int entry = EntryOf(mac);
  return entry < 0 ? -1 : entries_.at(entry).port;
}

int AddressTable::EntryOf(const Mac& mac) const {
  for (const auto& [index, write] : entries_) {
    if (write.mac == mac) return index;
  }
  return -1;
}

std::vector<TableWrite> AddressTable::Entries() const {
  std::vector<TableWrite> entries;
  for (const auto& [index, write] : entries_) entries.push_back(write);
  return entries;
}

void Decide(const Capability& it, const AddressTable& table, Frame* frame) {
  const std::uint64_t all = it.ports == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << it.ports) - 1;
  frame->outputs = 0;
  frame->destination = -1;
  const bool addressed = it.forwarding.by == Addressing::kTdest || frame->bytes.size() >= std::tuple_size<Mac>::value;
  frame->judged = addressed;
  if (addressed) {
    frame->destination = DestinationOf(it, table, *frame);
    frame->to = AddresseeOf(it.forwarding, *frame);
    const bool own = frame->destination == frame->source;
    const Fate fate = frame->destination < 0 ? FateOfOthers(it.forwarding, *frame)
                      : own                  ? it.forwarding.own_port
                                             : Fate::kReturned;
    if (fate == Fate::kFlooded) frame->outputs = all & ~(std::uint64_t{1} << frame->source);
    if (fate == Fate::kReturned) frame->outputs = std::uint64_t{1} << frame->destination;
    frame->judged = fate != Fate::kUndefined;
  }
  if (frame->bytes.size() > static_cast<std::size_t>(it.frames.longest)) {
    frame->outputs = 0;
    frame->judged = it.frames.longer == Fate::kDropped;
  }
  if (frame->bytes.size() < static_cast<std::size_t>(it.frames.shortest)) frame->judged = false;
  if (!frame->marked) return;
  if (it.frames.bad == Fate::kDropped) frame->outputs = 0;
  if (it.frames.bad == Fate::kUndefined) frame->judged = false;
}

}  // namespace tilefly::conform
