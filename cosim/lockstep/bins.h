// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/device.h"
#include "cosim/scoreboard/scoreboard.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// Functional coverage of a run: how often each situation that runs are meant to reach has occurred. Counts of several
/// runs can be added.
class Bins {
 public:
  explicit Bins(const Profile& profile);

  /// Counts the situations that the observation of a cycle shows. `withholding` has a bit for each port whose endpoint
  /// holds back credits.
  void Sample(const Observation& observation, std::uint64_t withholding);
  void AddPauses(std::int64_t to_switch, std::int64_t from_switch);
  /// Adds drops that the observation record does not show.
  void AddDrops(Drop reason, std::int64_t count) { drops_[static_cast<std::size_t>(reason)] += count; }
  void AddCreditWraps(std::int64_t wraps) { Count(kCreditWrap) += wraps; }
  void Merge(const Bins& other);
  /// Name and count of every bin.
  std::vector<std::pair<std::string, std::int64_t>> Entries() const;
  std::int64_t Get(const std::string& name) const;

 private:
  enum Bin {
    kFullInputBuffer,     ///< an input buffer without room for an MTU
    kNoRoom,              ///< requests wait, the output buffer has no room for an MTU
    kNoCredit,            ///< requests wait, the link partner withholds credits, nothing is granted
    kAllInputsOneOutput,  ///< every input of a row has a request at one output
    kAllRowsOneCycle,     ///< first cells of all rows reach one output in one cycle
    kLoadSaturated,       ///< the 12 bits of an output's load are full
    kPauseToSwitch,
    kPauseFromSwitch,
    kGrantWrap,   ///< the inputs granted by an output wrapped around; row R's apart
    kTakeWrap,    ///< the rows taken by a link wrapped around
    kCreditWrap,  ///< a cumulative credit count passed 65535
    kBins
  };
  std::int64_t& Count(Bin bin) { return counts_[static_cast<std::size_t>(bin)]; }
  void TrackRequests(const Portobs& obs, int port);

  Profile profile_;
  std::array<std::int64_t, kBins> counts_{};
  DropCounts drops_{};
  std::vector<std::uint16_t> waiting_;     ///< requests at the output, by (output, input)
  std::vector<std::uint8_t> row_waiting_;  ///< inputs with requests, by (output, row)
  std::vector<std::uint8_t> last_source_;
  std::vector<std::uint8_t> last_row_;
};

}  // namespace tilefly::cosim
