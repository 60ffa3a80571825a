// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/device.h"
#include "cosim/endpoint/link_acks.h"
#include "cosim/endpoint/link_receiver.h"
#include "cosim/endpoint/link_sender.h"
#include "cosim/endpoint/stalls.h"
#include "cosim/setup/switch_setup.h"

namespace tilefly::cosim {

/// The link partner of one port of a device under test. It sends the frames of a source, receives what the switch
/// sends, keeps the link's laws in both directions, and reports everything to the scoreboard.
class Endpoint {
 public:
  /// The references must outlive the endpoint. `lane_queues`: on a port with credits each lane has a queue of its own.
  Endpoint(const SwitchSetup& setup, int port, const StallOptions& stalls, std::uint64_t seed, FrameSource* source,
           FrameSink* sink, bool lane_queues = true)
      : acks_(setup, port, seed),
        sender_(setup, port, stalls, seed, source, sink, lane_queues),
        receiver_(setup, port, stalls, seed, sink, &sender_, &acks_) {}

  /// Says whether the link is to work. A link goes down when the packet under way is over. While it is down the
  /// endpoint sends nothing, and hears what the switch still sends.
  void Want(bool up) {
    sender_.Hold(!up);
    wanted_ = up;
  }
  /// Whether the link works, in the cycle of the last Drive.
  bool link_up() const { return wanted_ || sender_.sends(); }
  /// What the endpoint puts on `link_i` in cycle `now`.
  void Drive(Cycle now, Link* link) {
    sender_.Drive(now, &link->word);
    if (!link_up()) {
      link->ctrl = Ctrl{};
      return;
    }
    receiver_.DriveControl(now, &link->ctrl);
    acks_.Drive(now, &link->ctrl);
  }
  /// Takes what the endpoint sees on `link_o` in cycle `now`. Throws CheckFailure when the switch breaks a law.
  void Receive(Cycle now, const Link& link) {
    if (link.ctrl.credit_valid) sender_.OnCredit(now, link.ctrl);
    if (link.ctrl.ack_valid) acks_.Receive(now, link.ctrl);
    receiver_.Receive(now, link.word);
  }

  const LinkSender& sender() const { return sender_; }
  const LinkReceiver& receiver() const { return receiver_; }
  const LinkAcks& acks() const { return acks_; }
  /// Whether nothing is under way in either direction and every credit is home.
  bool Quiet(Cycle now) const { return sender_.Quiet(now) && receiver_.Quiet() && acks_.Quiet(); }

 private:
  bool wanted_ = true;
  LinkAcks acks_;
  LinkSender sender_;
  LinkReceiver receiver_;
};

}  // namespace tilefly::cosim
