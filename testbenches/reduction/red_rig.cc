// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/red_rig.h"

#include <gtest/gtest.h>

#include "golden/common/archive.h"
#include "golden/common/register_write.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {
namespace {


}  // namespace

RedRig::RedRig(const Profile& profile, Visits visits)
    : profile_(profile),
      visits_(visits),
      device_(std::make_unique<Switch>(profile)),
      link_free_(profile.ports),
      sunk_(profile.ports) {
  device_->KeepRedBytes(&bytes_);
  for (int p = 0; p < profile.ports; ++p) SetMode(p, Fabric());
  Write(WriteRegister(kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), kOwn.ToBits()));
  if (visits == Visits::kAll) device_->Observe(&observed_);
  Settle();
}

PortMode RedRig::Fabric() {
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  mode.lanes = 4;
  return mode;
}

void RedRig::Write(const Cfg& write) {
  bus_ = std::max(bus_, now_);
  writes_.push_back(write);
  device_->Write(bus_++, write);
}

void RedRig::SetMode(int port, const PortMode& mode) {
  Write(WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
}

void RedRig::SetTree(int group, const Tree& tree) {
  const auto write = [&](int port, RedReg index, std::uint64_t data) {
    Write(WriteRegister(port, CfgSpace::kRed, IndexOf(group, index), data));
  };
  write(kAllPorts, RedReg::kChildren, tree.children);
  write(kAllPorts, RedReg::kNodes, tree.nodes);
  const bool root = tree.parent < 0;
  write(
      kAllPorts, RedReg::kTree,
      GroupTree::Of(/*valid=*/true, root, static_cast<std::uint64_t>(root ? 0 : tree.parent), tree.small, tree.timeout)
          .ToBits());
  for (int p = 0; p < profile_.ports; ++p) {
    const bool child = (tree.children & Bit(p)) != 0;
    const RedRole role = child ? RedRole::kChild : p == tree.parent ? RedRole::kParent : RedRole::kNone;
    const std::uint64_t address = 0x100u + static_cast<unsigned>(p);
    write(p, RedReg::kPeer,
          GroupPeer::Of(address, /*an=*/true, kVl, 2, static_cast<std::uint64_t>(role), tree.small).ToBits());
  }
  Settle();
}

Header RedRig::HeaderTo(SwitchAddress to, int length) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kRed);
  header.len = static_cast<std::uint16_t>(length);
  header.dst = FabricAddress(to.group, to.number, 0);
  header.vl = kVl;
  header.an = true;
  return header;
}

Cycle RedRig::Send(int port, Cycle first, const Red& red, const std::vector<std::uint8_t>& data, Drop status) {
  return SendFrame(port, first, HeaderTo(kOwn, LengthOf(static_cast<int>(data.size()))), red, data, status);
}

Cycle RedRig::SendFrame(int port, Cycle first, const Header& header, const Red& red,
                        const std::vector<std::uint8_t>& data, Drop status) {
  first = std::max({first, now_, link_free_[port]});
  const Cycle last = first + CeilDiv(header.len + HeaderBits::kBytes, 32) - 1;
  link_free_[port] = last + 1;
  coming_.push_back({port, first, last, header, bytes_.Make(red, header.len, data), status});
  return last;
}

void RedRig::Begin() {
  for (const Coming& packet : coming_) {
    if (packet.first == now_) device_->Arrive(packet.port, now_, {true, HeaderBits(packet.header), packet.payload});
    if (packet.last == now_) device_->Finish(packet.port, now_, {packet.status, packet.header.len, {}});
  }
  coming_.erase(
      std::remove_if(coming_.begin(), coming_.end(), [&](const Coming& packet) { return packet.last <= now_; }),
      coming_.end());
}

void RedRig::Step() {
  Begin();
  if (visits_ == Visits::kAll || device_->NextActive() <= now_) {
    device_->Step(now_);
    Collect();
  }
  Audit audit;
  if (visits_ == Visits::kAll && now_ % 4 == 0) device_->Check(&audit);
  EXPECT_EQ(bench::BrokenIds(audit), "") << "cycle " << now_;
  ++now_;
}

void RedRig::Collect() {
  for (const Departure& departure : device_->output().links.packets) {
    const PacketBytes::Bytes& bytes = bytes_.at(departure.payload);
    got.push_back(
        {departure.port, departure.take, departure.header.Unpack(), bytes.header, departure.length, bytes.data});
    const int vl = departure.header.vl();
    std::uint16_t& sunk = sunk_[departure.port][vl];
    sunk = static_cast<std::uint16_t>(sunk + CellsOf(departure.length));
    if (departure.has_words()) device_->Credit(departure.port, departure.take + kTakeToWire, vl, sunk);
    if (departure.last_copy) bytes_.Release(departure.payload);
  }
  for (const DropRecord& drop : device_->output().drops) bytes_.Release(drop.payload);
}

void RedRig::Reload() {
  auto other = std::make_unique<Switch>(profile_);
  other->KeepRedBytes(&bytes_);
  for (std::size_t i = 0; i < writes_.size(); ++i) other->Write(static_cast<Cycle>(i), writes_[i]);
  while (other->NextActive() < now_) other->Step(other->NextActive());
  SavedBytes bytes;
  Saver save(&bytes);
  save(*device_);
  Loader load(bytes);
  load(*other);
  device_ = std::move(other);
  if (visits_ == Visits::kAll) device_->Observe(&observed_);
}

void RedRig::Drain(Cycle most) {
  const Cycle end = now_ + most;
  while (now_ < end && (!coming_.empty() || device_->packets() != 0 || device_->NextActive() != kNever)) Step();
  EXPECT_EQ(device_->packets(), 0u);
}

std::uint64_t RedRig::Sum(Counter counter) const {
  std::uint64_t sum = 0;
  for (int p = 0; p < profile_.ports; ++p) sum += Count(p, counter);
  return sum;
}

std::vector<RedRig::Got> RedRig::GotAt(int port, RedWhat what) const {
  std::vector<Got> found;
  for (const Got& packet : got) {
    if (packet.port == port && packet.red.what == static_cast<std::uint8_t>(what)) found.push_back(packet);
  }
  return found;
}

void ExpectTheSame(const std::vector<RedRig::Got>& one, const std::vector<RedRig::Got>& other) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].port, other[k].port);
    EXPECT_EQ(one[k].take, other[k].take);
    EXPECT_EQ(one[k].header, other[k].header);
    EXPECT_EQ(one[k].red, other[k].red);
    EXPECT_EQ(one[k].data, other[k].data);
  }
}

Red SegmentHeader(int group, int tag, int seq, RedOp op, RedType type, int bytes) {
  Red red;
  red.what = static_cast<std::uint8_t>(RedWhat::kSegment);
  red.group = static_cast<std::uint8_t>(group);
  red.tag = static_cast<std::uint8_t>(tag);
  red.seq = static_cast<std::uint16_t>(seq);
  red.op = static_cast<std::uint8_t>(op);
  red.dtype = static_cast<std::uint8_t>(type);
  red.bytes = static_cast<std::uint16_t>(bytes);
  red.wants = true;
  return red;
}

Red ShortHeader(int group, int seq, RedAction action) {
  Red red;
  red.what = static_cast<std::uint8_t>(RedWhat::kShort);
  red.group = static_cast<std::uint8_t>(group);
  red.seq = static_cast<std::uint16_t>(seq);
  red.action = static_cast<std::uint8_t>(action);
  red.contributions = 1;
  return red;
}

}  // namespace tilefly::golden
