// SPDX-License-Identifier: Apache-2.0
#include "testbenches/halves/halves_rig.h"

#include <algorithm>

#include "golden/ingress/lookup.h"

namespace tilefly::golden {

HalvesRig::HalvesRig(const Profile& profile)
    : profile_(profile),
      registers_(profile),
      table_(profile),
      partners_(static_cast<std::size_t>(profile.ports)),
      halves_(profile_, profile.class_hold, registers_.device().registers(), this) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header_ = HeaderBits(header);
  halves_.Begin(registers_.cycle(), false);
}

void HalvesRig::Depart(const Departure& departure) {
  ++packets_;
  const int vl = departure.header.vl();
  std::uint16_t& sunk = partners_[departure.port].sunk[vl];
  sunk = static_cast<std::uint16_t>(sunk + CellsOf(departure.length));
  halves_.Credit(departure.port, departure.take + kTakeToWire, vl, sunk);
  if (on_departure_) on_departure_(departure);
}

void HalvesRig::Return(const CreditReturn& credit) { partners_[credit.port].returning.Push(credit); }

/// First words in the cycles from `from` on and before `end`. A source counts a return in the cycle after it came.
void HalvesRig::StartPackets(int port, Cycle from, Cycle end) {
  Partner& partner = partners_[port];
  for (Cycle now = std::max(from, partner.next_start); now < end;) {
    if (!partner.has_request) {
      partner.request = source_(port);
      partner.has_request = true;
    }
    if (partner.request.not_before > now) {
      now = partner.request.not_before;
      continue;
    }
    network::Ring<CreditReturn>& returning = partner.returning;
    for (; !returning.empty() && returning.front().wire < now; returning.Pop())
      partner.credits.Return(returning.front().vl, returning.front().cells, table_);
    if (!partner.credits.LaneOk(0, table_, profile_.mtu_cells)) {
      now = returning.empty() ? end : returning.front().wire + 1;
      continue;
    }
    HeaderBits header = header_;
    header.set_length(partner.request.length);
    header.set_tc(partner.request.tc);
    header.set_destination(FabricAddress(0, 0, partner.request.destination));
    partner.credits.Grant(0, CellsOf(partner.request.length), table_);
    halves_.Arrive(port, now, static_cast<Payload>(port), header);
    partner.has_request = false;
    now = partner.next_start = now + CeilDiv(partner.request.length + HeaderBits::kBytes, kWordBytes);
  }
}

/// In a piece the sources come last, as the NICs of a system do.
void HalvesRig::RunTo(Cycle end) {
  while (cycle() < end) {
    const Cycle from = cycle(), stop = std::min(end, from + HalfSwitch::kMostPiece);
    halves_.Run(stop);
    for (int port = 0; port < profile_.ports; ++port) StartPackets(port, from, stop);
  }
}

}  // namespace tilefly::golden
