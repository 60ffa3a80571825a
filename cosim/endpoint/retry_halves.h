// SPDX-License-Identifier: Apache-2.0
// The partner's end of a link with retry (docs/blocks/link_retry.md, NIC): golden's halves of the retry block without their
// stages, and the credits that heal.
#pragma once

#include <cstdint>

#include "generated/profile.h"
#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/credit/receiver_healing.h"
#include "golden/credit/sender_healing.h"
#include "golden/retry/retry_in.h"
#include "golden/retry/retry_out.h"

namespace tilefly::cosim {

class RetryHalves {
 public:
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
  };
  /// What its gate makes of a word.
  struct Passed {
    Word word;
    bool broke_off = false;  ///< the attempt that was coming in goes no further
  };

  /// `shared`: S of the link's credits, in cells; `registers`: the port's RETRY register, which both ends obey.
  RetryHalves(const Profile& profile, int port, int lanes, int shared, const PortRetry& registers);

  // For the sender of frames.

  /// Whether the replay buffer has room for a frame.
  bool HasRoom() const { return out_.ready(true); }
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

  /// One cycle: `in` arrives, `word` is that of the frame that is being sent. Throws CheckFailure when a return or a report
  /// makes no sense.
  Passed Step(Cycle now, bool up, const Link& in, const Word& word);
  /// What the latest step puts on the link.
  void ShowSent(Link* link) const;

  /// Cells of a lane that came or were lost since link up, and that are free again; both modulo 65536.
  std::uint16_t taken(int vl) const { return receives_.taken(vl); }
  std::uint16_t freed(int vl) const { return returner_.freed(vl); }
  /// Number of the next packet to accept.
  int expected() const { return in_.expected(); }
  /// Whether the replay limit is reached: the end sends nothing more.
  bool gave_up() const { return gave_up_; }
  const Counts& counts() const { return counts_; }
  /// Words of all attempts.
  std::int64_t words_sent() const { return words_sent_; }

 private:
  void ReceiveSlot(Cycle now, const Ctrl& slot);
  void TakeAttempt(const Word& word);
  void Count(const golden::RetryOut::Outputs& sent);

  const int port_;
  const int lanes_;
  const int mtu_cells_;
  const PortRetry registers_;
  golden::CreditTable table_;
  golden::RetryOut out_;
  golden::RetryIn in_{golden::RetryIn::Parameters()};
  golden::CreditSender credits_;
  golden::SenderHealing sends_;
  golden::CreditReturner returner_;
  golden::ReceiverHealing receives_;
  golden::RetryReport slot_;  ///< on the link in this cycle
  int take_words_ = 0;        ///< of the frame that starts in this cycle; 0: none
  bool up_ = false;           ///< the link, in the cycle before
  bool gave_up_ = false;
  std::int64_t words_sent_ = 0;
  Counts counts_;
};

}  // namespace tilefly::cosim
