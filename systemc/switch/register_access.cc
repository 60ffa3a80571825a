// SPDX-License-Identifier: Apache-2.0
#include "systemc/switch/register_access.h"

#include <cstring>

#include "golden/reduction/red_registers.h"

namespace tilefly::systemc {
namespace {

constexpr int Bits(std::uint64_t address, int lsb, int width) {
  return static_cast<int>(address >> lsb & ((std::uint64_t{1} << width) - 1));
}

bool IsReadable(int port, CfgSpace space, int index, int ports) {
  if (space == CfgSpace::kCounter) return port < ports;
  const GroupIndex at = GroupIndex::FromBits(static_cast<std::uint64_t>(index));
  return space == CfgSpace::kRed && at.group < golden::kRedGroups && static_cast<RedReg>(at.which) == RedReg::kStatus;
}

}  // namespace

std::optional<RegisterAccess> RegisterAccess::Of(tlm::tlm_generic_payload* payload, int ports) {
  const auto refuse = [&](tlm::tlm_response_status status) {
    payload->set_response_status(status);
    return std::nullopt;
  };
  const std::uint64_t address = payload->get_address() >> kByteBits;
  std::uint64_t value = 0;
  if (payload->get_address() % sizeof value != 0 || address >> (kIndexBits + kSpaceBits + kPortBits) != 0) {
    return refuse(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  if (payload->get_data_length() != sizeof value || payload->get_streaming_width() < sizeof value) {
    return refuse(tlm::TLM_BURST_ERROR_RESPONSE);
  }
  if (payload->get_byte_enable_ptr() != nullptr) return refuse(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  if (!payload->is_write() && !payload->is_read()) return refuse(tlm::TLM_COMMAND_ERROR_RESPONSE);
  const int index = Bits(address, 0, kIndexBits);
  const auto space = static_cast<CfgSpace>(Bits(address, kIndexBits, kSpaceBits));
  const int port = Bits(address, kIndexBits + kSpaceBits, kPortBits);
  if (payload->is_write()) {
    std::memcpy(&value, payload->get_data_ptr(), sizeof value);
  } else if (!IsReadable(port, space, index, ports)) {
    return refuse(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  RegisterAccess access{golden::WriteRegister(port, space, index, value)};
  access.cfg.read = payload->is_read();
  return access;
}

void RegisterAccess::Answer(tlm::tlm_generic_payload* payload, std::uint64_t value) const {
  std::memcpy(payload->get_data_ptr(), &value, sizeof value);
}

}  // namespace tilefly::systemc
