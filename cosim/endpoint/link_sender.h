// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

#include "cosim/endpoint/link_credits.h"
#include "cosim/endpoint/link_pauses.h"
#include "cosim/endpoint/retry_halves.h"
#include "cosim/endpoint/sender_queues.h"
#include "cosim/endpoint/stalls.h"
#include "cosim/setup/frame.h"
#include "cosim/setup/frame_sink.h"
#include "cosim/setup/switch_setup.h"

namespace tilefly::cosim {

/// Sending half of an endpoint. It keeps law 2 (contiguous words at the lanes' rate, preamble and gap of standard
/// frames) and obeys credits or PAUSE. It starts a frame when the rule of the credit page allows it, whatever the size
/// of the frame. On a port with credits each lane has a queue of its own (`lane_queues`); else all frames share one.
class LinkSender {
 public:
  /// `delay`: cycles from the sender to the switch. `retry`: the sender's end of a link with retry, which has its credits;
  /// null: a link without.
  LinkSender(const SwitchSetup& setup, int port, const StallOptions& stalls, std::uint64_t seed, FrameSource* source,
             FrameSink* sink, bool lane_queues, int delay = 0, RetryHalves* retry = nullptr);

  /// Fills the word of cycle `now`.
  void Drive(Cycle now, Word* word);
  /// A credit return arrives. Throws CheckFailure when its count makes no sense.
  void OnCredit(Cycle now, const Ctrl& ctrl);
  /// The pauses of flows that the sender obeys or ignores; null: none come. They must outlive the sender.
  void Keep(LinkPauses* pauses) { pauses_ = pauses; }
  /// The switch asks for a pause of `quanta` quanta.
  void OnPause(Cycle now, std::uint16_t quanta);
  /// While the sender is held it starts no frame; a packet under way goes on.
  void Hold(bool held) { held_ = held; }
  /// SerDes lanes of the frames that start from now on. They change only while no frame is under way.
  void SetLanes(int lanes) { lanes_ = lanes; }
  /// Whether a frame waited for credit when the link was free the last time.
  bool waits_for_credit() const { return waits_; }
  /// Whether a word is on the link now, or more words of its packet are to come.
  bool sends() const { return driven_ || frame_ != nullptr; }
  /// Sends a MAC control frame before the next data frame.
  void SendControl(FramePtr frame) { control_.push_back(std::move(frame)); }

  bool CreditsHome() const { return retry_ != nullptr ? retry_->CreditsHome() : credits_.AllHome(); }
  /// Whether nothing is under way and all credits are home.
  bool Quiet(Cycle now) const {
    return !frame_ && queues_.empty() && control_.empty() && now >= next_start_ && CreditsHome();
  }
  bool holding() const { return !queues_.empty(); }
  /// Whether the switch has paused this sender.
  bool paused(Cycle now) const { return now < paused_until_; }
  /// The cycle until which the switch holds back what is for this port, as the PAUSE frames sent to the switch ask.
  Cycle asked_until() const { return *std::max_element(asked_until_.begin(), asked_until_.end()); }
  std::int64_t words_sent() const { return words_sent_; }
  std::int64_t slots_sent() const { return slots_sent_; }
  /// Of the slots sent, those that passed before `now`; the rest belongs to the frame on the link.
  std::int64_t slots_passed(Cycle now) const {
    return slots_sent_ - std::max<Cycle>(0, next_start_ - now) * lanes_ / 4;
  }
  std::int64_t blocked_cycles() const { return blocked_cycles_; }
  /// Waits of the frame that starts, valid while its sink is told of it. Control frames have no waits.
  const StartWait& waited() const { return wait_; }
  /// Whether the cycles of waiting were for credits; else they were in a PAUSE.
  bool uses_credits() const { return uses_credits_; }

 private:
  FramePtr Next(Cycle now);
  void FillQueues(Cycle now);
  void Start(Cycle now, FramePtr frame);
  void NotePause(Cycle last);
  bool HasCredit(const Frame& frame) const;
  bool FlowIsPaused(Cycle now, const Frame& frame) const { return pauses_ != nullptr && pauses_->Holds(now, frame); }

  const int port_;
  int lanes_;
  const bool uses_credits_;
  const StallOptions stalls_;
  const std::uint64_t seed_;
  FrameSource* const source_;
  FrameSink* const sink_;
  const int delay_;
  RetryHalves* const retry_;
  LinkPauses* pauses_ = nullptr;
  LinkCredits credits_;  ///< of a link without retry
  std::deque<FramePtr> control_;
  SenderQueues queues_;
  Cycle down_ = 0;        ///< since the last start the free link was down
  FramePtr frame_;        ///< on the link
  Cycle first_ = 0;       ///< cycle of its first word
  int next_word_ = 0;
  Cycle next_start_ = 0;  ///< when the link is free
  Cycle paused_until_ = 0;
  std::array<Cycle, 8> asked_until_{};  ///< by class
  bool held_ = false;
  bool waits_ = false;
  bool driven_ = false;  ///< `word` was set in the previous cycle
  std::uint64_t starts_ = 0;
  std::int64_t words_sent_ = 0;
  std::int64_t slots_sent_ = 0;
  std::int64_t blocked_cycles_ = 0;
  StartWait wait_;
};

}  // namespace tilefly::cosim
