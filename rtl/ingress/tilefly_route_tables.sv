// SPDX-License-Identifier: Apache-2.0
// Route tables: fabric address to output port. Manual: docs/blocks/ingress.md, docs/reference/registers.md.
// Latency: a question in cycle t is answered in t + 1 (flops), with the tables as they are in t. Throughput: one
// question a cycle and lane. Handshake: valid only.

module tilefly_route_tables (
    /// clock
    input  logic              clk_i,
    /// synchronous reset, active low
    input  logic              rst_ni,
    /// register bus: a write is an event of this cycle
    /* verilator lint_off UNUSEDSIGNAL */  // one bus for all; the tables have no use for its port
    input  tilefly_pkg::cfg_t cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// question, one bit a lane
    input  logic [       1:0] ask_i,
    /// address: group 9, switch 5, port 6; lane l in bits [l*20 +: 20]
    input  logic [      39:0] address_i,
    /// {valid, port}, lane l in bits [l*7 +: 7]
    output logic [      13:0] route_o,
    /// own address that was compared with, lane l in bits [l*14 +: 14]
    output logic [      27:0] own_address_o
);

  logic [6:0] group_mem[512];  // {valid, port}
  logic [6:0] switch_mem[32];
  logic [13:0] own_address_q;
  logic [13:0] route_q;
  logic [27:0] used_address_q;

  // Empty tables at power-up; the contents survive a reset.
  initial begin
    for (int i = 0; i < 512; i++) group_mem[i] = '0;
    for (int i = 0; i < 32; i++) switch_mem[i] = '0;
  end

  logic write;
  assign write = cfg_i.valid && !cfg_i.read;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) own_address_q <= '0;
    else if (write && cfg_i.space == tilefly_pkg::CFG_SWITCH && cfg_i.index == '0) own_address_q <= cfg_i.data[13:0];

    for (int l = 0; l < 2; l++) begin
      if (ask_i[l]) begin
        used_address_q[l*14+:14] <= own_address_q;
        if (address_i[l*20+6+:14] == own_address_q) route_q[l*7+:7] <= {1'b1, address_i[l*20+:6]};
        else if (address_i[l*20+11+:9] == own_address_q[13:5]) route_q[l*7+:7] <= switch_mem[address_i[l*20+6+:5]];
        else route_q[l*7+:7] <= group_mem[address_i[l*20+11+:9]];
      end
    end
    if (write && cfg_i.space == tilefly_pkg::CFG_ROUTE_GROUP && cfg_i.index < 11'd512) begin
      group_mem[cfg_i.index[8:0]] <= {cfg_i.data[6], cfg_i.data[5:0]};
    end
    if (write && cfg_i.space == tilefly_pkg::CFG_ROUTE_SWITCH && cfg_i.index < 11'd32) begin
      switch_mem[cfg_i.index[4:0]] <= {cfg_i.data[6], cfg_i.data[5:0]};
    end
  end

  assign route_o       = route_q;
  assign own_address_o = used_address_q;

endmodule
