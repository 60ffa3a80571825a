// SPDX-License-Identifier: Apache-2.0
#include "cosim/tree/tree_operands.h"

#include <algorithm>
#include <array>

#include "cosim/tree/small_packet.h"
#include "golden/reduction/arithmetic.h"

namespace tilefly::cosim {

void TreeOperands::Begin(const Episode& episode, std::uint64_t number) {
  number_ = number;
  episode_ = episode;
  parts_.clear();
  for (int o = 0; o < static_cast<int>(episode.operations.size()); ++o) {
    const int segments = static_cast<int>(episode.operations[Index(o)].bytes.size());
    for (int i = 0; i < segments; ++i) parts_.push_back({o, i, i + 1 == segments});
  }
}

/// Numbers of all sizes: random bits, and small integers of whatever type they are taken for.
Bytes TreeOperands::Drawn(int part, int port, int size) const {
  Bytes bytes(static_cast<std::size_t>(size));
  const auto id = number_ << 20 | static_cast<std::uint64_t>(part) << 7 | static_cast<std::uint64_t>(port + 1);
  Stream random(seed_, static_cast<std::uint32_t>(tree_.group), id, Purpose::kReduction);
  const bool any = random.Below(2) != 0;
  random.Fill(bytes.data(), bytes.size());
  if (!any) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = i % 2 == 0 ? bytes[i] : static_cast<std::uint8_t>(0x3c | (bytes[i] & 0x83));
  }
  return bytes;
}

RedPacket TreeOperands::Operands(int part, int port) const {
  const TreeOperation& what = operation(part);
  RedPacket packet;
  packet.red.group = static_cast<std::uint8_t>(tree_.group);
  packet.red.op = static_cast<std::uint8_t>(what.op);
  packet.red.dtype = static_cast<std::uint8_t>(what.type);
  packet.red.bytes = static_cast<std::uint16_t>(bytes(part));
  packet.red.empty = (what.empty >> port & 1) != 0;
  if (!packet.red.empty) packet.data = Drawn(part, port, bytes(part));
  return packet;
}

Bytes TreeOperands::Small(int part, int port, int seqno) const {
  constexpr int kBarrier = 0x00, kRepsum = 0x30, kUnknown = 0x3f;
  constexpr int kDiffer = 8;
  constexpr std::array<int, 24> kOpcodes = {kBarrier, 0x01, 0x02, 0x03, 0x10, 0x11, 0x12,    0x14,
                                            0x20,     0x21, 0x22, 0x24, 0x25, 0x26, 0x28,    0x29,
                                            0x2a,     0x2b, 0x2c, 0x2d, 0x2e, 0x2f, kRepsum, kUnknown};
  const Bytes drawn = Drawn(part, port, 2 * golden::kOperandBytes);
  SmallPublished packet;
  packet.op = kOpcodes[Index(operation(part).bytes[0]) % kOpcodes.size()];
  packet.cookie = drawn[0];
  packet.resno = drawn[1];
  packet.seqno = seqno;
  const bool has_operands = packet.op != kBarrier && packet.op != kUnknown;
  if (has_operands || port != tree_.parent)
    std::copy_n(drawn.begin() + golden::kOperandBytes, golden::kOperandBytes, packet.operands.begin());
  if (packet.op == kRepsum) {
    packet.pad = drawn[2] & 7;
    packet.repsum_m = drawn[3];
    packet.repsum_ovfl = drawn[4] & 3;
  }
  packet.count = port == tree_.parent ? tree_.child_count() : 1;
  if (port == tree_.parent) {
    packet.rc = packet.op == kUnknown ? kDiffer : drawn[5] & 7;
    packet.arm = (drawn[6] & 1) != 0;
  }
  return packet.ToBytes();
}

}  // namespace tilefly::cosim
