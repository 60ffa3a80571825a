// SPDX-License-Identifier: Apache-2.0
#include "network/message_routing.h"

namespace tilefly::network {

workload::Bias MessageRouting::Choose(const workload::NextMessage& message, const Reading& now) {
  if (!routing_.Decides(message)) return routing_.Select(message, {});
  const std::int64_t acks = now.acks - before_.acks;
  const std::int64_t words = now.words - before_.words;
  if (acks == 0 || words == 0) return routing_.current();  // there is nothing to decide by
  const workload::NicSample sample{
      static_cast<double>(now.acked_cycles - before_.acked_cycles) / static_cast<double>(acks),
      static_cast<double>(now.stalled_cycles - before_.stalled_cycles) / static_cast<double>(words)};
  before_ = now;
  return routing_.Select(message, sample);
}

}  // namespace tilefly::network
