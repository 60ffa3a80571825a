// SPDX-License-Identifier: Apache-2.0
// A tile: two ports, and its crossbar for each kind of message (docs/blocks/tile.md). The switch wires tiles.
#pragma once

#include "systemc/crossbar/tile_crossbar.h"
#include "systemc/egress/output_port.h"
#include "systemc/ingress/input_port.h"

namespace tilefly::systemc {

class Tile final : public sc_core::sc_module {
 public:
  /// Ports of a tile.
  static constexpr int kPorts = 2;

  /// Tile `number` of the switch: ports 2 * number and the next one.
  Tile(sc_core::sc_module_name name, int number, Context& context, const golden::SchedulerChoice& scheduler);

  sc_core::sc_vector<InputPort> inputs;    ///< by lane
  sc_core::sc_vector<OutputPort> outputs;  ///< by lane
  TileCrossbar requests;
  TileCrossbar grants;
  TileCrossbar data;
  TileCrossbar acks;

  /// Kernel events of all its modules.
  std::uint64_t kernel_events() const;
};

}  // namespace tilefly::systemc
