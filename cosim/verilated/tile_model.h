// SPDX-License-Identifier: Apache-2.0
// One Verilated tile seen as words: the pins of docs/blocks/tile.md, the same for every profile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "generated/profile.h"
#include "generated/wire.h"

namespace tilefly::cosim {

/// For which a device holds its models in reset.
inline constexpr int kResetCycles = 4;

/// Port vectors live in the model as 32-bit, 64-bit or wide words; all are read and written as 32-bit words.
using PortWord [[gnu::may_alias]] = std::uint32_t;

enum Crossbar { kRequests, kGrants, kData, kCredits, kAcks, kCrossbars };

/// Payload width of a crossbar; a row bus adds {valid, dst 6}, a column channel {valid}.
inline constexpr std::array<int, kCrossbars> kPayloadWidth = {Request::kWidth, Grant::kWidth, Cell::kWidth,
                                                              Credit::kWidth, Ack::kWidth};
constexpr int MessageWidth(int crossbar) { return 1 + 6 + kPayloadWidth[static_cast<std::size_t>(crossbar)]; }
constexpr int ChannelWidth(int crossbar) { return 1 + kPayloadWidth[static_cast<std::size_t>(crossbar)]; }

/// Lanes of the reduction ring: collect lanes UP, DOWN, return lanes U, D, S. In a vector of the ring they follow one
/// another; the highest bit of a word says that there is one.
inline constexpr int kCollectLanes = 2;
inline constexpr int kRingLanes = 5;
constexpr int RingWidth(int ring_lane) { return ring_lane < kCollectLanes ? RedCollect::kWidth : RedReturn::kWidth; }
constexpr int RingBit(int ring_lane) {
  return ring_lane <= kCollectLanes ? ring_lane * RedCollect::kWidth
                                    : RingBit(kCollectLanes) + (ring_lane - kCollectLanes) * RedReturn::kWidth;
}

/// The pins of one crossbar.
struct CrossbarPins {
  PortWord* row_o;
  PortWord* row_i;
  PortWord* col_o;
  PortWord* col_i;
};

/// The other pins of a tile.
struct TilePins {
  std::array<CrossbarPins, kCrossbars> crossbar;
  std::uint8_t* clk_red_i;  ///< Set to 0, this clock falls and rises in the next cycle; at 1 it stands
  std::uint8_t* rst_ni;
  std::uint64_t* cycle_i;
  std::uint8_t* row_i;
  std::uint8_t* col_i;
  std::uint8_t* link_up_i;
  PortWord* cfg_i;
  PortWord* link_i;
  PortWord* link_o;
  std::uint8_t* link_fail_o;  ///< a bit a port
  PortWord* load_o;
  PortWord* loads_i;
  PortWord* red_ring_i;
  PortWord* red_ring_o;
  PortWord* red_cmd_i;
  PortWord* red_report_o;
  PortWord* rdata_o;
  PortWord* obs_o;
  std::uint8_t* red_quiescent_o;
  std::uint8_t* quiescent_o;
  std::uint64_t* wake_at_o;
};

/// A Verilated tile of any profile.
class TileModel {
 public:
  virtual ~TileModel() = default;
  const TilePins& pins() const { return pins_; }
  /// One cycle with the pins as they stand, both clocks high after it; `cycle` dates the model's messages. True: an
  /// assertion failed.
  virtual bool Clock(std::uint64_t cycle) = 0;
  /// Clock for several tiles: BeginClock of each, RunSteps of one, EndClock of each. The evaluation of a tile has steps, and
  /// all tiles make a step before the next one, so that they find its code in the processor's cache. Whether it has steps:
  virtual bool has_steps() const = 0;
  virtual void BeginClock(std::uint64_t cycle) = 0;
  /// `tiles` are of this tile's class.
  virtual void RunSteps(TileModel* const* tiles, std::size_t count) = 0;
  /// True: an assertion failed.
  virtual bool EndClock() = 0;
  /// Lets the wires follow the pins; of the edges only the fall of the reductions' clock.
  virtual void Settle() = 0;
  /// Shows the clock pins at a level, for a waveform only.
  virtual void ShowClock(bool high) = 0;
  /// Runs the model's `final` blocks: what must hold when the switch is drained. True: one failed.
  virtual bool Final() = 0;

 protected:
  TilePins pins_{};
};

class FstWaves;

/// How tiles are made.
struct TileOptions {
  int random_reset = 0;  ///< Not 0: registers that reset does not set start from random values of this seed
  bool assertions = true;  ///< those of every cycle; off: they are not looked at
  std::string name = "tile";
  FstWaves* waves = nullptr;  ///< where a traced tile's signals go
};

/// A tile of `profile`, traced when `options.waves` is set, or null when none was built.
std::unique_ptr<TileModel> MakeTileModel(const Profile& profile, const TileOptions& options);

/// Copies `width` bits between vectors of words at any bit positions; the other bits stay.
inline void CopyBits(PortWord* to, int to_bit, const PortWord* from, int from_bit, int width) {
  to += to_bit / 32;
  to_bit %= 32;
  from += from_bit / 32;
  from_bit %= 32;
  const auto take = [&](int count) {  // the next `count` <= 32 bits of the source
    std::uint64_t bits = *from >> from_bit;
    if (from_bit + count > 32) bits |= std::uint64_t{from[1]} << (32 - from_bit);
    from_bit += count;
    from += from_bit / 32;
    from_bit %= 32;
    return static_cast<std::uint32_t>(bits);
  };
  if (to_bit != 0) {
    const int count = width < 32 - to_bit ? width : 32 - to_bit;
    const std::uint32_t mask = ((1u << count) - 1) << to_bit;
    *to = (*to & ~mask) | ((take(count) << to_bit) & mask);
    ++to;
    width -= count;
  }
  for (; width >= 32; width -= 32) *to++ = take(32);
  if (width > 0) {
    const std::uint32_t mask = (1u << width) - 1;
    *to = (*to & ~mask) | (take(width) & mask);
  }
}

/// The packed struct at bit `bit` of a vector.
template <typename T>
T UnpackElement(const PortWord* vector, int bit) {
  std::array<std::uint32_t, T::kWords> words{};
  CopyBits(words.data(), 0, vector, bit, T::kWidth);
  return T::UnpackAt(words.data(), 0);
}

inline bool TestBit(const PortWord* words, int bit) { return words[bit / 32] >> (bit % 32) & 1; }
inline void ClearBit(PortWord* words, int bit) { words[bit / 32] &= ~(1u << (bit % 32)); }

}  // namespace tilefly::cosim
