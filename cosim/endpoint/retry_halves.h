// SPDX-License-Identifier: Apache-2.0
// The partner's end of a link with retry (docs/blocks/link_retry.md, NIC): golden's halves of the retry block without their
// stages, SerDes lanes, the credits that heal, and when the end gives its link up.
#pragma once

#include <cstdint>

#include "generated/profile.h"
#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/credit/receiver_healing.h"
#include "golden/credit/sender_healing.h"
#include "golden/link/serdes_lanes.h"
#include "golden/retry/retry_in.h"
#include "golden/retry/retry_out.h"

namespace tilefly::cosim {

class RetryHalves {
 public:
  static constexpr int kBestEffort = 2;  ///< of LINK_DOWN_BEHAVIOR

  /// What the end has done since the beginning.
  struct Counts {
    std::int64_t attempts = 0;
    std::int64_t resent_words = 0;
    std::int64_t replays = 0;
    std::int64_t timeouts = 0;
    std::int64_t nacks = 0;  ///< that it has sent
    std::int64_t healed_cells = 0;
    std::int64_t old_stamps = 0;
    std::int64_t broken_off = 0;  ///< attempts that began to come in and were broken off
    std::int64_t lanes_failed = 0, lanes_back = 0;  ///< SerDes lanes that became bad, and good again
  };
  /// The registers of a port that its partner obeys, too.
  struct Registers {
    PortRetry retry;
    PortLanes lanes;
  };
  /// What the sender of frames does in a cycle.
  struct Sender {
    Word word;               ///< of the frame that is being sent
    bool empty = true;       ///< no word is to come of the frames that have started
    bool waits = false;      ///< a frame waits for credit
  };
  /// What its gate makes of a word.
  struct Passed {
    Word word;
    bool broke_off = false;  ///< the attempt that was coming in goes no further
  };

  /// `lanes`: SerDes lanes of the cable; `shared`: S of the link's credits, in cells.
  RetryHalves(const Profile& profile, int port, int lanes, int shared, const Registers& registers);

  // For the sender of frames.

  /// Whether a frame may start as far as the replay buffer and the SerDes lanes are concerned, and how many lanes it uses.
  bool HasRoom() const { return out_.ready(!plain_) && serdes_.take_ok(lanes_); }
  int lanes_in_use() const { return serdes_.m(); }
  bool LaneOk(int vl) const { return sends_.all_known() && credits_.LaneOk(vl, table_, mtu_cells_); }
  /// A frame starts in the cycle of the next `Step`; its first word is the word of that step.
  void Start(int vl, int cells, int words) {
    credits_.Grant(vl, cells, table_);
    take_words_ = words;
  }
  /// Whether no cell is out, and the replay buffer is empty.
  bool CreditsHome() const { return credits_.AllHome() && sends_.all_known() && out_.held() == 0; }

  // For the receiver of frames.

  void Free(int vl, int cells) { returner_.Free(vl, cells); }
  /// Fills the slot of cycle `now`: a credit return, a report, a stamp. Call it once a cycle, before `Step`.
  void DriveControl(Cycle now, Ctrl* ctrl);

  /// One cycle: `in` arrives. Throws CheckFailure when a return or a report makes no sense.
  Passed Step(Cycle now, bool up, const Link& in, const Sender& sender);
  /// Whether the latest step starts the first attempt of a packet.
  bool tries() const { return tries_; }
  /// What the latest step puts on the link.
  void ShowSent(Link* link) const;

  /// Cells of a lane that came or were lost since link up, and that are free again; both modulo 65536.
  std::uint16_t taken(int vl) const { return receives_.taken(vl); }
  std::uint16_t freed(int vl) const { return returner_.freed(vl); }
  /// Number of the next packet to accept.
  int expected() const { return in_.expected(); }
  /// Why the end gives its link up, as of the latest step; null: it does not.
  const char* gives_up() const { return gives_up_; }
  /// Whether the end goes on without retry: its link was down, and the mode is best effort.
  bool plain() const { return plain_; }
  const Counts& counts() const { return counts_; }
  /// Words of all attempts.
  std::int64_t words_sent() const { return words_sent_; }

 private:
  golden::SerdesLanes::Outputs JudgeLanes(Cycle now, bool up, const Link& in, bool reports, bool empty);
  void ReceiveSlot(Cycle now, const Ctrl& slot);
  void TakeAttempt(const Word& word);
  void Count(const golden::RetryOut::Outputs& sent);
  void Watch(Cycle now, bool up, bool waits);

  const int port_;
  const int lanes_;  ///< of the cable
  const int mtu_cells_;
  const Registers registers_;
  golden::CreditTable table_;
  golden::RetryOut out_;
  golden::RetryIn in_{golden::RetryIn::Parameters()};
  golden::SerdesLanes serdes_;
  golden::CreditSender credits_;
  golden::SenderHealing sends_;
  golden::CreditReturner returner_;
  golden::ReceiverHealing receives_;
  golden::RetryReport slot_;  ///< on the link in this cycle
  bool lanes_valid_ = false;  ///< the mask of the next slot
  std::uint8_t lanes_bad_ = 0;
  int take_words_ = 0;        ///< of the frame that starts in this cycle; 0: none
  int pace_ = 4;              ///< SerDes lanes of the attempt that is on the link
  bool up_ = false;           ///< the link, in the cycle before
  bool fell_ = false;         ///< it went down in that cycle
  bool plain_ = false;
  bool tries_ = false;
  bool heard_ = false;        ///< a return of this cycle told of cells
  Cycle silent_since_ = 0;
  const char* gives_up_ = nullptr;
  std::int64_t words_sent_ = 0;
  Counts counts_;
};

}  // namespace tilefly::cosim
