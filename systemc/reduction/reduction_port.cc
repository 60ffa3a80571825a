// SPDX-License-Identifier: Apache-2.0
#include "systemc/reduction/reduction_port.h"

#include "golden/common/stage_times.h"
#include "systemc/reduction/half_rings.h"

namespace tilefly::systemc {
namespace {

using golden::kRedEngines;
using golden::kRedGroups;
using golden::kRedSlots;
using golden::RedFrame;

constexpr unsigned kAllEngines = (1u << kRedEngines) - 1;

bool IsShort(RedWhat what) { return what == RedWhat::kShort || what == RedWhat::kShortResult; }
bool IsSmall(RedWhat what) { return what == RedWhat::kSmall || what == RedWhat::kSmallResult; }
bool IsFromParent(RedWhat what) {
  return what == RedWhat::kResult || what == RedWhat::kShortResult || what == RedWhat::kSmallResult;
}
bool IsFromChild(RedWhat what) {
  return what == RedWhat::kSegment || what == RedWhat::kShort || what == RedWhat::kSmall;
}

const std::uint8_t* DataOf(const fabric::Packet& packet) { return packet.frame->data() + Red::kBytes; }

/// The packet has as many bytes as follow from so much data.
bool HasLength(const Profile& profile, const fabric::Packet& packet, int data) {
  return packet.length == RedFrame::LengthOf(profile, data);
}

/// Row 9 of the page.
bool IsWellFormedSegment(const Profile& profile, const fabric::Packet& packet, const Red& header) {
  return golden::IsLegal(static_cast<RedOp>(header.op), static_cast<RedType>(header.dtype)) && header.rnd == 0 &&
         !header.ftz && header.action == 0 && header.bytes <= profile.red_bytes && golden::HasLegalLanes(header) &&
         HasLength(profile, packet, golden::DataBytes(header));
}

/// Row b of the trees page.
bool IsWellFormedShort(const Profile& profile, const fabric::Packet& packet, const Red& header) {
  if (IsSmall(static_cast<RedWhat>(header.what))) {
    return header.bytes == golden::small::kBytes && !header.empty && HasLength(profile, packet, golden::small::kBytes);
  }
  const auto action = static_cast<RedAction>(header.action);
  return action <= RedAction::kUnlock && header.bytes <= profile.red_short_bytes && golden::HasLegalLanes(header) &&
         (action == RedAction::kReduce || header.bytes == 0) && HasLength(profile, packet, golden::DataBytes(header));
}

}  // namespace

void ReductionPort::Begin(Cycle cycle, int group) {
  coming_group_ = group;
  coming_slot_ = -1;
  coming_open_ = kAllEngines;
  if (group >= kRedGroups) return;
  for (int s = 0; s < kRedSlots; ++s) {
    if (IsBoundTo(s, group)) coming_slot_ = s;
  }
  if (cleared_in_ == cycle && cleared_ == group) coming_open_ = 0;
  if (shorts_.empty()) return;
  for (int e = 0; e < kRedEngines; ++e) {
    if (ShortOf(group, e).IsValid(cycle)) coming_open_ &= ~(1u << e);
  }
}

bool ReductionPort::End(const fabric::Packet& packet, Report* report) {
  *report = {};
  report->port = port_;
  if (packet.bad) return false;
  const Fate fate = Judge(packet, report);
  if (fate == Fate::kUsed) context_.counters.Count(port_, Counter::kRxRed);
  if (fate == Fate::kStale) context_.counters.Count(port_, Counter::kRedStale);
  if (fate == Fate::kRefused) context_.counters.Count(port_, Counter::kRedRefused);
  return fate == Fate::kUsed;
}

/// Rows 1 to 4 of the page.
ReductionPort::Fate ReductionPort::Judge(const fabric::Packet& packet, Report* report) {
  if (packet.frame == nullptr || packet.frame->size() < Red::kBytes) return Fate::kRefused;
  const Red header = Red::UnpackBytes(packet.frame->data());
  const auto what = static_cast<RedWhat>(header.what);
  if (header.group >= kRedGroups || what > RedWhat::kSmallResult) return Fate::kRefused;
  const RedRole role = trees_.peer(port_, header.group).role;
  if (role == RedRole::kNone) return Fate::kRefused;
  report->group = header.group;
  if (what == RedWhat::kFail) {
    report->ev = RedEv::kFailed;
    report->code = static_cast<RedCode>(header.code);
    return Fate::kUsed;
  }
  if (role == RedRole::kChild ? IsFromParent(what) : IsFromChild(what)) {
    report->ev = RedEv::kError;
    report->code = RedCode::kRole;
    return Fate::kUseless;
  }
  return IsShort(what) || IsSmall(what) ? JudgeShort(packet, header, report) : JudgeStream(packet, header, report);
}

/// Rows a to e of the trees page.
ReductionPort::Fate ReductionPort::JudgeShort(const fabric::Packet& packet, const Red& header, Report* report) {
  const bool is_small = IsSmall(static_cast<RedWhat>(header.what));
  if (is_small != trees_.peer(port_, header.group).small) return Fate::kRefused;
  report->ev = RedEv::kError;
  report->code = RedCode::kFormat;
  if (!IsWellFormedShort(context_.profile, packet, header)) return Fate::kUseless;
  golden::RedPart part = is_small ? golden::small::Part(DataOf(packet)) : golden::ShortPart(header, DataOf(packet));
  const int engine = part.record.seq % kRedEngines;
  if (shorts_.empty()) shorts_.resize(kRedGroups * kRedEngines);
  Short& entry = ShortOf(header.group, engine);
  if ((coming_open_ >> engine & 1) == 0) {
    if (is_small || part.record.seq == entry.part.record.seq) {
      report->ev = RedEv::kNone;
      return Fate::kStale;
    }
    report->code = RedCode::kOrder;
    return Fate::kUseless;
  }
  entry = {std::move(part), true, kNever};
  report->ev = RedEv::kShort;
  report->code = RedCode::kOk;
  report->engine = engine;
  return Fate::kUsed;
}

/// Rows 5 to 7.
ReductionPort::Fate ReductionPort::JudgeStream(const fabric::Packet& packet, const Red& header, Report* report) {
  const auto what = static_cast<RedWhat>(header.what);
  if (coming_slot_ < 0 || !IsBoundTo(coming_slot_, header.group)) {
    if (what != RedWhat::kSegment || last_tag_[header.group] == header.tag) return Fate::kStale;
    report->ev = RedEv::kError;
    report->code = RedCode::kUnbound;
    return Fate::kUseless;
  }
  if (header.tag != bindings_[coming_slot_].tag) return Fate::kStale;
  if (what != RedWhat::kCredit) return StoreSegment(packet, header, report);
  report->ev = RedEv::kCredit;
  report->slot = coming_slot_;
  report->credit = header.credit;
  return Fate::kUsed;
}

/// Rows 8 to 10.
ReductionPort::Fate ReductionPort::StoreSegment(const fabric::Packet& packet, const Red& header, Report* report) {
  Slot& slot = slots_[coming_slot_];
  report->ev = RedEv::kError;
  report->code = RedCode::kOrder;
  const auto waiting = static_cast<std::uint16_t>(slot.arrived - slot.launched);
  if (header.seq != slot.arrived || waiting >= context_.profile.red_segments) return Fate::kUseless;
  report->code = RedCode::kFormat;
  if (!IsWellFormedSegment(context_.profile, packet, header)) return Fate::kUseless;
  slot.entries[slot.arrived % context_.profile.red_store] = golden::SegmentPart(header, DataOf(packet));
  ++slot.arrived;
  report->ev = RedEv::kSegment;
  report->code = RedCode::kOk;
  report->slot = coming_slot_;
  report->wants = header.wants;
  report->ends = header.ends;
  return Fate::kUsed;
}

void ReductionPort::Launched(int s, bool down) {
  if (trees_.peer(port_, bindings_[s].group).role != (down ? RedRole::kParent : RedRole::kChild)) return;
  ++slots_[s].launched;
  credits_due_ |= 1u << s;
}

void ReductionPort::Bound(int s) {
  slots_[s].entries.resize(static_cast<std::size_t>(context_.profile.red_store));
  last_tag_[bindings_[s].group] = bindings_[s].tag;
}

void ReductionPort::Unbound(int s) {
  slots_[s].arrived = slots_[s].launched = 0;
  credits_due_ &= ~(1u << s);
}

void ReductionPort::Clear(Cycle cycle, int group) {
  Forget(group);
  if (coming_group_ == group) coming_open_ = 0;
  cleared_in_ = cycle;
  cleared_ = group;
}

void ReductionPort::Forget(int group) {
  if (shorts_.empty()) return;
  for (int e = 0; e < kRedEngines; ++e) ShortOf(group, e).valid = false;
}

const golden::RedPart* ReductionPort::PartOf(const Launch& launch) {
  if (launch.streams()) {
    const Slot& slot = slots_[launch.slot];
    const int back = static_cast<std::uint16_t>(slot.arrived - launch.segment);
    if (back < 1 || back > context_.profile.red_store) return nullptr;
    return &slot.entries[launch.segment % context_.profile.red_store];
  }
  if (shorts_.empty()) return nullptr;
  Short& entry = ShortOf(launch.group, launch.engine);
  if (!entry.IsValid(launch.at)) return nullptr;
  entry.ends = launch.at + golden::StepOffset(context_.profile.tiles, port_) + kShortWords - 1;
  return &entry.part;
}

}  // namespace tilefly::systemc
