// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "cosim/common/observation.h"
#include "generated/profile.h"
#include "golden/reduction/red_candidate.h"

namespace tilefly::cosim {

/// A launch of the reduction ring (docs/blocks/reduction.md, CFU: launches) as the observation record shows it.
struct RingLaunch {
  Cycle at = 0;            ///< of the decision
  RedCandidate candidate = RedCandidate::kUp0;
  int index = 0;           ///< slot of a stream; {group, engine} of a short operation; group of a notice
  int segment = -1;        ///< of a stream: number of the segment in its direction since the slot was taken
  std::vector<int> parts;  ///< ports that took part, in the order of their steps

  bool is_stream() const { return golden::IsStream(candidate); }
  bool is_notice() const { return candidate == RedCandidate::kNotice; }
  bool goes_down() const { return golden::GoesDown(candidate); }
  /// "segment 7 up of slot 0", "short operation down of group 2 engine 5", "notice of group 2".
  std::string Name() const;
};

/// Follows the launches of one device round the reduction ring.
class RingLaunches {
 public:
  explicit RingLaunches(const Profile& profile);

  /// Takes the record that is seen in cycle `now`, which shows the events of the cycle before.
  void Sample(Cycle now, const Observation& observation);

  // The launch whose first word was in some place in cycle `event`; null when the record shows none.
  const RingLaunch* AtStep(Cycle event, int port) const;
  const RingLaunch* AtMeeting(Cycle event) const;
  /// The launch whose packet was complete in the fifo of `lane` (RedLane) of the port.
  const RingLaunch* Complete(Cycle event, int port, int lane) const;

  /// The result in fifo `lane` of the port that row R will grant next; null: no result is complete. When results become
  /// complete in the same cycle, the record shows the one of the lowest lane; the others are found when they are
  /// granted.
  const RingLaunch* Waiting(int port, int lane) const;

  /// A result that became complete in a fifo of a port.
  struct Completion {
    int port;
    int lane;
    RingLaunch launch;
  };
  /// The results that became complete in the last record.
  const std::vector<Completion>& completed() const { return completed_; }

 private:
  static constexpr std::size_t kKept = 32;  ///< more than are on the ring at a time
  static constexpr int kLanes = 3;
  struct Slot {
    int ups = 0;
    int downs = 0;
  };
  static std::size_t Index(int i) { return static_cast<std::size_t>(i); }
  template <typename Is>
  const RingLaunch* Latest(Is&& is) const;
  void Begin(Cycle event, const CfuObs& cfu);

  const Profile profile_;
  std::array<Slot, 2> slots_;
  std::vector<RingLaunch> launches_;                                 ///< the latest ones, in their order
  struct Fifo {
    std::deque<RingLaunch> waiting;
    Cycle last = -1;  ///< decision of the launch that became complete last
  };
  std::vector<std::array<Fifo, kLanes>> fifos_;  ///< of results, by port
  Cycle event_ = -1;                             ///< of the last record
  std::vector<Completion> completed_;
};

}  // namespace tilefly::cosim
