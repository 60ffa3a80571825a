// SPDX-License-Identifier: Apache-2.0
// Registers of flow channels: PORT.FLOW_MARK and PORT.FLOW_CHANNEL. Manual: docs/blocks/flow_channel.md, "Registers and counters".
// Latency: a write that is on `cfg_i` in cycle t (an event of t) is on the outputs (flops) from t + 1. Each part of a port has its own
// copy.

module tilefly_flow_regs (
    /// clock
    input  logic                       clk_i,
    /// synchronous reset, active low
    input  logic                       rst_ni,
    /// number of this port
    input  logic                 [5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t          cfg_i,
    /// PORT.FLOW_MARK
    output tilefly_pkg::flow_mark_t    mark_o,
    /// PORT.FLOW_CHANNEL
    output tilefly_pkg::flow_channel_t channel_o
);

  localparam logic [6:0] AllPorts = 7'd127;

  logic [tilefly_pkg::FLOW_MARK_W-1:0] mark_q;
  logic [tilefly_pkg::FLOW_CHANNEL_W-1:0] channel_q;
  logic write;
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_PORT &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mark_q    <= tilefly_pkg::FLOW_MARK_RESET;
      channel_q <= tilefly_pkg::FLOW_CHANNEL_RESET;
    end else if (write) begin
      if (cfg_i.index == 11'(tilefly_pkg::PORT_REG_FLOW_MARK)) mark_q <= tilefly_pkg::get_flow_mark(cfg_i.data);
      if (cfg_i.index == 11'(tilefly_pkg::PORT_REG_FLOW_CHANNEL)) channel_q <= tilefly_pkg::get_flow_channel(cfg_i.data);
    end
  end

  assign mark_o    = mark_q;
  assign channel_o = channel_q;

endmodule
