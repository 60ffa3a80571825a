// SPDX-License-Identifier: Apache-2.0
#include "cosim/tree/tree_operands.h"

#include <algorithm>

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
  constexpr int kUnknown = 0x3f;  // an opcode that nobody knows
  const Bytes drawn = Drawn(part, port, 2 * golden::kOperandBytes);
  SmallPublished packet;
  const std::size_t drawn_op = Index(operation(part).bytes[0]) % (kRedOpcodeValues.size() + 1);
  packet.op = drawn_op < kRedOpcodeValues.size() ? static_cast<int>(kRedOpcodeValues[drawn_op]) : kUnknown;
  packet.cookie = drawn[0];
  packet.resno = drawn[1];
  packet.seqno = seqno;
  const bool has_operands = packet.op != static_cast<int>(RedOpcode::kBarrier) && packet.op != kUnknown;
  if (has_operands || port != tree_.parent)
    std::copy_n(drawn.begin() + golden::kOperandBytes, golden::kOperandBytes, packet.operands.begin());
  if (packet.op == static_cast<int>(RedOpcode::kFltRepsum)) {
    packet.pad = drawn[2] & 7;
    packet.repsum_m = drawn[3];
    packet.repsum_ovfl = drawn[4] & 3;
  }
  packet.count = port == tree_.parent ? tree_.child_count() : 1;
  if (port == tree_.parent) {
    packet.rc = packet.op == kUnknown ? static_cast<int>(RedRc::kDiffers) : drawn[5] & 7;
    packet.arm = (drawn[6] & 1) != 0;
  }
  return packet.ToBytes();
}

}  // namespace tilefly::cosim
