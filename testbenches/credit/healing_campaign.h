// SPDX-License-Identifier: Apache-2.0
// Random campaigns of a link whose credits heal: faults of words and slots, and links that go down and come up, one end
// before the other. In the end the wire is clean, and all credits are to be home.
#pragma once

#include "testbenches/credit/healing_link.h"

namespace tilefly::bench {

class HealingCampaign {
 public:
  struct Plan {
    int delay = 7;
    RetryFaults words, there, back;
    HealingTraffic traffic;
    Cycle up = 3000;     ///< most cycles from a link up to the next link down
    bool downs = true;
    int apart = 0;       ///< most cycles between the ends at link up
    int copies = 2;      ///< copies that were broken off for which the shared part keeps room
  };

  HealingCampaign(const Plan& plan, const Profile& profile, const Stimulus& random)
      : link({profile, HealingTable(profile, plan.copies), true, plan.delay, plan.words, plan.there, plan.back,
              plan.traffic},
             random),
        plan_(plan),
        random_(random) {}

  /// One cycle of the campaign.
  void Step() {
    const Cycle now = link.cycle;
    if (now == sender_down_) link.sender_up = false;
    if (now == receiver_down_) link.receiver_up = false;
    if (now == receiver_down_ && keeps_) link.receiver.Hold(true);
    if (now == sender_up_) link.sender_up = true;
    if (now == receiver_up_) link.receiver_up = true;
    if (now == std::max(sender_up_, receiver_up_)) link.receiver.Hold(false);
    if (now == std::max(sender_up_, receiver_up_)) NextOutage();
    link.Step();
  }
  /// From the next cycle on the wire is clean, the link stays up or comes up, and what is inside leaves.
  void Drain() {
    if (draining_) return;
    draining_ = true;
    for (auto* slots : {&link.there, &link.back}) slots->Set({});
    link.words.Set({});
    link.sender.Hold(true);
    link.receiver.Drain(true);
    if (std::min(sender_down_, receiver_down_) > link.cycle) sender_down_ = receiver_down_ = kNever;
  }
  bool home() const { return draining_ && link.sender_up && link.receiver_up && link.idle() && link.home(); }
  int link_downs() const { return downs_; }

  HealingLink link;

 private:
  int Below(int n, Purpose purpose) {
    return static_cast<int>(random_.Below(static_cast<std::uint64_t>(n), purpose, draws_++));
  }
  /// The next link down, and the link up behind it; both ends have seen the link up.
  void NextOutage() {
    if (!plan_.downs || draining_) return;
    const Cycle down = link.cycle + 100 + Below(static_cast<int>(plan_.up), "up");
    const int later = Below(2, "other end later") * (plan_.delay + 1);
    const bool sender_first = Below(2, "sender first") == 0;
    sender_down_ = down + (sender_first ? 0 : later);
    receiver_down_ = down + (sender_first ? later : 0);
    const Cycle up = down + later + 2 * plan_.delay + 548 + Below(200, "down");
    sender_up_ = up + (plan_.apart > 0 ? Below(plan_.apart, "sender up") : 0);
    receiver_up_ = up + (plan_.apart > 0 ? Below(plan_.apart, "receiver up") : 0);
    keeps_ = Below(2, "buffer kept") == 0;
    ++downs_;
  }

  Plan plan_;
  Stimulus random_;
  Cycle draws_ = 0;
  bool draining_ = false;
  bool keeps_ = false;  ///< nothing leaves the buffer while the link is down
  int downs_ = 0;
  Cycle sender_down_ = kNever, receiver_down_ = kNever;
  Cycle sender_up_ = 8, receiver_up_ = 8;
};

}  // namespace tilefly::bench
