// SPDX-License-Identifier: Apache-2.0
// Whether a port retries, and how: PORT.MODE, PORT.RETRY, PORT.LANES. Manual: docs/blocks/link_retry.md, docs/reference/registers.md.
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
    /// the link works
    input  logic                     link_up_i,
    /// the port is enabled
    output logic                     enable_o,
    /// how the port retries; where it does, its link's other end must, too
    output tilefly_retry_pkg::settings_t retry_o,
    /// SerDes lanes
    output tilefly_retry_pkg::lanes_t lanes_o
);

  localparam logic [6:0] AllPorts = 7'd127;
  localparam logic [1:0] Block = 2'd1, BestEffort = 2'd2;  // of LINK_DOWN_BEHAVIOR

  /* verilator lint_off UNUSEDSIGNAL */  // other fields are for others
  tilefly_pkg::port_mode_t mode;
  /* verilator lint_on UNUSEDSIGNAL */
  tilefly_pkg::port_retry_t retry;
  tilefly_pkg::port_lanes_t lanes;
  logic [tilefly_pkg::PORT_RETRY_W-1:0] retry_q;
  logic [tilefly_pkg::PORT_LANES_W-1:0] lanes_q;
  logic write, write_mode, write_retry, write_lanes, is_retry;
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_PORT &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts);
  assign write_mode = write && cfg_i.index == 11'(tilefly_pkg::PORT_REG_MODE);
  assign write_retry = write && cfg_i.index == 11'(tilefly_pkg::PORT_REG_RETRY);
  assign write_lanes = write && cfg_i.index == 11'(tilefly_pkg::PORT_REG_LANES);

  tilefly_port_mode u_mode (
      .clk_i,
      .rst_ni,
      .port_i,
      .cfg_i,
      .mode_o(mode)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      retry_q <= tilefly_pkg::PORT_RETRY_RESET;
      lanes_q <= tilefly_pkg::PORT_LANES_RESET;
    end else begin
      if (write_retry) retry_q <= tilefly_pkg::get_port_retry(cfg_i.data);
      if (write_lanes) lanes_q <= tilefly_pkg::get_port_lanes(cfg_i.data);
    end
  end

  // Best effort: from the second cycle of a link down on, and until a write of MODE, the retry blocks do not work.
  logic up_q, up_before_q, plain_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      up_q        <= 1'b0;
      up_before_q <= 1'b0;
      plain_q     <= 1'b0;
    end else begin
      up_q        <= link_up_i;
      up_before_q <= up_q;
      if (write_mode) plain_q <= 1'b0;
      else if (is_retry && retry.down == BestEffort && !link_up_i && !up_q && up_before_q) plain_q <= 1'b1;
    end
  end

  assign retry    = retry_q;
  assign lanes    = lanes_q;
  assign enable_o = mode.enable;
  assign is_retry = mode.enable && mode.credits && mode.retry && !mode.std_format;
  assign lanes_o  = {write_lanes, lanes.off, lanes.back, lanes.fail};
  always_comb begin
    retry_o.on        = is_retry;
    retry_o.enable    = is_retry && !plain_q;
    retry_o.discards  = is_retry && retry.down != Block;
    retry_o.watchdog  = retry.watchdog;
    retry_o.timer     = retry.timer;
    retry_o.limit     = retry.limit;
    retry_o.threshold = retry.threshold;
  end

endmodule
