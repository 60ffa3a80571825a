// SPDX-License-Identifier: Apache-2.0
// Whether a port retries, and how: PORT.MODE, PORT.RETRY. Manual: docs/blocks/link_retry.md, docs/reference/registers.md.
// Latency: a write that is on `cfg_i` in cycle t (an event of t) is on the outputs (flops, or of flops) from t + 1.

module tilefly_port_retry (
    /// clock
    input  logic                     clk_i,
    /// synchronous reset, active low
    input  logic                     rst_ni,
    /// number of this port
    input  logic              [ 5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t        cfg_i,
    /// the port is enabled
    output logic                     enable_o,
    /// how the port retries; where it does, its link's other end must, too
    output tilefly_retry_pkg::settings_t retry_o
);

  localparam logic [6:0] AllPorts = 7'd127;

  /* verilator lint_off UNUSEDSIGNAL */  // other fields are for others; what a link that is down does has no effect yet
  tilefly_pkg::port_mode_t mode;
  tilefly_pkg::port_retry_t retry;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [tilefly_pkg::PORT_RETRY_W-1:0] retry_q;
  logic write;
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_PORT &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts) && cfg_i.index == 11'(tilefly_pkg::PORT_REG_RETRY);

  tilefly_port_mode u_mode (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .mode_o(mode)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) retry_q <= tilefly_pkg::PORT_RETRY_RESET;
    else if (write) retry_q <= tilefly_pkg::get_port_retry(cfg_i.data);
  end

  assign retry    = retry_q;
  assign enable_o = mode.enable;
  always_comb begin
    retry_o.on        = mode.enable && mode.credits && mode.retry && !mode.std_format;
    retry_o.timer     = retry.timer;
    retry_o.limit     = retry.limit;
    retry_o.threshold = retry.threshold;
  end

endmodule
