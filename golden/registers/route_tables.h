// SPDX-License-Identifier: Apache-2.0
// What a switch knows of the system around it: its own address, ports towards others, and what the choice between them
// needs (docs/reference/registers.md: spaces SWITCH, ROUTE_GROUP, ROUTE_SWITCH).
//
// The masks are shared by pointer and copied when written by one of several owners: equal switches of a system hold
// them once, and a switch with masks of its own about 70 bytes for each of 64 ports.
#pragma once

#include <array>
#include <memory>

#include "generated/registers.h"
#include "golden/common/fabric_address.h"
#include "golden/common/prefetch.h"
#include "golden/common/register_fields.h"
#include "golden/common/scramble.h"
#include "golden/common/types.h"

namespace tilefly::golden {

class RouteTables {
 public:
  static constexpr int kGroups = 512;
  static constexpr int kSwitches = 32;

  /// Event: a write to one of the three spaces. A write that addresses nothing changes nothing.
  void Write(CfgSpace space, int index, std::uint64_t data);
  /// Takes all but the own address from `other`. The masks are then shared; a later write changes a copy of them.
  void Share(const RouteTables& other) {
    const SwitchAddress own = own_;
    *this = other;
    own_ = own;
  }

  SwitchAddress own() const { return own_; }
  /// Ports towards another switch, as written.
  PortMask Towards(SwitchAddress target) const { return masks_ == nullptr ? 0 : MaskOf(target); }
  /// Asks for what `Towards` will read.
  void Prefetch(SwitchAddress target) const {
    if (masks_ != nullptr) golden::Prefetch(&MaskOf(target), 1);
  }
  /// Number of groups that a non-minimal path may pass, or of switches of the own group.
  int Targets(bool own_group) const { return own_group ? switches_ : groups_; }
  /// The register SEED, scrambled by G of docs/blocks/routing.md.
  std::uint32_t scrambled_seed() const { return scrambled_seed_; }
  /// Links that a packet still has to pass when it leaves by a port of class `pclass`, the link of that port included.
  int Links(bool nonminimal, bool own_group, int pclass) const {
    const auto& minimal_links = own_group ? length_.min_own : length_.min_far;
    const auto& nonminimal_links = own_group ? length_.nonmin_own : length_.nonmin_far;
    return (nonminimal ? nonminimal_links : minimal_links)[pclass];
  }
  /// The register BIAS for routing mode ADAPTIVE_m.
  int Bias(int m) const { return bias_.adaptive[m]; }

 private:
  struct Masks {
    std::array<PortMask, kGroups> of_group{};
    std::array<PortMask, kSwitches> of_switch{};
  };

  const PortMask& MaskOf(SwitchAddress target) const {
    return target.group == own_.group ? masks_->of_switch[target.number] : masks_->of_group[target.group];
  }
  void WriteSwitch(int index, std::uint64_t data);
  Masks* OwnMasks();

  std::shared_ptr<Masks> masks_;  ///< null while nothing was written
  SwitchAddress own_{0, 0};
  std::int16_t groups_ = 0;
  std::int16_t switches_ = 0;
  std::uint32_t scrambled_seed_ = Scramble(0);
  SwitchLength length_;
  SwitchBias bias_;
};

}  // namespace tilefly::golden
