// SPDX-License-Identifier: Apache-2.0
// Patterns that reduce in the switches.
#include <fmt/format.h>

#include "support/errors.h"
#include "workload/generators.h"
#include "workload/patterns.h"
#include "workload/script.h"

namespace tilefly::workload {
namespace {

constexpr int kMostLocked = 65535;  // 16 bits

Reduction::What WhatOf(const std::string& name) {
  if (name == "reduce") return Reduction::What::kReduce;
  if (name == "broadcast") return Reduction::What::kBroadcast;
  return name == "barrier" ? Reduction::What::kBarrier : Reduction::What::kAllReduce;
}

/// "job": 0, "each": 1, or a number.
int LockOf(KeyValues* keys) {
  const std::string text = keys->Text("lock", "job");
  if (text == "job") return 0;
  return text == "each" ? 1 : keys->Integer("lock", 1, kMostLocked, "16 bits; or job, each");
}

std::int64_t TimeoutOf(KeyValues* keys) {
  const std::string text = keys->Text("timeout", "10ms");
  return text == "0" ? 0 : ParseNanoseconds(text, keys->origin() + ": timeout");
}

}  // namespace

Reduction ReadReduction(const PatternText& pattern, KeyValues* keys, std::int64_t bytes, int ranks) {
  using What = Reduction::What;
  Reduction reduction;
  reduction.what = WhatOf(pattern.name);
  reduction.bytes = bytes;
  reduction.timeout_ns = TimeoutOf(keys);
  if (reduction.what == What::kBarrier) {
    if (bytes != 0)
      throw UsageError(fmt::format("{}: a barrier in the switches has no data; leave bytes out", keys->origin()));
    reduction.is_short = true;
    return reduction;
  }
  reduction.check = keys->Choice("check", "no", {"no", "yes"}) == "yes";
  if (reduction.what == What::kBroadcast) {
    reduction.op = "or";
    reduction.type = "int16";
  } else {
    reduction.op = keys->Text("op", reduction.op);
    reduction.type = keys->Text("type", reduction.type);
  }
  if (reduction.what != What::kAllReduce) reduction.root = keys->Integer("root", 0, 0, ranks - 1, "a rank");
  if (pattern.algorithm == "sharp-low") {
    reduction.is_short = true;
    return reduction;
  }
  reduction.locked = LockOf(keys);
  if (pattern.algorithm == "sharp-auto")
    reduction.is_short = bytes <= ParseBytes(keys->Text("switch-over", "4096"), keys->origin() + ": switch-over");
  return reduction;
}

void ReduceInSwitches(const PatternSize& size, Schedule* schedule) {
  for (Rank& rank : schedule->ranks) {
    Script script(&rank);
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      script.Reduce(size.bytes);
      script.Next();
    }
  }
}

}  // namespace tilefly::workload
