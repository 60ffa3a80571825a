// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/situations.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>

namespace tilefly::conform {
namespace {

constexpr std::int64_t kLong = 64;  // cycles

/// Whether a device can be brought into a situation at all.
namespace when {

bool Always(const Capability&) { return true; }
bool StopsInputs(const Capability& it) { return it.flow.stops_inputs; }
bool OutputsStop(const Capability& it) { return it.flow.outputs_stop; }
bool Replicates(const Capability& it) {
  return it.forwarding.broadcast == Fate::kFlooded || it.forwarding.unknown == Fate::kFlooded;
}
bool UnknownIsDefined(const Capability& it) { return it.forwarding.unknown != Fate::kUndefined; }
bool BroadcastIsDefined(const Capability& it) { return it.forwarding.broadcast != Fate::kUndefined; }
bool BadIsDefined(const Capability& it) { return it.frames.bad != Fate::kUndefined; }
bool LongerIsDropped(const Capability& it) { return it.frames.longer == Fate::kDropped; }
bool HasClasses(const Capability& it) { return it.classes.by != ClassField::kNone; }
bool Near(const Capability& it) { return UnknownIsDefined(it) || it.forwarding.group != Fate::kUndefined; }
bool GroupIsDefined(const Capability& it) { return it.forwarding.group != Fate::kUndefined; }
bool HasTypes(const Capability& it) { return WhyNoTypes(it).empty(); }
bool HasTable(const Capability& it) { return it.forwarding.by == Addressing::kTable; }

}  // namespace when

}  // namespace

const std::vector<SituationKind>& SituationKinds() {
  static const std::vector<SituationKind> kKinds = {
      {"in.shortest", "a frame of the shortest length goes in", when::Always},
      {"in.longest", "a frame of the longest length goes in", when::Always},
      {"in.one-beat", "a frame of one beat goes in",
       [](const Capability& it) { return it.frames.shortest <= it.signals.data_bytes; }},
      {"in.whole-beats", "a frame goes in whose last beat is full", when::Always},
      {"in.one-byte-over", "a frame goes in whose last beat has one byte",
       [](const Capability& it) { return it.signals.keep && it.signals.data_bytes > 1; }},
      {"in.back-to-back", "a frame begins in the cycle after the one before it ended", when::Always},
      {"in.gap", "an input shows nothing amid a frame", when::Always},
      {"in.held", "the first beat of a frame is not taken at once", when::StopsInputs},
      {"in.held-within", "another beat is not taken at once", when::StopsInputs},
      {"in.held-every", "beats of each input were not taken at once, in one test", when::StopsInputs},
      {"in.held-all", "all inputs are stopped in the same cycle", when::StopsInputs},
      {"in.all-at-once", "frames begin at all inputs in the same cycle", when::Always},
      {"out.back-to-back", "a frame begins to leave in the cycle after the one before it ended", when::Always},
      {"out.gap", "an output shows nothing amid a frame", when::Always},
      {"out.held-first", "the first beat of a frame is stopped", when::OutputsStop},
      {"out.held-within", "a beat amid a frame is stopped", when::OutputsStop},
      {"out.held-last", "the last beat of a frame is stopped", when::OutputsStop},
      {"out.held-long", "a beat is stopped for 64 cycles", when::OutputsStop},
      {"out.held-every", "beats of each output were stopped, in one test", when::OutputsStop},
      {"out.held-all", "beats of all outputs are stopped in the same cycle", when::OutputsStop},
      {"pair.every", "frames came from each input to each other output, in one test", when::Always},
      {"pair.own", "a frame leaves by the port that it came in by",
       [](const Capability& it) { return it.forwarding.own_port == Fate::kReturned; }},
      {"heads.two", "frames of two inputs are in for one output", when::Always},
      {"heads.all", "frames of all other inputs are in for one output", when::Always},
      {"heads.same-cycle", "the last beats of two frames for one output go in in the same cycle", when::Always},
      {"ends.all", "the last beats of frames of all inputs go in in the same cycle", when::Always},
      {"ends.one-output", "the last beats of frames of all other inputs for one output go in in the same cycle",
       when::Always},
      {"full", "outputs are stopped, and no input goes on for 256 cycles",
       [](const Capability& it) { return it.flow.stops_inputs && it.flow.outputs_stop && !it.flow.lossy; }},
      {"copies", "a copy of a frame to several outputs leaves", when::Replicates},
      {"address.unknown", "a frame to a MAC that nobody has goes in", when::UnknownIsDefined},
      {"address.broadcast", "a broadcast frame goes in", when::BroadcastIsDefined},
      {"address.group", "a frame to a group address but broadcast goes in", when::GroupIsDefined},
      {"address.near-broadcast", "a frame goes in to broadcast but for a bit, or but for the group bit and another one",
       when::Near},
      {"type.ipv4", "an IPv4 frame goes in", when::HasTypes},
      {"type.ipv6", "an IPv6 frame goes in", when::HasTypes},
      {"type.arp", "an ARP frame goes in", when::HasTypes},
      {"type.vlan", "a frame with a VLAN tag goes in", when::HasTypes},
      {"type.service-vlan", "a frame with a service tag and a VLAN tag goes in", when::HasTypes},
      {"type.length", "a frame goes in that has its length where others have the EtherType", when::HasTypes},
      {"type.padded", "a frame goes in that says a length below its own", when::HasTypes},
      {"type.other", "a frame of another EtherType goes in", when::HasTypes},
      {"table.busy", "an entry of the table is written while frames are inside", when::HasTable},
      {"bad.after-good", "a bad frame follows a good one of its input", when::BadIsDefined},
      {"bad.before-good", "a good frame follows a bad one of its input", when::BadIsDefined},
      {"bad.shortest", "a bad frame of the shortest length goes in", when::BadIsDefined},
      {"bad.broadcast", "a bad broadcast frame goes in",
       [](const Capability& it) { return when::BadIsDefined(it) && when::BroadcastIsDefined(it); }},
      {"bad.unknown", "a bad frame to a MAC that nobody has goes in",
       [](const Capability& it) { return when::BadIsDefined(it) && when::UnknownIsDefined(it); }},
      {"bad.within", "a good frame goes in with the bad bit in a beat before the last",
       [](const Capability& it) { return when::BadIsDefined(it) && it.frames.longest > it.signals.data_bytes; }},
      {"longer", "a frame above the longest goes in", when::LongerIsDropped},
      {"longer.wraps", "a frame goes in that is longer than a good one by 65,536 bytes",
       [](const Capability& it) { return when::LongerIsDropped(it) && it.frames.longest <= 1 << 16; }},
      {"longer.broadcast", "a broadcast frame above the longest goes in",
       [](const Capability& it) { return when::LongerIsDropped(it) && when::BroadcastIsDefined(it); }},
      {"class.every", "frames of each class came out, in one test", when::HasClasses},
      {"cut-through", "a frame begins to leave before it is in whole",
       [](const Capability& it) { return it.flow.cut_through; }},
      {"empty", "nothing is inside any more, amid the traffic", when::Always},
      {"reset.inside", "a reset with frames inside", when::Always},
      {"reset.in-frame", "a reset while a frame goes in", when::Always},
      {"reset.out-frame", "a reset while a frame leaves", when::Always},
  };
  return kKinds;
}

Situations::Situations(const Capability& capability)
    : capability_(capability),
      times_(SituationKinds().size()),
      ins_(static_cast<std::size_t>(capability.ports)),
      outs_(ins_.size()),
      good_(ins_.size(), -1),
      ended_(ins_.size(), -1),
      ends_(ins_.size()),
      reached_(ins_.size()) {}

void Situations::Meet(const char* name) {
  const auto& kinds = SituationKinds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (std::strcmp(kinds[i].name, name) != 0) continue;
    ++times_[i];
    return;
  }
  throw std::logic_error(std::string("no situation ") + name);
}

