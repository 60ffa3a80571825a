// SPDX-License-Identifier: Apache-2.0
// Random campaigns of a link with retry: faults of all kinds, registers that are too small, lanes that change, links
// that go down and come up, retry that is turned off and on. In the end the wire is clean and the link runs empty.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "testbenches/retry/retry_link.h"

namespace tilefly::bench {

class RetryCampaign {
 public:
  /// Parameters of the modules and the longest delay; all else is drawn.
  struct Scope {
    golden::RetryOut::Parameters out;
    int ack_gap = 8;
    int longest_delay = 600;
  };

  RetryCampaign(const Scope& scope, const Stimulus& random) : scope_(scope), random_(random), link(Draw(), random) {
    DrawRegisters();
    DrawFaults();
    link.to_sender.link_up = link.to_receiver.link_up = false;
    phase_ = Phase::kDown;
    until_ = 8;
  }

  /// One cycle of the campaign.
  void Step() {
    Act();
    link.Step();
  }
  /// From the next cycle on nothing more is sent, the wire is clean, and the registers are as the page wants them.
  void Drain() {
    if (draining_) return;
    draining_ = true;
    link.words.Set({});
    link.slots.Set({});
    link.to_sender.replay_timer_max = 2 * delay_ + 8 * scope_.out.max_words + 24;
    link.to_sender.replay_ct_max = 255;
  }

 private:
  enum class Phase { kRun, kLanes, kDown, kUp };

  static constexpr std::array<int, 8> kTimers = {1, 2, 3, 8, 21, 100, 700, 4096};
  static constexpr std::array<int, 8> kLimits = {0, 1, 2, 3, 8, 32, 255, 255};

  int Below(int n, Purpose purpose) {
    return static_cast<int>(random_.Below(static_cast<std::uint64_t>(n), purpose, draws_++));
  }
  RetrySetup Draw() {
    RetrySetup setup;
    setup.out = scope_.out;
    setup.in.ack_gap = scope_.ack_gap;
    setup.in.seq_bits = scope_.out.seq_bits;
    setup.delay = delay_ =
        1 + Below(Below(2, "near") == 0 ? std::min(8, scope_.longest_delay) : scope_.longest_delay, "delay");
    setup.mac.shortest = 1;
    setup.mac.longest =
        Below(2, "short packets") == 0 ? std::min(1 + Below(8, "longest"), scope_.out.max_words) : scope_.out.max_words;
    setup.mac.latency = 1 + Below(8, "latency");
    setup.mac.at_once = Below(2, "at once") == 0;
    setup.mac.varied = true;
    return setup;
  }
  double Rate() { return Below(2, "none") == 0 ? 0 : std::pow(10, -1.3 - 0.1 * Below(30, "rate")); }
  RetryFaults Faults() {
    RetryFaults faults{Rate(), Rate(), Rate(), Rate(), 1 + Below(4, "run")};
    if (Below(3, "clean") == 0) faults = {};
    return faults;
  }
  void DrawFaults() {
    link.words.Set(Faults());
    link.slots.Set(Faults());
  }
  void DrawRegisters() {
    const int least = 2 * delay_ + 8 * scope_.out.max_words + 24;
    const bool tiny = Below(3, "tiny") == 0;
    link.to_sender.replay_timer_max =
        tiny ? kTimers[static_cast<std::size_t>(Below(8, "timer"))] : least + Below(64, "timer");
    link.to_sender.replay_ct_max = kLimits[static_cast<std::size_t>(Below(8, "limit"))];
    link.to_sender.retry_threshold = Below(4, "threshold");
  }
  void Act() {
    const Cycle now = link.cycle;
    if (phase_ == Phase::kRun) {
      if (link.from_sender.link_failed && failed_since_ == kNever) failed_since_ = now;
      const bool give_up = failed_since_ != kNever && now >= failed_since_ + 40;
      if (give_up || (now >= until_ && !draining_)) Choose(give_up);
    } else if (phase_ == Phase::kLanes) {
      // The receiver learns of it at once, or when the sender's words of the old lanes have come.
      if (link.sender.owed() == 0 && new_lanes_ >= 0) {
        link.to_sender.lanes = new_lanes_;
        new_lanes_ = -1;
        until_ = now + (Below(2, "lanes at once") == 0 ? 0 : delay_);
      }
      if (new_lanes_ < 0 && now >= until_) {
        link.to_receiver.lanes = link.to_sender.lanes;
        Run();
      }
    } else if (phase_ == Phase::kDown) {
      if (now == toggles_) Toggle();
      if (now >= until_ && (link.to_sender.enable == wanted_)) GoUp();
    } else if (phase_ == Phase::kUp) {
      if (now >= sender_up_) link.to_sender.link_up = true;
      if (now >= receiver_up_) link.to_receiver.link_up = true;
      if (link.to_sender.link_up && link.to_receiver.link_up) Run();
    }
    link.mac.Hold(draining_ || phase_ == Phase::kLanes || (phase_ == Phase::kDown && wanted_));
  }
  void Run() {
    phase_ = Phase::kRun;
    until_ = link.cycle + 100 + Below(3000 + 8 * delay_, "length");
    failed_since_ = kNever;
  }
  void Choose(bool give_up) {
    const int what = give_up ? 9 : Below(10, "what");
    if (what < 4) {
      phase_ = Phase::kLanes;
      new_lanes_ = Below(8, "lanes");
    } else if (what < 7) {
      DrawRegisters();
      DrawFaults();
      Run();
    } else {
      phase_ = Phase::kDown;
      link.to_sender.link_up = link.to_receiver.link_up = false;
      until_ = link.cycle + 2 * delay_ + scope_.out.max_words + 16 + Below(50, "down");
      wanted_ = draining_ || Below(4, "enable") != 0;
      toggles_ = link.cycle + 1 + Below(20, "toggle");
      failed_since_ = kNever;
    }
  }
  /// Retry is turned on only when the MAC has given all that it took without, and then the link stays down until no
  /// such word is on the wire.
  void Toggle() {
    if (wanted_ && !link.to_sender.enable && !link.mac.idle()) {
      ++toggles_;
      return;
    }
    if (wanted_ && !link.to_sender.enable) until_ = std::max(until_, link.cycle + delay_ + 3);
    link.to_sender.enable = link.to_receiver.enable = wanted_;
  }
  void GoUp() {
    phase_ = Phase::kUp;
    sender_up_ = link.cycle + Below(2, "sender first") * Below(60, "up");
    receiver_up_ = link.cycle + Below(2, "receiver first") * Below(60, "up");
    if (draining_) sender_up_ = receiver_up_ = link.cycle;
  }

  Scope scope_;
  Stimulus random_;
  Cycle draws_ = 0;
  int delay_ = 1;
  bool draining_ = false;
  Phase phase_ = Phase::kRun;
  Cycle until_ = 0;
  Cycle failed_since_ = kNever;
  int new_lanes_ = -1;
  bool wanted_ = true;  ///< `enable` when the link is up again
  Cycle toggles_ = kNever;
  Cycle sender_up_ = 0, receiver_up_ = 0;

 public:
  RetryLink link;
};

}  // namespace tilefly::bench
