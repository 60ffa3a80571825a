// SPDX-License-Identifier: Apache-2.0
// What a port is: PORT.MODE. Manual: docs/blocks/switch.md, docs/reference/registers.md.
// Latency: a write that is on `cfg_i` in cycle t (an event of t) is on the output (flops) from t + 1. Each part of a port has its own
// copy.

module tilefly_port_mode (
    /// clock
    input  logic                    clk_i,
    /// synchronous reset, active low
    input  logic                    rst_ni,
    /// number of this port
    input  logic              [5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t       cfg_i,
    /// PORT.MODE
    output tilefly_pkg::port_mode_t mode_o
);

  localparam logic [6:0] AllPorts = 7'd127;

  logic [tilefly_pkg::PORT_MODE_W-1:0] mode_q;
  logic write;
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_PORT &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts) && cfg_i.index == 11'(tilefly_pkg::PORT_REG_MODE);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) mode_q <= tilefly_pkg::PORT_MODE_RESET;
    else if (write) mode_q <= tilefly_pkg::get_port_mode(cfg_i.data);
  end

  assign mode_o = mode_q;

endmodule