bool Situations::All(const std::vector<Side>& sides, bool Side::*mark) {
  return std::all_of(sides.begin(), sides.end(), [&](const Side& side) { return side.*mark; });
}

void Situations::LookAtPorts(const StreamInputs& driven, const StreamOutputs& shown, const Books& books) {
  LookAtInputs(driven, shown);
  LookAtOutputs(driven, shown);
  int most = 0;
  for (int output = 0; output < capability_.ports; ++output) most = std::max(most, books.Wanting(output));
  if (most >= 2) Meet("heads.two");
  if (most >= capability_.ports - 1) Meet("heads.all");
  const bool busy = books.outstanding() > 0;
  if (busy && driven.write.valid) Meet("table.busy");
  if (busy_ && !busy) Meet("empty");
  busy_ = busy;
}

void Situations::LookAtInputs(const StreamInputs& driven, const StreamOutputs& shown) {
  std::size_t held = 0;
  std::size_t begun = 0;
  for (std::size_t port = 0; port < ins_.size(); ++port) {
    Side& side = ins_[port];
    const Beat& beat = driven.in[port];
    const bool taken = beat.valid && (shown.in_ready[port] || !capability_.flow.stops_inputs);
    if (!beat.valid && side.in_frame) Meet("in.gap");
    const bool stopped = beat.valid && !taken;
    held += stopped;
    if (stopped && side.held++ == 0) Meet(side.in_frame ? "in.held-within" : "in.held");
    side.ever_held = side.ever_held || stopped;
    if (taken && !side.in_frame) {
      ++begun;
      if (side.was_last) Meet("in.back-to-back");
    }
    side.was_last = taken && beat.last;
    if (!taken) continue;
    side.in_frame = !beat.last;
    side.held = 0;
  }
  if (held == ins_.size()) Meet("in.held-all");
  if (begun == ins_.size()) Meet("in.all-at-once");
  if (held > 0 && !every_in_ && All(ins_, &Side::ever_held)) {
    every_in_ = true;
    Meet("in.held-every");
  }
}

