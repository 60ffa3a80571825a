// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

#include "cosim/device.h"
#include "cosim/setup/switch_setup.h"

namespace tilefly::cosim {

/// Acks of one link's far end (docs/blocks/acks.md): answers packets as the switches behind it would, and sees that
/// those which come back were on their way to this port.
class LinkAcks {
 public:
  LinkAcks(const SwitchSetup& setup, int port, std::uint64_t seed);

  /// A packet came whole and good, with this header. On an edge port the switch has answered it already.
  void Answer(Cycle now, const Header& header, int cells);
  /// The control slot of cycle `now`: at most one ack.
  void Drive(Cycle now, Ctrl* ctrl);
  /// What is on the switch's control slot in cycle `now`. Throws CheckFailure.
  void Receive(Cycle now, const Ctrl& ctrl);

  /// No answer is waiting.
  bool Quiet() const { return waiting_.empty(); }
  std::int64_t sent() const { return sent_; }
  std::int64_t received() const { return received_; }

 private:
  struct Waiting {
    Cycle at;
    Ack ack;
  };

  const int port_;
  const bool answers_;
  const double share_;
  const std::uint64_t seed_;
  std::deque<Waiting> waiting_;
  bool driven_ = false;
  std::uint64_t packets_ = 0;
  std::int64_t sent_ = 0;
  std::int64_t received_ = 0;
};

}  // namespace tilefly::cosim
