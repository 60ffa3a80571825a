// SPDX-License-Identifier: Apache-2.0
// The invariants of docs/blocks/ingress.md.
#include "golden/ingress/ingress.h"
#include "golden/routing/route_checker.h"

namespace tilefly::golden {

void VirtualQueues::Check(const Queue& queue, Audit* audit) const {
  const int input = queue.input;
  const int most = context_.profile.request_credits;
  audit->Require("ING-3", queue.ungranted + queue.credits <= most, input, queue.ungranted + queue.credits);
  audit->Require("EGR-2", queue.stored <= queue.ungranted && queue.stored <= most, input, queue.stored);
  int packets = 0;
  for (Index id = queue.first; id != kNone; id = context_.packets[id].next) ++packets;
  // Oldest first: granted, requested and not granted, not requested.
  int granted = packets - queue.unrequested - queue.ungranted;
  audit->Require("ING-4", granted >= 0, input, granted);
  Index id = queue.first;
  for (; granted > 0; --granted) id = context_.packets[id].next;
  audit->Require("ING-4", queue.ungranted == 0 || queue.next_grant == id, input, queue.ungranted);
  for (int n = queue.ungranted; n > 0 && id != kNone; --n) id = context_.packets[id].next;
  audit->Require("ING-4", queue.unrequested == 0 || queue.next_request == id, input, queue.unrequested);
}

void Requester::Check(Audit* audit) const {
  std::array<int, kMaxPorts> ready{};
  queues_.ForEach([&](Index, const Queue& queue) { ready[queue.input] += queue.ready; });
  for (std::size_t input = 0; input < ports_.size(); ++input) {
    const int port = static_cast<int>(input);
    int listed = 0;
    for (Index id = ports_[input].first; id != kNone && listed <= ready[input]; id = queues_[id].next_ready) ++listed;
    audit->Require("ING-2", listed == ready[input], port, listed);
    audit->Require("ING-2", ((active_ & Bit(port)) != 0) == (listed != 0), port, listed);
  }
}

void Transfer::Check(Cycle now, int input, Audit* audit) const {
  Index waiting = kNone;
  ForEach(input, [&](const Packet& packet) {
    if (!packet.cut_through || now >= packet.when - kPickToLeave) return;
    audit->Require("ING-5", waiting == kNone || waiting == packet.parent, input, packet.when);
    waiting = packet.parent;
  });
}

void Ingress::CheckAccount(int port, Audit* audit) const {
  int sum = 0;
  for (int c = 0; c < kMaxClasses; ++c) {
    const int used = buffer_.account(port).used(c);
    audit->Require("ING-7", used >= 0 && (context_.packets.size() != 0 || used == 0), port, used);
    sum += used;
  }
  audit->Require("ING-7", sum <= buffer_.used(port), port, sum);
}

void Ingress::Check(Cycle now, Audit* audit) const {
  for (int p = 0; p < context_.profile.ports; ++p) {
    audit->Require("ING-1", buffer_.used(p) <= context_.profile.cells, p, buffer_.used(p));
    audit->Require("ING-1", context_.packets.size() != 0 || buffer_.used(p) == 0, p, buffer_.used(p));
    CheckAccount(p, audit);
    transfer_.Check(now, p, audit);
  }
  queues_.ForEach([&](Index, const Queue& queue) { queues_.Check(queue, audit); });
  requester_.Check(audit);
  if (context_.watchers.routes != nullptr) context_.watchers.routes->Check(audit);
}

}  // namespace tilefly::golden
