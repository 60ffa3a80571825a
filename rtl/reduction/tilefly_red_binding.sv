// SPDX-License-Identifier: Apache-2.0
// The slot that is bound to the group of a packet, and the last lock of the group. Manual: docs/blocks/reduction.md,
// "Reduction port".
// Latency: combinational on the binding that stands and on the packet's first word. Handshake: none.

module tilefly_red_binding (
    /// clock
    input  logic                  clk_i,
    /// synchronous reset, active low
    input  logic                  rst_ni,
    /// commands of the CFU
    /* verilator lint_off UNUSEDSIGNAL */  // launches matter elsewhere
    input  tilefly_pkg::red_cmd_t cmd_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// a word of the packet arrives
    input  logic                  word_i,
    /// the word is the first of its packet
    input  logic                  first_i,
    /// the packet's group
    input  logic            [5:0] group_i,
    /// a slot is bound to the packet's group, the same slot since the first word
    output logic                  bound_o,
    /// the slot
    output logic                  slot_o,
    /// tag of the lock by which the slot is bound
    output logic            [3:0] tag_o,
    /// the last lock of the group: {valid, tag}; a lock that stands now counts
    output logic            [4:0] last_tag_o
);

  localparam int Groups = tilefly_pkg::RED_GROUPS;

  logic [2:0] group;
  logic [1:0] here, first_slots_q, of_slot;
  logic [5*Groups-1:0] last_tags_q;
  assign group   = group_i[2:0];
  assign here    = {cmd_i.bind1_valid && cmd_i.bind1_group == group, cmd_i.bind0_valid && cmd_i.bind0_group == group};
  assign of_slot = first_i ? here : here & first_slots_q;
  assign slot_o  = of_slot[1];
  assign bound_o = of_slot != '0 && group_i < 6'(Groups);
  assign tag_o   = slot_o ? cmd_i.bind1_tag : cmd_i.bind0_tag;

  always_ff @(posedge clk_i) begin
    if (word_i && first_i) first_slots_q <= here;
  end

  always_comb begin
    last_tag_o = last_tags_q[5*group+:5];
    if (here[0]) last_tag_o = {1'b1, cmd_i.bind0_tag};
    if (here[1]) last_tag_o = {1'b1, cmd_i.bind1_tag};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_tags_q <= '0;
    else if (cmd_i.change) begin
      if (cmd_i.bind0_valid) last_tags_q[5*cmd_i.bind0_group+:5] <= {1'b1, cmd_i.bind0_tag};
      if (cmd_i.bind1_valid) last_tags_q[5*cmd_i.bind1_group+:5] <= {1'b1, cmd_i.bind1_tag};
    end
  end

endmodule
