// SPDX-License-Identifier: Apache-2.0
// What the comparison of schedulers is driven with: the classes' head requests, and accesses on the register bus.
#pragma once

#include <array>

#include "golden/scheduler/deficit_table.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

inline constexpr int kPort = 5;
inline constexpr int kEveryPort = 127;

/// The classes' head requests. A head stays until it is granted; its candidate may be missing for some cycles.
class Heads {
 public:
  Heads(const Profile& profile, const Stimulus& random) : profile_(profile), random_(random) {}

  golden::Head Of(Cycle now, int c) const {
    const auto index = static_cast<std::uint32_t>(c);
    if (random_.Chance(random_.Level("busy", now, index) / 2, "busy", now, index)) return {};
    const Cycle request = requests_[index];
    // A turn of the largest weights ends only where large requests follow each other.
    if (random_.Chance(64, "giants", request / 64, index)) return {profile_.mtu_cells, true};
    const int most = random_.Chance(64, "large", request, index)       ? profile_.mtu_cells
                     : random_.Chance(128, "middling", request, index) ? 20
                                                                       : 3;
    return {random_.Between(1, most, "cells", request, index), random_.Chance(128, "more", request, index)};
  }
  void Granted(int c) { ++requests_[static_cast<std::size_t>(c)]; }

 private:
  const Profile& profile_;
  const Stimulus& random_;
  std::array<Cycle, golden::kMaxClasses> requests_{};
};

/// An access on the register bus: mostly entries of the bank not in use, and the other registers of the scheduler.
inline Cfg RandomAccess(const Profile& profile, const Stimulus& random, Cycle now) {
  Cfg cfg;
  cfg.valid = random.Spell("access", now);
  if (!cfg.valid) return cfg;
  cfg.read = random.Chance(16, "read", now);
  cfg.port = random.Chance(224, "this port", now) ? kPort
             : random.Chance(128, "all", now)     ? kEveryPort
                                                  : static_cast<std::uint8_t>(random.Below(127, "port", now));
  cfg.data = random.Bits("data", now);
  const std::uint64_t kind = random.Below(64, "kind", now);
  if (kind == 0) {
    cfg.space = static_cast<std::uint8_t>(random.Below(16, "space", now));
    cfg.index = static_cast<std::uint16_t>(random.Below(2048, "index", now));
  } else if (kind < 10) {
    cfg.space = static_cast<std::uint8_t>(CfgSpace::kClass);
    const ClassIndex at =
        random.Chance(64, "far", now)
            ? ClassIndex::FromBits(random.Below(80, "index", now))
            : ClassIndex::Of(kind < 6 ? random.Below(2, "register", now) : 0, random.Below(8, "class", now));
    cfg.index = static_cast<std::uint16_t>(at.ToBits());
    // Mostly one group, so that its classes share the output; costs about that of the link, and some that take their
    // time.
    const std::uint64_t above = cfg.data >> ClassMaximum::kWidth << ClassMaximum::kWidth;
    ClassGroup group = ClassGroup::FromBits(cfg.data);
    ClassMaximum maximum = ClassMaximum::FromBits(cfg.data);
    const std::uint64_t cost = random.Below(8, "cost kind", now);
    if (random.Chance(96, "group 0", now) || cost < 6) group.group = 0;
    if (cost < 4) {
      maximum.cost = 0;
    } else if (cost < 6) {  // whole cycles, so that a bucket is empty to the point
      maximum.cost &= 0x300;
      maximum.depth &= ~0xffu;
    } else if (cost < 7) {
      maximum.cost &= 0x3ff;
    }
    const bool shallow = random.Chance(128, "shallow", now);
    if (shallow) maximum.depth &= 0x3fff;
    const bool is_group = static_cast<ClassReg>(at.which) == ClassReg::kGroup;
    cfg.data = (shallow ? 0 : above) | (is_group ? group.ToBits() : maximum.ToBits());
  } else if (kind == 10 && random.Chance(128, "swap", now)) {
    cfg.space = static_cast<std::uint8_t>(CfgSpace::kDtable);
    cfg.index = golden::kSwapIndex;
  } else {
    cfg.space = static_cast<std::uint8_t>(CfgSpace::kDtable);
    cfg.index =
        static_cast<std::uint16_t>(random.Below(static_cast<std::uint64_t>(profile.dtable_entries + 2), "entry", now));
    // Weights of a few packets, entries that are empty, and now and then the largest weights.
    const std::uint64_t weight = random.Below(8, "weight kind", now);
    const std::uint64_t most = weight == 0 ? 1 : weight == 1 ? 4096 : weight < 5 ? 16 : 180;
    const bool largest = weight == 1 && random.Chance(128, "largest", now);
    const std::uint64_t above = cfg.data >> DtableEntry::kWidth << DtableEntry::kWidth;
    cfg.data =
        above | DtableEntry::Of(largest ? 4095 : random.Below(most, "weight", now), DtableEntry::FromBits(cfg.data).tc)
                    .ToBits();
  }
  return cfg;
}

inline bool IsOfScheduler(const Cfg& cfg) {
  return cfg.valid && !cfg.read && (cfg.port == kPort || cfg.port == kEveryPort) &&
         (cfg.space == static_cast<int>(CfgSpace::kDtable) || cfg.space == static_cast<int>(CfgSpace::kClass));
}

}  // namespace tilefly::bench
