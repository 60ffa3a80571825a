// SPDX-License-Identifier: Apache-2.0
// Writes to space CLASS for the input side: shares of the input buffer, MTU and routing of every class, and changes of them
// while packets are under way.
#pragma once

#include <cstdint>
#include <vector>

#include "generated/registers.h"
#include "generated/wire.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

/// What the shares of a stretch of traffic are like.
enum class Shares {
  kOff,       ///< no class is lossy, none has an MTU
  kAmple,     ///< all are lossy, but nothing is ever too much
  kCaps,      ///< small caps, much to share
  kShared,    ///< little to share, large caps
  kSwitched,  ///< one class is lossy, then none, and so on
  kMixed,     ///< lossy and lossless classes, small and large limits
  kCount,
};

class ClassWrites {
 public:
  ClassWrites(const Stimulus& random, int port) : random_(random), port_(port) {}

  /// All registers of the port under test, before the stretch.
  std::vector<Cfg> Setup(Shares shares, Cycle now) const;
  /// A change in the course of the stretch; or an access that must change nothing.
  Cfg Change(Shares shares, Cycle now) const;

 private:
  Cfg WriteClass(int c, ClassReg reg, std::uint64_t data, Cycle now) const;
  Cfg WriteIndex(int port, int index, std::uint64_t data) const;
  std::uint64_t Share(Shares shares, int c, Cycle now) const;
  std::uint64_t Mtu(Shares shares, int c, Cycle now) const;
  std::uint64_t Shared(Shares shares, Cycle now) const;

  const Stimulus& random_;
  int port_;
};

}  // namespace tilefly::bench
