// SPDX-License-Identifier: Apache-2.0
// Links of a device that go down and come up again (docs/network.md, Devices), by the plan or because an end has given
// the link up. What becomes of the packets of such a link, a golden switch beside the device says by their names.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cosim/system/device_node.h"
#include "cosim/system/link_failure.h"
#include "golden/common/stage_times.h"

namespace tilefly::cosim {
namespace {

/// The cycle in which the room of a packet that its link took, or discarded, is free again.
Cycle RoomIsFree(const golden::Departure& departure) {
  return departure.take + golden::kTakeToRead + golden::WordOffset(departure.format.words - 1, departure.serdes_lanes);
}

}  // namespace

/// The link of the port goes down or comes up in this cycle.
void DeviceNode::TurnLink(int port, bool up, Cycle now) {
  settled_ = std::max(settled_, now + kSettle);
  outputs_.LinkTurns(port, up);
  if (up) return Of(port).out.LinkRises();
  fallen_ = true;
  Of(port).in.LinkFalls();
}

/// What golden names of the cycle before must be what the device did, as soon as names are needed.
void DeviceNode::CheckNames() {
  names_->Compare(now(), devices_.Observe());
  if (!fallen_) return;
  if (names_->differs()) {
    throw LinkFailure(now(), index_, -1,
                      fmt::format("device {} takes or drops another packet than golden does in cycle {}, so that nobody knows the "
                                  "packets that are lost with its links; links go down at a device only that equals golden in every "
                                  "cycle: leave them up, or leave --device {} out",
                                  devices_.a().Name(), *names_->differs(), index_));
  }
  Discards();
}

/// The record of a packet that its link took: no word has told it.
golden::Payload DeviceNode::PayloadOf(const GoldenNames::Taken& taken) {
  const golden::Departure& departure = taken.departure;
  if (departure.header.is_red()) return context_->reds.Make(Red{}, departure.length, {});
  const golden::Payload payload = inside_.At(taken.key).payload;
  inside_.Leave(taken.key);
  return payload;
}

/// Packets that links which are down discarded in the cycle before. Reduction packets are in nobody's books.
void DeviceNode::Discards() {
  for (const GoldenNames::Taken& taken : names_->discarded()) {
    golden::Departure departure = taken.departure;
    context_->last_event = std::max(context_->last_event, RoomIsFree(departure));
    settled_ = std::max(settled_, now() + kSettle);
    if (departure.header.is_red()) continue;
    departure.payload = PayloadOf(taken);
    Depart(departure, now());
  }
}

/// The link went down in the cycle before. What is on it ends there; the packets that the link took, and those in the
/// replay buffer, are lost unless they arrived.
void DeviceNode::Fall(int port, const Link& link) {
  using Seen = AttemptsOut::Seen;
  RepeatingPort& own = Of(port);
  network::RetryCounts* const counts = &context_->statistics.retry;
  const Seen unseen = own.out.SeeFall(now(), link, counts);
  outputs_.Cut(port);
  if (unseen == Seen::kAgainBegins) StartAttempt(port, own.out.Again(), now() - golden::kRetryStages);
  for (bool first = true; names_->HasNext(port); first = false) {
    const GoldenNames::Taken taken = names_->TakeNext(port);
    golden::Departure departure = taken.departure;
    departure.payload = PayloadOf(taken);
    departure.last_copy = true;
    own.unseen = !own.out.TakeOfUnseen(first ? unseen : Seen::kNothing, departure.format.words, counts);
    context_->last_event = std::max(context_->last_event, RoomIsFree(departure));
    Depart(departure, now());
  }
  own.unseen = false;
  DropHeld(port, false, now() - 1, own.out.Fall());
}

}  // namespace tilefly::cosim
