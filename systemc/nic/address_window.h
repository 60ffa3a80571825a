// SPDX-License-Identifier: Apache-2.0
// A module between a processor and a NIC's host, for a processor whose addresses, of 32 or 40 bits, have no room for an
// endpoint. Windows of the processor's address space are bytes of remote memories (docs/systemc.md, Address windows).
#pragma once

#include <unordered_map>
#include <vector>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "systemc/nic/bus_width.h"
#include "systemc/nic/window_map.h"
#include "systemc/nic/window_registers.h"

namespace tilefly::systemc {

class AddressWindow final : public sc_core::sc_module {
 public:
  /// Throws UsageError as Add does.
  explicit AddressWindow(sc_core::sc_module_name name, const std::vector<Window>& windows = {});

  /// Base-protocol target for the processor. `in<W>()` is the same for a bus of W bits.
  tlm_utils::passthrough_target_socket<AddressWindow>& in() { return in_; }
  template <unsigned W>
  TargetOfWidth<W>& in() {
    return in_widths_.Of<W>(static_cast<TargetBase<32>*>(&in_));
  }
  /// Base-protocol initiator, to be bound to the NIC's host.
  tlm_utils::simple_initiator_socket<AddressWindow>& out() { return out_; }
  /// Base-protocol target of the registers by which the processor maps windows. It may stay unbound.
  WindowRegisters& registers() { return registers_; }

  /// Adds a window. Throws UsageError for a window that is not possible (WindowMap::Problem).
  void Add(const Window& window);
  /// Removes the window that begins at `base`. Returns false when none does. Transactions that are under way go on.
  bool Remove(std::uint64_t base) { return windows_.Remove(base); }

 private:
  tlm::tlm_sync_enum Forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum Backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned Debug(tlm::tlm_generic_payload& payload);
  bool Translate(tlm::tlm_generic_payload* payload) const;
  void Restore(tlm::tlm_generic_payload* payload);

  tlm_utils::passthrough_target_socket<AddressWindow> in_{"in"};
  tlm_utils::simple_initiator_socket<AddressWindow> out_{"out"};
  WidthViews in_widths_;
  WindowMap windows_;
  WindowRegisters registers_{"registers", &windows_};
  /// Of transactions by phases whose response has not begun: the processor's addresses.
  std::unordered_map<const tlm::tlm_generic_payload*, std::uint64_t> under_way_;
};

}  // namespace tilefly::systemc
