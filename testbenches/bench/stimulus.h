// SPDX-License-Identifier: Apache-2.0
// Random stimulus by use: every draw is a function of (seed, purpose, cycle, index), so it does not depend on what else
// was drawn before, and a test that gains a draw keeps all others. The mixing function is splitmix64's finaliser.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "golden/common/types.h"

namespace tilefly::bench {

inline constexpr std::uint64_t kOddStep = 0x9e3779b97f4a7c15u;

/// Bijective 64-bit mixing function.
constexpr std::uint64_t Mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// 64 bits for a name (FNV-1a).
constexpr std::uint64_t KeyOf(std::string_view name) {
  std::uint64_t key = 0xcbf29ce484222325u;
  for (const char c : name) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return key;
}

/// What a draw is for.
struct Purpose {
  constexpr Purpose(const char* name) : key(KeyOf(name)) {}
  std::uint64_t key;
};

class Stimulus {
 public:
  explicit Stimulus(std::uint32_t seed) : seed_(Mix64(seed + kOddStep)) {}

  /// 64 random bits.
  std::uint64_t Bits(Purpose purpose, Cycle cycle, std::uint32_t index = 0) const {
    const std::uint64_t id = static_cast<std::uint64_t>(cycle) * kOddStep + index;
    return Mix64(Mix64(seed_ ^ purpose.key) + Mix64(id + kOddStep));
  }
  /// Uniform in [0, n), n > 0.
  std::uint64_t Below(std::uint64_t n, Purpose purpose, Cycle cycle, std::uint32_t index = 0) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{Bits(purpose, cycle, index)} * n) >> 64);
  }
  /// Uniform in [low, high].
  int Between(int low, int high, Purpose purpose, Cycle cycle, std::uint32_t index = 0) const {
    return low + static_cast<int>(Below(static_cast<std::uint64_t>(high - low + 1), purpose, cycle, index));
  }
  /// True in `of_256` of 256 cases.
  bool Chance(int of_256, Purpose purpose, Cycle cycle, std::uint32_t index = 0) const {
    return static_cast<int>(Bits(purpose, cycle, index) & 255) < of_256;
  }
  /// How busy a stretch of cycles is, of 256: the stretches are silent, sparse, middling, dense or without a stall.
  int Level(Purpose purpose, Cycle cycle, std::uint32_t index = 0) const {
    constexpr std::array<int, 8> kLevels = {0, 4, 32, 96, 160, 224, 256, 256};
    return kLevels[Below(kLevels.size(), purpose, ~(cycle / kStretch), index)];
  }
  /// An event of a source whose level varies from stretch to stretch.
  bool Spell(Purpose purpose, Cycle cycle, std::uint32_t index = 0) const {
    return Chance(Level(purpose, cycle, index), purpose, cycle, index);
  }

 private:
  static constexpr Cycle kStretch = 128;
  std::uint64_t seed_;
};

}  // namespace tilefly::bench
