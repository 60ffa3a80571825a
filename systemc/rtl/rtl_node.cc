// SPDX-License-Identifier: Apache-2.0
#include "systemc/rtl/rtl_node.h"

#include <algorithm>

#include "cosim/errors.h"
#include "systemc/switch/register_access.h"

namespace tilefly::systemc {

RtlNode::RtlNode(sc_core::sc_module_name name, const Profile& profile, fabric::PacketPool* pool,
                 const cosim::DeviceOptions& options)
    : SwitchNode(name),
      registers_(profile),
      word_in_("word_in", profile.ports),
      word_out_("word_out", profile.ports),
      ctrl_in_("ctrl_in", profile.ports),
      ctrl_out_("ctrl_out", profile.ports),
      link_up_("link_up", profile.ports,
               [](const char* signal, std::size_t) { return new sc_core::sc_signal<bool>(signal, true); }),
      rtl_("rtl", profile, options),
      to_pins_("to_pins", profile.ports, [](const char* pins, std::size_t) { return new FabricToPins(pins); }),
      from_pins_("from_pins", profile.ports,
                 [pool](const char* pins, std::size_t) { return new PinsToFabric(pins, pool); }),
      clock_("clock", [this](Cycle now) { return Next(now); }) {
  configure.register_b_transport(this, &RtlNode::Transport);
  clock_.clk_o(clk_);
  rtl_.clk_i(clk_);
  rtl_.cfg_i(cfg_);
  rtl_.rdata_o(rdata_);
  register_pins_.clk_i(clk_);
  register_pins_.cfg_o(cfg_);
  register_pins_.rdata_i(rdata_);
  register_pins_.set_ask([this](Cycle cycle) { clock_.Ask(cycle); });
  for (std::size_t p = 0; p < to_pins_.size(); ++p) Connect(p);
}

void RtlNode::Connect(std::size_t port) {
  rtl_.word_i[port](word_in_[port]);
  rtl_.ctrl_i[port](ctrl_in_[port]);
  rtl_.word_o[port](word_out_[port]);
  rtl_.ctrl_o[port](ctrl_out_[port]);
  rtl_.link_up_i[port](link_up_[port]);
  to_pins_[port].clk_i(clk_);
  to_pins_[port].word_o(word_in_[port]);
  to_pins_[port].ctrl_i(ctrl_out_[port]);
  to_pins_[port].set_ask([this](Cycle cycle) { clock_.Ask(cycle); });
  from_pins_[port].clk_i(clk_);
  from_pins_[port].word_i(word_out_[port]);
  from_pins_[port].ctrl_o(ctrl_in_[port]);
  from_pins_[port].set_ask([this](Cycle cycle) { clock_.Ask(cycle); });
}

void RtlNode::Write(const Cfg& write) {
  registers_.Apply(write);
  for (std::size_t p = 0; p < to_pins_.size(); ++p) {
    const PortMode& mode = registers_.port(static_cast<int>(p)).mode;
    to_pins_[p].set_mode(mode);
    from_pins_[p].set_mode(mode);
  }
  if (sc_core::sc_start_of_simulation_invoked()) {
    register_pins_.Access(write);
  } else {
    rtl_.Configure(write);
  }
}

Cycle RtlNode::TakeCable(int port, Cycle cycles) {
  from_pins_[static_cast<std::size_t>(port)].set_cable(cycles);
  return cycles;
}

/// The first cycle from `now` on in which something moves.
Cycle RtlNode::Next(Cycle now) const {
  Cycle next = std::min(rtl_.Next(), register_pins_.Next(now));
  for (std::size_t p = 0; p < to_pins_.size(); ++p) {
    next = std::min({next, to_pins_[p].Next(now), from_pins_[p].Next(now)});
  }
  return next;
}

void RtlNode::Transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const auto access = RegisterAccess::Of(&payload, static_cast<int>(to_pins_.size()));
  if (!access) return;
  if (payload.is_read() && static_cast<CfgSpace>(access->cfg.space) == CfgSpace::kRed) {  // the device says counters only
    return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  if (payload.is_write()) {
    Write(access->cfg);
  } else {
    access->Answer(&payload, register_pins_.Read(access->cfg));
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

bool RtlNode::Drained() {
  if (!clock_.stands()) return false;
  for (std::size_t p = 0; p < to_pins_.size(); ++p) {
    if (to_pins_[p].open() != 0 || from_pins_[p].open() != 0) return false;
  }
  try {
    rtl_.CheckDrained();
  } catch (const cosim::DeviceError&) {
    return false;
  }
  return true;
}

}  // namespace tilefly::systemc
