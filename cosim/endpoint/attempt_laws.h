// SPDX-License-Identifier: Apache-2.0
// What a switch puts on a link with retry, before anything goes wrong there: law 2 of each attempt, the numbers of packets,
// what is sent again, stamps and credits (docs/blocks/retry.md, docs/blocks/link_retry.md).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "cosim/endpoint/link_credits.h"
#include "cosim/setup/frame.h"
#include "generated/wire.h"
#include "golden/common/cycle.h"

namespace tilefly::cosim {

class AttemptLaws {
 public:
  static constexpr int kSeqs = 2048;  ///< numbers of packets

  /// `lanes`: SerDes lanes of the cable; `shared`: S of the link's credits, in cells.
  AttemptLaws(const Profile& profile, int port, int lanes, int shared)
      : AttemptLaws(profile, port, lanes, LinkCredits(profile, shared)) {}
  /// `credits`: of the link, as they are at the start.
  AttemptLaws(const Profile& profile, int port, int lanes, const LinkCredits& credits);

  /// `link_o` of cycle `now`, in which the link is up at the switch. Throws CheckFailure when the switch breaks a law.
  void See(Cycle now, const Link& link);
  /// The same of the last control slot before the link goes down at the switch, whose cycle has no word any more.
  void SeeLastSlot(Cycle now, const Ctrl& slot) const { CheckStamp(now, slot); }
  /// The link is down at the switch. `plain`: behind it the switch goes on without retry.
  void LinkDown(bool plain);
  /// The switch was told in cycle `now` to leave out these SerDes lanes, a bit each.
  void Masked(Cycle now, unsigned bad);
  /// A report reached the switch in cycle `now`: the far end has accepted all packets before `seq`.
  void Told(Cycle now, int seq);
  /// A credit return reached the switch.
  void Returned(int vl, std::uint16_t cells) { credits_.Return(vl, cells); }

  /// Cycle in which the first word of packet `seq` was on the link for the first time.
  Cycle FirstOf(int seq) const { return packets_[Index(seq)].first; }
  /// Cells of a lane put on the wire since link up, modulo 65536.
  std::uint16_t wired(int vl) const { return wired_[static_cast<std::size_t>(vl)]; }
  /// Whether the switch knows of each lane what the far end holds.
  bool all_known() const { return credits_.all_known(); }
  /// Whether no cell is out, as the wire shows it.
  bool CreditsHome() const { return credits_.AllHome(); }
  /// Number of the next packet that was never sent.
  int next() const { return Seq(oldest_ + static_cast<int>(packets_.size())); }
  bool in_attempt() const { return in_attempt_; }
  /// Whether a word of the attempt is to be on the link in cycle `now`.
  bool IsWordDue(Cycle now) const { return in_attempt_ && now == first_ + WordOffset(index_, lanes_); }
  std::int64_t attempts() const { return attempts_; }
  /// Words of all attempts.
  std::int64_t words() const { return words_; }

 private:
  struct Packet {
    Cycle first;
    std::vector<Word> words;
  };

  /// A number of SerDes lanes that the switch was to use, up to a cycle.
  struct Wanted {
    int lanes;
    Cycle until;
  };

  static int Seq(int number) { return number & (kSeqs - 1); }
  std::size_t Index(int seq) const { return static_cast<std::size_t>(Seq(seq - oldest_)); }
  void Start(Cycle now, const Link& link);
  void CheckTag(Cycle now, const Link& link) const;
  void CheckPace(Cycle now, int lanes) const;
  void Charge(Cycle now, const Header& header, bool again);
  void CheckStamp(Cycle now, const Ctrl& slot) const;
  void Forget(Cycle now);
  [[noreturn]] void Fail(Cycle now, const std::string& what) const;

  const int port_;
  const int cable_;             ///< SerDes lanes of the cable
  const Cycle settles_;         ///< from a mask to the last packet that begins with another number of lanes
  bool plain_ = false;
  std::vector<Wanted> wanted_;  ///< the latest one is last
  int lanes_;                   ///< of the attempt
  std::deque<Packet> packets_;  ///< from number `oldest_` on
  int oldest_ = 0;
  std::deque<std::pair<Cycle, int>> told_;  ///< from which cycle on no packet before a number begins
  bool in_attempt_ = false;
  int seq_ = 0;         ///< of the attempt
  bool again_ = false;  ///< it is not the packet's first
  int index_ = 0;       ///< of its next word
  int length_ = 0;      ///< its words
  Cycle first_ = 0;     ///< of its first word
  Cycle free_ = 0;      ///< from which on another one may begin
  LinkCredits credits_;  ///< as the wire shows them
  bool charged_twice_ = false;  ///< cells of a replay may be out, which no limit bounds
  std::array<std::uint16_t, 16> wired_{};
  std::int64_t attempts_ = 0;
  std::int64_t words_ = 0;
};

}  // namespace tilefly::cosim