void Situations::LookAtOutputs(const StreamInputs& driven, const StreamOutputs& shown) {
  std::size_t held = 0;
  for (std::size_t port = 0; port < outs_.size(); ++port) {
    Side& side = outs_[port];
    const Beat& beat = shown.out[port];
    const bool taken = beat.valid && driven.out_ready[port];
    if (!beat.valid && side.in_frame) Meet("out.gap");
    const bool stopped = beat.valid && !taken;
    held += stopped;
    if (stopped && side.held++ == 0)
      Meet(beat.last ? "out.held-last" : side.in_frame ? "out.held-within" : "out.held-first");
    if (stopped && side.held == kLong) Meet("out.held-long");
    side.ever_held = side.ever_held || stopped;
    if (taken && !side.in_frame && side.was_last) Meet("out.back-to-back");
    side.was_last = taken && beat.last;
    if (!taken) continue;
    side.in_frame = !beat.last;
    side.held = 0;
  }
  if (held == outs_.size()) Meet("out.held-all");
  if (held > 0 && !every_out_ && All(outs_, &Side::ever_held)) {
    every_out_ = true;
    Meet("out.held-every");
  }
}

void Situations::WentIn(const Frame& frame, Cycle now) {
  const auto length = static_cast<int>(frame.bytes.size());
  const int width = capability_.signals.data_bytes;
  const FrameRules& rules = capability_.frames;
  if (length == rules.shortest) Meet("in.shortest");
  if (length == rules.longest) Meet("in.longest");
  if (length <= width) Meet("in.one-beat");
  if (length % width == 0) Meet("in.whole-beats");
  if (length % width == 1 && width > 1) Meet("in.one-byte-over");
  if (length > rules.longest) Meet("longer");
  if (length > 1 << 16 && length - (1 << 16) >= rules.shortest && length - (1 << 16) <= rules.longest)
    Meet("longer.wraps");
  MeetAddress(frame);
  constexpr const char* kTypes[] = {nullptr,       "type.ipv4",   "type.ipv6",
                                    "type.arp",    "type.vlan",   "type.service-vlan",
                                    "type.length", "type.padded", "type.other"};
  static_assert(std::size(kTypes) == kFrameTypes);
  if (const char* const type = kTypes[static_cast<int>(frame.type)]) Meet(type);
  const std::size_t beats = BeatsOf(frame, width);
  const std::uint64_t before_last = beats > 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (beats - 1)) - 1;
  if (!frame.marked && (frame.within & before_last) != 0) Meet("bad.within");
  int& good = good_[static_cast<std::size_t>(frame.source)];
  if (frame.marked && length == rules.shortest) Meet("bad.shortest");
  if (frame.marked && good == 1) Meet("bad.after-good");
  if (!frame.marked && good == 0) Meet("bad.before-good");
  good = frame.marked ? 0 : 1;
  all_ends_ = end_ == now ? all_ends_ + 1 : 1;
  end_ = now;
  if (all_ends_ == capability_.ports) Meet("ends.all");
  if (frame.destination < 0) return;
  Cycle& ended = ended_[static_cast<std::size_t>(frame.destination)];
  int& ends = ends_[static_cast<std::size_t>(frame.destination)];
  if (ended == now) Meet("heads.same-cycle");
  ends = ended == now ? ends + 1 : 1;
  if (ends == capability_.ports - 1) Meet("ends.one-output");
  ended = now;
}

