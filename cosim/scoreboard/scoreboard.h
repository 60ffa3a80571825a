// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cosim/setup/frame_sink.h"
#include "cosim/setup/switch_setup.h"
#include "support/latency.h"

namespace tilefly::cosim {

inline constexpr std::size_t kDropReasons = kDropValues.size();
using DropCounts = std::array<std::int64_t, kDropReasons>;

/// What became of the frames of a run. A replicated frame is delivered when its last copy is, and dropped when no copy
/// comes out.
struct Books {
  std::int64_t offered = 0;  ///< frames put on a link
  std::int64_t delivered = 0;
  std::int64_t copies = 0;          ///< frames that came out
  std::int64_t copies_dropped = 0;  ///< copies of delivered frames that their output refused (NO_ETH_HEADER)
  DropCounts drops{};               ///< by reason
  std::int64_t lost = 0;            ///< frames of which no copy came out, for a link went down, and that no input dropped
  std::int64_t copies_lost = 0;     ///< copies of delivered frames that were lost with a link
  std::int64_t in_flight() const;

  // Of attempts that links with retry broke off, which are no packets.
  std::int64_t broken_off = 0;   ///< that the switch took the beginning of
  std::int64_t broken_out = 0;   ///< copies of them that came out, stomped
  DropCounts broken_drops{};     ///< those of which no copy came out, by reason
  std::int64_t broken_lost = 0;  ///< those of which no copy came out, for a link went down
};

/// The same counts of one traffic class.
struct ClassStatistics {
  std::int64_t offered = 0;
  std::int64_t delivered = 0;
  std::int64_t dropped = 0;
  std::int64_t words = 0;  ///< words that came out while traffic flowed
  LatencyHistogram latency;
};

/// A copy of a frame that came out.
struct DeliveredCopy {
  int tc = 0;
  Cycle latency = 0;  ///< first word in to first word out, switch only
  bool broken_off = false;  ///< it is of an attempt that was broken off
};

/// An observer that is told what becomes of each frame.
class FateSink {
 public:
  virtual ~FateSink() = default;
  /// A frame that is no control frame goes in: its first word is on the link in cycle `first`, its last word in `last`.
  /// `lane`: virtual lane on which it leaves.
  virtual void Offered(const Frame& frame, const SwitchSetup::Fate& fate, int lane, Cycle first, Cycle last) = 0;
  /// A copy of the frame has come out, which left on virtual lane `lane`. `done`: no other copy is to come.
  virtual void CameOut(const Frame& frame, int lane, const Reception& reception, bool done) = 0;
  /// No copy of the frame comes out.
  virtual void Dropped(const Frame& frame, Drop reason) = 0;
  /// The frame's copy for `port` does not come out: it is lost with the link, or had no other way; -1: for one of several
  /// ports. `done`: no other copy is to come.
  virtual void LostWithLink(const Frame&, int /*port*/, bool /*done*/) {}
  /// A copy of an attempt that was broken off has come out, which left on virtual lane `lane`.
  virtual void BrokenCameOut(int /*lane*/, const Reception&) {}
};

/// How many copies the link of a port has lost, as its counters tell.
struct LostBounds {
  std::int64_t least = 0, most = 0;
  bool keeps = false;  ///< the switch kept packets from the port while its link was down
};

/// Follows every frame: it comes out once at each port it goes to, byte for byte as it should leave, or exactly one
/// drop counter counts it. Frames of one (input, output, lane) keep their order, at inputs with flow channels those of
/// one class and destination. A frame that may leave by one of several ports is expected at all of them until it comes
/// out, or until one of its flow overtakes it. A copy that waited for a link that was down may be lost: later ones of
/// its flow pass it, or it never comes. Throws CheckFailure as soon as one of these rules is broken.
class Scoreboard final : public FrameSink {
 public:
  explicit Scoreboard(const SwitchSetup& setup);

