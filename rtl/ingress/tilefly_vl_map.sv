// SPDX-License-Identifier: Apache-2.0
// Virtual lane table: VLMAP[tc][vl_in][class of in-port][class of out-port]. Manual: docs/blocks/ingress.md.
// Latency: a question in cycle t is answered in t + 1 (flops), with the table as it is in t, for all four classes of
// out-ports. Throughput: one question a cycle and tile port. Handshake: valid only.

module tilefly_vl_map (
    /// clock
    input  logic              clk_i,
    /// register bus: a write is an event of this cycle
    /* verilator lint_off UNUSEDSIGNAL */  // one bus for all; the tables have no use for its port
    input  tilefly_pkg::cfg_t cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// question, one bit a tile port
    input  logic [       1:0] ask_i,
    /// {tc, vl_in, in-port's class}, tile port l in bits [l*9 +: 9]
    input  logic [      17:0] row_i,
    /// VL for out-port class c in bits [l*16 + 4*c +: 4]
    output logic [      31:0] vls_o
);

  logic [15:0] row_mem[512];
  logic [31:0] vls_q;

  // At power-up an edge port's packets take the virtual lane of their class, others keep theirs. Contents survive a reset.
  initial begin
    for (int i = 0; i < 512; i++) begin
      row_mem[i] = (i & 3) == 0 ? {4{4'((i >> 6) & 7)}} : {4{4'((i >> 2) & 15)}};
    end
  end

  logic write;
  logic [8:0] row_written;
  tilefly_pkg::vlmap_index_t index;
  tilefly_pkg::table_lane_t written;
  assign index       = tilefly_pkg::get_vlmap_index(cfg_i.index);
  assign written     = tilefly_pkg::get_table_lane(cfg_i.data);
  assign row_written = {index.tc, index.vl_in, index.pclass_in};
  assign write = cfg_i.valid && !cfg_i.read && cfg_i.space == tilefly_pkg::CFG_VLMAP;

  always_ff @(posedge clk_i) begin
    for (int l = 0; l < 2; l++) begin
      if (ask_i[l]) vls_q[l*16+:16] <= row_mem[row_i[l*9+:9]];
    end
    if (write) begin
      case (index.pclass_out)
        2'd0: row_mem[row_written][3:0] <= written.vl;
        2'd1: row_mem[row_written][7:4] <= written.vl;
        2'd2: row_mem[row_written][11:8] <= written.vl;
        default: row_mem[row_written][15:12] <= written.vl;
      endcase
    end
  end

  assign vls_o = vls_q;

endmodule
