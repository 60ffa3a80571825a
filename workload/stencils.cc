// SPDX-License-Identifier: Apache-2.0
// Neighbours on grids of ranks, after the communication of halo3d and sweep3d of the Ember patterns.
#include "workload/generators.h"
#include "workload/script.h"

namespace tilefly::workload {

void Halo3d(const PatternSize& size, const std::array<int, 3>& grid, bool periodic, std::int64_t compute_ns,
            Schedule* schedule) {
  for (int r = 0; r < static_cast<int>(schedule->ranks.size()); ++r) {
    Script script(&schedule->ranks[r]);
    const std::array<int, 3> place = {r % grid[0], r / grid[0] % grid[1], r / grid[0] / grid[1]};
    const std::array<int, 3> stride = {1, grid[0], grid[0] * grid[1]};
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      for (int face = 0; face < 6; ++face) {
        const int axis = face / 2;
        const int step = face % 2 == 0 ? -1 : 1;
        int to = place[axis] + step;
        if (periodic) to = (to + grid[axis]) % grid[axis];
        if (to < 0 || to >= grid[axis] || to == place[axis]) continue;
        const int peer = r + (to - place[axis]) * stride[axis];
        // The tag is the sender's face: the neighbour's opposite one.
        script.Receive(peer, size.bytes, static_cast<std::uint32_t>(face ^ 1));
        script.Send(peer, size.bytes, static_cast<std::uint32_t>(face));
      }
      script.Next();
      script.Calc(compute_ns);
      script.Next();
    }
  }
}

void Sweep3d(const PatternSize& size, const std::array<int, 2>& grid, int blocks, std::int64_t compute_ns,
             Schedule* schedule) {
  constexpr int kOctants = 8;
  for (int r = 0; r < static_cast<int>(schedule->ranks.size()); ++r) {
    Script script(&schedule->ranks[r]);
    const std::array<int, 2> place = {r % grid[0], r / grid[0]};
    const std::array<int, 2> stride = {1, grid[0]};
    /// The neighbour one step along an axis, -1: none.
    const auto neighbour = [&](int axis, int step) {
      const int to = place[axis] + step;
      return to < 0 || to >= grid[axis] ? -1 : r + step * stride[axis];
    };
    for (int i = 0; i < size.iterations; ++i) {
      script.SetPhase(i);
      for (int stage = 0; stage < kOctants * blocks; ++stage) {
        const int octant = stage / blocks;
        const auto tag = static_cast<std::uint32_t>(octant);
        const std::array<int, 2> way = {(octant & 1) != 0 ? -1 : 1, (octant & 2) != 0 ? -1 : 1};
        for (int axis = 0; axis < 2; ++axis) {
          if (const int from = neighbour(axis, -way[axis]); from >= 0) script.Receive(from, size.bytes, tag);
        }
        script.Next();
        script.Calc(compute_ns);
        script.Next();
        for (int axis = 0; axis < 2; ++axis) {
          if (const int to = neighbour(axis, way[axis]); to >= 0) script.Send(to, size.bytes, tag);
        }
        script.Next();
      }
    }
  }
}

}  // namespace tilefly::workload
