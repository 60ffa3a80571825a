// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/packet_judge.h"

#include <fmt/format.h>

#include <array>

#include "cosim/common/check_failure.h"
#include "generated/registers.h"

namespace tilefly::cosim {

void PacketJudge::Expect(Cycle now, const RedPacket& packet, const RedPacket& expected) const {
  std::array<std::uint32_t, Red::kWords> came{};
  std::array<std::uint32_t, Red::kWords> wanted{};
  packet.red.Pack(came.data());
  expected.red.Pack(wanted.data());
  const std::string name =
      fmt::format("{} number {} ({} of {})", ToString(static_cast<RedWhat>(packet.red.what)), packet.red.seq,
                  ToString(static_cast<RedOp>(packet.red.op)), ToString(static_cast<RedType>(packet.red.dtype)));
  for (const FieldInfo& field : Red::kFields) {
    const std::uint64_t value = GetBits(came.data(), field.lsb, field.width);
    const std::uint64_t right = GetBits(wanted.data(), field.lsb, field.width);
    if (value != right) Fail(now, fmt::format("{}: {} is {}, not {}", name, field.name, value, right));
  }
  for (std::size_t i = 0; i < expected.data.size(); ++i) {
    if (packet.data[i] != expected.data[i]) {
      Fail(now, fmt::format("{}: byte {} is {:#04x}, not {:#04x}", name, i, packet.data[i], expected.data[i]));
    }
  }
}

void PacketJudge::Fail(Cycle now, const std::string& what) const {
  throw CheckFailure(now, port, 0, fmt::format("reduction group {}: {}", group, what));
}

}  // namespace tilefly::cosim
