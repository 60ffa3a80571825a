// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "cosim/setup/frame.h"
#include "cosim/setup/switch_setup.h"
#include "generated/wire.h"

namespace tilefly::cosim {

/// Pauses of flows at the far end of one link (docs/blocks/flow_channel.md, NIC, rules 1 and 2). A draw decides whether
/// the endpoint obeys them. Each pause must be one that its switch may send: of a port with flow channels, for a flow
/// of which packets went in, with a period and a credit that the port's registers allow.
class LinkPauses {
 public:
  LinkPauses(const SwitchSetup& setup, int port, std::uint64_t seed);

  /// The switch's control slot of cycle `now` carries a pause. Throws CheckFailure when it makes no sense.
  void Receive(Cycle now, const Ctrl& ctrl);
  /// Whether a paused flow holds the frame back in cycle `now`.
  bool Holds(Cycle now, const Frame& frame) const;
  /// The frame starts in cycle `now`.
  void Started(Cycle now, const Frame& frame);

  /// Whether the endpoint obeys pauses.
  bool obeys() const { return obeys_; }
  std::int64_t received() const { return received_; }
  /// Packets that started with the credit of a pause.
  std::int64_t started_in_pause() const { return started_in_pause_; }

 private:
  /// A flow of which packets went in.
  struct Flow {
    Cycle until = 0;  ///< it is paused before this cycle
    std::int64_t credit = 0;
  };

  const SwitchSetup& setup_;
  const int port_;
  const bool on_;
  const bool obeys_;
  std::unordered_map<std::uint32_t, Flow> flows_;  ///< by SwitchSetup::ChannelOf; empty without flow channels
  std::int64_t received_ = 0;
  std::int64_t started_in_pause_ = 0;
};

}  // namespace tilefly::cosim
