// SPDX-License-Identifier: Apache-2.0
#include "cosim/traffic/generator.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cosim/errors.h"
#include "cosim/traffic/faults.h"
#include "golden/common/types.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint16_t kVlan = 0x8100;
constexpr std::uint16_t kExperimental = 0x88b5;  // IEEE 802 local experimental EtherType
constexpr std::uint16_t kIpv4 = 0x0800;
constexpr int kIpv4Start = 0x45;  // version 4, five words of header

void PutField16(Bytes* bytes, std::size_t at, std::uint16_t value) {
  (*bytes)[at] = static_cast<std::uint8_t>(value >> 8);
  (*bytes)[at + 1] = static_cast<std::uint8_t>(value);
}

int SmallestFrame(const SwitchSetup& setup) {
  int least = setup.profile().min_enh_bytes;
  for (int port = 0; port < setup.profile().ports; ++port) {
    if (setup.kind(port) == PortKind::kStandard) least = setup.profile().min_std_bytes;
  }
  return least;
}

}  // namespace

Generator::Generator(const SwitchSetup& setup, const GeneratorOptions& options, std::uint64_t seed)
    : setup_(setup),
      options_(options),
      seed_(seed),
      pattern_(options.traffic, setup.profile().ports, seed),
      sizes_(options.size, SmallestFrame(setup), setup.profile().mtu_bytes),
      arrivals_(static_cast<std::size_t>(setup.profile().ports)),
      offered_(arrivals_.size()),
      classes_(ParseClasses(options.classes, setup.classes(), setup.profile())),
      least_(SmallestFrame(setup)) {
  if (options.routed > 0 && (setup.routes().groups.empty() || setup.routes().switches.empty()))
    throw UsageError("--routed: no switch around this one is known; synthetic traffic sets them up, for fabric or enhanced ports");
  if (!(options.load >= 0 && options.load <= 1)) throw UsageError("--load: a share of word slots, 0 to 1");
  bool standard = false;
  for (int port = 0; port < setup.profile().ports; ++port) {
    MakeMix(port);
    standard |= setup.kind(port) == PortKind::kStandard;
  }
  for (const ClassPart& part : classes_) {
    if (standard) marks_[static_cast<std::size_t>(part.tc)] = MarkOf(part.tc, setup.classes());
    lanes_[static_cast<std::size_t>(part.tc)] =
        setup.classes() ? setup.classes()->Of(part.tc).lanes : std::vector<int>{part.tc, part.tc + 8};
  }
  for (int port = 0; port < setup.profile().ports; ++port) used_.push_back(LanesOf(port));
}

/// Classes of small frames send more of them, so that each offers its share of the word slots.
void Generator::MakeMix(int port) {
  Mix mix;
  double frames = 0;
  for (const ClassPart& part : classes_) {
    const double slots = sizes_.Mean([&](int size) { return static_cast<double>(SlotsOf(port, Cut(size, part))); });
    const double share = part.share / slots;
    mix.up_to.push_back(frames += share);
    mix.slots += share * slots;
    mix.cycles += share * sizes_.Mean([&](int size) {
      return static_cast<double>(SlotCycles(SlotsOf(port, Cut(size, part)), setup_.mode(port).lanes));
    });
  }
  for (double& up_to : mix.up_to) up_to /= frames;
  mix.slots /= frames;
  mix.cycles /= frames;
  mix.gap = options_.load > 0 ? mix.cycles * (1 / options_.load - 1) : 0;
  mixes_.push_back(std::move(mix));
}

const ClassPart& Generator::PartOf(int port, std::uint64_t number) const {
  const std::vector<double>& up_to = mixes_[static_cast<std::size_t>(port)].up_to;
  const double at = Unit(DrawFor(port, number, Purpose::kClass));
  const auto found = std::upper_bound(up_to.begin(), up_to.end() - 1, at);
  return classes_[static_cast<std::size_t>(found - up_to.begin())];
}

/// A class sends no frame above its MTU; what is larger becomes its largest frame.
int Generator::Cut(int size, const ClassPart& part) const { return std::max(std::min(size, part.largest), least_); }

