// SPDX-License-Identifier: Apache-2.0
// Route tables of a tile: group, or switch of the own group, to the mask of the ports towards it. Manual:
// docs/blocks/routing.md, docs/reference/registers.md.
// Latency: a question in cycle t is answered in t + 1 (flops), with the tables as they are in t. Throughput: three
// questions a cycle and tile port. Handshake: valid only; a question that is not asked keeps its last answer.

module tilefly_route_tables #(
    /// questions a cycle, those of tile port 0 first
    parameter int Questions = 2 * tilefly_routing_pkg::QUESTIONS,
    /// bits of a question: {by switch of the own group, else by group; number}
    parameter int QuestionW = tilefly_routing_pkg::QUESTION_W
) (
    /// clock
    input  logic                           clk_i,
    /// register bus: a write is an event of this cycle
    /* verilator lint_off UNUSEDSIGNAL */  // one bus for all; the tables have no use for its port
    input  tilefly_pkg::cfg_t              cfg_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// questions that are asked
    input  logic [          Questions-1:0] ask_i,
    /// question q in bits [q*QuestionW +: QuestionW]
    input  logic [Questions*QuestionW-1:0] question_i,
    /// ports towards the switch of the question, question q in bits [q*64 +: 64]
    output logic [       Questions*64-1:0] masks_o
);

  localparam int Ports = tilefly_pkg::PORTS;
  localparam int Groups = 512;
  localparam int Switches = 32;

  logic [Ports-1:0] group_mem[Groups];
  logic [Ports-1:0] switch_mem[Switches];
  logic [Questions*Ports-1:0] masks_q;

  // Empty tables at power-up; the contents survive a reset.
  initial begin
    for (int i = 0; i < Groups; i++) group_mem[i] = '0;
    for (int i = 0; i < Switches; i++) switch_mem[i] = '0;
  end

  logic write;
  assign write = cfg_i.valid && !cfg_i.read;

  always_ff @(posedge clk_i) begin
    for (int q = 0; q < Questions; q++) begin
      if (ask_i[q]) begin
        masks_q[q*Ports+:Ports] <= question_i[q*QuestionW+QuestionW-1] ? switch_mem[question_i[q*QuestionW+:5]] :
                                                                         group_mem[question_i[q*QuestionW+:9]];
      end
    end
    if (write && cfg_i.space == tilefly_pkg::CFG_ROUTE_GROUP && cfg_i.index < 11'(Groups)) begin
      group_mem[9'(cfg_i.index)] <= Ports'(cfg_i.data);
    end
    if (write && cfg_i.space == tilefly_pkg::CFG_ROUTE_SWITCH && cfg_i.index < 11'(Switches)) begin
      switch_mem[5'(cfg_i.index)] <= Ports'(cfg_i.data);
    end
  end

  always_comb begin
    masks_o = '0;
    for (int q = 0; q < Questions; q++) masks_o[q*64+:Ports] = masks_q[q*Ports+:Ports];
  end

endmodule
