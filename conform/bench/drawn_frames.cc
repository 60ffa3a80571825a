// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/drawn_frames.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "conform/bench/class_field.h"
#include "conform/bench/fill_rounds.h"
#include "cosim/setup/frame.h"
#include "support/random.h"

namespace tilefly::conform {
namespace {

constexpr Mac kNobody = {0x02, 0xfe, 0xdc, 0xba, 0x98, 0x76};
constexpr std::size_t kMacs = 12;
constexpr std::uint64_t kMacBits = 8 * std::tuple_size<Mac>::value;
constexpr std::uint64_t kGroupBitAt = 0;  // of the first byte
constexpr std::uint32_t kOfContent = 64;  // added to a port: draws of what its frames have inside
constexpr std::size_t kTag = 8;
constexpr int kLonger = 4;  // times the longest frame, beyond it

std::uint32_t Entity(int port) { return static_cast<std::uint32_t>(port); }

/// With a bit cleared, counted from the lowest of the first byte on.
Mac Cleared(Mac mac, std::uint64_t bit) {
  mac[bit / 8] = static_cast<std::uint8_t>(mac[bit / 8] & ~(1u << bit % 8));
  return mac;
}

}  // namespace

DrawnFrames::DrawnFrames(const Capability& capability, const Scenario& scenario, std::uint64_t seed)
    : capability_(capability),
      scenario_(scenario),
      seed_(seed),
      macs_(capability.forwarding.macs),
      table_(macs_),
      senders_(static_cast<std::size_t>(capability.ports)) {
  const FrameRules& frames = capability.frames;
  std::set<int> edges = {frames.shortest, frames.longest};
  for (const int unit : {capability.signals.data_bytes, 64}) {
    for (int at = unit; at < frames.longest && edges.size() < 200; at += unit) {
      for (int length = at - 1; length <= at + 1; ++length) {
        if (length > frames.shortest && length < frames.longest) edges.insert(length);
      }
    }
  }
  lengths_.assign(edges.begin(), edges.end());
  for (int port = 0; port < capability.ports; ++port) {
    const std::uint64_t phase = Draw(seed, Entity(port), 0, Purpose::kPhase);
    senders_[static_cast<std::size_t>(port)].due =
        scenario.quiet || scenario.together != Together::kNo ? 0 : static_cast<Cycle>(Below(phase, 64));
  }
}

bool DrawnFrames::Sends(int port) const {
  if ((scenario_.senders >> port & 1) == 0) return false;
  switch (scenario_.pattern) {
    case Pattern::kIncast:
      return port != Focus();
    case Pattern::kFanOut:
      return port == scenario_.focus;
    default:
      return true;
  }
}

bool DrawnFrames::Exhausted() const {
  if (scenario_.fill_rounds > 0 && round_ >= scenario_.fill_rounds) return true;
  if (scenario_.frames == 0 || !scenario_.frames_end_it) return false;
  const auto wanted = static_cast<std::uint64_t>(scenario_.frames);
  for (int port = 0; port < capability_.ports; ++port) {
    if (Sends(port) && senders_[static_cast<std::size_t>(port)].frames < wanted) return false;
  }
  return true;
}

int DrawnFrames::Focus() const {
  const bool one_after_the_other = scenario_.pattern == Pattern::kIncast;
  if (one_after_the_other && scenario_.fill_rounds > 0) return static_cast<int>(round_ % capability_.ports);
  if (one_after_the_other && scenario_.together != Together::kNo)
    return static_cast<int>(volley_.number % static_cast<std::uint64_t>(capability_.ports));
  if (scenario_.each_output == 0) return scenario_.focus;
  return static_cast<int>(round_ * capability_.ports / scenario_.each_output);
}

FramePtr DrawnFrames::Next(int port, Cycle now, bool empty) {
  Sender& sender = senders_[static_cast<std::size_t>(port)];
  if (closed_ || !Sends(port) || now < sender.due) return nullptr;
  if (scenario_.frames > 0 && sender.frames >= static_cast<std::uint64_t>(scenario_.frames)) return nullptr;
  if (scenario_.together != Together::kNo && !BeginsTogether(port, now, empty)) return nullptr;
  if (scenario_.quiet) {
    if (!empty) return nullptr;
    const auto ports = static_cast<std::uint64_t>(capability_.ports);
    const auto done = [&](std::uint64_t source) {
      return scenario_.frames > 0 && senders_[source].frames >= static_cast<std::uint64_t>(scenario_.frames);
    };
    while (scenario_.pair_step > 1 && done(pair_ / ports % ports)) pair_ += ports;  // `port` has frames left
    if (scenario_.pattern == Pattern::kPairs && pair_ / ports % ports != static_cast<std::uint64_t>(port))
      return nullptr;
  }
  return Make(port);
}

int DrawnFrames::BeatsOfNext(int port) const {
  const std::uint64_t n = senders_[static_cast<std::size_t>(port)].frames;
  return BeatsOf(Length(port, n), capability_.signals.data_bytes);
}

/// The longest frame of the volley begins in `begin`, others so much later that all end at once.
void DrawnFrames::ScheduleVolley(Cycle begin) {
  volley_.begin = begin;
  volley_.beats = 0;
  for (int port = 0; port < capability_.ports; ++port) {
    if (Sends(port)) volley_.beats = std::max(volley_.beats, BeatsOfNext(port));
  }
}

bool DrawnFrames::BeginsTogether(int port, Cycle now, bool empty) {
  Sender& sender = senders_[static_cast<std::size_t>(port)];
  if (sender.next_volley > volley_.number) return false;
  if (volley_.begin < 0) {
    if (scenario_.together == Together::kWhenEmpty && !empty) return false;
    ScheduleVolley(now + 1);
  }
  if (now < volley_.begin + volley_.beats - BeatsOfNext(port)) return false;
  sender.next_volley = volley_.number + 1;
  return true;
}

void DrawnFrames::NextRound() {
  ++round_;
  for (Sender& sender : senders_) sender.of_round = sender.frames;
}

void DrawnFrames::Sent(int port, Cycle now) {
  if (scenario_.together != Together::kNo) {
    std::uint64_t senders = 0;
    for (int other = 0; other < capability_.ports; ++other) senders += Sends(other);
    if (++volley_.sent == senders) volley_ = {volley_.number + 1, 0, -1, 0};
    return;
  }
  if (scenario_.quiet) return;
  Sender& sender = senders_[static_cast<std::size_t>(port)];
  const int beats = BeatsOf(Length(port, sender.frames - 1), capability_.signals.data_bytes);
  const Cycle gap = GapBehind(scenario_, seed_, port, sender.frames, static_cast<std::size_t>(beats));
  if (gap > 0) sender.due = now + gap;
}

int DrawnFrames::Destination(int port, std::uint64_t n) const {
  const int ports = capability_.ports;
  const std::uint64_t bits = Draw(seed_, Entity(port), n, Purpose::kDestination);
  const auto uniform = [&] {
    return (port + 1 + static_cast<int>(Below(Mix64(bits), static_cast<std::uint64_t>(ports - 1)))) % ports;
  };
  switch (scenario_.pattern) {
    case Pattern::kPairs:
      return static_cast<int>((scenario_.quiet ? pair_ : n) % static_cast<std::uint64_t>(ports));
    case Pattern::kPermutation:
      return (port + scenario_.shift) % ports;
    case Pattern::kHotspot:
      return (bits & 1) != 0 && port != scenario_.focus ? scenario_.focus : uniform();
    case Pattern::kIncast:
      return Focus();
    case Pattern::kOwn:
      return port;
    case Pattern::kCrowd: {
      const int stopped = StoppedOutput(capability_, scenario_, seed_);
      const bool bystander = port == stopped || port == (stopped + 1) % ports;
      return bystander && (port + 1) % ports != stopped ? (port + 1) % ports : stopped;
    }
    case Pattern::kUniform:
    case Pattern::kFanOut:
      break;
  }
  return uniform();
}

/// Of a round: what brings a queue to its level, then the longest frames. In an incast one input does so.
int DrawnFrames::FillLength(int port, std::uint64_t n) const {
  const FrameRules& frames = capability_.frames;
  const int width = capability_.signals.data_bytes;
  const bool incast = scenario_.pattern == Pattern::kIncast;
  const std::uint64_t at = n - senders_[static_cast<std::size_t>(port)].of_round;
  const int lifter =
      (Focus() + 1 + static_cast<int>(round_ / capability_.ports) % (capability_.ports - 1)) % capability_.ports;
  if (incast && port != lifter) return frames.longest;
  const std::vector<int> fillers = incast ? FillersOf(capability_, seed_, round_, scenario_.fill_rounds)
                                          : FillersOf(capability_, seed_, round_ * capability_.ports + port,
                                                      std::int64_t{scenario_.fill_rounds} * capability_.ports);
  if (at >= fillers.size()) return frames.longest;
  const std::uint64_t spare = capability_.signals.keep ? Draw(seed_, Entity(port), n, Purpose::kSize) : 0;
  const int bytes = fillers[at] * width - static_cast<int>(Below(spare, static_cast<std::uint64_t>(width)));
  return std::min(frames.longest, std::max(frames.shortest, bytes));
}

int DrawnFrames::Length(int port, std::uint64_t n) const {
  if (scenario_.fill_levels) return FillLength(port, n);
  const FrameRules& frames = capability_.frames;
  const int unit = capability_.signals.keep ? 1 : capability_.signals.data_bytes;
  const auto lengths = static_cast<std::uint64_t>((frames.longest - frames.shortest) / unit + 1);
  const std::uint64_t bits = Draw(seed_, Entity(port), n, Purpose::kSize);
  const auto nth = [&](std::uint64_t index) { return frames.shortest + unit * static_cast<int>(index); };
  if (scenario_.longer > 0 && Unit(Draw(seed_, Entity(port), n, Purpose::kFault)) < scenario_.longer)
    return frames.longest +
           unit * (1 + static_cast<int>((bits & 1) != 0 ? 0
                                                        : Below(Mix64(bits), static_cast<std::uint64_t>(
                                                                                 kLonger * frames.longest / unit))));
  if (scenario_.class_lengths && ClassOf(port, n) % 2 == 0) return frames.shortest;
  switch (scenario_.lengths) {
    case Lengths::kShortest:
      return frames.shortest;
    case Lengths::kLongest:
      return frames.longest;
    case Lengths::kEvery:
      return nth((n + 37 * static_cast<std::uint64_t>(port)) % lengths);
    case Lengths::kEdges:
      return unit == 1 ? lengths_[(n + static_cast<std::uint64_t>(port)) % lengths_.size()] : nth(n % lengths);
    case Lengths::kMixed:
      break;
  }
  const std::uint64_t kind = bits % 3;
  return kind == 0 ? frames.shortest : kind == 1 ? frames.longest : nth(Below(Mix64(bits), lengths));
}

/// A MAC that nobody has: half of them differ from a port's in one bit.
Mac DrawnFrames::Unknown(int port, std::uint64_t n) const {
  Stream draw(seed_, Entity(port), n, Purpose::kElsewhere);
  if (scenario_.near_broadcast) return Cleared(Cleared(kBroadcast, kGroupBitAt), n % kMacBits);
  if (macs_.empty() || (!scenario_.near_misses && draw.Below(2) == 0)) return kNobody;
  for (int tries = 0; tries < 16; ++tries) {
    const std::uint64_t which =
        scenario_.near_misses && tries == 0 ? n % (kMacBits * macs_.size()) : draw.Below(kMacBits * macs_.size());
    Mac mac = macs_[which / kMacBits];
    const std::uint64_t bit = which % kMacBits;
    if (bit == kGroupBitAt) continue;  // it would be no address of a port
    mac[bit / 8] = static_cast<std::uint8_t>(mac[bit / 8] ^ 1u << bit % 8);
    if (std::find(macs_.begin(), macs_.end(), mac) == macs_.end()) return mac;
  }
  return kNobody;
}

/// A group address but broadcast: every second one is broadcast but for a bit, each in turn. None is of those that
/// bridges keep for themselves (IEEE 802.1Q, 8.6.3).
Mac DrawnFrames::Group(int port, std::uint64_t n) const {
  if (n % 2 == 0) return Cleared(kBroadcast, 1 + (n / 2 + 13 * static_cast<std::uint64_t>(port)) % (kMacBits - 1));
  Stream draw(seed_, Entity(port), n, Purpose::kElsewhere);
  constexpr Mac kBegins[] = {{0x01, 0x00, 0x5e}, {0x33, 0x33}, {0x03}};  // of IPv4, of IPv6, of nobody
  Mac mac = kBegins[draw.Below(std::size(kBegins))];
  for (std::size_t i = 3; i < mac.size(); ++i) mac[i] = static_cast<std::uint8_t>(draw.Next());
  return mac;
}

/// Type and header of a frame that goes by its MAC.
TypeField DrawnFrames::Type(const Frame& frame, std::uint64_t n) const {
  const std::size_t check = capability_.frames.fcs ? cosim::kFcsBytes : 0;
  const std::size_t taken = kMacs + kTag + check;
  if (!scenario_.types || !WhyNoTypes(capability_).empty() || frame.bytes.size() < taken + 2) return {};
  Stream draw(seed_, kOfContent + Entity(frame.source), n, Purpose::kKind);
  return DrawType(&draw, frame.bytes.size() - taken, frame.bytes.size() - kMacs - 2 - check);
}

/// Where frame `n` of its port goes.
void DrawnFrames::Address(Frame* frame, std::uint64_t n) const {
  const int port = frame->source;
  const double kind = Unit(Draw(seed_, Entity(port), n, Purpose::kReplicate));
  Mac mac = Unknown(port, n);
  if (kind < scenario_.broadcast) {
    mac = kBroadcast;
  } else if (kind >= 1 - scenario_.group) {
    mac = Group(port, n);
  } else if (kind >= scenario_.broadcast + scenario_.unknown) {
    const auto destination = static_cast<std::size_t>(Destination(port, n));
    if (!capability_.forwarding.tdests.empty()) frame->dest = capability_.forwarding.tdests[destination];
    if (!macs_.empty()) mac = macs_[destination];
  }
  if (macs_.empty()) return Tag(frame, n, 0);
  std::copy(mac.begin(), mac.end(), frame->bytes.begin());
  const Mac& own = macs_[static_cast<std::size_t>(port)];
  std::copy(own.begin(), own.end(), frame->bytes.begin() + 6);
  const TypeField type = Type(*frame, n);
  frame->type = type.type;
  std::copy(type.bytes.begin(), type.bytes.end(), frame->bytes.begin() + kMacs);
  Tag(frame, n, kMacs + std::max(type.bytes.size(), 2 + ClassHeaderBytes(capability_.classes)));
}

int DrawnFrames::ClassOf(int port, std::uint64_t n) const {
  const ClassesInUse use = ClassesOf(capability_, scenario_);
  const int count = use.last - use.first + 1;
  if (scenario_.classes == ClassPlan::kDrawn)
    return static_cast<int>(Below(Draw(seed_, Entity(port), n, Purpose::kAck), static_cast<std::uint64_t>(count)));
  return use.first + (port < Focus() ? port : port - 1) % count;
}

/// Makes frames that are on their way at the same time differ, also short ones: the sender, and as much of its count as
/// there is room for behind the header.
void DrawnFrames::Tag(Frame* frame, std::uint64_t n, std::size_t header) const {
  const std::size_t check = capability_.frames.fcs && frame->bytes.size() > cosim::kFcsBytes ? cosim::kFcsBytes : 0;
  const std::size_t end = std::min(frame->bytes.size() - check, header + kTag);
  int bits = 0;
  while (1 << bits < capability_.ports) ++bits;
  std::uint64_t tag = n << bits | static_cast<std::uint64_t>(frame->source);
  for (std::size_t i = header; i < end; ++i, tag >>= 8) frame->bytes[i] = static_cast<std::uint8_t>(tag);
}

FramePtr DrawnFrames::Make(int port) {
  Sender& sender = senders_[static_cast<std::size_t>(port)];
  const auto ports = static_cast<std::uint64_t>(capability_.ports);
  if (scenario_.pattern == Pattern::kPairs && capability_.forwarding.own_port == Fate::kUndefined) {  // not asked for
    std::uint64_t& next = scenario_.quiet ? pair_ : sender.frames;
    const std::uint64_t source = scenario_.quiet ? next / ports % ports : static_cast<std::uint64_t>(port);
    if (next % ports == source) ++next;
    if (scenario_.quiet && next / ports % ports != static_cast<std::uint64_t>(port)) return nullptr;
  }
  const std::uint64_t n = sender.frames++;
  const auto frame = std::make_shared<Frame>();
  frame->number = ++number_;
  frame->source = port;
  frame->bytes.resize(static_cast<std::size_t>(Length(port, n)));
  Stream(seed_, Entity(port), n, Purpose::kPayload).Fill(frame->bytes.data(), frame->bytes.size());
  Address(frame.get(), n);
  if (capability_.classes.by != ClassField::kNone) frame->traffic_class = ClassOf(port, n);
  SayClass(capability_, frame.get());
  frame->marked = scenario_.bad > 0 && Unit(Draw(seed_, Entity(port), n, Purpose::kKind)) < scenario_.bad;
  Stream within(seed_, kOfContent + Entity(port), n, Purpose::kFault);
  if (scenario_.within > 0 && Unit(within.Next()) < scenario_.within)
    frame->within = within.Next() | std::uint64_t{1} << within.Below(4);
  Decide(capability_, table_, frame.get());
  const int id_bits = capability_.signals.id_bits;
  if (id_bits > 0)
    frame->id = static_cast<std::uint32_t>(Draw(seed_, Entity(port), n, Purpose::kClass) & ((1u << id_bits) - 1));
  if (capability_.frames.fcs && frame->bytes.size() > cosim::kFcsBytes) cosim::Seal(&frame->bytes);
  if (scenario_.quiet && scenario_.pattern == Pattern::kPairs) pair_ += static_cast<std::uint64_t>(scenario_.pair_step);
  return frame;
}

bool DrawnFrames::ChangesTable(Cycle traffic) const {
  return scenario_.swap_table && !swapped_ && traffic >= scenario_.traffic / 2;
}

std::vector<TableWrite> DrawnFrames::TakeChange() {
  swapped_ = true;
  std::rotate(macs_.begin(), macs_.begin() + 1, macs_.end());
  table_ = AddressTable(macs_);
  return table_.Entries();
}

}  // namespace tilefly::conform
