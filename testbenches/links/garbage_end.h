// SPDX-License-Identifier: Apache-2.0
// A link partner of a retry port that keeps no rule (docs/blocks/link_retry.md): words that the gate passes and words that it
// does not, packets that never end, credit storms, forged tags, reports, stamps and masks of SerDes lanes, in moods that change
// now and then. On demand it becomes an honest end.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "cosim/endpoint/link_delay.h"
#include "cosim/endpoint/retry_halves.h"
#include "testbenches/links/star_links.h"

namespace tilefly::bench {

/// Packets that begin at the MAC of a port, by the framing rules of docs/blocks/link.md: first words that find no packet in
/// progress, of packets that are refused, too.
class BegunPackets {
 public:
  explicit BegunPackets(const Profile& profile) : profile_(profile) {}
  /// The word that the MAC sees in cycle `now`, of a packet on `lanes` SerDes lanes.
  void See(Cycle now, const Word& word, int lanes);
  std::int64_t count() const { return count_; }

 private:
  void Begin(Cycle now, const Word& word, int lanes);
  bool Refused(const Header& header) const;

  const Profile& profile_;
  std::int64_t count_ = 0;
  bool open_ = false, bare_ = false;
  Cycle first_ = 0;
  int lanes_ = 4;
  int next_ = 0;   ///< word that is due next
  int words_ = 0;  ///< of a packet with header
};

class GarbageEnd final : public FarEnd {
 public:
  /// `to`: fabric addresses to which headers are made that make sense.
  GarbageEnd(const PortSetup& setup, int port, std::uint32_t seed, std::vector<std::uint32_t> to, PacketBooks* books);

  /// From the next link down on this is an honest end, without faults. `Send` is for then.
  void BecomeHonest() { turns_ = true; }
  bool honest() const { return honest_.has_value(); }
  /// A good packet from fabric address `from`.
  void Send(std::uint32_t from, std::uint32_t to);
  /// Whether all has been sent, and all credits of this direction are home.
  bool Quiet() const;

  void Step(Cycle now, bool up, const Link& out, Link* in) override;

  const BegunPackets& begun() const { return begun_; }

 private:
  /// Chances of 256 in a cycle.
  struct Mood {
    int valid, passes, sop, eop, enh, err, sane;              ///< of words
    int credit, lying, report, stamp, mask, ack, bad, phy;    ///< of slots, and of what the FEC says of SerDes lanes
    bool good;                                                ///< whole packets instead of random words
  };
  struct Honest {
    Honest(const PortSetup& setup, int port);
    cosim::RetryHalves halves;
    cosim::LinkDelay<Link> there, back;
    Header coming;             ///< of the attempt that is coming in
    PacketReader reader;
    WirePacket packet;
    int next = 0;
  };

  bool Chance(int of_256) { return static_cast<int>(random_() & 255) < of_256; }
  std::uint32_t Below(std::uint32_t n) { return random_() % n; }
  Mood NewMood();
  void StepWild(Cycle now, bool up, const Link& out, Link* in);
  void WildWord(Cycle now, Link* in);
  void GoodWord(Cycle now, Link* in);
  void RandomWord(Word* word);
  void MakeSane(Word* word);
  void WildSlot(Ctrl* slot);
  void Hear(bool up, const Link& out);
  bool GateIsDue(Cycle now) const;
  void StepHonest(Cycle now, bool up, const Link& out, Link* in);
  void FreeHonest(bool whole, Cycle now);

  const PortSetup setup_;
  const int port_;
  std::mt19937 random_;
  const std::vector<std::uint32_t> to_;
  PacketBooks* books_;
  Mood mood_{};
  int mood_left_ = 0;
  // What the port makes of it: its gate, and whether it is plain.
  golden::RetryIn gate_{golden::RetryIn::Parameters()};
  bool plain_ = false;
  int down_cycles_ = 2;
  Cycle gate_first_ = 0;
  int gate_lanes_ = 4;
  BegunPackets begun_;
  std::array<std::uint16_t, 16> wired_{};  ///< cells of the packets that the gate passed, since link up
  WirePacket packet_;                      ///< that is sent whole, unless the mood changes
  int next_ = 0;
  // What came from the port.
  golden::RetryIn hears_{golden::RetryIn::Parameters()};
  PacketReader reader_;
  std::array<std::uint16_t, 16> freed_{};
  std::uint16_t report_ = 0;
  bool turns_ = false;
  std::optional<Honest> honest_;
  std::deque<WirePacket> to_send_;
};

}  // namespace tilefly::bench
