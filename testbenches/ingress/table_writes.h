// SPDX-License-Identifier: Apache-2.0
// Register writes for the input side: tables that the packets of the test hit, and changes while packets are under way.
#pragma once

#include <cstdint>
#include <vector>

#include "generated/profile.h"
#include "generated/registers.h"
#include "generated/wire.h"
#include "testbenches/bench/stimulus.h"
#include "testbenches/ingress/route_writes.h"

namespace tilefly::bench {

/// A write as it stands on the register bus.
Cfg Write(CfgSpace space, int port, int index, std::uint64_t data);

class TableWrites {
 public:
  static constexpr int kGroup = RouteWrites::kGroup, kSwitch = RouteWrites::kSwitch;
  static constexpr int kKeys = 24;

  TableWrites(const Profile& profile, const Stimulus& random, int port);

  /// The writes before the first packet.
  const std::vector<Cfg>& setup() const { return setup_; }
  /// A change of some table entry. The port's own MODE stays.
  Cfg Change(Cycle now) const;
  /// A MODE for the port under test.
  PortMode RandomMode(Cycle now) const;
  int port() const { return port_; }
  const RouteWrites& routes() const { return routes_; }
  /// Key `k` of the exact-match table.
  std::uint64_t key(int k) const { return keys_[static_cast<std::size_t>(k)]; }

 private:
  std::uint64_t Mask(std::uint32_t index, Cycle now) const;
  Cfg Entry(int k, bool ports, Cycle now) const;
  PortMode OtherMode(int port, Cycle now) const;

  const Profile& profile_;
  const Stimulus& random_;
  int port_;
  RouteWrites routes_;
  std::vector<std::uint64_t> keys_;
  std::vector<Cfg> setup_;
};

}  // namespace tilefly::bench
