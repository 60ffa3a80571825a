// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tilefly::cosim {

/// Gives things of several kinds places of limited room, where a kind may go to some of the places only. Things that have a
/// place move on when others need it, so that as many as possible have one (a maximum flow, by augmenting paths).
class Places {
 public:
  /// `room`: things that each place has room for; negative counts as none.
  explicit Places(std::vector<std::int64_t> room);

  /// Places `count` things that may go to any place of `choice`. Returns how many of them find no room.
  std::int64_t Place(const std::vector<int>& choice, std::int64_t count);

 private:
  std::int64_t Push(std::size_t kind, std::int64_t count, std::vector<bool>* seen);

  std::vector<std::int64_t> room_;
  std::vector<std::vector<int>> choices_;         ///< by kind
  std::vector<std::vector<std::int64_t>> held_;   ///< by kind and place: things of the kind there
};

}  // namespace tilefly::cosim
