// SPDX-License-Identifier: Apache-2.0
// Stands for tilefly_flow_regs in proofs of its users: any values in any cycle, but few bits of cells, and the deadline of two sweeps. All
// that the registers can hold within that is among it, however they are written.

module tilefly_flow_regs (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                 [5:0] port_i,
    input  tilefly_pkg::cfg_t          cfg_i,
    output tilefly_pkg::flow_mark_t    mark_o,
    output tilefly_pkg::flow_channel_t channel_o
);

  localparam int Deadline = 2;

  (* anyseq *) logic [2:0] full;
  (* anyseq *) logic [1:0] idle;
  (* anyseq *) logic [2:0] grow, hold;
  assign mark_o.on          = '0;
  assign mark_o.hard        = '0;
  assign mark_o.full        = 12'(full);
  assign channel_o.deadline = 8'(Deadline);
  assign channel_o.idle     = 8'(idle);
  assign channel_o.grow     = grow;
  assign channel_o.hold     = 12'(hold);
  assign channel_o.period   = 8'd1;

endmodule
