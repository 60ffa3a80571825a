// SPDX-License-Identifier: Apache-2.0
// The switch's own address: SWITCH.ADDRESS. Manual: docs/blocks/switch.md, docs/reference/registers.md.
// Latency: a write that is on `cfg_i` in cycle t (an event of t) is on the output (flops) from t + 1. Each part of a port has its own
// copy.

module tilefly_own_address (
    /// clock
    input  logic              clk_i,
    /// synchronous reset, active low
    input  logic              rst_ni,
    /// register bus, delayed so that its write is an event of this cycle
    /* verilator lint_off UNUSEDSIGNAL */  // one bus for all; the switch's registers have no port
    input  tilefly_pkg::cfg_t cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// own address: group 9, switch 5
    output logic       [13:0] address_o
);

  logic [13:0] address_q;
  logic write;
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_SWITCH &&
      cfg_i.index == 11'(tilefly_pkg::SWITCH_REG_ADDRESS);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) address_q <= '0;
    else if (write) address_q <= tilefly_pkg::get_own_address(cfg_i.data);
  end

  assign address_o = address_q;

endmodule
