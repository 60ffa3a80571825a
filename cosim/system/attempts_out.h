// SPDX-License-Identifier: Apache-2.0
// What a device puts on a link that repeats (docs/network.md, Devices): its attempts are told apart, counted and
// checked, and packets are kept as long as they may be sent again.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "cosim/common/observation.h"
#include "cosim/endpoint/attempt_laws.h"
#include "cosim/endpoint/lanes_in_use.h"
#include "cosim/system/replay_timer.h"
#include "generated/registers.h"
#include "golden/credit/credit_sender.h"
#include "network/retry_counts.h"
#include "network/retry_sender.h"

namespace tilefly::cosim {

class AttemptsOut {
 public:
  using Held = network::RetrySender::Held;

  /// What the word of a cycle is.
  enum class Seen { kNothing, kFirstBegins, kOfFirst, kAgainBegins, kOfAgain };

  /// `lanes`: SerDes lanes of the cable. `credits`: registers of the port. `retry` must outlive this object.
  AttemptsOut(const Profile& profile, int port, int lanes, const golden::CreditTable& credits, const PortRetry& retry);

  // Of each cycle, in the order of the functions.

  /// What a control slot that came whole says to the port.
  void Hear(Cycle now, const Ctrl& slot);
  /// The observation record: events of the cycle before, and levels of cycle `now`.
  void Observe(Cycle now, const Portobs& seen);
  /// `link_o`. Throws CheckFailure when the device breaks a law of links with retry.
  Seen See(Cycle now, const Link& link, network::RetryCounts* counts);
  /// The same in the first cycle without words, behind the one in which the link goes down: returns whether an attempt
  /// starts of which no word is ever on the link.
  Seen SeeFall(Cycle now, const Link& link, network::RetryCounts* counts);
  /// The same as long as the link is down.
  void SeeDown(Cycle now, const Link& link) const;

  /// The port takes a packet.
  struct Take {
    Cycle cycle;
    int lanes;  ///< SerDes lanes in use then
  };
  /// Behind kFirstBegins: when the link took the packet. Throws CheckFailure when it took none.
  Take TakeOfFirst(Cycle now);
  /// Behind SeeFall: the same of each packet that the link took and that is not on it; and whether its attempt starts.
  bool TakeOfUnseen(Seen unseen, int words, network::RetryCounts* counts);
  /// Keeps the packet whose first attempt begins: its number is that of the tag.
  const Held& Keep(Held packet);
  /// Behind kAgainBegins: the packet that is sent again.
  const Held& Again();
  /// SerDes lanes of the attempt that began last.
  int lanes() const { return lanes_; }
  /// SerDes lanes in use in this cycle: how many, and which, a bit each.
  int lanes_in_use() const { return in_use_; }
  unsigned used_lanes() const { return used_[0]; }

  /// Behind SeeFall: the half forgets all. Returns the packets of its replay buffer.
  std::deque<Held> Fall();
  /// The link comes up again.
  void LinkRises() { choice_.Down(); }

  const std::deque<Held>& held() const { return held_; }
  /// Whether packets wait for their reports, or cells are out.
  bool busy() const { return !held_.empty() || in_attempt_ || !laws_.CreditsHome(); }
  bool CreditsHome() const { return laws_.CreditsHome(); }
  /// Whether the far end has said of all lanes what it holds.
  bool all_known() const { return laws_.all_known(); }
  std::int64_t resent_words() const { return resent_words_; }
  std::int64_t replays() const { return replays_; }
  /// Calls `release(payload)` for the contents of reduction packets that are kept no more.
  template <typename Release>
  void ReleaseContents(Release&& release) {
    for (const golden::Payload payload : accepted_) release(payload);
    accepted_.clear();
  }

 private:
  /// What a control slot says to the half.
  struct Heard {
    Cycle at;
    bool reports, nack, masks;
    std::uint16_t seq;
    std::uint8_t bad;
  };

  static int Ahead(int a, int b) { return (a - b + AttemptLaws::kSeqs) & (AttemptLaws::kSeqs - 1); }
  void Forget();
  void CountStart(int words, network::RetryCounts* counts);
  std::uint16_t NextAgain() const;
  void RunTimer(Cycle now, network::RetryCounts* counts);
  [[noreturn]] void Fail(Cycle now, const std::string& what) const;

  const int port_;
  const PortRetry& retry_;
  AttemptLaws laws_;
  std::deque<Take> takes_;    ///< of packets whose first attempt is still to come
  std::deque<Held> held_;
  std::vector<golden::Payload> accepted_;
  std::deque<Heard> slots_;  ///< that the sending half has still to hear, as the timer sees it
  bool replayed_ = false, replays_now_ = false;  ///< a replay began in the cycle before last, in the last one
  std::uint16_t seq_ = 0;     ///< of the attempt
  std::uint16_t next_ = 0;    ///< of the next packet
  std::uint16_t top_ = 0;     ///< before it all were sent whole
  int lanes_;
  LanesInUse choice_;
  int in_use_;                       ///< SerDes lanes in this cycle
  std::array<unsigned, 3> used_{};   ///< these, a bit each: in this cycle, in the one before, in the one before that
  std::optional<unsigned> masked_;   ///< what this cycle's slot says of bad lanes
  std::array<Seen, 2> starts_{Seen::kNothing, Seen::kNothing};  ///< attempts: in the last cycle, in the one before
  Cycle started_ = -1, replay_at_ = -1;  ///< of the attempt; of the latest replay
  bool in_attempt_ = false, again_ = false;
  ReplayTimer timer_;
  std::int64_t resent_words_ = 0, replays_ = 0;
};

}  // namespace tilefly::cosim
