// SPDX-License-Identifier: Apache-2.0
// Traffic class tables: DSCP and PCP. Manual: docs/blocks/ingress.md, docs/reference/registers.md.
// Latency: a question in cycle t is answered in t + 1 (flops), with the tables as they are in t. Throughput: one
// question a cycle and tile port. Handshake: valid only.

module tilefly_class_tables (
    /// clock
    input  logic              clk_i,
    /// register bus: a write is an event of this cycle
    /* verilator lint_off UNUSEDSIGNAL */  // one bus for all; the tables have no use for its port
    input  tilefly_pkg::cfg_t cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// question, one bit a tile port
    input  logic [       1:0] ask_i,
    /// class by DSCP
    input  logic [       1:0] use_dscp_i,
    /// DSCP, tile port l in bits [l*6 +: 6]
    input  logic [      11:0] dscp_i,
    /// class by VLAN priority
    input  logic [       1:0] use_pcp_i,
    /// VLAN priority, tile port l in bits [l*3 +: 3]
    input  logic [       5:0] pcp_i,
    /// class otherwise, tile port l in bits [l*3 +: 3]
    input  logic [       5:0] tc_i,
    /// the class, tile port l in bits [l*3 +: 3]
    output logic [       5:0] tc_o
);

  logic [2:0] dscp_mem[64];
  logic [2:0] pcp_mem[8];
  logic [5:0] tc_q;

  // Defaults at power-up; the contents survive a reset.
  initial begin
    for (int d = 0; d < 64; d++) dscp_mem[d] = 3'(d >> 3);
    for (int p = 0; p < 8; p++) pcp_mem[p] = 3'(p);
  end

  logic write;
  tilefly_pkg::table_class_t written;
  assign written = tilefly_pkg::get_table_class(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read;

  always_ff @(posedge clk_i) begin
    for (int l = 0; l < 2; l++) begin
      if (ask_i[l]) begin
        tc_q[l*3+:3] <= use_dscp_i[l] ? dscp_mem[dscp_i[l*6+:6]] :
                        use_pcp_i[l] ? pcp_mem[pcp_i[l*3+:3]] : tc_i[l*3+:3];
      end
    end
    if (write && cfg_i.space == tilefly_pkg::CFG_DSCP && cfg_i.index < 11'd64) begin
      dscp_mem[6'(cfg_i.index)] <= written.tc;
    end
    if (write && cfg_i.space == tilefly_pkg::CFG_PCP && cfg_i.index < 11'd8) begin
      pcp_mem[3'(cfg_i.index)] <= written.tc;
    end
  end

  assign tc_o = tc_q;

endmodule
