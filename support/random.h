// SPDX-License-Identifier: Apache-2.0
// Randomness by use (law 5): every draw is a function of (seed, entity, id, purpose), so results do not depend on the
// order of evaluation. The mixing function is the finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tilefly {

/// What a draw is for. Values are part of the repeatability contract: append only.
enum class Purpose : std::uint32_t {
  kPhase = 1,         ///< start phase of a port's arrivals
  kGap = 2,           ///< gap before a frame
  kSize = 3,          ///< size of a frame
  kDestination = 4,   ///< destination of a frame
  kClass = 5,         ///< traffic class or lane
  kKind = 6,          ///< packet kind
  kPayload = 7,       ///< bytes
  kPermutation = 8,   ///< a random permutation
  kStartStall = 9,    ///< delay of a start
  kCreditStall = 10,  ///< delay of consumption
  kPause = 11,        ///< PAUSE frames of an endpoint
  kFault = 12,        ///< planted damage
  kReset = 13,        ///< initial register values
  kRun = 14,          ///< seeds of reseeds
  kReplicate = 15,    ///< whether a frame goes to all
  kOrder = 16,        ///< order in which tiles are evaluated
  kRoutes = 17,       ///< ports towards other switches
  kElsewhere = 18,    ///< whether a frame goes to another switch, and which
  kWorkload = 19,     ///< orders and pairs of message patterns, places of ranks
  kAck = 20,          ///< edge ports of the ack network, and which packets are answered
  kReduction = 21,    ///< trees, operations and operands of in-network reductions
  kLockBackoff = 22,  ///< time until a rank tries a lock again
  kOutage = 23,       ///< links that go down
  kScenario = 24,     ///< settings of `--traffic everything`
  kWordError = 25,    ///< on a link: gaps between bad words ...
  kBadWord = 26,      ///< bits of a bad word
  kWordDrop = 27,     ///< gaps between words that are dropped
  kWordRepeat = 28,   ///< gaps between words that come again
  kWordNoise = 29,    ///< gaps between idle cycles with a bad word
  kNoiseWord = 30,    ///< bits of that word
  kSlotError = 31,    ///< ... and the same of control slots
  kBadSlot = 32,
  kSlotDrop = 33,
  kSlotRepeat = 34,
  kSlotNoise = 35,
  kNoiseSlot = 36,
  kRetryPort = 37,    ///< ports with link-level retry
  kFlowPort = 38,     ///< edge ports with flow channels, and their thresholds
  kDeadLane = 39,     ///< bits of what a dead SerDes lane spoils
};

/// Bijective 64-bit mixing function.
constexpr std::uint64_t Mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  x ^= x >> 31;
  return x;
}

inline constexpr std::uint64_t kGolden64 = 0x9e3779b97f4a7c15u;

/// 64 random bits for draw `id` of `entity` (a port, say) for `purpose`.
constexpr std::uint64_t Draw(std::uint64_t seed, std::uint32_t entity, std::uint64_t id, Purpose purpose) {
  const std::uint64_t key = (std::uint64_t{entity} << 32) | static_cast<std::uint32_t>(purpose);
  return Mix64(Mix64(Mix64(seed + kGolden64) ^ key) + (id + 1) * kGolden64);
}

/// Uniform in [0, n), n > 0, from 64 random bits (multiply-shift; the bias is below 2^-32 for n < 2^32).
constexpr std::uint64_t Below(std::uint64_t bits, std::uint64_t n) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * n) >> 64);
}

/// Uniform in [0, 1), a multiple of 2^-53.
constexpr double Unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// Number of failures before the first success of trials with mean `mean` failures.
inline std::uint64_t Geometric(std::uint64_t bits, double mean) {
  if (mean <= 0) return 0;
  return static_cast<std::uint64_t>(std::log1p(-Unit(bits)) / std::log1p(-1 / (1 + mean)));
}

/// A sequence of draws under one key: splitmix64 from the key's value.
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint32_t entity, std::uint64_t id, Purpose purpose)
      : state_(Draw(seed, entity, id, purpose)) {}
  std::uint64_t Next() { return Mix64(state_ += kGolden64); }
  std::uint64_t Below(std::uint64_t n) { return tilefly::Below(Next(), n); }
  /// One of the bits of `mask`, which has some.
  int Pick(std::uint64_t mask) {
    for (std::uint64_t skip = Below(static_cast<std::uint64_t>(__builtin_popcountll(mask))); skip > 0; --skip) mask &= mask - 1;
    return __builtin_ctzll(mask);
  }
  /// Each bit of `mask` with probability `share`.
  std::uint64_t Some(std::uint64_t mask, double share) {
    std::uint64_t some = 0;
    for (; mask != 0; mask &= mask - 1) {
      if (Unit(Next()) < share) some |= mask & -mask;
    }
    return some;
  }
  /// Fills `size` bytes.
  void Fill(std::uint8_t* bytes, std::size_t size);

 private:
  std::uint64_t state_;
};

}  // namespace tilefly
