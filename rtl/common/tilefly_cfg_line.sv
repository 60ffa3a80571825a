// SPDX-License-Identifier: Apache-2.0
// The register bus on its way to a block's registers. Manual: docs/blocks/common.md.
// Latency: an access in bus cycle w is an event of w + 7, everywhere in the switch. Throughput: one a cycle.
// Handshake: valid only. Outputs are flops; the payload keeps its last value while not valid.

module tilefly_cfg_line (
    /// clock
    input  logic                          clk_i,
    /// synchronous reset, active low
    input  logic                          rst_ni,
    /// register bus (cfg_t), the same in the whole switch
    input  logic [tilefly_pkg::CFG_W-1:0] cfg_i,
    /// the access that is due; never valid in reset: tables have none, and nothing may be written before the line is clear
    output logic [tilefly_pkg::CFG_W-1:0] cfg_o,
    /// an access is on its way or due
    output logic                          busy_o
);

  localparam int PayloadW = tilefly_pkg::CFG_W - 1;
  // Written apart from golden/common/stage_times.h, on purpose: each is judged by the other.
  localparam int Cycles = 7;

  logic valid;

  tilefly_delay_line #(
      .Width(PayloadW),
      .Depth(Cycles)
  ) u_line (
      .clk_i,
      .rst_ni,
      .valid_i(cfg_i[PayloadW]),
      .data_i (cfg_i[PayloadW-1:0]),
      .valid_o(valid),
      .data_o (cfg_o[PayloadW-1:0]),
      .busy_o
  );
  assign cfg_o[PayloadW] = valid && rst_ni;

endmodule
