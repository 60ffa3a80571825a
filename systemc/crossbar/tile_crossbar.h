// SPDX-License-Identifier: Apache-2.0
// The crossbar of one tile for one kind of message (docs/blocks/crossbar.md): messages from the row buses turn into the
// column channels. Requests, grants and acks wait for their turn and are arbitrated; cells pass without arbitration.
#pragma once

#include <deque>
#include <vector>

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include "golden/common/agenda.h"
#include "systemc/arbiter/arbiter.h"
#include "systemc/common/timed_module.h"
#include "systemc/switch/context.h"

namespace tilefly::systemc {

/// Source and destination port of a message, which depend on its phase.
struct Route {
  static Route Of(const Crossing& crossing, const tlm::tlm_phase& phase) {
    if (phase == REQUEST || phase == CELLS) return {crossing.input, crossing.output};
    return {crossing.output, crossing.input};
  }
  int source;
  int destination;
};

class TileCrossbar final : public TimedModule {
 public:
  TileCrossbar(sc_core::sc_module_name name, const Context& context);

  tlm_utils::multi_passthrough_target_socket<TileCrossbar, 32, CrossingTypes> rows{"rows"};  ///< 2C: ports of the row
  /// 2R sockets, to be bound in this order: output 2 * row(d) + lane(d) of the column.
  tlm_utils::multi_passthrough_initiator_socket<TileCrossbar, 32, CrossingTypes> columns{"columns"};

 private:
  struct Message {
    Crossing* crossing;
    tlm::tlm_phase phase;
  };
  struct Entering {
    int input;
    int output;
    Message message;
  };
  struct Output {
    explicit Output(int inputs) : fifos(inputs), arbiter(inputs) {}
    std::vector<std::deque<Message>> fifos;
    std::uint64_t waiting = 0;  ///< inputs with a message
    Arbiter arbiter;
  };

  tlm::tlm_sync_enum Forward(int id, Crossing& crossing, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void Blocking(int id, Crossing& crossing, sc_core::sc_time& delay);
  void Step(Cycle now) override;
  void Turn(Cycle now, int output);
  void Pass(int output, Message message, Cycle arrival);

  const Context& context_;
  golden::Agenda<Entering> entering_;
  std::vector<Output> outputs_;
};

}  // namespace tilefly::systemc
