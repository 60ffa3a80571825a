// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/scoreboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "cosim/errors.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint64_t kBrokenOffIds = std::uint64_t{1} << 62;  ///< numbers of attempts are above those of packets

std::string FirstDifference(const Bytes& got, const Bytes& want) {
  if (got.size() != want.size()) return fmt::format("{} bytes instead of {}", got.size(), want.size());
  const auto at = std::mismatch(got.begin(), got.end(), want.begin());
  return fmt::format("byte {} is 0x{:02x} instead of 0x{:02x}", at.first - got.begin(), *at.first, *at.second);
}

}  // namespace

std::int64_t Books::in_flight() const {
  return offered - delivered - lost - std::accumulate(drops.begin(), drops.end(), std::int64_t{0});
}

Scoreboard::Scoreboard(const SwitchSetup& setup)
    : setup_(setup),
      expected_(static_cast<std::size_t>(setup.profile().ports)),
      sent_(static_cast<std::size_t>(setup.profile().ports)),
      doomed_(static_cast<std::size_t>(setup.profile().ports)),
      seen_(static_cast<std::size_t>(setup.profile().ports)),
      lost_whole_(static_cast<std::size_t>(setup.profile().ports)),
      lost_frames_(static_cast<std::size_t>(setup.profile().ports)),
      no_way_(static_cast<std::size_t>(setup.profile().ports)),
      delivered_words_(static_cast<std::size_t>(setup.profile().ports)) {}

std::uint64_t Scoreboard::FlowKey(int input, int output, int lane, std::uint32_t channel) {
  return std::uint64_t{channel} << 32 | static_cast<std::uint32_t>(input << 16 | output << 8 | lane);
}

/// The frame check and the length tell frames apart; equal ones are compared byte by byte.
std::uint64_t Scoreboard::ContentKey(const Bytes& bytes) {
  std::uint32_t check;
  std::memcpy(&check, bytes.data() + bytes.size() - kFcsBytes, kFcsBytes);
  return std::uint64_t{check} << 16 | bytes.size();
}

const Bytes& Scoreboard::Leaving(const Packet& packet, const Expected& expected) const {
  return expected.departure.is_converted ? expected.departure.converted : packet.frame->bytes;
}

/// What the switch took goes the way of a frame that its sender broke off: it is filled with zeros. A copy of it leaves
/// stomped, and a port that stores drops it.
void Scoreboard::BrokenOff(const FramePtr& frame, Cycle first, Cycle last, int words) {
  auto part = std::make_shared<Frame>(*frame);
  part->id = kBrokenOffIds + static_cast<std::uint64_t>(++books_.broken_off);
  part->broken_off = true;
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(part->bytes.size());
  const std::ptrdiff_t from = std::min<std::ptrdiff_t>(words * kWordBytes - kHeaderBytes, size);
  std::fill(part->bytes.begin() + from, part->bytes.end(), std::uint8_t{0});
  const PortMode& mode = setup_.mode(part->source);
  if (!mode.cut_through && part->expect_drop != Drop::kHeader) part->expect_drop = Drop::kBroken;
  part->expect_stomp = part->expect_drop == Drop::kNone;
  Sent(part, first, last);
}

void Scoreboard::Sent(const FramePtr& frame, Cycle first, Cycle last) {
  books_.offered += !frame->broken_off;
  const auto source = static_cast<std::size_t>(frame->source);
  if (frame->control) {  // for the switch itself: it has no number, and only its counter tells of it
    ++books_.drops[static_cast<std::size_t>(frame->expect_drop)];
    ++seen_[source][static_cast<std::size_t>(frame->expect_drop)];
    return;
  }
  Packet packet{frame, first, last, {}, 0, 0};
  if (frame->expect_drop == Drop::kNone) {
    packet.fate = setup_.Predict(*frame);
  } else {
    packet.fate.drop = frame->expect_drop;
    packet.fate.tc = setup_.ClassOf(*frame);
  }
  ClassOf(packet).offered += !frame->broken_off;
  refused_ += __builtin_popcountll(packet.fate.refused);
  if (packet.fate.drop != Drop::kNone) {
    packet.fate.outputs = 0;
    doomed_[source].push_back(frame->id);
  } else {
    packet.lane = setup_.OutputLane(*frame, packet.fate);
    packet.channel = setup_.ChannelOf(*frame, packet.fate);
    packet.copies_left = packet.fate.one_of ? 1 : __builtin_popcountll(packet.fate.outputs);
    outstanding_ += packet.copies_left;
    for (std::uint64_t left = packet.fate.outputs; left != 0; left &= left - 1) {
      const int output = __builtin_ctzll(left);
      Expected expected{frame->id, setup_.Depart(*frame, packet.fate, output)};
      const std::uint64_t key = packet.content = ContentKey(Leaving(packet, expected));
      expected_[static_cast<std::size_t>(output)].emplace(key, std::move(expected));
      flows_[FlowKey(packet, output)].packets.push_back(frame->id);
    }
    if (frame->broken_off && packet.fate.one_of) ++equal_attempts_[{frame->source, packet.content}];
  }
  if (fates_ != nullptr && !frame->broken_off) fates_->Offered(*frame, packet.fate, packet.lane, first, last);
  sent_[source].push_back(frame->id);
  if (sent_[source].size() > 256) sent_[source].pop_front();
  packets_.emplace(frame->id, std::move(packet));
}

