// SPDX-License-Identifier: Apache-2.0
// The invariants of docs/blocks/egress.md.
#include "golden/credit/credit_checker.h"
#include "golden/egress/grant_unit.h"
#include "golden/egress/output_buffer.h"
#include "golden/egress/request_store.h"

namespace tilefly::golden {

void GrantUnit::Check(int output, int requested, Audit* audit) const {
  const Output& state = outputs_[output];
  const int cells = context_.profile.obuf_cells;
  audit->Require("EGR-1", state.room >= 0 && state.room <= cells, output, state.room);
  const int load = context_.loads.load(output);
  audit->Require("EGR-6", load == requested, output, load);
  audit->Require("EGR-6", (load != 0) == (state.requested != 0), output, state.requested);
  int outstanding = 0;
  for (const Channel& channel : state.channels) {
    outstanding += channel.outstanding;
    audit->Require("EGR-4", channel.owner < context_.profile.row_in, output, channel.owner);
  }
  // A packet that was granted and has not arrived holds at least a cell of the room.
  audit->Require("EGR-4", outstanding <= cells - state.room, output, outstanding);
  if (const auto* tables = std::get_if<std::vector<DeficitTable>>(&schedulers_)) {
    (*tables)[output].Check(*context_.registers.port(output).scheduler, output, audit);
  }
  const CreditTable& table = *context_.registers.port(output).credit;
  if ((context_.retry_ports & Bit(output)) != 0) state.credits.CheckGranted(output, -1, table, audit);
  else state.credits.Check(output, table, audit);
}

void GrantUnit::CheckDrained(int output, Audit* audit) const {
  const Output& state = outputs_[output];
  audit->Require("EGR-1", state.room == context_.profile.obuf_cells, output, state.room);
  audit->Require("EGR-6", context_.loads.load(output) == 0, output, context_.loads.load(output));
  if (context_.registers.port(output).mode.credits) CreditChecker::CheckHome(state.credits, output, audit);
}

int RequestStore::Check(int output, Audit* audit) const {
  int cells = 0;
  std::array<int, kMaxLanes> deep{};
  for (std::size_t slot = 0; slot < fifos_.size(); ++slot) {
    const Fifo& fifo = fifos_[slot];
    audit->Require("EGR-2", static_cast<int>(fifo.size()) <= depth_, output, static_cast<std::int64_t>(fifo.size()));
    for (const StoredRequest& request : fifo) cells += request.cells;
    deep[slot % kMaxLanes] += IsDeep(fifo);
  }
  for (std::size_t vl = 0; vl < deep.size(); ++vl) {
    audit->Require("METER-1", deep_fifos_[vl] == deep[vl], output, deep_fifos_[vl]);
  }
  return cells;
}

void OutputBuffer::Check(Cycle now, int port, Audit* audit) const {
  const Port& state = ports_[port];
  ForEachBit(state.waiting, [&](int row) {
    Cycle free = 0;  // the row's channel has brought the packets before
    for (Index id = state.first[row]; id != kNone; id = context_.packets[id].next) {
      const Packet& packet = context_.packets[id];
      audit->Require("EGR-3", packet.when >= free, port, packet.when);
      audit->Require("EGR-5", packet.when <= now, port, packet.when);
      free = packet.when + packet.cells;
    }
  });
}

}  // namespace tilefly::golden
