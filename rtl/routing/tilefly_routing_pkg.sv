// SPDX-License-Identifier: Apache-2.0
// What the parts of routing say to each other, and the generator of its draws. Manual: docs/blocks/routing.md.

package tilefly_routing_pkg;

  /* verilator lint_off UNUSEDPARAM */  // no part needs all of them

  // What is known of a packet's route before the tables have answered, in cycle a + 14.
  typedef struct packed {
    logic        routed;    // it goes to another switch
    logic        decides;   // between minimal and non-minimal paths, here
    logic        adaptive;  // draws and loads decide; else a hash
    logic        came_via;  // via was still to be reached when it came in
    logic        gives_up;  // it goes to its via, or to its destination if ports that are down leave no port towards the via
    logic [1:0]  drawn;     // targets that are candidates, if there is a port towards them
    logic [27:0] vias;      // those targets, 14 bits each
    logic [31:0] lengths;   // links left: nibble 4*n + c, n non-minimal, c the port's class
    logic [11:0] bias;      // added to the cost of non-minimal candidates
    logic [63:0] enabled;   // ports that exist and are enabled
  } plan_t;
  localparam int PLAN_W = 143;

  // A packet asks the route tables for this many masks: towards its target, towards two drawn ones. A packet that goes to its
  // via draws none, and asks for its destination in place of the first of them.
  localparam int QUESTIONS = 3;
  localparam int QUESTION_W = 10;  // {by switch of the own group, else by group; number}

  /* verilator lint_on UNUSEDPARAM */

  // A mode (route_mode_e) is adaptive.
  function automatic logic is_adaptive(input [2:0] mode);
    is_adaptive = mode < tilefly_pkg::ROUTE_MODE_MIN_HASH;
  endfunction

  // The generator G of the draws is the second half of the first half.
  function automatic [31:0] first_half(input [31:0] x);
    first_half = (x ^ (x >> 16)) * 32'h7feb_352d;
  endfunction

  function automatic [31:0] second_half(input [31:0] x);
    reg [31:0] mixed;
    mixed = (x ^ (x >> 15)) * 32'h846c_a68b;
    second_half = mixed ^ (mixed >> 16);
  endfunction

  // Number of the one that a draw takes of the ones in a mask: the (draw * ones) >> 8 th of them, from the lowest on.
  function automatic [5:0] choose(input [7:0] draw, input [63:0] mask);
    reg [63:0] in2, in4, in8, in16;  // ones in every 2, 4, 8, 16 bits
    reg [6:0] lower, upper;  // in the halves
    reg [6:0] left, low;
    reg [5:0] at;
    in2 = mask - ((mask >> 1) & 64'h5555_5555_5555_5555);
    in4 = (in2 & 64'h3333_3333_3333_3333) + ((in2 >> 2) & 64'h3333_3333_3333_3333);
    in8 = (in4 + (in4 >> 4)) & 64'h0f0f_0f0f_0f0f_0f0f;
    in16 = (in8 + (in8 >> 8)) & 64'h001f_001f_001f_001f;
    lower = 7'(in16[4:0]) + 7'(in16[20:16]);
    upper = 7'(in16[36:32]) + 7'(in16[52:48]);
    left = 7'((15'(draw) * 15'(7'(lower + upper))) >> 8);
    // Down into the half that has it.
    at = '0;
    low = lower;
    if (left >= low) begin
      left = left - low;
      at[5] = 1'b1;
    end
    low = {2'b0, in16[{at[5], 5'd0}+:5]};
    if (left >= low) begin
      left = left - low;
      at[4] = 1'b1;
    end
    low = {3'b0, in8[{at[5:4], 4'd0}+:4]};
    if (left >= low) begin
      left = left - low;
      at[3] = 1'b1;
    end
    low = {4'b0, in4[{at[5:3], 3'd0}+:3]};
    if (left >= low) begin
      left = left - low;
      at[2] = 1'b1;
    end
    low = {5'b0, in2[{at[5:2], 2'd0}+:2]};
    if (left >= low) begin
      left = left - low;
      at[1] = 1'b1;
    end
    at[0] = left != 7'd0 || !mask[{at[5:1], 1'b0}];
    choose = at;
  endfunction

endpackage
