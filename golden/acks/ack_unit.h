// SPDX-License-Identifier: Apache-2.0
// The acks of a switch (docs/blocks/acks.md): made at edge ports, passed on from links, across the ack crossbar, to the
// flow account or the link of the port by which their packets came.
//
// An ack costs work in its own events only. Call order in a cycle: Make and PassOn for all of its events, Cross,
// Deliver.
#pragma once

#include <memory>
#include <vector>

#include "golden/acks/ack_route.h"
#include "golden/acks/edge_flows.h"
#include "golden/common/pool.h"
#include "golden/common/stage_times.h"
#include "golden/crossbar/arbitrated_crossbar.h"
#include "golden/flows/output_meters.h"
#include "golden/state/context.h"

namespace tilefly::golden {

/// An ack for the control slot.
struct AckReturn {
  Cycle wire;  ///< cycle in which it is on `link_o`
  Ack ack;
  std::uint8_t port;
};

class AckUnit {
 public:
  AckUnit(Context& context, EdgeFlows& flows) : context_(context), flows_(flows) {}

  /// Event of cycle `now`: the room of a packet that has to be acknowledged is free. `load` is the load of its output
  /// in cells, as committed. `meters`: as committed; null where no port ever had one.
  void Make(Cycle now, const Packet& packet, int load, OutputMeters* meters);
  /// Event of cycle `now`: an ack came by the link of `port`. `load` is the load of this output in cells, as committed.
  /// Returns whether the ack goes on.
  bool PassOn(Cycle now, int port, const Ack& ack, int load);
  /// The acks made and passed on in cycle `now` leave for the crossbar.
  void Cross(Cycle now) {
    if (!active()) return;
    context_.due.Set(now + kAckToLeave + kCrossing, kDueAck);
    way_->crossbar.Arbitrate(now + kAckToLeave, [&](std::uint32_t message) { Forget(message); });
  }
  /// Events of cycle `now`: acks arrive across the crossbar. Call it after the packets that enter queue stages in this
  /// cycle. Acks that go out on a link are appended to `out`.
  void Deliver(Cycle now, std::vector<AckReturn>* out) {
    if (under_way_ == 0) return;
    way_->crossbar.Deliver(now, [&](std::uint32_t message) { Arrive(now, message, out); });
  }

  /// Whether `Cross` has something to do.
  bool active() const { return under_way_ != 0 && way_->crossbar.active(); }
  /// Prefetches what the next acks need, if there are any.
  void Prefetch() const {
    if (under_way_ == 0) return;
    way_->crossbar.Prefetch();
    way_->acks.Prefetch();
    flows_.account().Prefetch();
  }
  /// Checks XBAR-2 for the ack crossbar.
  void Check(Audit* audit) const {
    if (way_ != nullptr) way_->crossbar.Check(audit);
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    bool made = way_ != nullptr;
    archive(under_way_, made);
    if (made && way_ == nullptr) way_ = std::make_unique<Way>(context_);
    if (made) archive(*way_);
  }

 private:
  struct Crossing {
    Ack ack;
    std::uint8_t port;  ///< port to which the ack goes
  };
  /// Acks on their way through the switch. A message of the crossbar is the number of its ack.
  struct Way {
    explicit Way(const Context& context) : crossbar(context.profile, context.geometry, true) {}
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(acks, crossbar);
    }

    Pool<Crossing> acks;
    MergedCrossbar crossbar;
  };

  void Leave(int source, int destination, const Ack& ack);
  void Mark(Cycle now, const Packet& packet, OutputMeters* meters, Ack* ack);
  void Forget(Index message) {
    way_->acks.Release(message);
    --under_way_;
  }
  void Arrive(Cycle now, Index message, std::vector<AckReturn>* out);

  Context& context_;
  EdgeFlows& flows_;
  std::uint32_t under_way_ = 0;  ///< acks in the crossbar
  std::unique_ptr<Way> way_;     ///< none until the first ack
};

}  // namespace tilefly::golden
