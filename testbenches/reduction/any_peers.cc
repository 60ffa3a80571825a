// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/any_peers.h"

#include <algorithm>

namespace tilefly::bench {
namespace {

constexpr std::uint8_t kSeqnoBits = 10;

std::uint8_t Byte(std::uint64_t bits, int at) { return static_cast<std::uint8_t>(bits >> 8 * at); }

}  // namespace

AnyPeers::AnyPeers(const Profile& profile, const Stimulus& random)
    : profile_(profile), random_(random), flows_(At(profile.ports)), told_(At(profile.ports)) {}

const RingTree& AnyPeers::Draw(Cycle now, int group) {
  const auto index = static_cast<std::uint32_t>(group);
  RingTree& tree = trees_[At(group)];
  tree = {};
  tree.group = group;
  const golden::PortMask all = golden::Bit(profile_.ports) - 1;
  if (random_.Chance(128, "has a parent", now, index))
    tree.parent = static_cast<int>(random_.Below(At(profile_.ports), "parent", now, index));
  tree.children = random_.Bits("children", now, index) & all;
  if (random_.Chance(128, "few children", now, index)) tree.children &= random_.Bits("fewer children", now, index);
  if (tree.parent >= 0) tree.children &= ~golden::Bit(tree.parent);
  if (tree.children == 0) tree.children = tree.parent == 0 ? 2 : 1;
  tree.nodes = tree.children & random_.Bits("nodes", now, index) & random_.Bits("fewer nodes", now, index);
  tree.small = tree.parent >= 0 && random_.Chance(64, "small", now, index);
  constexpr std::array<std::uint32_t, 4> kTimeouts = {0, 300, 1500, 4000};
  // Over before trees are written: then nothing is launched.
  constexpr std::array<std::uint32_t, 4> kOfSmall = {0, 100, 300, 700};
  const std::size_t timeout = random_.Below(kTimeouts.size(), "timeout", now, index);
  tree.timeout = tree.small ? kOfSmall[timeout] : kTimeouts[timeout];
  return tree;
}

void AnyPeers::Step(Cycle, const golden::GoldenRing::Outputs& outputs) {
  command_ = outputs.command;
  for (std::size_t s = 0; s < golden::kRedSlots; ++s) {
    const bool bound = s == 0 ? command_.bind0_valid : command_.bind1_valid;
    for (std::size_t p = 0; p < flows_.size(); ++p) {
      Flow& flow = flows_[p][s];
      if (!bound) flow = {};
      if (command_.launch && command_.launch_slot == (s == 1)) flow.waiting = std::max(0, flow.waiting - 1);
      const RedReport& report = outputs.reports[p];
      if (report.ev != static_cast<std::uint8_t>(RedEv::kSegment) || report.slot != (s == 1)) continue;
      ++flow.arrived;
      ++flow.waiting;
    }
  }
}

int AnyPeers::SlotOf(int group) const {
  if (command_.bind0_valid && command_.bind0_group == group) return 0;
  return command_.bind1_valid && command_.bind1_group == group ? 1 : -1;
}

/// The same for all parts, as it depends on the draw alone.
void AnyPeers::PutOperation(std::uint64_t drawn, int most, Red* red) const {
  do {
    red->op = static_cast<std::uint8_t>(drawn % 12);
    red->dtype = static_cast<std::uint8_t>(drawn / 12 % 7);
    drawn = Mix64(drawn + 1);
  } while (!golden::IsLegal(static_cast<RedOp>(red->op), static_cast<RedType>(red->dtype)));
  const int unit = golden::UnitBytes(static_cast<RedOp>(red->op), static_cast<RedType>(red->dtype));
  const int limit = drawn % 4 == 0 ? most : std::min(most, 160);
  red->bytes = static_cast<std::uint16_t>(unit * static_cast<int>(drawn / 4 % static_cast<unsigned>(limit / unit + 1)));
}

Red AnyPeers::Stream(Cycle now, int port, int group, int slot, bool down) const {
  const auto index = static_cast<std::uint32_t>(group);
  Red red;
  red.what = static_cast<std::uint8_t>(down ? RedWhat::kResult : RedWhat::kSegment);
  red.tag = slot == 0   ? command_.bind0_tag
            : slot == 1 ? command_.bind1_tag
                        : static_cast<std::uint8_t>(random_.Below(16, "old tag", now, index));
  red.seq = slot < 0 ? 0 : flows_[At(port)][At(slot)].arrived;
  const Cycle number = Cycle{red.tag} << 16 | red.seq;
  PutOperation(random_.Bits("operation of a segment", number, index), profile_.red_bytes, &red);
  red.ends = random_.Chance(64, "ends", number, index);
  red.wants = Chance(200, "wants", now, port);
  red.empty = Chance(48, "empty", now, port);
  return red;
}

Red AnyPeers::Short(Cycle now, int port, int group, bool down) const {
  const auto index = static_cast<std::uint32_t>(group);
  const Cycle epoch = now / kEpoch;
  Red red;
  red.what = static_cast<std::uint8_t>(down ? RedWhat::kShortResult : RedWhat::kShort);
  red.seq = static_cast<std::uint16_t>(epoch);
  const std::uint64_t kind = random_.Below(8, "action", epoch, index);
  const RedAction action = kind < 3 ? RedAction::kReduce : kind < 7 ? RedAction::kLock : RedAction::kUnlock;
  red.action = static_cast<std::uint8_t>(action);
  red.empty = action != RedAction::kReduce || Chance(32, "empty", now, port);
  if (action == RedAction::kReduce) {
    PutOperation(random_.Bits("short operation", epoch, index), profile_.red_short_bytes, &red);
    red.rnd = static_cast<std::uint8_t>(random_.Below(4, "rounding", epoch, index));
    red.ftz = random_.Chance(64, "flush", epoch, index);
  }
  if (action == RedAction::kLock) red.count = Count(epoch, group);
  red.contributions = 1;
  if (down) red.tag = static_cast<std::uint8_t>(random_.Below(16, "tag", epoch, index));
  if (down && Chance(32, "busy", now, port)) red.code = static_cast<std::uint8_t>(RedCode::kBusy);
  return red;
}

/// Operations of a lock: few, or as many as make all bits below one borrow.
std::uint16_t AnyPeers::Count(Cycle epoch, int group) const {
  const auto index = static_cast<std::uint32_t>(group);
  if (random_.Chance(128, "few", epoch, index)) return static_cast<std::uint16_t>(random_.Below(4, "count", epoch, index));
  return static_cast<std::uint16_t>((1u << random_.Between(6, 15, "bit of count", epoch, index)) +
                                    random_.Below(2, "count", epoch, index));
}

Red AnyPeers::Credit(Cycle now, int port, int slot) const {
  Red red;
  red.what = static_cast<std::uint8_t>(RedWhat::kCredit);
  red.tag = slot == 0 ? command_.bind0_tag : command_.bind1_tag;
  const auto more = random_.Below(4, "credit", now, static_cast<std::uint32_t>(port));
  red.credit = static_cast<std::uint8_t>(flows_[At(port)][At(slot)].arrived + more);
  return red;
}

/// The published packet, of the epoch's number; most opcodes exist. Operands are subnormal now and then.
void AnyPeers::Publish(Cycle now, int port, int group, std::vector<std::uint8_t>* data) const {
  const auto index = static_cast<std::uint32_t>(group);
  const Cycle epoch = now / kEpoch;
  Fill(now, port, data);
  for (std::size_t lane = 0; lane < 4 && Chance(128, "subnormal", now, port); ++lane) {
    const std::size_t highest = golden::small::kOperandsAt + 8 * lane + 7;  // sign and the exponent's upper bits
    (*data)[highest] &= 0x80;
    (*data)[highest - 1] &= 0x0f;
  }
  // The reproducible sum thrice: few of its parts meet in a quick run.
  constexpr std::array<int, 20> kOpcodes = {0x00, 0x01, 0x02, 0x10, 0x12, 0x14, 0x20, 0x22, 0x24, 0x26,
                                            0x28, 0x29, 0x2b, 0x2c, 0x2e, 0x2f, 0x30, 0x30, 0x30, 0x3f};
  const auto op = static_cast<unsigned>(kOpcodes[random_.Below(kOpcodes.size(), "opcode", epoch, index)]);
  const unsigned arm = Chance(160, "arm", now, port);
  // {count 20, op 6, arm 1, seqno 10}, the low 37 bits of the header, which ends in byte 16.
  std::uint64_t low = (*data)[12] >> 5;
  low = low << 20 | (Chance(4, "many", now, port) ? 0xFFFFFu : 1u);
  low = low << 6 | op;
  low = low << 1 | arm;
  low = low << kSeqnoBits | (static_cast<std::uint64_t>(epoch) & 1023);
  for (int i = 0; i < 5; ++i) (*data)[static_cast<std::size_t>(16 - i)] = Byte(low, i);
}

/// What the port says of the group in this cycle, if anything.
std::optional<Red> AnyPeers::Say(Cycle now, int port, const RingTree& own) {
  const int group = own.group;
  const bool down = (own.RoleOf(port) == RedRole::kParent) != Chance(1, "wrong side", now, port);
  const int slot = SlotOf(group);
  const bool node = (own.nodes >> port & 1) != 0 || port == own.parent;
  const bool streams =
      !own.small && (slot >= 0 || (Chance(1, "without a lock", now, port) && Chance(40, "even so", now, port)));
  if (Chance(1, "fail", now, port)) {
    Red red;
    red.what = static_cast<std::uint8_t>(RedWhat::kFail);
    red.code = static_cast<std::uint8_t>(random_.Below(10, "code", now, static_cast<std::uint32_t>(port)));
    return red;
  }
  if (streams && Chance(180, "stream", now, port)) {
    const bool full = slot >= 0 && flows_[At(port)][At(slot)].waiting >= profile_.red_segments;
    if (full && !Chance(2, "greedy", now, port)) return std::nullopt;
    return Stream(now, port, group, slot, down);
  }
  if (slot >= 0 && node && Chance(128, "credit", now, port)) return Credit(now, port, slot);
  const Cycle epoch = now / kEpoch + 1;  // 0: none was told
  Cycle& told = told_[At(port)][At(group)];
  if (told == epoch && !Chance(4, "twice", now, port)) return std::nullopt;
  told = epoch;
  if (!own.small) return Short(now, port, group, down);
  Red red;
  red.what = static_cast<std::uint8_t>(down ? RedWhat::kSmallResult : RedWhat::kSmall);
  red.bytes = golden::small::kBytes;
  return red;
}

std::optional<RedArrival> AnyPeers::NextPacket(Cycle now, int port) {
  const auto index = static_cast<std::uint32_t>(port);
  if (!random_.Spell("packet", now, index)) return std::nullopt;
  const RingTree& own = trees_[random_.Below(golden::kRedGroups, "group", now, index)];
  if (own.RoleOf(port) == RedRole::kNone && !Chance(4, "stranger", now, port)) return std::nullopt;
  std::optional<Red> red = Say(now, port, own);
  if (!red) return std::nullopt;
  red->group = static_cast<std::uint8_t>(own.group);
  std::vector<std::uint8_t> data(At(golden::DataBytes(*red)));
  const auto what = static_cast<RedWhat>(red->what);
  if (what == RedWhat::kSmall || what == RedWhat::kSmallResult) {
    Publish(now, port, own.group, &data);
  } else {
    Fill(now, port, &data);
  }
  RedArrival packet;
  packet.frame.resize(At(golden::RedFrame::LengthOf(profile_, static_cast<int>(data.size()))));
  packet.header.kind = static_cast<std::uint8_t>(Kind::kRed);
  packet.header.an = true;
  packet.header.len = static_cast<std::uint16_t>(packet.frame.size());
  red->PackBytes(packet.frame.data());
  std::copy(data.begin(), data.end(), packet.frame.begin() + Red::kBytes);
  if (Chance(3, "another bit", now, port)) {
    const auto bit = random_.Below(8 * Red::kBytes, "which bit", now, index);
    packet.frame[bit / 8] = static_cast<std::uint8_t>(packet.frame[bit / 8] ^ 1u << bit % 8);
  }
  packet.damaged = Chance(3, "damaged", now, port);
  return packet;
}

void AnyPeers::Fill(Cycle now, int port, std::vector<std::uint8_t>* data) const {
  for (std::size_t i = 0; i < data->size(); ++i) {
    const auto word = static_cast<std::uint32_t>(port << 10 | static_cast<int>(i / 8));
    (*data)[i] = Byte(random_.Bits("data", now, word), static_cast<int>(i % 8));
  }
}

}  // namespace tilefly::bench
