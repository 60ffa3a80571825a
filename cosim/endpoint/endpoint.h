// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "cosim/device.h"
#include "cosim/endpoint/link_acks.h"
#include "cosim/endpoint/link_delay.h"
#include "cosim/endpoint/link_pauses.h"
#include "cosim/endpoint/link_receiver.h"
#include "cosim/endpoint/link_sender.h"
#include "cosim/endpoint/retry_link.h"
#include "cosim/endpoint/stalls.h"
#include "cosim/setup/switch_setup.h"

namespace tilefly::cosim {

/// The link partner of one port of a device under test. It sends the frames of a source, receives what the switch
/// sends, keeps the link's laws in both directions, and reports everything to the scoreboard.
class Endpoint {
 public:
  /// The references must outlive the endpoint. `lane_queues`: on a port with credits each lane has a queue of its own.
  Endpoint(const SwitchSetup& setup, int port, const StallOptions& stalls, std::uint64_t seed, FrameSource* source,
           FrameSink* sink, bool lane_queues = true, const LinkSetup& link = {})
      : retry_(setup.mode(port).retry ? std::make_unique<RetryLink>(setup, port, link, sink) : nullptr),
        acks_(setup, port, seed),
        pauses_(setup, port, seed),
        sender_(setup, port, stalls, seed, source, retry_ ? retry_->books() : sink, lane_queues, link.delay,
                retry_ ? &retry_->halves() : nullptr),
        receiver_(setup, port, stalls, seed, sink, &sender_, &acks_, retry_ ? &retry_->halves() : nullptr),
        wires_(link.delay > 0 && !retry_ ? std::make_unique<Wires>(link.delay) : nullptr),
        port_(port),
        delay_(link.delay) {
    sender_.Keep(&pauses_);
  }

  /// Says whether the link is to work from cycle `now` on, before Drive. A link without retry goes down when the packet under
  /// way is over; while it is down the endpoint sends nothing, and hears what the switch still sends. A link with retry goes
  /// down at once at both ends, and loses what is on its way.
  void Want(Cycle now, bool up) {
    if (retry_) return retry_->Want(now, up);
    sender_.Hold(!up);
    wanted_ = up;
  }
  /// `link_up_i` of the switch, in the cycle of the last Drive.
  bool link_up() const { return link_up_; }
  /// What the endpoint puts on `link_i` in cycle `now`.
  void Drive(Cycle now, Link* link) {
    if (retry_) {
      retry_->Drive(now, {&sender_, &receiver_, &acks_, &pauses_}, link);
      link_up_ = retry_->IsUp(now);
      return;
    }
    if (!wires_) {
      link_up_ = DriveEnd(now, link);
      return;
    }
    *link = wires_->to_switch.Out(now).link;
    link_up_ = wires_->to_switch.Out(now).up;
    const bool up = DriveEnd(now, &wires_->sent);
    if (wires_->sent.word.valid || !(wires_->sent.ctrl == Ctrl{})) wires_->busy_until = now + delay_;
    wires_->to_switch.Put(now, {wires_->sent, up});
  }
  /// Takes what is on `link_o` in cycle `now`; on a link with retry also whether the switch shows `link_fail_o`, and the
  /// number of SerDes lanes that it uses. Throws CheckFailure when the switch breaks a law.
  void Receive(Cycle now, const Link& link, bool fails = false, int lanes = faults::kSerdesLanes) {
    if (retry_) return retry_->Receive(now, link, fails, lanes);
    if (!wires_) return ReceiveEnd(now, link);
    ReceiveEnd(now, wires_->to_partner.Out(now));
    wires_->to_partner.Put(now, link);
  }

  int port() const { return port_; }
  const LinkSender& sender() const { return sender_; }
  const LinkReceiver& receiver() const { return receiver_; }
  const LinkAcks& acks() const { return acks_; }
  const LinkPauses& pauses() const { return pauses_; }
  /// Null on a link without retry.
  RetryLink* retry() const { return retry_.get(); }
  /// Whether nothing is under way in either direction and every credit is home.
  bool Quiet(Cycle now) const {
    return sender_.Quiet(now) && receiver_.Quiet() && acks_.Quiet() && (!retry_ || retry_->Quiet(now)) &&
           (!wires_ || now > wires_->busy_until);
  }

 private:
  struct Sent {
    Link link;
    bool up = true;
  };
  /// Of a link without retry that has a delay.
  struct Wires {
    explicit Wires(int delay) : to_switch(delay), to_partner(delay) {}
    LinkDelay<Sent> to_switch;
    LinkDelay<Link> to_partner;
    Link sent;
    Cycle busy_until = 0;  ///< what is on its way to the switch has come
  };

  /// What leaves the endpoint. Returns whether the link works.
  bool DriveEnd(Cycle now, Link* link) {
    sender_.Drive(now, &link->word);
    if (!wanted_ && !sender_.sends()) {
      link->ctrl = Ctrl{};
      return false;
    }
    receiver_.DriveControl(now, &link->ctrl);
    acks_.Drive(now, &link->ctrl);
    return true;
  }
  /// What comes to it.
  void ReceiveEnd(Cycle now, const Link& link) {
    if (link.ctrl.credit_valid) sender_.OnCredit(now, link.ctrl);
    if (link.ctrl.ack_valid) acks_.Receive(now, link.ctrl);
    if (link.ctrl.pause_valid) pauses_.Receive(now, link.ctrl);
    receiver_.Receive(now, link.word, now - delay_);
  }

  bool wanted_ = true;
  bool link_up_ = true;
  std::unique_ptr<RetryLink> retry_;
  LinkAcks acks_;
  LinkPauses pauses_;
  LinkSender sender_;
  LinkReceiver receiver_;
  std::unique_ptr<Wires> wires_;
  const int port_;
  const int delay_;
};

}  // namespace tilefly::cosim
