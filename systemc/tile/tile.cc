// SPDX-License-Identifier: Apache-2.0
#include "systemc/tile/tile.h"

namespace tilefly::systemc {

Tile::Tile(sc_core::sc_module_name name, int number, Context& context, const golden::SchedulerChoice& scheduler)
    : sc_module(name),
      inputs("input", kPorts,
             [&](const char* port, std::size_t lane) {
               return new InputPort(port, kPorts * number + static_cast<int>(lane), context);
             }),
      outputs("output", kPorts,
              [&](const char* port, std::size_t lane) {
                return new OutputPort(port, kPorts * number + static_cast<int>(lane), context, scheduler);
              }),
      requests("requests", context),
      grants("grants", context),
      data("data", context),
      acks("acks", context) {
  for (int lane = 0; lane < kPorts; ++lane) {
    inputs[lane].output.bind(outputs[lane]);
    outputs[lane].input.bind(inputs[lane]);
  }
}

std::uint64_t Tile::kernel_events() const {
  std::uint64_t events = requests.kernel_events() + grants.kernel_events() + data.kernel_events() + acks.kernel_events();
  for (const InputPort& input : inputs) events += input.kernel_events();
  for (const OutputPort& output : outputs) events += output.kernel_events();
  return events;
}

}  // namespace tilefly::systemc
