// SPDX-License-Identifier: Apache-2.0
#include "golden/reduction/red_ports.h"

namespace tilefly::golden {
namespace {

RedWhat WhatOf(const Red& header) { return static_cast<RedWhat>(header.what); }
bool IsShort(RedWhat what) { return what == RedWhat::kShort || what == RedWhat::kShortResult; }
bool IsSmall(RedWhat what) { return what == RedWhat::kSmall || what == RedWhat::kSmallResult; }
bool IsFromParent(RedWhat what) {
  return what == RedWhat::kResult || what == RedWhat::kShortResult || what == RedWhat::kSmallResult;
}
bool IsFromChild(RedWhat what) {
  return what == RedWhat::kSegment || what == RedWhat::kShort || what == RedWhat::kSmall;
}

}  // namespace

void RedPorts::Begins(Cycle now, const Packet& packet) {
  Port& port = ports_[packet.input];
  const int group = context_.red_bytes->HeaderOf(packet.payload).group;
  port.coming = {};
  if (group >= kRedGroups) return;
  port.coming.group = static_cast<std::uint8_t>(group);
  for (int s = 0; s < kRedSlots; ++s) {
    if (IsBoundTo(s, group)) port.coming.slot = static_cast<std::int8_t>(s);
  }
  if (cleared_in_ == now && cleared_ == group) port.coming.open = 0;
  for (int e = 0; e < kRedEngines; ++e) {
    if (HasShort(now, packet.input, group, e)) port.coming.open &= static_cast<std::uint8_t>(~(1u << e));
  }
}

bool RedPorts::Ends(const Packet& packet, std::vector<RedEvent>* events) {
  RedEvent event{packet.input, RedEv::kNone, 0, 0, 0, false, false, RedCode::kOk, 0};
  const Fate fate = Judge(packet, &event);
  if (event.ev != RedEv::kNone) events->push_back(event);
  if (fate == Fate::kUsed) context_.counters.Count(packet.input, Counter::kRxRed);
  if (fate == Fate::kStale) context_.counters.Count(packet.input, Counter::kRedStale);
  if (fate == Fate::kRefused) context_.counters.Count(packet.input, Counter::kRedRefused);
  return fate == Fate::kUsed;
}

/// Rows 1 to 4 of the table in docs/blocks/reduction.md, Reduction port.
RedPorts::Fate RedPorts::Judge(const Packet& packet, RedEvent* event) {
  const Red header = context_.red_bytes->HeaderOf(packet.payload);
  const RedWhat what = WhatOf(header);
  if (header.group >= kRedGroups || what > RedWhat::kSmallResult) return Fate::kRefused;
  const RedPeer& peer = registers_.peer(packet.input, header.group);
  if (peer.role == RedRole::kNone) return Fate::kRefused;
  event->group = header.group;
  if (what == RedWhat::kFail) {
    event->ev = RedEv::kFailed;
    event->code = static_cast<RedCode>(header.code);
    return Fate::kUsed;
  }
  if (peer.role == RedRole::kChild ? IsFromParent(what) : IsFromChild(what)) {
    event->ev = RedEv::kError;
    event->code = RedCode::kRole;
    return Fate::kUseless;
  }
  if (IsShort(what) || IsSmall(what)) return JudgeShort(packet, header, event);
  return JudgeStream(packet, header, event);
}

/// Rows a to e of the trees page.
RedPorts::Fate RedPorts::JudgeShort(const Packet& packet, const Red& header, RedEvent* event) {
  const bool is_small = IsSmall(WhatOf(header));
  const bool small_group = registers_.peer(packet.input, header.group).small;
  if (is_small != small_group) return Fate::kRefused;
  event->ev = RedEv::kError;
  event->code = RedCode::kFormat;
  if (is_small) {
    if (header.bytes != small::kBytes || header.empty ||
        packet.length != RedFrame::LengthOf(context_.profile, small::kBytes)) {
      return Fate::kUseless;
    }
  } else {
    const auto action = static_cast<RedAction>(header.action);
    if (action > RedAction::kUnlock || header.bytes > context_.profile.red_short_bytes || !HasLegalLanes(header) ||
        (action != RedAction::kReduce && header.bytes > 0) ||
        packet.length != RedFrame::LengthOf(context_.profile, DataBytes(header))) {
      return Fate::kUseless;
    }
  }
  const std::uint8_t* data = context_.red_bytes->DataOf(packet.payload);
  RedPart part = is_small ? small::Part(data) : ShortPart(header, data);
  const int engine = part.record.seq % kRedEngines;
  Port& port = ports_[packet.input];
  if (port.shorts.empty()) port.shorts.resize(kRedGroups * kRedEngines);
  Short& entry = port.shorts[ShortIndex(header.group, engine)];
  if ((port.coming.open >> engine & 1) == 0) {
    if (!small_group && part.record.seq != entry.part.record.seq) {
      event->code = RedCode::kOrder;
      return Fate::kUseless;
    }
    event->ev = RedEv::kNone;
    return Fate::kStale;
  }
  entry.part = std::move(part);
  entry.valid = true;
  entry.ends = kNever;
  event->ev = RedEv::kShort;
  event->code = RedCode::kOk;
  event->engine = static_cast<std::uint8_t>(engine);
  return Fate::kUsed;
}

/// Rows 5 to 7 of that table.
RedPorts::Fate RedPorts::JudgeStream(const Packet& packet, const Red& header, RedEvent* event) {
  const Port& port = ports_[packet.input];
  const int slot = port.coming.slot;
  if (slot < 0 || !IsBoundTo(slot, header.group)) {
    if (WhatOf(header) != RedWhat::kSegment || port.last_tag[header.group] == header.tag) {
      return Fate::kStale;
    }
    event->ev = RedEv::kError;
    event->code = RedCode::kUnbound;
    return Fate::kUseless;
  }
  if (header.tag != binds_[slot].tag) return Fate::kStale;
  if (WhatOf(header) == RedWhat::kCredit) {
    event->ev = RedEv::kCredit;
    event->group = 0;
    event->slot = static_cast<std::uint8_t>(slot);
    event->credit = header.credit;
    return Fate::kUsed;
  }
  return JudgeSegment(packet, header, slot, event);
}

/// Rows 8 to 10.
RedPorts::Fate RedPorts::JudgeSegment(const Packet& packet, const Red& header, int s, RedEvent* event) {
  Slot& slot = ports_[packet.input].slots[s];
  event->ev = RedEv::kError;
  event->code = RedCode::kOrder;
  const int waiting = static_cast<std::uint16_t>(slot.arrived - slot.launched);
  if (header.seq != slot.arrived || waiting >= context_.profile.red_segments) return Fate::kUseless;
  event->code = RedCode::kFormat;
  const bool plain = header.rnd == 0 && !header.ftz && header.action == 0;
  if (!IsLegal(static_cast<RedOp>(header.op), static_cast<RedType>(header.dtype)) || !plain ||
      header.bytes > context_.profile.red_bytes || !HasLegalLanes(header) ||
      packet.length != RedFrame::LengthOf(context_.profile, DataBytes(header))) {
    return Fate::kUseless;
  }
  slot.entries[slot.arrived % context_.profile.red_store] =
      SegmentPart(header, context_.red_bytes->DataOf(packet.payload));
  ++slot.arrived;
  *event = {
      packet.input, RedEv::kSegment, static_cast<std::uint8_t>(s), 0, 0, header.wants, header.ends, RedCode::kOk, 0};
  return Fate::kUsed;
}

void RedPorts::Launched(int s, bool down) {
  const RedRole role = down ? RedRole::kParent : RedRole::kChild;
  for (int p = 0; p < context_.profile.ports; ++p) {
    if (registers_.peer(p, binds_[s].group).role != role) continue;
    ++ports_[p].slots[s].launched;
    ports_[p].credits_due = static_cast<std::uint8_t>(ports_[p].credits_due | 1u << s);
    credited_ |= Bit(p);
  }
}

void RedPorts::Bound(int s, const RedBind& bind) {
  for (Port& port : ports_) {
    port.slots[s].arrived = port.slots[s].launched = first_segment_;
    port.slots[s].entries.resize(static_cast<std::size_t>(context_.profile.red_store));
    port.last_tag[bind.group] = static_cast<std::int8_t>(bind.tag);
  }
}

void RedPorts::Unbound(int s) {
  for (Port& port : ports_) {
    port.slots[s].arrived = port.slots[s].launched = 0;
    port.credits_due = static_cast<std::uint8_t>(port.credits_due & ~(1u << s));
  }
}

void RedPorts::Clear(Cycle now, int group) {
  Forget(group);
  for (Port& port : ports_) {
    if (port.coming.group == group) port.coming.open = 0;
  }
  cleared_in_ = now;
  cleared_ = group;
}

void RedPorts::Forget(int group) {
  for (Port& port : ports_) {
    if (port.shorts.empty()) continue;
    for (int e = 0; e < kRedEngines; ++e) port.shorts[ShortIndex(group, e)].valid = false;
  }
}

void RedPorts::Check(Audit* audit) const {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    for (const Slot& slot : ports_[p].slots) {
      const int waiting = static_cast<std::uint16_t>(slot.arrived - slot.launched);
      audit->Require("RED-2", waiting <= context_.profile.red_segments, static_cast<int>(p), waiting);
    }
  }
}

}  // namespace tilefly::golden
