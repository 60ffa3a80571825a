// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/offers.h"

#include "golden/common/generated/registers.h"
#include "golden/link/frame_format.h"
#include "golden/routing/draws.h"
#include "support/random.h"
#include "traffic/pattern.h"

namespace tilefly::systemc {
namespace {

constexpr int kFlows = 1024;

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
  return golden::HeaderBits(header);
}

}  // namespace

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
      offers[port].push_back({id++, static_cast<Cycle>(at), header, Unit(random.Next()) < options.bad});
    }
  }
  return offers;
}

}  // namespace tilefly::systemc
