// SPDX-License-Identifier: Apache-2.0
// Targets of a routed packet: its own, and those drawn for non-minimal paths. Manual: docs/blocks/routing.md, "Which
// packets", "Draws".
// Combinational; everything is of a packet of which this is cycle a + 12, and as of its cycle a + 4.

module tilefly_route_target #(
    /// bits of the questions to the route tables
    parameter int QuestionsW = tilefly_routing_pkg::QUESTIONS * tilefly_routing_pkg::QUESTION_W
) (
    /// the packet is routed; all results are zero otherwise
    input  logic                                      routed_i,
    /// header of the packet
    /* verilator lint_off UNUSEDSIGNAL */  // one header for all
    input  tilefly_pkg::header_t                      header_i,
    /// what the tables say
    input  tilefly_ingress_pkg::lk_rsp_t              lookup_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// draws of the non-minimal targets
    input  logic                               [31:0] rb_i,
    /// hash of the flow
    /* verilator lint_off UNUSEDSIGNAL */  // its upper half draws a target
    input  logic                               [31:0] hf_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// via is still to be reached, before a non-minimal path is taken here
    output logic                                      via_valid_o,
    /// questions that are asked: for the packet's target, and for the drawn targets, or for the destination behind a via
    output logic [tilefly_routing_pkg::QUESTIONS-1:0] ask_o,
    /// the questions
    output logic                     [QuestionsW-1:0] questions_o,
    /// what is known before they are answered
    output tilefly_routing_pkg::plan_t                plan_o
);

  localparam int QuestionW = tilefly_routing_pkg::QUESTION_W;
  localparam int BiasW = tilefly_pkg::SWITCH_BIAS_ADAPTIVE_W;

  // Number of the group or switch that 16 random bits draw out of `count`.
  function automatic [9:0] draw(input [15:0] bits, input [9:0] out_of);
    draw = 10'((26'(bits) * 26'(out_of)) >> 16);
  endfunction

  // Whether what is drawn out of `out_of` numbers exists, of `all`, and is neither here nor there.
  function automatic logic other(input [9:0] drawn, input [9:0] out_of, input [9:0] all, input [9:0] own, input [9:0] dst);
    other = out_of != 10'd0 && drawn < all && drawn != own && drawn != dst;
  endfunction

  // The question for the ports towards {group, switch}.
  function automatic [QuestionW-1:0] question(input [13:0] target, input [8:0] own_group);
    question = target[13:5] == own_group ? {5'b1_0000, target[4:0]} : {1'b0, target[13:5]};
  endfunction

  tilefly_pkg::switch_size_t size;
  tilefly_pkg::switch_length_t lengths;
  assign size    = lookup_i.size;
  assign lengths = lookup_i.lengths;

  logic [8:0] own_group, src_group, dst_group, via_group;
  logic [4:0] own_switch, dst_switch, via_switch;
  logic home;  // the destination is in the own group
  logic hashed, hashed_nonminimal, reached;
  logic bound;  // ordered, and behind its first switch: it chooses no more
  logic [1:0] biased;  // mode that says the bias
  logic [9:0] count, drawn_0, drawn_1;
  logic [9:0] numbers, own_number, dst_number;  // of groups or switches


  always_comb begin
    {own_group, own_switch} = lookup_i.own_address;
    src_group = header_i.src[19:11];
    {dst_group, dst_switch} = header_i.dst[19:6];
    {via_group, via_switch} = header_i.via;
    home = dst_group == own_group;
    hashed_nonminimal = header_i.mode == tilefly_pkg::ROUTE_MODE_NMIN_HASH;
    bound = header_i.ordered && header_i.hop != 4'd0;
    hashed = bound || hashed_nonminimal || header_i.mode == tilefly_pkg::ROUTE_MODE_MIN_HASH ||
        header_i.mode == tilefly_pkg::ROUTE_MODE_IN_ORDER;
    biased = tilefly_routing_pkg::is_adaptive(header_i.mode) ? header_i.mode[1:0] : 2'd0;
    count = home ? 10'(size.switches) : size.groups;
    numbers = home ? 10'd32 : 10'd512;
    own_number = home ? {5'd0, own_switch} : {1'b0, own_group};
    dst_number = home ? {5'd0, dst_switch} : {1'b0, dst_group};

    reached = 1'b0;
    drawn_0 = '0;
    drawn_1 = '0;
    via_valid_o = 1'b0;
    ask_o = '0;
    questions_o = '0;
    plan_o = '0;
    if (routed_i) begin
      plan_o.routed   = 1'b1;
      plan_o.decides  = header_i.hop == 4'd0 ||
          (header_i.mode == tilefly_pkg::ROUTE_MODE_ADAPTIVE_1 && !bound && header_i.hop == 4'd1 && src_group == own_group &&
           !home);
      plan_o.adaptive = !hashed;
      plan_o.came_via = header_i.via_valid;
      plan_o.lengths  = home ? {lengths.nonmin_own, lengths.min_own} : {lengths.nonmin_far, lengths.min_far};
      // In ADAPTIVE_1 the bias counts times the hop, and none but the first two hops decide.
      if (header_i.mode != tilefly_pkg::ROUTE_MODE_ADAPTIVE_1 || header_i.hop != 4'd0) begin
        plan_o.bias = lookup_i.biases[BiasW*biased+:BiasW];
      end
      plan_o.enabled = lookup_i.enabled;

      reached = own_group == via_group && (via_group != src_group || own_switch == via_switch);
      via_valid_o = header_i.via_valid && !reached && !plan_o.decides;

      if (plan_o.decides && (plan_o.adaptive || hashed_nonminimal)) begin
        drawn_0 = draw(hashed_nonminimal ? hf_i[31:16] : rb_i[15:0], count);
        plan_o.drawn[0] = other(drawn_0, count, numbers, own_number, dst_number);
      end
      if (plan_o.decides && plan_o.adaptive) begin
        drawn_1 = draw(rb_i[31:16], count);
        plan_o.drawn[1] = other(drawn_1, count, numbers, own_number, dst_number);
      end
      plan_o.vias[13:0]  = home ? {own_group, drawn_0[4:0]} : {drawn_0[8:0], 5'd0};
      plan_o.vias[27:14] = home ? {own_group, drawn_1[4:0]} : {drawn_1[8:0], 5'd0};

      // A packet that goes to its via does not decide, so it draws no target.
      plan_o.gives_up = via_valid_o;
      ask_o = {plan_o.drawn[1], plan_o.drawn[0] || via_valid_o, 1'b1};
      questions_o = {
        question(plan_o.vias[27:14], own_group), question(via_valid_o ? header_i.dst[19:6] : plan_o.vias[13:0], own_group),
        question(via_valid_o ? header_i.via : header_i.dst[19:6], own_group)
      };
    end
  end

endmodule