void Scoreboard::Received(const Reception& reception) {
  auto& expected = expected_[static_cast<std::size_t>(reception.port)];
  const auto [begin, end] = expected.equal_range(ContentKey(reception.bytes));
  auto found = end;
  Flow* flow = nullptr;
  for (auto it = begin; it != end; ++it) {
    const Packet& packet = packets_.at(it->second.packet);
    // Equal frames of different inputs are told apart by where this one came from.
    if (reception.origin >= 0 && packet.frame->source != reception.origin) continue;
    if (Leaving(packet, it->second) != reception.bytes) continue;
    found = it;
    flow = &flows_.at(FlowKey(packet, reception.port));
    if (flow->packets.front() == it->second.packet) break;
  }
  if (found == end) ReportUnknown(reception);
  const std::uint64_t id = found->second.packet;
  Packet& packet = packets_.at(id);
  // Of equal attempts with several ways another one may have come out elsewhere in the place of this one.
  const bool known = !(packet.frame->broken_off && packet.fate.one_of && equal_attempts_.at({packet.frame->source, packet.content}) > 1);
  // Those before it that may leave elsewhere, or were lost, do not leave here.
  while (known && flow->packets.front() != id) {
    const std::uint64_t passed = flow->packets.front();
    if (Open(passed)) {
      RuleOut(passed, reception.port);
    } else if (packets_.at(passed).maybe_lost) {
      Forget(passed, Drop::kClassFull);
    } else if (packets_.at(passed).may_be_lost(reception.port)) {
      LoseCopy(passed, reception.port);
    } else {
      break;
    }
  }
  if (known && flow->packets.front() != id) {
    throw CheckFailure(reception.last, reception.port, id,
                       fmt::format("out of order: packet {:#x} of input {} on lane {} comes out before {:#x}", id,
                                   packet.frame->source, packet.lane, flow->packets.front()));
  }
  CheckHeader(reception, found->second);
  if (known && packet.fate.outputs != 0 && reception.first <= packet.first) {
    throw CheckFailure(reception.first, reception.port, id,
                       fmt::format("packet {:#x} comes out before it went in", id));
  }
  flow->packets.erase(std::find(flow->packets.begin(), flow->packets.end(), id));
  ++flow->delivered;
  --outstanding_;
  uncertain_ -= packet.uncertain();
  if (packet.maybe_lost) refused_ += __builtin_popcountll(packet.fate.refused);
  packet.maybe_lost = false;
  packet.risky = packet.fate.one_of ? 0 : packet.risky & ~(std::uint64_t{1} << reception.port);
  packet.came_out = true;
  CountDelivered(packet, reception);
  expected.erase(found);
  if (Open(id)) {
    packet.fate.outputs &= ~(std::uint64_t{1} << reception.port);
    while (packet.fate.outputs != 0) RuleOut(id, __builtin_ctzll(packet.fate.outputs));
  }
  --packet.copies_left;
  uncertain_ += packet.uncertain();
  if (fates_ != nullptr && packet.frame->broken_off) fates_->BrokenCameOut(packet.lane, reception);
  if (fates_ != nullptr && !packet.frame->broken_off)
    fates_->CameOut(*packet.frame, packet.lane, reception, packet.copies_left == 0);
  if (packet.copies_left == 0) Finish(id);
}