  void Sent(const FramePtr& frame, Cycle first, Cycle last) override;
  void Received(const Reception& reception) override;
  void BrokenOff(const FramePtr& frame, Cycle first, Cycle last, int words) override;
  void Lost(const FramePtr& frame) override;
  /// The link of `port` is down, or was: copies that are for it and have gone in may be lost.
  void MayBeLostAt(int port);
  /// The device's record says that `port` dropped a packet in event cycle `cycle`.
  void Dropped(int port, Cycle cycle, Drop reason);

  /// Tells `sink` what becomes of each frame from now on; it must outlive the scoreboard's last call.
  void TellFates(FateSink* sink) { fates_ = sink; }

  /// The frames that come out from now on were held back, so they do not count for the classes' shares.
  void EndTraffic() { traffic_over_ = true; }

  /// Checks the balance after the drain. `counter(port, reason)` reads a device's drop counters, `bounds(port)` says what
  /// the counters of a link allow; empty: no device has counters. Throws CheckFailure unless nothing is in flight, each
  /// dropped frame is in exactly one counter, and links have lost as many copies as they may.
  void Close(Cycle now, const std::function<std::uint64_t(int, Drop)>& counter,
             const std::function<LostBounds(int)>& bounds = {});

  const Books& books() const { return books_; }
  /// Latency from the first word in to the first word out, in cycles, of the switch only.
  const LatencyHistogram& latency() const { return latency_; }
  const std::array<ClassStatistics, 8>& class_statistics() const { return classes_; }
  const std::vector<std::int64_t>& delivered_words() const { return delivered_words_; }
  /// The copy that was received last.
  const DeliveredCopy& latest() const { return latest_; }
  /// Frames that were dropped unexpectedly: not planted, and no control frame.
  std::int64_t surprises() const { return surprises_; }

  /// Copies that are certain to come out still, and those that may be lost.
  std::int64_t outstanding() const { return outstanding_ - uncertain_; }
  std::int64_t uncertain() const { return uncertain_; }
  /// Copies so far that outputs are certain to refuse (NO_ETH_HEADER). Only their counters tell when they have done so.
  std::int64_t refused() const { return refused_; }

  /// Names packets in reports: the n-th packet (from 0) of a flow since the start, and the packet expected at a port
  /// that begins with these bytes. Returns 0 when there is none, when an earlier one may have left elsewhere, or when a
  /// flow channel may have held one.
  std::uint64_t PacketInFlow(int input, int output, int lane, std::uint64_t n) const;
  std::uint64_t PacketBeginning(int port, const std::uint8_t* bytes, std::size_t size) const;

 private:
  struct Packet {
    FramePtr frame;
    Cycle first;
    Cycle last;
    SwitchSetup::Fate fate;
    int lane;
    int copies_left;
    std::uint32_t channel = 0;  ///< SwitchSetup::ChannelOf
    std::uint64_t content = 0;  ///< key of what leaves by any of its outputs, when it leaves by one of several
    bool maybe_lost = false;  ///< its class may have had no room, in a cycle whose record shows another drop
    std::uint64_t risky = 0;  ///< ports with whose links a copy may be lost, or may have been
    int lost = 0;             ///< copies that were lost with links
    bool came_out = false;    ///< some copy

    /// Whether the copy for a port may be lost. One that left by another port may have been lost there.
    bool may_be_lost(int port) const { return fate.one_of ? risky != 0 : (risky >> port & 1) != 0; }
    /// Copies that may be lost.
    int uncertain() const {
      if (maybe_lost || fate.one_of) return maybe_lost || risky != 0 ? copies_left : 0;
      return __builtin_popcountll(risky);
    }
  };
  /// A copy that is expected at a port.
  struct Expected {
    std::uint64_t packet;
    SwitchSetup::Departure departure;
  };
  /// Copies that were lost with the link of one of the ports `among`.
  struct LostCopies {
    std::uint64_t among;
    int input;
    bool replicated;
    bool operator<(const LostCopies& other) const {
      return std::tie(among, input, replicated) < std::tie(other.among, other.input, other.replicated);
    }
  };
  /// Packets of one (input, output, lane, flow channel) that are still expected.
  struct Flow {
    std::deque<std::uint64_t> packets;
    std::uint64_t delivered = 0;
  };

