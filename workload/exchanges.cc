// SPDX-License-Identifier: Apache-2.0
// Patterns without reductions: pairs, everybody with everybody, to and from one.
#include <numeric>

#include "support/random.h"
#include "workload/generators.h"
#include "workload/script.h"

namespace tilefly::workload {
namespace {

/// A random order of 0 .. n-1.
std::vector<int> Shuffled(int n, std::uint64_t seed, int entity, int iteration) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  Stream stream(seed, static_cast<std::uint32_t>(entity), static_cast<std::uint64_t>(iteration), Purpose::kWorkload);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[stream.Below(i)]);
  return order;
}

}  // namespace

void PingPong(const PatternSize& size, Schedule* schedule) {
  const int half = CountOf(*schedule) / 2;
  for (int r = 0; r < 2 * half; ++r) {
    Script script(&schedule->ranks[r]);
    const int peer = r < half ? r + half : r - half;
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      if (r < half) script.Send(peer, size.bytes);
      script.Next();
      script.Receive(peer, size.bytes);
      script.Next();
      if (r >= half) script.Send(peer, size.bytes);
      script.Next();
    }
  }
}

void PacedStream(const PatternSize& size, std::int64_t every_ns, Schedule* schedule) {
  const int half = CountOf(*schedule) / 2;
  for (int r = 0; r < 2 * half; ++r) {
    Script script(&schedule->ranks[r]);
    int clock = -1;  // the calc that ends when the next message is due
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      if (r >= half) {
        script.Receive(r - half, size.bytes);
        continue;
      }
      const int send = script.Send(r + half, size.bytes);
      if (clock >= 0) script.Require(send, clock);
      if (i + 1 < size.iterations) clock = script.Calc(every_ns);
    }
  }
}

void AllToAllPairwise(const PatternSize& size, int window, Schedule* schedule) {
  const int n = CountOf(*schedule);
  for (int r = 0; r < n; ++r) {
    Script script(&schedule->ranks[r]);
    std::vector<std::pair<int, int>> steps(static_cast<std::size_t>(n));
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      for (int k = 1; k < n; ++k) {
        steps[k] = {script.Receive((r - k + n) % n, size.bytes), script.Send((r + k) % n, size.bytes)};
        if (k <= window) continue;
        for (const int operation : {steps[k].first, steps[k].second}) {
          script.Require(operation, steps[k - window].first);
          script.Require(operation, steps[k - window].second);
        }
      }
      script.Next();
    }
  }
}

void AllToAllRandom(const PatternSize& size, int window, std::uint64_t seed, Schedule* schedule) {
  const int n = CountOf(*schedule);
  for (int r = 0; r < n; ++r) {
    Script script(&schedule->ranks[r]);
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      std::vector<int> sends;
      for (const int step : Shuffled(n - 1, seed, r, i)) {
        script.Receive((r + n - 1 - step) % n, size.bytes);
        sends.push_back(script.Send((r + 1 + step) % n, size.bytes));
        const auto sent = static_cast<int>(sends.size());
        if (sent > window) script.Require(sends.back(), sends[static_cast<std::size_t>(sent - 1 - window)]);
      }
      script.Next();
    }
  }
}

void Bisection(const PatternSize& size, std::uint64_t seed, Schedule* schedule) {
  const int half = CountOf(*schedule) / 2;
  std::vector<Script> scripts;
  for (Rank& rank : schedule->ranks) scripts.emplace_back(&rank);
  for (int i = 0; i < size.iterations; ++i) {
    const std::vector<int> partner = Shuffled(half, seed, 0, i);
    for (int r = 0; r < half; ++r) {
      for (const auto& [own, other] : {std::pair{r, half + partner[r]}, std::pair{half + partner[r], r}}) {
        scripts[own].SetPhase(i);
        scripts[own].Receive(other, size.bytes);
        scripts[own].Send(other, size.bytes);
        scripts[own].Next();
      }
    }
  }
}

void RingExchange(const PatternSize& size, bool random, bool sync, std::uint64_t seed, Schedule* schedule) {
  enum : std::uint32_t { kOnward, kBack, kSync };  // tags: in a ring of two both neighbours are the same rank
  const int n = CountOf(*schedule);
  std::vector<Script> scripts;
  for (Rank& rank : schedule->ranks) scripts.emplace_back(&rank);
  std::vector<int> ring(static_cast<std::size_t>(n));
  std::iota(ring.begin(), ring.end(), 0);
  for (int i = 0; i < size.iterations; ++i) {
    if (random) ring = Shuffled(n, seed, 0, i);
    for (int place = 0; place < n; ++place) {
      const int own = ring[place], next = ring[(place + 1) % n], before = ring[(place + n - 1) % n];
      Script& script = scripts[own];
      script.SetPhase(i);
      script.Receive(before, size.bytes, kOnward);
      script.Receive(next, size.bytes, kBack);
      script.Send(next, size.bytes, kOnward);
      script.Send(before, size.bytes, kBack);
      script.Next();
      if (sync) BarrierRounds(own, n, 0, kSync, &script);
    }
  }
}

void Broadcast(const PatternSize& size, int root, Schedule* schedule) {
  const int n = CountOf(*schedule);
  for (int r = 0; r < n; ++r) {
    Script script(&schedule->ranks[r]);
    const int own = (r - root + n) % n;  // number in the tree
    int below = 1;                       // the own subtree has the numbers own .. own + below - 1
    while (below < n && (own & below) == 0) below *= 2;
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      if (own != 0) script.Receive((own - below + root) % n, size.bytes);
      script.Next();
      for (int step = below / 2; step > 0; step /= 2) {
        if (own + step < n) script.Send((own + step + root) % n, size.bytes);
      }
      script.Next();
    }
  }
}

void Gather(const PatternSize& size, int root, Schedule* schedule) {
  const int n = CountOf(*schedule);
  for (int r = 0; r < n; ++r) {
    Script script(&schedule->ranks[r]);
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      if (r != root) script.Send(root, size.bytes);
      for (int other = 0; r == root && other < n; ++other) {
        if (other != root) script.Receive(other, size.bytes);
      }
      script.Next();
    }
  }
}

}  // namespace tilefly::workload
