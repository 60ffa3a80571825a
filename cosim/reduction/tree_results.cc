// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/tree_results.h"

#include <algorithm>

#include "golden/common/types.h"
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
  TreeOperands::Begin(episode, ++episodes_);
  results_.clear();
}

RedPacket TreeResults::Combined(int part) const {
  const TreeOperation& what = operation(part);
  const int half_ports = ports_ / 2;
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

}  // namespace tilefly::cosim
