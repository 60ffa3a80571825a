// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/tree_results.h"

#include <algorithm>

#include "cosim/reduction/small_packet.h"
#include "golden/reduction/arithmetic.h"

namespace tilefly::cosim {
namespace {

using golden::kOperandBytes;

/// A vector on its way round the ring.
struct Vector {
  Bytes data;
  bool full = false;
};

golden::Operands WordOf(const Bytes& bytes, std::size_t at) {
  golden::Operands word{};
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), std::min<std::size_t>(kOperandBytes, bytes.size() - at),
              word.begin());
  return word;
}

/// What a step makes of what comes along the ring and what is added.
Vector Step(const TreeOperation& operation, int bytes, const Vector& coming, const Vector& own) {
  Vector result{Bytes(static_cast<std::size_t>(bytes)), coming.full || own.full};
  for (std::size_t at = 0; at < result.data.size(); at += kOperandBytes) {
    golden::Operation word{operation.op, operation.type, operation.rnd, operation.ftz};
    word.last = static_cast<std::uint8_t>(std::min<std::size_t>(kOperandBytes, result.data.size() - at) - 1);
    const golden::Operands a = coming.full ? WordOf(coming.data, at) : golden::Operands{};
    const golden::Operands b = own.full ? WordOf(own.data, at) : golden::Operands{};
    const golden::Operands y = golden::Combine(word, int{coming.full} | int{own.full} << 1, a, b).y;
    std::copy_n(y.begin(), word.last + 1, result.data.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return result;
}

}  // namespace

void TreeResults::Begin(const Episode& episode) {
  ++episodes_;
  episode_ = episode;
  parts_.clear();
  results_.clear();
  for (int o = 0; o < static_cast<int>(episode.operations.size()); ++o) {
    const int segments = static_cast<int>(episode.operations[Index(o)].bytes.size());
    for (int i = 0; i < segments; ++i) parts_.push_back({o, i, i + 1 == segments});
  }
}

/// Numbers of all sizes: random bits, and small integers of whatever type they are taken for.
Bytes TreeResults::Drawn(int part, int port, int size) const {
  Bytes bytes(static_cast<std::size_t>(size));
  const auto id = episodes_ << 20 | static_cast<std::uint64_t>(part) << 7 | static_cast<std::uint64_t>(port + 1);
  Stream random(seed_, static_cast<std::uint32_t>(tree_.group), id, Purpose::kReduction);
  const bool any = random.Below(2) != 0;
  random.Fill(bytes.data(), bytes.size());
  if (!any) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i % 2 == 0 ? bytes[i] : static_cast<std::uint8_t>(0x3c | (bytes[i] & 0x83));
  }
  return bytes;
}

RedPacket TreeResults::Operands(int part, int port) const {
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

RedPacket TreeResults::Combined(int part) const {
  const TreeOperation& what = operation(part);
  const int half_ports = setup_.profile().ports / 2;
  Vector halves[2];
  for (std::uint64_t left = tree_.children; left != 0; left &= left - 1) {
    const int port = golden::LowestBit(left);
    const RedPacket own = Operands(part, port);
    Vector& half = halves[port / half_ports];
    half = Step(what, bytes(part), half, {own.data, !own.red.empty});
  }
  const Vector all = Step(what, bytes(part), halves[0], halves[1]);
  RedPacket packet = Operands(part, golden::LowestBit(tree_.children));
  packet.red.empty = !all.full;
  packet.data = all.full ? all.data : Bytes();
  return packet;
}

const RedPacket& TreeResults::ParentsAnswer(int part) {
  const auto found = results_.find(part);
  if (found != results_.end()) return found->second;
  RedPacket packet = Combined(part);
  if (!packet.red.empty) packet.data = Drawn(part, tree_.parent, bytes(part));
  return results_[part] = packet;
}

const RedPacket& TreeResults::Result(int part) {
  if (tree_.parent >= 0) return ParentsAnswer(part);
  const auto found = results_.find(part);
  return found != results_.end() ? found->second : results_[part] = Combined(part);
}

Bytes TreeResults::Small(int part, int port, int seqno) const {
  constexpr int kUnknown = 0x3f;  // an opcode that nobody knows
  const Bytes drawn = Drawn(part, port, 2 * kOperandBytes);
  SmallPublished packet;
  const std::size_t drawn_op = Index(operation(part).bytes[0]) % (kRedOpcodeValues.size() + 1);
  packet.op = drawn_op < kRedOpcodeValues.size() ? static_cast<int>(kRedOpcodeValues[drawn_op]) : kUnknown;
  packet.cookie = drawn[0];
  packet.resno = drawn[1];
  packet.seqno = seqno;
  const bool has_operands = packet.op != static_cast<int>(RedOpcode::kBarrier) && packet.op != kUnknown;
  if (has_operands || port != tree_.parent)
    std::copy_n(drawn.begin() + kOperandBytes, kOperandBytes, packet.operands.begin());
  if (packet.op == static_cast<int>(RedOpcode::kFltRepsum)) {
    packet.pad = drawn[2] & 7;
    packet.repsum_m = drawn[3];
    packet.repsum_ovfl = drawn[4] & 3;
  }
  packet.count = port == tree_.parent ? __builtin_popcountll(tree_.children) : 1;
  if (port == tree_.parent) {
    packet.rc = packet.op == kUnknown ? static_cast<int>(RedRc::kDiffers) : drawn[5] & 7;
    packet.arm = (drawn[6] & 1) != 0;
  }
  return packet.ToBytes();
}

}  // namespace tilefly::cosim
