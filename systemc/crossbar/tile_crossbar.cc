// SPDX-License-Identifier: Apache-2.0
#include "systemc/crossbar/tile_crossbar.h"

#include "golden/common/stage_times.h"

namespace tilefly::systemc {

TileCrossbar::TileCrossbar(sc_core::sc_module_name name, const Context& context)
    : TimedModule(name), context_(context), outputs_(context.profile.col_out, Output(context.profile.row_in)) {
  rows.register_nb_transport_fw(this, &TileCrossbar::Forward);
  rows.register_b_transport(this, &TileCrossbar::Blocking);
}

tlm::tlm_sync_enum TileCrossbar::Forward(int, Crossing& crossing, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle leave = fabric::CycleOfCall(delay);
  const Route route = Route::Of(crossing, phase);
  const int output = context_.geometry.TurnOutput(route.destination);
  if (phase == CELLS) {
    Pass(output, {&crossing, phase}, leave + golden::kCrossing);
  } else {
    entering_.Enter(leave + golden::kLeaveToRow, {context_.geometry.input[route.source], output, {&crossing, phase}});
    WakeAfter(leave + golden::kLeaveToRow);
  }
  return tlm::TLM_ACCEPTED;
}

void TileCrossbar::Blocking(int, Crossing& crossing, sc_core::sc_time& delay) {
  columns[context_.geometry.TurnOutput(crossing.output)]->b_transport(crossing, delay);
}

void TileCrossbar::Step(Cycle now) {
  entering_.Drain(now - 1, [&](const Entering& entering) {
    Output& output = outputs_[entering.output];
    output.fifos[entering.input].push_back(entering.message);
    output.waiting |= std::uint64_t{1} << entering.input;
  });
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    if (outputs_[o].waiting != 0) Turn(now, static_cast<int>(o));
  }
}

void TileCrossbar::Turn(Cycle now, int output_number) {
  Output& output = outputs_[output_number];
  const int winner = output.arbiter.Choose(output.waiting);
  std::deque<Message>& fifo = output.fifos[winner];
  const Message message = fifo.front();
  fifo.pop_front();
  if (fifo.empty()) output.waiting &= ~(std::uint64_t{1} << winner);
  if (output.waiting != 0) Wake(now + 1);
  Pass(output_number, message, now + (message.phase == REQUEST ? golden::kTurnToRequest : golden::kTurnToMergeFifo));
}

void TileCrossbar::Pass(int output, Message message, Cycle arrival) {
  sc_core::sc_time delay = fabric::UntilCycle(arrival);
  columns[output]->nb_transport_fw(*message.crossing, message.phase, delay);
}

}  // namespace tilefly::systemc