/// To whom it goes, and which of these are bad or too long.
void Situations::MeetAddress(const Frame& frame) {
  const bool to_all = frame.to == Frame::To::kAll;
  if (to_all) Meet("address.broadcast");
  if (to_all && frame.marked) Meet("bad.broadcast");
  if (to_all && static_cast<int>(frame.bytes.size()) > capability_.frames.longest) Meet("longer.broadcast");
  if (frame.to == Frame::To::kNobody) Meet("address.unknown");
  if (frame.to == Frame::To::kNobody && frame.marked) Meet("bad.unknown");
  if (frame.to == Frame::To::kGroup) Meet("address.group");
  if (to_all || frame.to == Frame::To::kPort || capability_.forwarding.by == Addressing::kTdest) return;
  int cleared = 0;
  for (std::size_t i = 0; i < kBroadcast.size(); ++i) cleared += __builtin_popcount(0xffu & ~unsigned{frame.bytes[i]});
  const int allowed = frame.to == Frame::To::kGroup ? 1 : 2;
  if (cleared <= allowed) Meet("address.near-broadcast");
}

void Situations::CameOut(int port, const Arrival& arrival) {
  const Passage& passage = arrival.passage;
  const Frame& frame = *passage.frame;
  if (frame.destination == port && frame.source == port) Meet("pair.own");
  if (frame.destination < 0) Meet("copies");
  if (passage.last_in < 0 || arrival.first < passage.last_in) Meet("cut-through");
  std::uint64_t& reached = reached_[static_cast<std::size_t>(frame.source)];
  reached |= std::uint64_t{1} << port;
  classes_ |= std::uint64_t{1} << frame.traffic_class;
  const auto all = [](int count) { return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1; };
  if (!every_class_ && classes_ == all(capability_.classes.count)) {
    every_class_ = true;
    Meet("class.every");
  }
  if (every_pair_ || (reached | std::uint64_t{1} << frame.source) != all(capability_.ports)) return;
  for (std::size_t input = 0; input < reached_.size(); ++input) {
    if ((reached_[input] | std::uint64_t{1} << input) != all(capability_.ports)) return;
  }
  every_pair_ = true;
  Meet("pair.every");
}

void Situations::Reset(bool inside) {
  if (inside) Meet("reset.inside");
  const auto in_frame = [](const Side& side) { return side.in_frame; };
  if (std::any_of(ins_.begin(), ins_.end(), in_frame)) Meet("reset.in-frame");
  if (std::any_of(outs_.begin(), outs_.end(), in_frame)) Meet("reset.out-frame");
  for (std::vector<Side>* const sides : {&ins_, &outs_}) {
    for (Side& side : *sides) {
      side.in_frame = side.was_last = false;
      side.held = 0;
    }
  }
  std::fill(good_.begin(), good_.end(), -1);
  busy_ = false;
}

}  // namespace tilefly::conform
