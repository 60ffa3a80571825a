// SPDX-License-Identifier: Apache-2.0
// Where a packet goes: its ports, the targets of a routed one, or the reason to drop it. Manual: docs/blocks/ingress.md,
// docs/blocks/routing.md.
// Latency: what is asked in cycle t = a + 12 is answered in t + 2 (flops), questions to the route tables are asked in t + 1
// (flops). Throughput: one packet a cycle. Handshake: valid only. Everything that comes in is as of the packet's cycle a + 4.
//
// First cycle: which ports, or which targets. Second cycle: how many copies, and the header to store.

module tilefly_candidates #(
    /// bits of the questions to the route tables
    parameter int QuestionsW = tilefly_routing_pkg::QUESTIONS * tilefly_routing_pkg::QUESTION_W
) (
    /// clock
    input  logic                                    clk_i,
    /// synchronous reset, active low
    input  logic                                    rst_ni,
    /// number of the ingress port
    input  logic                              [5:0] port_i,
    /// a packet asks
    input  logic                                    valid_i,
    /// the packet; if it has the internal header, this is the lower half of its first word
    /* verilator lint_off UNUSEDSIGNAL */  // one descriptor for the whole pipeline
    input  tilefly_ingress_pkg::descriptor_t        descriptor_i,
    /// what the parser found in a bare frame
    input  tilefly_ingress_pkg::parsed_t            parsed_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// what the tables say
    input  tilefly_ingress_pkg::lk_rsp_t            lookup_i,
    /// the packet goes to another switch
    input  logic                                    routed_i,
    /// rb of a routed packet
    input  logic                             [31:0] rb_i,
    /// hf of a routed packet
    input  logic                             [31:0] hf_i,
    /// most cells of a packet of the class; 0: no limit
    input  logic                              [6:0] class_mtu_i,
    /// what a bare frame of the class gets: {ordered, route_mode_e}
    input  logic                              [3:0] class_routing_i,
    /// ports that frames to an unknown unicast address go to
    input  logic           [tilefly_pkg::PORTS-1:0] flood_unknown_i,
    /// ports that broadcasts go to
    input  logic           [tilefly_pkg::PORTS-1:0] flood_broadcast_i,
    /// ports that frames to an unknown multicast address go to
    input  logic           [tilefly_pkg::PORTS-1:0] flood_multicast_i,
    /// questions to the route tables that are asked
    output logic [tilefly_routing_pkg::QUESTIONS-1:0] ask_o,
    /// the questions
    output logic                   [QuestionsW-1:0] questions_o,
    /// a packet is answered
    output logic                                    valid_o,
    /// the answer; the output of a routed packet is still to be chosen
    output tilefly_ingress_pkg::route_t             route_o,
    /// what is known of the packet's route
    output tilefly_routing_pkg::plan_t              plan_o
);

  localparam logic [19:0] Replicated = 20'hfffff;
  localparam logic [3:0] HopLimit = 4'(tilefly_pkg::HOP_LIMIT);

  // First cycle
  tilefly_pkg::header_t header, formed, header_d;
  logic via_valid;
  logic [tilefly_routing_pkg::QUESTIONS-1:0] ask_d;
  logic [QuestionsW-1:0] questions_d;
  tilefly_routing_pkg::plan_t plan_d;
  logic [63:0] own_bit, ports_d;
  logic [3:0] reason_d;
  logic addressed_d;  // the header's destination is known: it is the address that was looked up
  assign header = descriptor_i.word[127:0];

  function automatic logic several(input [63:0] ports);
    several = (ports & (ports - 64'd1)) != '0;
  endfunction

  always_comb begin
    formed = '0;
    if (valid_i && descriptor_i.enh) begin
      formed = header;
    end else if (valid_i) begin
      formed.kind = tilefly_pkg::KIND_STD;
      formed.len  = descriptor_i.len;
      formed.tc   = lookup_i.tc;
      formed.src  = {lookup_i.own_address, port_i};
      formed.dst  = parsed_i.mac[19:0];
      {formed.ordered, formed.mode} = class_routing_i;
    end
  end

  tilefly_route_target u_target (
      .routed_i,
      .header_i   (formed),
      .lookup_i,
      .rb_i,
      .hf_i,
      .via_valid_o(via_valid),
      .ask_o      (ask_d),
      .questions_o(questions_d),
      .plan_o     (plan_d)
  );

  always_comb begin
    own_bit = '0;
    ports_d = '0;
    reason_d = descriptor_i.reason;
    addressed_d = 1'b1;
    header_d = formed;
    if (valid_i) begin
      own_bit = 64'd1 << port_i;
      if (routed_i) header_d.via_valid = via_valid;

      if (reason_d != tilefly_pkg::DROP_NONE) begin
        ports_d = '0;
      end else if (descriptor_i.enh && header.hop >= HopLimit) begin
        reason_d = tilefly_pkg::DROP_HOP_LIMIT;
      end else if (descriptor_i.enh && header.dst == Replicated) begin
        ports_d = 64'(flood_broadcast_i) & ~own_bit & lookup_i.enabled;
        if (ports_d == '0) reason_d = tilefly_pkg::DROP_UNKNOWN_MAC;
      end else if (routed_i) begin
        ports_d = '0;
      end else if (descriptor_i.enh || parsed_i.algorithmic) begin
        ports_d = (64'd1 << formed.dst[5:0]) & lookup_i.enabled;
        if (ports_d == '0) reason_d = tilefly_pkg::DROP_NO_ROUTE;
      end else begin
        addressed_d = 1'b0;
        if (parsed_i.broadcast) ports_d = 64'(flood_broadcast_i) & ~own_bit;
        else if (lookup_i.hit && several(lookup_i.ports)) ports_d = lookup_i.ports & ~own_bit;
        else if (lookup_i.hit) ports_d = lookup_i.ports;
        else if (parsed_i.multicast) ports_d = 64'(flood_multicast_i) & ~own_bit;
        else ports_d = 64'(flood_unknown_i) & ~own_bit;
        ports_d = ports_d & lookup_i.enabled;
        if (ports_d == '0) reason_d = tilefly_pkg::DROP_UNKNOWN_MAC;
      end
      if (reason_d == tilefly_pkg::DROP_NONE && class_mtu_i != '0 && descriptor_i.cells > class_mtu_i) begin
        reason_d = tilefly_pkg::DROP_CLASS_MTU;
      end
    end
  end

  logic valid_q, addressed_q;
  logic [tilefly_routing_pkg::QUESTIONS-1:0] ask_q;
  logic [QuestionsW-1:0] questions_q;
  tilefly_routing_pkg::plan_t first_plan_q, second_plan_q;
  tilefly_ingress_pkg::route_t first_q, second_d;
  logic [13:0] own_address_q;

  // Second cycle
  logic second_valid_q;
  tilefly_ingress_pkg::route_t second_q;
  tilefly_pkg::header_t stored;

  always_comb begin
    second_d = first_q;
    stored = first_q.header;
    if (valid_q) begin
      second_d.copies = tilefly_ingress_pkg::count_ones(first_q.ports);
      if (!addressed_q && second_d.copies == 7'd1) begin
        stored.dst = {own_address_q, tilefly_ingress_pkg::number_of(first_q.ports)};
      end else if (!addressed_q) begin
        stored.dst = Replicated;
      end
      second_d.header = stored;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q        <= 1'b0;
      second_valid_q <= 1'b0;
      ask_q          <= '0;
    end else begin
      valid_q        <= valid_i;
      second_valid_q <= valid_q;
      ask_q          <= ask_d;
    end
    if (routed_i) questions_q <= questions_d;
    if (valid_i) begin
      first_q       <= {
        reason_d, ports_d, 7'd0, lookup_i.vls, lookup_i.out_class, header_d, 2'b00, 12'd0, formed.via_valid, formed.via
      };
      first_plan_q  <= plan_d;
      addressed_q   <= addressed_d;
      own_address_q <= lookup_i.own_address;
    end
    if (valid_q) begin
      second_q      <= second_d;
      second_plan_q <= first_plan_q;
    end
  end

  assign ask_o       = ask_q;
  assign questions_o = questions_q;
  assign valid_o     = second_valid_q;
  assign route_o     = second_q;
  assign plan_o      = second_plan_q;

endmodule
