// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/device.h"
#include "generated/profile.h"

class VerilatedFst;
class VerilatedFstC;

namespace tilefly::cosim {

/// Puts the observation record and the links of any device (golden, RTL, SystemC) into a waveform file, so that two
/// descriptions stand side by side on one time base. Scopes are NAME.port_PP and NAME.turn_rR_cC, with a signal for
/// each field of `portobs` and `turnobs`; NAME.port_PP.link_{i,o}, with the fields of the word and of the control slot;
/// and, where the switch reduces, NAME.port_PP.red and NAME.cfu with the fields of `red_obs` and `cfu_obs`. NAME.cycle
/// is the number of the cycle. Signals show what the record shows: events of the previous cycle, levels of this one.
class ObservationTrace {
 public:
  ObservationTrace(std::string name, const Profile& profile);

  /// Registers the signals. Call it before the file is opened; this object must outlive the file.
  void Attach(VerilatedFstC& file);

  /// Takes the values of the next dump. `inputs` are the inputs of the current cycle.
  void Sample(Device& device, const Device::Inputs& inputs);

 private:
  struct Signal {
    int bit;    ///< position in `values_`, bits
    int width;  ///< bits
  };

  void Declare(VerilatedFst& file, std::uint32_t base);
  void DeclareArray(VerilatedFst& file, const char* name, int type, Signal signal);
  template <typename Group>
  void DeclareGroup(VerilatedFst& file, const std::string& scope, int bit);
  template <bool kFull, typename Buffer>
  void Dump(Buffer* buffer) const;

  std::string name_;
  const Profile& profile_;
  bool observes_ = true;               ///< of the device last sampled; without a record its links only are declared
  int port_bits_;                      ///< bits of `values_` a port takes
  int turns_bit_;                      ///< where the turn halves begin
  int cfu_bit_;                        ///< and the CFU
  int cycle_bit_;                      ///< and the cycle's number
  std::uint32_t base_ = 0;             ///< first code of this object's signals
  std::uint32_t next_ = 0;             ///< codes used so far
  std::vector<Signal> signals_;
  std::vector<std::uint32_t> codes_;   ///< code of each signal, relative to `base_`
  std::vector<std::uint32_t> values_;  ///< packed groups, each from a 32-bit boundary
};

}  // namespace tilefly::cosim