/// No copy is to come any more; some have come out, or were lost with links.
void Scoreboard::Finish(std::uint64_t id) {
  const Packet& packet = packets_.at(id);
  const bool counts = !packet.frame->broken_off;
  if (!packet.came_out) {
    ++(counts ? books_.lost : books_.broken_lost);
    lost_frames_[static_cast<std::size_t>(packet.frame->source)] += counts;
  }
  books_.delivered += counts && packet.came_out;
  (packet.came_out ? ClassOf(packet).delivered : ClassOf(packet).dropped) += counts;
  if (counts && packet.came_out) books_.copies_lost += packet.lost;
  if (counts && packet.came_out) books_.copies_dropped += __builtin_popcountll(packet.fate.refused);
  CountRefused(packet.fate);
  packets_.erase(id);
}

/// A copy came out.
void Scoreboard::CountDelivered(const Packet& packet, const Reception& reception) {
  const Cycle latency = reception.first - packet.first;
  latest_ = {packet.fate.tc, latency, packet.frame->broken_off};
  if (packet.frame->broken_off) {
    ++books_.broken_out;
    return;
  }
  latency_.Add(latency);
  ClassOf(packet).latency.Add(latency);
  const std::int64_t words =
      (static_cast<std::int64_t>(reception.bytes.size()) + (reception.enh ? kHeaderBytes : 0) + kWordBytes - 1) /
      kWordBytes;
  if (!traffic_over_) ClassOf(packet).words += words;
  delivered_words_[static_cast<std::size_t>(reception.port)] += words;
  ++books_.copies;
}

/// Each output that refuses its copy counts it.
void Scoreboard::CountRefused(const SwitchSetup::Fate& fate) {
  for (std::uint64_t left = fate.refused; left != 0; left &= left - 1)
    ++seen_[static_cast<std::size_t>(__builtin_ctzll(left))][static_cast<std::size_t>(Drop::kNoEthHeader)];
}

/// Whether the packet may leave by one of several ports.
bool Scoreboard::Open(std::uint64_t id) const {
  const SwitchSetup::Fate& fate = packets_.at(id).fate;
  return fate.one_of && (fate.outputs & (fate.outputs - 1)) != 0;
}

/// The packet does not leave by `output`.
void Scoreboard::RuleOut(std::uint64_t id, int output) {
  Packet& packet = packets_.at(id);
  packet.fate.outputs &= ~(std::uint64_t{1} << output);
  auto& expected = expected_[static_cast<std::size_t>(output)];
  auto [it, end] = expected.equal_range(packet.content);
  while (it != end && it->second.packet != id) ++it;
  expected.erase(it);
  auto& packets = flows_.at(FlowKey(packet, output)).packets;
  packets.erase(std::find(packets.begin(), packets.end(), id));
}

void Scoreboard::CheckHeader(const Reception& reception, const Expected& expected) const {
  if (!reception.enh) return;
  Header header = expected.departure.header;
  const Packet& packet = packets_.at(expected.packet);
  if (expected.departure.routed && setup_.MayLeave(*packet.frame, packet.fate, reception.port, reception.header)) {
    header.via = reception.header.via;
    header.via_valid = reception.header.via_valid;
  }
  if (packet.channel != 0) {  // the input has written them
    header.gen = reception.header.gen;
    header.an = reception.header.an;
  }
  if (setup_.rules_open() && !packet.frame->enh) {
    header.mode = reception.header.mode;
    header.ordered = reception.header.ordered;
  }
  if (reception.header == header) return;
  std::array<std::uint32_t, Header::kWords> got{}, want{};
  reception.header.Pack(got.data());
  header.Pack(want.data());
  for (const FieldInfo& field : Header::kFields) {
    const std::uint64_t a = GetBits(got.data(), field.lsb, field.width);
    const std::uint64_t b = GetBits(want.data(), field.lsb, field.width);
    if (a != b) {
      throw CheckFailure(
          reception.first, reception.port, expected.packet,
          fmt::format("packet {:#x} leaves with header.{} {:#x} instead of {:#x}", expected.packet, field.name, a, b));
    }
  }
}

