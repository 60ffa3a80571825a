// SPDX-License-Identifier: Apache-2.0
// The Verilated flat switch (rtl/switch) seen as words, the same for every profile.
#pragma once

#include <cstdint>
#include <memory>

#include "cosim/device.h"
#include "cosim/verilated/tile_model.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// The pins of `tilefly_switch`: vectors of all ports, element p of width W at bit p*W; obs_o is {turn records by tile,
/// port records by port}.
struct SwitchPins {
  std::uint8_t* rst_ni;
  std::uint64_t* cycle_i;
  std::uint8_t* link_up_i;  ///< a bit a port, in as many bytes
  PortWord* cfg_i;
  PortWord* link_i;
  PortWord* link_o;
  std::uint8_t* link_fail_o;  ///< likewise
  PortWord* obs_o;
  PortWord* rdata_o;
};

/// A Verilated switch of any profile.
class SwitchModel {
 public:
  virtual ~SwitchModel() = default;
  const SwitchPins& pins() const { return pins_; }
  /// Runs one rising clock edge. Returns whether an assertion failed.
  virtual bool Clock(std::uint64_t cycle) = 0;
  /// See TileModel::Final.
  virtual bool Final() = 0;

 protected:
  SwitchPins pins_{};
};

/// The flat switch of `profile`, or null when none was built.
std::unique_ptr<SwitchModel> MakeSwitchModel(const Profile& profile);

}  // namespace tilefly::cosim
