// SPDX-License-Identifier: Apache-2.0
// The Verilated CFU of an array of tiles, where the half rings of reductions meet: rtl/reduction/tilefly_cfu.sv.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "cosim/device.h"
#include "cosim/verilated/tile_model.h"
#include "generated/profile.h"
#include "generated/wire.h"

namespace tilefly::cosim {

/// The pins of `tilefly_cfu` that are wired: a report of every port, collect words of the half rings {half 1, half 0}.
struct CfuPins {
  std::uint8_t* rst_ni;
  std::uint64_t* cycle_i;
  PortWord* cfg_i;
  PortWord* reports_i;
  PortWord* collect_i;
  PortWord* collect_o;
  PortWord* return_o;
  PortWord* cmd_o;
  PortWord* rdata_o;
  PortWord* obs_o;
  std::uint8_t* quiescent_o;
  std::uint64_t* wake_at_o;
};

/// A Verilated CFU of any profile.
class CfuModel {
 public:
  virtual ~CfuModel() = default;
  const CfuPins& pins() const { return pins_; }
  /// Runs one rising clock edge. Returns whether an assertion failed.
  virtual bool Clock(std::uint64_t cycle) = 0;
  /// See TileModel::Final.
  virtual bool Final() = 0;

 protected:
  CfuPins pins_{};
};

/// The CFU of `profile`, or null when its models were not built. `random_reset`: see TileOptions.
std::unique_ptr<CfuModel> MakeCfuModel(const Profile& profile, int random_reset);

/// The CFU of an array of tiles. It is clocked unless it is quiescent and its inputs are idle (law 4).
class Cfu {
 public:
  /// The models of `profile` must have been built.
  Cfu(const Profile& profile, int random_reset);

  /// Clocks the CFU in reset for `cycles` cycles.
  void Reset(int cycles);

  /// Words that the CFU shows on the lanes of the ring, one bit for each lane.
  std::uint32_t sent() const { return sent_; }
  /// The word of a ring lane, from bit `WordBit` on.
  const PortWord* Word(int ring_lane) const {
    return ring_lane < kCollectLanes ? model_->pins().collect_o : model_->pins().return_o;
  }
  static constexpr int WordBit(int ring_lane) {
    return ring_lane < kCollectLanes ? RingBit(ring_lane) : RingBit(ring_lane) - RingBit(kCollectLanes);
  }
  /// The command that the CFU shows to the tiles, and whether it wakes them.
  PortWord command() const { return *model_->pins().cmd_o; }
  bool wakes() const { return wakes_; }
  /// The CFU's answer to a register read, a ReadAnswer.
  const PortWord* rdata() const { return model_->pins().rdata_o; }
  /// The CFU's observation record.
  const PortWord* obs() const { return model_->pins().obs_o; }
  /// Whether nothing is on the outputs, and with idle inputs nothing inside changes before `wake_at`.
  bool quiescent() const { return sent_ == 0 && !wakes_ && *model_->pins().quiescent_o; }
  std::uint64_t wake_at() const { return *model_->pins().wake_at_o; }

  /// Takes what the ports of a tile report in this cycle, when it differs from the cycle before.
  void TakeReports(int tile, const PortWord* report_o);
  /// Some port reports an event, or free room.
  void Hear() { busy_ = true; }
  /// Takes the words of the last tile of a half ring; `sent` has a bit for each valid one.
  void TakeHalf(int half, const PortWord* ring_o, std::uint32_t sent);
  /// Takes the register bus.
  void TakeCfg(const std::uint32_t* cfg, bool valid);
  /// Runs one cycle. `always`: the CFU is clocked even if nothing can change. Throws DeviceError when an assertion
  /// fails.
  void Clock(Cycle cycle, bool always);
  /// Checks what must hold when the switch is drained. Throws DeviceError.
  void CheckDrained();

 private:
  std::unique_ptr<CfuModel> model_;
  std::array<std::uint32_t, 2> received_{};  ///< lanes of collect_i that are set valid, by half
  bool cfg_set_ = false;                     ///< cfg_i carries something
  bool busy_ = false;                        ///< an input is not idle
  std::uint32_t sent_ = 0;
  bool wakes_ = false;
};

}  // namespace tilefly::cosim
