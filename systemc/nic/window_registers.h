// SPDX-License-Identifier: Apache-2.0
// The registers of an AddressWindow: a processor maps windows by itself (docs/systemc.md, Address windows).
#pragma once

#include <array>
#include <cstdint>

#include <tlm_utils/simple_target_socket.h>

#include "systemc/nic/bus_width.h"
#include "systemc/nic/window_map.h"

namespace tilefly::systemc {

class WindowRegisters final : public sc_core::sc_module {
 public:
  static constexpr int kWindows = 16;
  /// A window has four registers of 8 bytes each, in the order of these names. Their bytes are in the order of the
  /// payload's words, which is the host's.
  static constexpr std::uint64_t kStride = 32;
  enum Register { kBase, kSize, kRemote, kEnable, kRegisters };

  WindowRegisters(sc_core::sc_module_name name, WindowMap* windows);

  /// Base-protocol target. It may stay unbound.
  tlm_utils::simple_target_socket_optional<WindowRegisters>& configure() { return configure_; }
  template <unsigned W>
  TargetOfWidth<W>& configure() {
    return widths_.Of<W>(static_cast<TargetBase<32>*>(&configure_));
  }

 private:
  struct Slot {
    std::array<std::uint64_t, kRegisters> values{};
    Window mapped{};  ///< the window that was enabled last; without bytes: none
  };
  void Access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned Debug(tlm::tlm_generic_payload& payload);
  tlm::tlm_response_status Do(tlm::tlm_generic_payload* payload);
  tlm::tlm_response_status Enable(Slot* slot);

  WindowMap* windows_;
  tlm_utils::simple_target_socket_optional<WindowRegisters> configure_{"configure"};
  WidthViews widths_;
  std::array<Slot, kWindows> slots_;
};

}  // namespace tilefly::systemc
