// SPDX-License-Identifier: Apache-2.0
// The cycles in which an output could give no grant, as its links and its observation record show: the output's
// credits, its PAUSE, its room and its link.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "cosim/device.h"
#include "cosim/setup/switch_setup.h"
#include "golden/credit/sender_healing.h"

namespace tilefly::cosim {

class OutputWaits {
 public:
  /// The CREDIT registers are as the setup writes them. `setup` must outlive this object.
  explicit OutputWaits(const SwitchSetup& setup);

  /// An endpoint sends a frame, with its last word in cycle `last`. If it is a PAUSE, it asks the switch to wait.
  void Sent(const Frame& frame, Cycle last);
  /// What is seen in cycle `now`: the record, the links out of the switch, and the inputs of this cycle.
  struct Seen {
    const Observation& observation;
    const std::vector<Link>& outputs;
    const Device::Inputs& inputs;
  };
  /// Call it in every cycle.
  void Sample(Cycle now, const Seen& seen);
  /// The record that was sampled last shows that the link took a packet. `lost`: and discarded it.
  void Taken(int output, int lane, int cells, bool lost);

  /// Cycles before the one that was sampled last; each counts for one reason at most, the first that holds.
  struct Counts {
    Cycle down = 0;       ///< the link was down
    Cycle no_room = 0;    ///< the output buffer had no room for an MTU
    Cycle no_credit = 0;  ///< the lane had no credit for an MTU, or was paused
  };
  Counts Of(int output, int lane) const;

 private:
  enum class Hold { kNone, kDown, kNoRoom };
  struct Return {
    Cycle at;  ///< event
    std::uint8_t lane;
    std::uint16_t cells;
  };
  struct Pause {
    Cycle at;  ///< event
    AskedPause asked;
  };
  /// The decisions of an output. What held it back holds since `since`.
  struct Output {
    golden::CreditTable table;
    golden::CreditSender credits;
    golden::SenderHealing healing;  ///< with retry
    bool sent_again = false;        ///< with retry: the word that is on the link next is of an attempt that is not the first
    std::deque<Return> returns;
    std::deque<Pause> pauses;
    std::array<Cycle, golden::kMaxClasses> paused_until{};
    unsigned without_credit = 0;  ///< lanes
    bool up = true;               ///< as decisions of the next cycle see it
    Hold hold = Hold::kNone;
    unsigned blocked = 0;  ///< lanes, when nothing else holds
    Cycle since = 0;
    Cycle down = 0;
    Cycle no_room = 0;
    std::array<Cycle, golden::kMaxLanes> no_credit{};
  };

  void TakeCredits(Cycle now, const Portobs& obs, Output* output) const;
  void HealCredits(Cycle now, const Portobs& obs, const Word& word, Output* output) const;
  void FindBlocked(bool known, Output* output) const;
  static void TakePauses(Cycle now, int lanes, Output* output);
  unsigned PausedLanes(Cycle now, const Output& output) const;
  static void Turn(Cycle now, Hold hold, unsigned blocked, Output* output);

  const SwitchSetup& setup_;
  std::vector<Output> outputs_;
  Cycle now_ = 0;
};

}  // namespace tilefly::cosim
