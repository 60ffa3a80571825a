// SPDX-License-Identifier: Apache-2.0
// The Ethernet header that a port gives to enhanced IP frames: PORT.ETH_LO, ETH_HI. Manual: docs/blocks/switch.md,
// docs/reference/registers.md.
// Latency: a write that is on `cfg_i` in cycle t (an event of t) is on the outputs (flops) from t + 1.

module tilefly_port_header (
    /// clock
    input  logic              clk_i,
    /// synchronous reset, active low
    input  logic              rst_ni,
    /// number of this port
    input  logic        [5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t cfg_i,
    /// a header is configured
    output logic              valid_o,
    /// the header, byte 0 lowest
    output logic      [111:0] header_o
);

  localparam logic [6:0] AllPorts = 7'd127;

  logic valid_q;
  logic [111:0] header_q;
  logic write;
  tilefly_pkg::port_eth_lo_t low;
  tilefly_pkg::port_eth_hi_t high;
  assign low   = tilefly_pkg::get_port_eth_lo(cfg_i.data);
  assign high  = tilefly_pkg::get_port_eth_hi(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_PORT &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      header_q <= '0;
    end else if (write && cfg_i.index == 11'(tilefly_pkg::PORT_REG_ETH_LO)) begin
      header_q[63:0] <= low.bytes;
    end else if (write && cfg_i.index == 11'(tilefly_pkg::PORT_REG_ETH_HI)) begin
      header_q[111:64] <= high.bytes;
      valid_q          <= high.valid;
    end
  end

  assign valid_o  = valid_q;
  assign header_o = header_q;

endmodule
