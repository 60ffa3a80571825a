// SPDX-License-Identifier: Apache-2.0
// The patterns one by one. Each fills the ranks of a schedule, iteration after iteration.
#pragma once

#include <array>
#include <cstdint>

#include "workload/host_costs.h"
#include "workload/schedule.h"
#include "workload/script.h"

namespace tilefly::workload {

/// What all patterns have.
struct PatternSize {
  std::int64_t bytes;
  int iterations;
};

inline int CountOf(const Schedule& schedule) { return static_cast<int>(schedule.ranks.size()); }

/// Rank i sends to i + n/2, which sends back.
void PingPong(const PatternSize& size, Schedule* schedule);
/// Rank i sends to i + n/2, a message every `every_ns`, whether those before have left or not.
void PacedStream(const PatternSize& size, std::int64_t every_ns, Schedule* schedule);
/// In step k = 1 .. n-1 rank r sends to r + k and receives from r - k; a step waits for the one `window` before it.
void AllToAllPairwise(const PatternSize& size, int window, Schedule* schedule);
/// All receives stand ready; each rank sends to the others in an order of its own, `window` at a time.
void AllToAllRandom(const PatternSize& size, int window, std::uint64_t seed, Schedule* schedule);
/// The two halves, paired anew in each iteration, exchange messages both ways.
void Bisection(const PatternSize& size, std::uint64_t seed, Schedule* schedule);

/// Each rank exchanges a message with both neighbours of a ring; `random`: the ring is drawn anew in each iteration.
/// `sync`: a barrier ends each iteration.
void RingExchange(const PatternSize& size, bool random, bool sync, std::uint64_t seed, Schedule* schedule);
/// All send to `root`, each `window` messages at a time. `put`: the root's NIC takes them; else the root has `window`
/// receives posted for each of the others.
void GatherInWindows(const PatternSize& size, int root, int window, bool put, Schedule* schedule);
/// All get a message from `root`, each `window` at a time: a request of kGetRequestBytes, and an answer that the root's
/// NIC gives.
void GetFromRoot(const PatternSize& size, int root, int window, Schedule* schedule);
inline constexpr std::int64_t kGetRequestBytes = 32;

/// Reduce-scatter and all-gather round a ring: 2 (n-1) steps of a block each, with `compute` for each reduction.
void AllReduceRing(const PatternSize& size, const ReduceTime& compute, Schedule* schedule);
/// Recursive halving, then recursive doubling, of the largest power of two of ranks; the others hand their vector to a
/// neighbour before and get the result after.
void AllReduceRabenseifner(const PatternSize& size, const ReduceTime& compute, Schedule* schedule);
/// All reduce in the switches.
void ReduceInSwitches(const PatternSize& size, Schedule* schedule);
/// Dissemination of rank `r` of `n`: in round k it tells r + 2^k.
void BarrierRounds(int r, int n, std::int64_t bytes, std::uint32_t tag, Script* script);
/// A barrier in each iteration.
void Barrier(const PatternSize& size, Schedule* schedule);
/// Binomial tree from `root`.
void Broadcast(const PatternSize& size, int root, Schedule* schedule);
/// All send to `root`.
void Gather(const PatternSize& size, int root, Schedule* schedule);

/// Faces of a 3-D grid of ranks: each exchanges with its up to six neighbours, then computes.
void Halo3d(const PatternSize& size, const std::array<int, 3>& grid, bool periodic, std::int64_t compute_ns,
            Schedule* schedule);
/// Wavefronts over a 2-D grid of ranks, from each corner twice, in `blocks` stages.
void Sweep3d(const PatternSize& size, const std::array<int, 2>& grid, int blocks, std::int64_t compute_ns,
             Schedule* schedule);

}  // namespace tilefly::workload