std::uint64_t Generator::DrawFor(int port, std::uint64_t number, Purpose purpose) const {
  return Draw(seed_, static_cast<std::uint32_t>(port), number, purpose);
}

int Generator::SizeOf(int port, std::uint64_t number) const {
  return Cut(sizes_.Pick(DrawFor(port, number, Purpose::kSize)), PartOf(port, number));
}

int Generator::SlotsOf(int port, int size) const {
  const int overhead = setup_.kind(port) == PortKind::kStandard ? kPreambleAndGap : 16;
  return (size + overhead + kWordBytes - 1) / kWordBytes;
}

/// Cycles from the arrival of frame `number` to the next one.
double Generator::Spacing(int port, std::uint64_t number) const {
  const double busy = static_cast<double>(SlotCycles(SlotsOf(port, SizeOf(port, number)), setup_.mode(port).lanes));
  if (options_.process == Process::kPeriodic) return busy / options_.load;
  return busy + static_cast<double>(
                    Geometric(DrawFor(port, number, Purpose::kGap), mixes_[static_cast<std::size_t>(port)].gap));
}

void Generator::Begin(Cycle now) {
  for (std::size_t port = 0; port < arrivals_.size(); ++port) {
    const int number = static_cast<int>(port);
    const double phase = Unit(DrawFor(number, 0, Purpose::kPhase));
    const double wait = options_.load < 1 ? phase * (mixes_[port].slots + mixes_[port].gap) : 0;
    offered_[port].next.at = static_cast<double>(now) + wait;
    arrivals_[port].lanes = StreamQueues<Position, 16>(offered_[port].next);
  }
}

FramePtr Generator::NextFrame(int port, Cycle now, LaneMask held) {
  const LaneMask wanted = used_[static_cast<std::size_t>(port)] & ~held;
  if (closed() || wanted == 0 || options_.load == 0 || !pattern_.Sends(port)) return nullptr;
  Arrivals& arrivals = arrivals_[static_cast<std::size_t>(port)];
  auto& lanes = arrivals.lanes;
  const auto step = [&](Position* position) { Step(port, position); };
  const auto lane_of = [&](const Position& position) { return LaneOf(port, position.number); };
  while ((lanes.waiting() & wanted) == 0) {
    const Position next = lanes.next();
    if (next.at > static_cast<double>(now)) return nullptr;
    const int lane = lane_of(next);
    lanes.Look(lane, step);
    if ((wanted >> lane & 1) == 0) {
      AddSlots(port, next, &arrivals.slots);
      continue;
    }
    FramePtr frame = Make(port, next);
    AddSlots(*frame, &arrivals.slots);
    lanes.Pop(lane, lane_of, step);
    return frame;
  }
  int oldest = -1;
  for (LaneMask rest = lanes.waiting() & wanted; rest != 0; rest &= rest - 1) {
    const int lane = golden::LowestBit(rest);
    if (oldest < 0 || lanes.first(lane).number < lanes.first(oldest).number) oldest = lane;
  }
  FramePtr frame = Make(port, lanes.first(oldest));
  lanes.Pop(oldest, lane_of, step);
  return frame;
}

/// Goes on to the frame after it.
void Generator::Step(int port, Position* position) const { position->at += Spacing(port, position->number++); }

void Generator::AddSlots(const Frame& frame, ClassSlots* slots) const {
  (*slots)[static_cast<std::size_t>(setup_.ClassOf(frame))] += frame.slots();
}

/// The same of a frame that is not made: a bare one says its class in its bytes, damage may change the length.
void Generator::AddSlots(int port, const Position& position, ClassSlots* slots) const {
  if (setup_.kind(port) == PortKind::kStandard || IsDamaged(port, position.number)) {
    AddSlots(*Make(port, position), slots);
  } else {
    const auto tc = static_cast<std::size_t>(PartOf(port, position.number).tc);
    (*slots)[tc] += SlotsOf(port, SizeOf(port, position.number));
  }
}

ClassSlots Generator::Offered(int port, Cycle now) {
  if (options_.load == 0 || !pattern_.Sends(port)) return {};
  Told& told = offered_[static_cast<std::size_t>(port)];
  const Arrivals& looked = arrivals_[static_cast<std::size_t>(port)];
  if (told.next.number < looked.lanes.next().number) told = {looked.lanes.next(), looked.slots};
  for (; told.next.at < static_cast<double>(now); Step(port, &told.next)) AddSlots(port, told.next, &told.slots);
  return told.slots;
}

