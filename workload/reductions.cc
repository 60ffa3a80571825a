// SPDX-License-Identifier: Apache-2.0
// All-reduce and barrier of the hosts.
#include <algorithm>

#include "workload/generators.h"
#include "workload/patterns.h"
#include "workload/script.h"

namespace tilefly::workload {
namespace {

/// Bytes of the blocks [from, from + count) of `blocks`.
std::int64_t RangeBytes(std::int64_t bytes, int blocks, int from, int count) {
  const auto before = [&](int index) { return bytes / blocks * index + std::min<std::int64_t>(index, bytes % blocks); };
  return before(from + count) - before(from);
}

/// Ranks that take part in the halving, and those of them that stand for two.
struct Core {
  explicit Core(int n) {
    while (2 * size <= n) size *= 2;
    pairs = n - size;
  }
  /// The core's number of a rank, -1: its neighbour stands for it.
  int NumberOf(int rank) const {
    if (rank >= 2 * pairs) return rank - pairs;
    return rank % 2 == 1 ? rank / 2 : -1;
  }
  int RankOf(int number) const { return number < pairs ? 2 * number + 1 : number + pairs; }

  int size = 1;
  int pairs = 0;
};

/// Halving and doubling of the core's rank `own`.
void HalveAndDouble(const PatternSize& size, const ReduceTime& compute, const Core& core, int own, Script* script) {
  int from = 0;  // blocks that it still reduces
  int count = core.size;
  for (int distance = core.size / 2; distance > 0; distance /= 2) {
    const int peer = core.RankOf(own ^ distance);
    count /= 2;
    const int kept = (own & distance) != 0 ? from + count : from;
    const int given = (own & distance) != 0 ? from : from + count;
    script->Receive(peer, RangeBytes(size.bytes, core.size, kept, count));
    script->Send(peer, RangeBytes(size.bytes, core.size, given, count));
    script->Next();
    script->Calc(compute.Of(RangeBytes(size.bytes, core.size, kept, count)));
    script->Next();
    from = kept;
  }
  for (int distance = 1; distance < core.size; distance *= 2) {
    const int peer = core.RankOf(own ^ distance);
    const int other = (own & distance) != 0 ? from - count : from + count;
    script->Receive(peer, RangeBytes(size.bytes, core.size, other, count));
    script->Send(peer, RangeBytes(size.bytes, core.size, from, count));
    script->Next();
    from = std::min(from, other);
    count *= 2;
  }
}

}  // namespace

void AllReduceRing(const PatternSize& size, const ReduceTime& compute, Schedule* schedule) {
  const int n = CountOf(*schedule);
  for (int r = 0; r < n; ++r) {
    Script script(&schedule->ranks[r]);
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      for (int step = 0; step < 2 * (n - 1); ++step) {
        const auto block = [&](int behind) { return BlockBytes(size.bytes, n, ((r - step - behind) % n + 2 * n) % n); };
        script.Receive((r - 1 + n) % n, block(1));
        script.Send((r + 1) % n, block(0));
        script.Next();
        if (step < n - 1) script.Calc(compute.Of(block(1)));
        script.Next();
      }
    }
  }
}

void AllReduceRabenseifner(const PatternSize& size, const ReduceTime& compute, Schedule* schedule) {
  const int n = CountOf(*schedule);
  const Core core(n);
  for (int r = 0; r < n; ++r) {
    Script script(&schedule->ranks[r]);
    const int own = core.NumberOf(r);
    const bool doubled = r < 2 * core.pairs;
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      if (own < 0) {
        script.Send(r + 1, size.bytes);
        script.Next();
        script.Receive(r + 1, size.bytes);
        script.Next();
        continue;
      }
      if (doubled) {
        script.Receive(r - 1, size.bytes);
        script.Next();
        script.Calc(compute.Of(size.bytes));
        script.Next();
      }
      HalveAndDouble(size, compute, core, own, &script);
      if (doubled) script.Send(r - 1, size.bytes);
      script.Next();
    }
  }
}

void BarrierRounds(int r, int n, std::int64_t bytes, std::uint32_t tag, Script* script) {
  for (int distance = 1; distance < n; distance *= 2) {
    script->Receive((r - distance + n) % n, bytes, tag);
    script->Send((r + distance) % n, bytes, tag);
    script->Next();
  }
}

void Barrier(const PatternSize& size, Schedule* schedule) {
  const int n = CountOf(*schedule);
  for (int r = 0; r < n; ++r) {
    Script script(&schedule->ranks[r]);
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      BarrierRounds(r, n, size.bytes, 0, &script);
    }
  }
}

}  // namespace tilefly::workload
