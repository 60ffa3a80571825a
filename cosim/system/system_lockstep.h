// SPDX-License-Identifier: Apache-2.0
// A system with devices and the same system of golden switches, compared at every link in every cycle (docs/network.md,
// Devices).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "network/network.h"

namespace tilefly::cosim {

/// Keeps the events in which the links of a system begin to carry something. Of a switch's link that repeats it keeps
/// the attempts, and not the packets that the link takes.
class LinkLog final : public network::NodeProbe {
 public:
  /// `network` must outlive it.
  explicit LinkLog(const network::Network& network) : network_(network) {}
  void Stepped(int, Cycle, const golden::Switch&) override {}
  void ToldCredit(int, int, const network::LinkCredit&) override {}
  void Carries(const network::LinkEvent& event) override {
    const bool taken = event.kind == network::LinkKind::kPacket && !event.from_nic;
    if (!taken || !network_.faults().Damages(event.node, event.port)) events_.push_back(event);
  }

  /// Removes and returns the events of wire cycles before `end`, in the order of cycle, switch, port, sender, kind. The
  /// caller knows that all of these events have been told.
  std::vector<network::LinkEvent> TakeUntil(Cycle end);

 private:
  const network::Network& network_;
  std::vector<network::LinkEvent> events_;
};

/// Runs both systems, a slice of Network::lookahead cycles at a time. A DeviceNode checks the words of a packet against
/// its header, its first word's cycle and the bytes that it had at its source; so equal events mean equal words in
/// every cycle.
class SystemLockstep {
 public:
  /// Neither system has run yet.
  SystemLockstep(network::Network* devices, network::Network* twin);

  /// Runs `devices` as Network::Run does, and the twin beside it. Throws LinkFailure at the first difference.
  network::Ending Run(const std::function<bool(Cycle)>& poll = {});

  /// Cycles of links compared, each direction counted by itself; and the words, credit returns and acks among them; of
  /// links that repeat also words that are sent again, reports and stamps.
  std::int64_t compared() const { return links_ * (done_ - begin_); }
  std::int64_t compared_busy() const { return compared_busy_; }

 private:
  void CompareTo(Cycle end);

  network::Network& devices_;
  network::Network& twin_;
  LinkLog log_;
  LinkLog twin_log_;
  std::int64_t links_ = 0;  ///< directions
  Cycle begin_;
  Cycle done_;  ///< before it all is compared
  std::int64_t compared_busy_ = 0;
};

}  // namespace tilefly::cosim
