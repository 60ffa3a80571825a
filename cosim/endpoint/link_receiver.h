// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "cosim/endpoint/link_acks.h"
#include "cosim/endpoint/link_credits.h"
#include "cosim/endpoint/link_sender.h"
#include "support/random.h"

namespace tilefly::cosim {

/// Receiving half of an endpoint. It checks law 2, the link's format and the frame check, and that the switch keeps to
/// its credits. It returns credits (late, when stalls are on) and sends PAUSE on standard ports.
class LinkReceiver {
 public:
  /// `retry`: the receiver's end of a link with retry, which returns its credits; null: a link without.
  LinkReceiver(const SwitchSetup& setup, int port, const StallOptions& stalls, std::uint64_t seed, FrameSink* sink,
               LinkSender* sender, LinkAcks* acks, RetryHalves* retry = nullptr);

  /// Takes the word of cycle `now`, which was on `link_o` in `on_link`; the first word of a packet that was sent again was
  /// there first in `on_link`. Throws CheckFailure when the switch breaks a rule.
  void Receive(Cycle now, const Word& word, Cycle on_link);
  /// SerDes lanes of the packet that begins with the next word.
  void SetLanes(int lanes) { lanes_ = lanes; }
  /// A link with retry has broken off the packet that comes in: it comes again, and its cells are free behind the cycle in
  /// which its last word was due.
  void Abandon(Cycle now);
  /// Fills the control slot of cycle `now` with at most one credit return, round-robin over the lanes that have one.
  void DriveControl(Cycle now, Ctrl* ctrl);

  /// Whether no packet is under way and every cell was returned.
  bool Quiet() const { return !in_packet_ && freeing_.empty() && pending_lanes_ == 0; }
  /// Whether some lane cannot be granted an MTU because its cells were not returned.
  bool Withholding() const { return withholding_; }
  bool in_packet() const { return in_packet_; }
  /// Whether the packet that comes in is a packet of reductions.
  bool receives_red() const { return enh_ && header_.kind == static_cast<std::uint8_t>(Kind::kRed); }
  Cycle packet_start() const { return first_; }
  const Bytes& partial() const { return bytes_; }
  std::int64_t words_received() const { return words_received_; }
  std::int64_t slots_received() const { return slots_received_; }
  /// Word slots received, with the words so far of the packet that comes in.
  std::int64_t slots_so_far() const { return slots_received_ + (in_packet_ ? next_word_ : 0); }
  std::int64_t pauses_received() const { return pauses_received_; }
  std::int64_t credit_wraps() const { return credit_wraps_; }

 private:
  struct Freeing {
    Cycle at;
    int lane;
    int cells;
  };

  void StartPacket(Cycle now, const Word& word);
  void TakeWord(Cycle now, const Word& word, Cycle on_link);
  void EndPacket(Cycle now, Cycle on_link);
  void FreeCells(Cycle now);
  void TakePause(Cycle now);
  void MaybeSendPause();
  std::uint64_t DrawStall(std::uint64_t id, Purpose purpose) const;
  [[noreturn]] void Fail(Cycle now, const std::string& what) const;

  const SwitchSetup& setup_;
  const int port_;
  int lanes_;
  const bool enh_;
  const bool has_credits_;
  const StallOptions stalls_;
  const std::uint64_t seed_;
  FrameSink* const sink_;
  LinkSender* const sender_;
  LinkAcks* const acks_;
  RetryHalves* const retry_;

  bool in_packet_ = false;
  Cycle first_ = 0;
  Cycle first_on_link_ = 0;  ///< cycle of the first word on `link_o`
  int next_word_ = 0;
  int words_ = 0;  ///< of a packet with header
  Header header_;
  Bytes bytes_;
  Cycle link_free_ = 0;

  LinkCredits credits_;  ///< what the switch may use, as this end sees it
  std::array<std::uint16_t, 16> freed_{};
  std::uint32_t pending_lanes_ = 0;
  int next_lane_ = 0;
  bool driven_ = false;
  bool withholding_ = false;
  std::deque<Freeing> freeing_;
  std::uint64_t packets_ = 0;
  std::int64_t words_received_ = 0;
  std::int64_t slots_received_ = 0;
  std::int64_t pauses_received_ = 0;
  std::int64_t credit_wraps_ = 0;
};

}  // namespace tilefly::cosim
