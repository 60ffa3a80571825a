// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

#include "cosim/device.h"
#include "cosim/setup/switch_setup.h"

namespace tilefly::cosim {

/// Acks at the far end of one link (docs/blocks/acks.md). It answers packets as the switches behind the link would, and
/// checks that each ack that comes back belongs to a packet on its way to this port. In a run with flow channels
/// (docs/blocks/flow_channel.md) it answers nearly all packets, as a lost ack delays a throttled flow by its deadline.
/// Marks and shares are drawn then, and some acks are forged: they name another generation, channel or flow.
class LinkAcks {
 public:
  LinkAcks(const SwitchSetup& setup, int port, std::uint64_t seed);

  /// A packet with this header came whole and good. On an edge port the switch has answered it already.
  void Answer(Cycle now, const Header& header, int cells);
  /// Fills the control slot of cycle `now` with at most one ack.
  void Drive(Cycle now, Ctrl* ctrl);
  /// Takes the switch's control slot of cycle `now`. Throws CheckFailure when its ack is wrong.
  void Receive(Cycle now, const Ctrl& ctrl);

  /// Whether no answer is waiting.
  bool Quiet() const { return waiting_.empty(); }
  std::int64_t sent() const { return sent_; }
  std::int64_t received() const { return received_; }
  /// Of those sent, the forged ones.
  std::int64_t forged() const { return forged_; }
  /// Of those received, the marked ones.
  std::int64_t marked() const { return marked_; }

 private:
  void Forge(std::uint64_t bits, Ack* ack);

  struct Waiting {
    Cycle at;
    Ack ack;
  };

  const int port_;
  const bool answers_;
  const double share_;
  const bool forges_;
  const std::uint64_t seed_;
  std::deque<Waiting> waiting_;
  bool driven_ = false;
  std::uint64_t packets_ = 0;
  std::int64_t sent_ = 0;
  std::int64_t forged_ = 0;
  std::int64_t received_ = 0;
  std::int64_t marked_ = 0;
};

}  // namespace tilefly::cosim
