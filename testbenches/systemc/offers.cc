// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/offers.h"

#include "generated/registers.h"
#include "golden/acks/ack_route.h"
#include "golden/common/register_write.h"
#include "golden/ingress/lookup.h"
#include "golden/link/frame_format.h"
#include "golden/registers/route_tables.h"
#include "support/random.h"
#include "traffic/pattern.h"

namespace tilefly::systemc {
namespace {

constexpr int kFlows = 1024;

/// To another group; half of these packets come from another one.
void Route(Stream* random, Header* header) {
  const auto other = [&] { return static_cast<int>(1 + random->Below(kGroups - 1)); };
  header->mode = static_cast<std::uint8_t>(random->Below(kRouteModeValues.size()));
  header->ordered = random->Below(4) == 0;
  header->flow %= 16;  // so that packets of a flow meet
  const int destination = other();
  header->dst = golden::FabricAddress(destination, 1, 0);
  if (random->Below(2) == 0) return;
  header->src = golden::FabricAddress(other(), 0, static_cast<int>(header->src & (golden::kMaxPorts - 1)));
  header->hop = 2;
  header->path = static_cast<std::uint32_t>(random->Below(2));
  header->via_valid = random->Below(2) == 0;
  header->via = golden::SwitchAddress{static_cast<int>(random->Below(kGroups)), 0}.ToBits();
}

golden::HeaderBits MakeHeader(const TrafficOptions& options, int port, int destination, Stream* random) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = static_cast<std::uint16_t>(options.sizes[random->Below(options.sizes.size())]);
  header.tc = static_cast<std::uint8_t>(random->Below(static_cast<std::uint64_t>(options.classes)));
  header.vl = header.tc;
  header.src = golden::FabricAddress(0, 0, port);
  header.dst = golden::FabricAddress(0, 0, destination);
  header.flow = static_cast<std::uint16_t>(random->Below(kFlows));
  if (Unit(random->Next()) < options.replicated) header.dst = golden::HeaderBits::kReplicated;
  if (Unit(random->Next()) < options.routed) Route(random, &header);
  return golden::HeaderBits(header);
}

/// A bare frame of packet `id`; some go to an address that nobody has.
FramePointer SomeBare(std::uint32_t id, int size, int classes, int destination, Stream* random) {
  const std::uint64_t mac = random->Below(10) == 0 ? 0x0A0000000001 : golden::MacOfAddress(golden::FabricAddress(0, 0, destination));
  return MakeBare(id, size, mac, static_cast<int>(random->Below(static_cast<std::uint64_t>(classes))));
}

/// Of all classes, or of one in two; one in four ends a pause.
Offer PauseAfter(const TrafficOptions& options, std::uint32_t id, Cycle at, Stream* random) {
  const auto most = static_cast<std::uint64_t>(options.most_quanta);
  const auto quanta = static_cast<std::uint16_t>(random->Below(4) == 0 ? 0 : 1 + random->Below(most));
  std::optional<unsigned> classes;
  if (random->Below(2) == 0) classes = static_cast<unsigned>(random->Below(1u << golden::kMaxClasses));
  Header header;
  header.len = golden::kMinStdBytes;
  return {id, at, golden::HeaderBits(header), false, MakePauseFrame(classes, quanta)};
}

}  // namespace

ContractSetup::ContractSetup(const Profile& p) : profile(p) {
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = mode.acks = true;
  mode.std_format = false;
  Write(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
  Write(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kFloodBroadcast),
        ~golden::PortMask{0} >> (golden::kMaxPorts - profile.ports));
}

void ContractSetup::Write(int port, CfgSpace space, int index, std::uint64_t data) {
  writes.push_back(golden::WriteRegister(port, space, index, data));
}

golden::CreditTable ContractSetup::credit() const {
  golden::Registers registers(profile);
  for (const Cfg& write : writes) registers.Apply(write);
  return *registers.port(0).credit;
}

tilefly::Ack AnswerTo(const golden::HeaderBits& bits, std::uint32_t id) {
  constexpr std::uint32_t kLoads = 400, kShares = 40;
  constexpr std::uint32_t kMarked = 5, kEnds = 23;  // one ack in so many is marked, ends a throttle
  constexpr std::uint16_t kMostShare = 4095;
  const Header header = bits.Unpack();
  tilefly::Ack ack;
  ack.load = static_cast<std::uint16_t>(id % kLoads);
  ack.flow = header.flow;
  ack.cells = static_cast<std::uint8_t>(golden::CellsOf(header.len));
  ack.hops = static_cast<std::uint8_t>(header.hop - 1);
  ack.port = static_cast<std::uint8_t>(header.src & (golden::kMaxPorts - 1));
  ack.path = header.path;
  ack.mark = id % kMarked == 0;
  ack.share = id % kEnds == 0 ? kMostShare : static_cast<std::uint16_t>(id % kShares);
  ack.by_class = header.an;
  ack.gen = header.gen;
  ack.tc = header.tc;
  ack.dst = header.dst;
  return ack;
}

Offers MakeOffers(int ports, const TrafficOptions& options) {
  const Pattern pattern(options.pattern, ports, options.seed);
  double slots = 0;
  for (const int size : options.sizes) slots += golden::CeilDiv(size + golden::HeaderBits::kBytes, golden::kWordBytes);
  slots /= static_cast<double>(options.sizes.size());
  Offers offers(static_cast<std::size_t>(ports));
  std::uint32_t id = 0;
  for (int port = 0; port < ports; ++port) {
    if (!pattern.Sends(port)) continue;
    double at = 100;
    for (std::uint64_t number = 0;; ++number) {
      Stream random(options.seed, static_cast<std::uint32_t>(port), number, Purpose::kGap);
      at += static_cast<double>(Geometric(random.Next(), slots / options.load - 1)) + 1;
      if (at >= 100 + static_cast<double>(options.cycles)) break;
      const int destination = pattern.Destination(port, number);
      if (destination < 0) continue;
      const golden::HeaderBits header = MakeHeader(options, port, destination, &random);
      if ((options.standard & golden::Bit(port)) != 0) {
        const auto bare = SomeBare(id, header.length(), options.classes, destination, &random);
        offers[port].push_back({id++, static_cast<Cycle>(at), header, Unit(random.Next()) < options.bad, bare});
        if (Unit(random.Next()) < options.pauses) {
          offers[port].push_back(PauseAfter(options, id++, static_cast<Cycle>(at), &random));
        }
        continue;
      }
      offers[port].push_back({id++, static_cast<Cycle>(at), header, Unit(random.Next()) < options.bad, nullptr});
    }
  }
  return offers;
}

}  // namespace tilefly::systemc