bool Generator::IsDamaged(int port, std::uint64_t number) const {
  return options_.faults > 0 && Unit(DrawFor(port, 2 * number, Purpose::kFault)) < options_.faults;
}

FramePtr Generator::Make(int port, const Position& position) const {
  const std::uint64_t number = position.number;
  auto frame = std::make_shared<Frame>();
  frame->id = number * static_cast<std::uint64_t>(setup_.profile().ports) + static_cast<std::uint64_t>(port) + 1;
  frame->created = static_cast<Cycle>(std::ceil(position.at));
  frame->source = port;
  frame->bytes.resize(static_cast<std::size_t>(SizeOf(port, number)));
  Stream(seed_, static_cast<std::uint32_t>(port), number, Purpose::kPayload)
      .Fill(frame->bytes.data(), frame->bytes.size());
  const std::uint32_t destination = DestinationOf(port, number);
  const int tc = PartOf(port, number).tc;
  if (setup_.kind(port) == PortKind::kStandard) {
    FillStandard(number, destination, tc, frame.get());
  } else {
    FillEnhanced(number, destination, tc, frame.get());
  }
  Seal(&frame->bytes);
  if (IsDamaged(port, number)) Damage(setup_, DrawFor(port, 2 * number + 1, Purpose::kFault), frame.get());
  return frame;
}

/// Fabric address of a frame's destination, or kReplicated.
std::uint32_t Generator::DestinationOf(int port, std::uint64_t number) const {
  if (options_.replicated > 0 && Unit(DrawFor(port, number, Purpose::kReplicate)) < options_.replicated) return kReplicated;
  if (options_.routed > 0 && Unit(DrawFor(port, 2 * number, Purpose::kElsewhere)) < options_.routed) {
    return Elsewhere(DrawFor(port, 2 * number + 1, Purpose::kElsewhere));
  }
  return setup_.PortAddress(pattern_.Destination(port, number));
}

/// A port of another switch that there are routes to.
std::uint32_t Generator::Elsewhere(std::uint64_t bits) const {
  const std::uint32_t own = setup_.PortAddress(0);
  const auto far_port = static_cast<std::uint32_t>(bits & 63);
  const auto nth = [&](const std::map<int, std::uint64_t>& masks) {
    return static_cast<std::uint32_t>(std::next(masks.begin(), static_cast<std::ptrdiff_t>((bits >> 16 & 0xffff) % masks.size()))->first);
  };
  const Routes& routes = setup_.routes();
  const bool near = (bits >> 8 & 3) == 0;
  if (near) return (own & ~0x7ffu) | nth(routes.switches) << 6 | far_port;
  return nth(routes.groups) << 11 | static_cast<std::uint32_t>(bits >> 10 & 31) << 6 | far_port;
}

/// What other switches and sources wrote, on a link between switches.
void Generator::FillTravelled(Stream* random, Header* header) const {
  const std::uint32_t own = setup_.PortAddress(0) >> 6;
  header->path = static_cast<std::uint32_t>(random->Next() & 0x3fffffff);
  // Half of the packets are in the first two switches; half come from the own group.
  const std::uint64_t limit = random->Below(2) != 0 ? 2 : static_cast<std::uint64_t>(setup_.profile().hop_limit);
  header->hop = static_cast<std::uint8_t>(random->Below(limit));
  const auto address = static_cast<std::uint32_t>(random->Below(1 << 20));
  header->src = random->Below(2) != 0 ? (own >> 5) << 11 | (address & 0x7ff) : address;
  header->via_valid = random->Below(2) != 0;
  const std::uint64_t group = random->Below(3) == 0 ? own >> 5 : random->Below(16);
  header->via = static_cast<std::uint16_t>(group << 5 | (random->Below(4) == 0 ? own & 31 : random->Below(8)));
}