  static std::uint64_t FlowKey(int input, int output, int lane, std::uint32_t channel);
  std::uint64_t FlowKey(const Packet& packet, int output) const {
    return FlowKey(packet.frame->source, output, packet.lane, packet.channel);
  }
  static std::uint64_t ContentKey(const Bytes& bytes);
  const Bytes& Leaving(const Packet& packet, const Expected& expected) const;
  ClassStatistics& ClassOf(const Packet& packet) { return classes_[static_cast<std::size_t>(packet.fate.tc)]; }
  Cycle Accounting(const Packet& packet) const;
  void DroppedByClass(int port, Cycle cycle);
  void MaybeDroppedByClass(int port, Cycle cycle);
  Packet* AccountedIn(int port, Cycle cycle);
  void CountDelivered(const Packet& packet, const Reception& reception);
  void Finish(std::uint64_t id);
  void SetRisky(Packet* packet, std::uint64_t ports);
  bool HasRisky(int port) const;
  void LoseCopy(std::uint64_t id, int port);
  void LoseRisky();
  std::vector<std::int64_t> DropsWithoutWay(const std::function<std::uint64_t(int, Drop)>& counter) const;
  void CheckLost(Cycle now, const std::function<LostBounds(int)>& bounds, const std::vector<std::int64_t>& no_way) const;
  void MoveToNoRoute(const std::vector<std::int64_t>& no_way);
  void Forget(std::uint64_t id, Drop reason);
  void ForgetDoomed(const std::function<std::uint64_t(int, Drop)>& counter);
  void CountRefused(const SwitchSetup::Fate& fate);
  void CheckHeader(const Reception& reception, const Expected& expected) const;
  bool Open(std::uint64_t id) const;
  void RuleOut(std::uint64_t id, int output);
  [[noreturn]] void ReportUnknown(const Reception& reception) const;
  std::uint64_t HeadAt(int port) const;

  const SwitchSetup& setup_;
  FateSink* fates_ = nullptr;
  std::unordered_map<std::uint64_t, Packet> packets_;                       ///< in flight, by id
  std::vector<std::unordered_multimap<std::uint64_t, Expected>> expected_;  ///< by output, by content
  std::unordered_map<std::uint64_t, Flow> flows_;
  std::map<std::pair<int, std::uint64_t>, int> equal_attempts_;  ///< broken off, with several ways, by input and content
  std::vector<std::deque<std::uint64_t>> sent_;    ///< by input, the latest ones, in order
  std::vector<std::deque<std::uint64_t>> doomed_;  ///< by input: planted to be dropped, in order
  std::vector<DropCounts> seen_;                   ///< by port: drops attributed
  std::map<LostCopies, std::int64_t> lost_copies_;  ///< by kind
  std::vector<std::int64_t> lost_whole_;           ///< by input: replicated packets of which no copy came out
  std::vector<std::int64_t> lost_frames_;          ///< by input: frames that went in and of which no copy came out
  std::vector<std::int64_t> no_way_;               ///< by input: drops of packets that had no way, which the record showed
  Books books_;
  LatencyHistogram latency_;
  std::array<ClassStatistics, 8> classes_;
  std::vector<std::int64_t> delivered_words_;
  DeliveredCopy latest_;
  std::int64_t surprises_ = 0;
  std::int64_t outstanding_ = 0;
  std::int64_t uncertain_ = 0;  ///< of these, copies of packets that may be lost
  std::int64_t refused_ = 0;
  bool traffic_over_ = false;
};

}  // namespace tilefly::cosim