std::uint64_t Scoreboard::HeadAt(int port) const {
  std::uint64_t oldest = 0;
  Cycle first = 0;
  for (const auto& [key, entry] : expected_[static_cast<std::size_t>(port)]) {
    const Packet& packet = packets_.at(entry.packet);
    if (oldest != 0 && packet.first >= first) continue;
    oldest = entry.packet;
    first = packet.first;
  }
  return oldest;
}

/// Names the waiting packet that the received one resembles most: the same first bytes, else the oldest.
void Scoreboard::ReportUnknown(const Reception& reception) const {
  for (const auto& [key, entry] : expected_[static_cast<std::size_t>(reception.port)]) {
    const Packet& packet = packets_.at(entry.packet);
    const Bytes& want = Leaving(packet, entry);
    const std::size_t head = std::min({want.size(), reception.bytes.size(), std::size_t{28}});
    if (!std::equal(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(head), reception.bytes.begin())) continue;
    throw CheckFailure(reception.last, reception.port, entry.packet,
                       fmt::format("packet {:#x} from input {} leaves changed: {}", entry.packet, packet.frame->source,
                                   FirstDifference(reception.bytes, want)));
  }
  const std::uint64_t oldest = HeadAt(reception.port);
  throw CheckFailure(
      reception.last, reception.port, oldest,
      fmt::format("a frame of {} bytes that is not expected at this port (a repetition, or another port's); "
                  "the oldest one expected is {:#x}",
                  reception.bytes.size(), oldest));
}

void Scoreboard::Close(Cycle now, const std::function<std::uint64_t(int, Drop)>& counter,
                       const std::function<LostBounds(int)>& bounds) {
  ForgetDoomed(counter);
  std::vector<std::uint64_t> lost;
  for (const auto& [id, packet] : packets_) {
    if (packet.maybe_lost) lost.push_back(id);
  }
  for (const std::uint64_t id : lost) Forget(id, Drop::kClassFull);
  LoseRisky();
  if (bounds) CheckLost(now, bounds, DropsWithoutWay(counter));
  MoveToNoRoute(bounds ? DropsWithoutWay(counter) : no_way_);
  if (!packets_.empty()) {
    const auto oldest = std::min_element(packets_.begin(), packets_.end(),
                                         [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
    throw CheckFailure(now, oldest->second.frame->source, oldest->first,
                       fmt::format("{} packets never came out; the oldest, {:#x}, went into port {} in cycle {}",
                                   packets_.size(), oldest->first, oldest->second.frame->source, oldest->second.first));
  }
  for (int port = 0; counter && port < setup_.profile().ports; ++port) {
    for (std::size_t reason = 1; reason < kDropReasons; ++reason) {
      const auto drop = static_cast<Drop>(reason);
      if (drop == Drop::kRed) continue;  // of packets that are not on these books
      const auto counted = static_cast<std::int64_t>(counter(port, drop));
      const auto at = static_cast<std::size_t>(port);
      const std::int64_t attributed = seen_[at][reason] + (drop == Drop::kNoRoute ? no_way_[at] : 0);
      if (counted == attributed) continue;
      if (drop == Drop::kNoRoute && bounds && counted > attributed) continue;  // CheckLost knows a packet for each
      throw CheckFailure(now, port, 0,
                         fmt::format("drop counter {} says {}, the books say {}", ToString(drop), counted, attributed));
    }
  }
}

std::uint64_t Scoreboard::PacketInFlow(int input, int output, int lane, std::uint64_t n) const {
  if (setup_.mode(input).flows) return 0;
  const auto found = flows_.find(FlowKey(input, output, lane, 0));
  if (found == flows_.end()) return 0;
  const Flow& flow = found->second;
  for (std::size_t i = 0; i < flow.packets.size() && flow.delivered + i <= n; ++i) {
    if (Open(flow.packets[i])) return 0;
  }
  return n >= flow.delivered && n - flow.delivered < flow.packets.size() ? flow.packets[n - flow.delivered] : 0;
}

std::uint64_t Scoreboard::PacketBeginning(int port, const std::uint8_t* bytes, std::size_t size) const {
  for (const auto& [key, entry] : expected_[static_cast<std::size_t>(port)]) {
    const Bytes& want = Leaving(packets_.at(entry.packet), entry);
    if (size <= want.size() && std::equal(bytes, bytes + size, want.begin())) return entry.packet;
  }
  return 0;
}

}  // namespace tilefly::cosim
