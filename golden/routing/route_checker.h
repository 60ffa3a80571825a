// SPDX-License-Identifier: Apache-2.0
// ROUTE-1 and ROUTE-2 of docs/blocks/routing.md, kept over what routing does with packets, while somebody watches.
#pragma once

#include <optional>
#include <utility>

#include "golden/common/audit.h"
#include "golden/common/header_bits.h"
#include "golden/common/verdict.h"
#include "golden/registers/registers.h"
#include "golden/routing/route_choice.h"

namespace tilefly::golden {

class RouteChecker {
 public:
  /// A packet that was routed: a bare frame has got its header.
  struct Record {
    HeaderBits came;
    RouteChoice choice;
  };

  /// A packet that came in at `port` with the header `came` goes on with the header `leaves`, when there is a way.
  void Routed(const Registers& registers, int port, const HeaderBits& came, const HeaderBits& leaves,
              const RouteChoice& choice) {
    latest_ = Record{came, choice};
    if (choice.drop != Drop::kNone) return;
    const SwitchAddress own = registers.routes().own();
    const bool to_via = leaves.via_valid() && (choice.nonminimal || (came.via_valid() && !ViaReached(own, came)));
    const SwitchAddress target =
        to_via ? SwitchAddress::FromBits(leaves.via()) : SwitchAddress::OfPort(came.destination());
    const PortMask ports = registers.routes().Towards(target) & registers.enabled();
    by_mask_.Judge((ports & Bit(choice.output)) != 0, port, choice.output);
    via_.Judge(!leaves.via_valid() || came.via_valid() || Decides(own, came), port, leaves.via());
  }

  /// The last packet since the last call, if there was one.
  std::optional<Record> TakeLatest() { return std::exchange(latest_, std::nullopt); }

  void Check(Audit* audit) const {
    audit->Require("ROUTE-1", by_mask_.holds, by_mask_.port, by_mask_.value);
    audit->Require("ROUTE-2", via_.holds, via_.port, via_.value);
  }

 private:
  std::optional<Record> latest_;
  Verdict by_mask_;
  Verdict via_;
};

}  // namespace tilefly::golden
