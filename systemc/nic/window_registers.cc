// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/window_registers.h"

#include <cstring>
#include <string>

namespace tilefly::systemc {
namespace {

constexpr std::uint64_t kRegisterBytes = 8;

}  // namespace

WindowRegisters::WindowRegisters(sc_core::sc_module_name name, WindowMap* windows) : sc_module(name), windows_(windows) {
  configure_.register_b_transport(this, &WindowRegisters::Access);
  configure_.register_transport_dbg(this, &WindowRegisters::Debug);
}

/// Takes no time.
void WindowRegisters::Access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  tlm::tlm_response_status status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() == nullptr) {
    const bool streams = payload.get_streaming_width() < payload.get_data_length();
    status = streams ? tlm::TLM_BURST_ERROR_RESPONSE : Do(&payload);
  }
  payload.set_response_status(status);
}

unsigned WindowRegisters::Debug(tlm::tlm_generic_payload& payload) {
  return Do(&payload) == tlm::TLM_OK_RESPONSE ? payload.get_data_length() : 0;
}

/// A register, or a half of one.
tlm::tlm_response_status WindowRegisters::Do(tlm::tlm_generic_payload* payload) {
  const std::uint64_t address = payload->get_address();
  const std::uint64_t bytes = payload->get_data_length();
  if (payload->get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (address >= kWindows * kStride) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if ((bytes != 4 && bytes != kRegisterBytes) || address % bytes != 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  Slot& slot = slots_[address / kStride];
  const auto number = static_cast<std::size_t>(address % kStride / kRegisterBytes);
  slot.values[kEnable] = windows_->Has(slot.mapped);  // code may have removed it
  std::uint64_t value = slot.values[number];
  auto* const at = reinterpret_cast<std::uint8_t*>(&value) + address % kRegisterBytes;
  if (payload->is_read()) {
    std::memcpy(payload->get_data_ptr(), at, bytes);
    return tlm::TLM_OK_RESPONSE;
  }
  if (!payload->is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  std::memcpy(at, payload->get_data_ptr(), bytes);
  slot.values[number] = value;
  return number == kEnable && address % kRegisterBytes == 0 ? Enable(&slot) : tlm::TLM_OK_RESPONSE;
}

/// ENABLE was written: 0 removes the window; any other value puts the window that the registers describe in its place.
/// A window that cannot be is refused, and the window that was there stays.
tlm::tlm_response_status WindowRegisters::Enable(Slot* slot) {
  const bool there = windows_->Has(slot->mapped);
  if (there) windows_->Remove(slot->mapped.base);
  if (slot->values[kEnable] == 0) return tlm::TLM_OK_RESPONSE;
  const Window wanted{slot->values[kBase], slot->values[kSize], slot->values[kRemote]};
  const std::string problem = windows_->Problem(wanted);
  if (problem.empty()) {
    slot->mapped = wanted;
    windows_->Add(wanted);
    return tlm::TLM_OK_RESPONSE;
  }
  if (there) windows_->Add(slot->mapped);
  SC_REPORT_WARNING("tilefly/nic", (name() + std::string(": ") + problem).c_str());
  return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

}  // namespace tilefly::systemc