/// Between switches the lane was chosen by the one before; all lanes of a class are used. At an edge the class decides.
Generator::Kinds Generator::KindsOf(int port, std::uint64_t number, int tc, int size) const {
  Kinds kinds{Stream(seed_, static_cast<std::uint32_t>(port), number, Purpose::kKind), 0, 0};
  const bool standard_fits = size >= setup_.profile().min_std_bytes;
  kinds.kind = static_cast<std::uint8_t>(standard_fits ? kinds.random.Below(3) : 1 + kinds.random.Below(2));
  const std::vector<int>& lanes = lanes_[static_cast<std::size_t>(tc)];
  const bool fabric = setup_.kind(port) == PortKind::kFabric;
  kinds.lane = static_cast<std::uint8_t>(fabric ? lanes[kinds.random.Below(lanes.size())] : lanes.front());
  return kinds;
}

/// Of a frame as it is before it is damaged.
int Generator::LaneOf(int port, std::uint64_t number) const {
  if (setup_.kind(port) == PortKind::kStandard) return 0;
  const ClassPart& part = PartOf(port, number);
  if (setup_.kind(port) == PortKind::kEnhanced) return lanes_[static_cast<std::size_t>(part.tc)].front();
  return KindsOf(port, number, part.tc, SizeOf(port, number)).lane;
}

LaneMask Generator::LanesOf(int port) const {
  if (setup_.kind(port) == PortKind::kStandard) return 1;
  LaneMask mask = 0;
  for (const std::vector<int>& lanes : lanes_) {
    for (const int lane : lanes) {
      if (setup_.kind(port) == PortKind::kFabric || lane == lanes.front()) mask |= LaneMask{1} << lane;
    }
  }
  return mask;
}

void Generator::FillEnhanced(std::uint64_t number, std::uint32_t destination, int tc, Frame* frame) const {
  Kinds kinds = KindsOf(frame->source, number, tc, static_cast<int>(frame->bytes.size()));
  Stream& random = kinds.random;
  frame->enh = true;
  Header& header = frame->header;
  header.kind = kinds.kind;
  header.len = static_cast<std::uint16_t>(frame->bytes.size());
  header.tc = static_cast<std::uint8_t>(tc);
  header.vl = kinds.lane;
  header.ordered = random.Below(2) != 0;
  header.flow = static_cast<std::uint16_t>(random.Below(1024));
  header.mode = static_cast<std::uint8_t>(random.Below(8));
  header.src = setup_.PortAddress(frame->source);
  header.dst = destination;
  const bool edge = setup_.mode(frame->source).acks;
  if (edge) header.flow &= 3;  // so that flows have several packets in flight
  // What comes in by an edge port is mostly a source's own.
  const bool fabric = setup_.kind(frame->source) == PortKind::kFabric;
  if (fabric && !(edge && random.Below(4) != 0)) FillTravelled(&random, &header);
  if (setup_.flow_ports() != 0) {  // acks bring these back
    header.gen = random.Below(2) != 0;
    header.an = random.Below(2) != 0;
  }
  std::memcpy(frame->bytes.data() + 14, &frame->id, sizeof frame->id);
}

void Generator::FillStandard(std::uint64_t number, std::uint32_t destination, int tc, Frame* frame) const {
  Mac to = kBroadcastMac;
  if (destination != kReplicated) {
    to = AddressMac(destination);
  } else if (number % 2 == 1) {
    to = {0x01, 0x00, 0x5e, 0x01, 0x02, 0x03};  // an unknown group
  }
  const Mac from = setup_.PortMac(frame->source);
  std::copy(to.begin(), to.end(), frame->bytes.begin());
  std::copy(from.begin(), from.end(), frame->bytes.begin() + 6);
  PutField16(&frame->bytes, 12, kVlan);
  const ClassMark& mark = marks_[static_cast<std::size_t>(tc)];
  PutField16(&frame->bytes, 14, static_cast<std::uint16_t>(mark.pcp << 13));
  PutField16(&frame->bytes, 16, mark.dscp < 0 ? kExperimental : kIpv4);
  if (mark.dscp >= 0) PutField16(&frame->bytes, 18, static_cast<std::uint16_t>(kIpv4Start << 8 | mark.dscp << 2));
  std::memcpy(frame->bytes.data() + 20, &frame->id, sizeof frame->id);
}

}  // namespace tilefly::cosim
