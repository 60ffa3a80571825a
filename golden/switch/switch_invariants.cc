// SPDX-License-Identifier: Apache-2.0
// The invariants of the block pages, of a whole switch; those that need both sides of a crossbar are here.
#include "golden/switch/switch.h"

namespace tilefly::golden {

void Switch::Check(Audit* audit) const {
  ingress_.Check(now_, audit);
  request_crossbar_.Check(audit);
  grant_crossbar_.Check(audit);

  std::array<int, kMaxPorts> requested{};
  std::array<std::array<int, kMaxOutRows>, kMaxPorts> granted{};
  const auto owned = [&](int input, int output) {
    const int row = context_.geometry.row[input];
    ++granted[output][row];
    audit->Require("EGR-4", grants_.owner(output, row) == context_.geometry.input[input], output, input);
  };
  ingress_.queues().ForEach([&](Index, const Queue& queue) {
    Index id = queue.next_grant;
    for (int n = 0; n < queue.stored; ++n, id = context_.packets[id].next) requested[queue.output] += context_.packets[id].cells;
    int packets = 0;
    for (Index p = queue.first; p != kNone; p = context_.packets[p].next) ++packets;
    const int on_their_way = packets - queue.unrequested - queue.ungranted - queue.returning;
    for (int n = on_their_way; n > 0; --n) owned(queue.input, queue.output);
  });
  for (int p = 0; p < context_.profile.ports; ++p) {
    ingress_.transfer().ForEach(p, [&](const Packet& packet) { owned(packet.input, packet.output); });
  }
  if (reductions_ != nullptr) {
    reductions_->Check(now_, audit);
    for (int p = 0; p < context_.profile.ports; ++p) {
      reductions_->row().ForEachAsked(p, [&](int, int cells) { requested[p] += cells; });
      granted[p][context_.profile.rows] = reductions_->row().crossing(p);
    }
  }
  for (int p = 0; p < context_.profile.ports; ++p) {
    grants_.Check(p, requested[p], audit);
    buffers_.Check(now_, p, audit);
    for (int row = 0; row < context_.profile.out_rows; ++row) {
      audit->Require("EGR-4", granted[p][row] <= grants_.outstanding(p, row), p, granted[p][row]);
    }
  }
  if (meters_ != nullptr) CheckMeters(audit);
  acks_.Check(audit);
  edge_flows_.account().Check(audit);
  if (edge_flows_.channels() != nullptr) edge_flows_.channels()->Check(now_, audit);
  if (checkers_ == nullptr) return;
  checkers_->columns.Check(audit);
  checkers_->loads.Check(now_, context_.loads, audit);
  checkers_->acks.Check(edge_flows_.account(), audit);
  checkers_->meters.Check(audit);
  checkers_->links.Check(audit);
}

void Switch::CheckDrained(Audit* audit) const {
  for (int p = 0; p < context_.profile.ports; ++p) {
    grants_.CheckDrained(p, audit);
    audit->Require("ING-1", ingress_.buffer().used(p) == 0, p, ingress_.buffer().used(p));
  }
  if (edge_flows_.channels() != nullptr) edge_flows_.channels()->CheckDrained(now_, audit);
}

}  // namespace tilefly::golden
