// SPDX-License-Identifier: Apache-2.0
// Look-up tables that the two ports of a tile share: exact match, classes, virtual lanes, routes. Manual:
// docs/blocks/ingress.md, docs/blocks/routing.md.
// Latency: a request in cycle t = a + 10 is answered in t + 2 (flops), questions to the route tables in t = a + 13 in t + 1
// (flops). Throughput: one request, and three questions, a cycle and tile port.
// Handshake: valid only. Register writes are delayed as much as the request, so that a packet sees every table as it is
// in its cycle a + 4:
//
//   cycle            a+10                a+11    a+12                                           a+13    a+14
//   look-up          exact match, class  VLs     answer; enabled ports and classes; registers   routes  masks
//   writes delayed   6                   7       8                                              9

module tilefly_tables (
    /// clock
    input  logic                                         clk_i,
    /// synchronous reset, active low
    input  logic                                         rst_ni,
    /// register bus: a write is an event of this cycle
    input  tilefly_pkg::cfg_t                            cfg_i,
    /// requests (lk_req_t) of tile port 0, tile port 1
    input  logic              [2*tilefly_ingress_pkg::LK_REQ_W-1:0] lk_req_i,
    /// answers (lk_rsp_t) of tile port 0, tile port 1
    output logic              [2*tilefly_ingress_pkg::LK_RSP_W-1:0] lk_rsp_o,
    /// no request and no write under way
    output logic                                         quiescent_o
);

  localparam int ReqW = tilefly_ingress_pkg::LK_REQ_W;
  localparam int RspW = tilefly_ingress_pkg::LK_RSP_W;

  tilefly_pkg::cfg_t cfg6, cfg7_q, cfg8_q, cfg9_q;
  logic write, write6, line_busy;
  logic [tilefly_pkg::CFG_W-1:0] line_cfg;

  assign write = cfg_i.valid && !cfg_i.read;

  tilefly_delay_line #(
      .Width(tilefly_pkg::CFG_W),
      .Depth(6)
  ) u_writes (
      .clk_i,
      .rst_ni,
      .valid_i(write),
      .data_i (cfg_i),
      .valid_o(write6),
      .data_o (line_cfg),
      .busy_o (line_busy)
  );
  always_comb begin
    cfg6 = line_cfg;
    cfg6.valid = write6 && rst_ni;  // tables have no reset: none is written before the pipe is clear
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cfg7_q <= '0;
      cfg8_q <= '0;
      cfg9_q <= '0;
    end else begin
      cfg7_q <= write6 ? cfg6 : '0;
      cfg8_q <= cfg7_q;
      cfg9_q <= cfg8_q;
    end
  end

  tilefly_pkg::cfg_t cfg7, cfg9;
  always_comb begin
    cfg7       = cfg7_q;
    cfg7.valid = cfg7_q.valid && rst_ni;
    cfg9       = cfg9_q;
    cfg9.valid = cfg9_q.valid && rst_ni;
  end

  // a + 10
  tilefly_ingress_pkg::lk_req_t req0, req1;
  assign req0 = lk_req_i[0+:ReqW];
  assign req1 = lk_req_i[ReqW+:ReqW];

  logic [1:0] hit, hit_q;
  logic [127:0] ports, ports_q;
  logic [5:0] tc, tc_q;

  tilefly_exact_match u_exact_match (
      .clk_i,
      .cfg_i   (cfg6),
      .search_i({req1.valid, req0.valid}),
      .mac_i   ({req1.mac, req0.mac}),
      .hit_o   (hit),
      .ports_o (ports)
  );

  tilefly_class_tables u_class_tables (
      .clk_i,
      .cfg_i     (cfg6),
      .ask_i     ({req1.valid, req0.valid}),
      .use_dscp_i({req1.use_dscp, req0.use_dscp}),
      .dscp_i    ({req1.dscp, req0.dscp}),
      .use_pcp_i ({req1.use_pcp, req0.use_pcp}),
      .pcp_i     ({req1.pcp, req0.pcp}),
      .tc_i      ({req1.tc, req0.tc}),
      .tc_o      (tc)
  );

  // a + 11
  logic [1:0] ask_q, answer_q;
  logic [11:0] vl_key_q;  // {vl_in, in-port's class}

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ask_q    <= '0;
      answer_q <= '0;
    end else begin
      ask_q    <= {req1.valid, req0.valid};
      answer_q <= ask_q;
    end
    if (req0.valid) begin
      vl_key_q[5:0] <= {req0.vl_in, req0.in_class};
    end
    if (req1.valid) begin
      vl_key_q[11:6] <= {req1.vl_in, req1.in_class};
    end
    if (ask_q != '0) begin
      hit_q   <= hit;
      ports_q <= ports;
      tc_q    <= tc;
    end
  end

  logic [31:0] vls;

  tilefly_vl_map u_vl_map (
      .clk_i,
      .cfg_i(cfg7),
      .ask_i(ask_q),
      .row_i({tc[5:3], vl_key_q[11:6], tc[2:0], vl_key_q[5:0]}),
      .vls_o(vls)
  );

  // a + 12
  logic [tilefly_pkg::PORTS-1:0] enabled;
  logic [2*tilefly_pkg::PORTS-1:0] out_class;

  tilefly_port_classes u_port_classes (
      .clk_i,
      .rst_ni,
      .cfg_i      (cfg8_q),
      .enabled_o  (enabled),
      .out_class_o(out_class)
  );

  logic [13:0] own_address;
  logic [15:0] size;
  logic [63:0] lengths;
  logic [47:0] biases;

  tilefly_route_regs u_route_regs (
      .clk_i,
      .rst_ni,
      .cfg_i        (cfg8_q),
      .own_address_o(own_address),
      .size_o       (size),
      .lengths_o    (lengths),
      .biases_o     (biases)
  );

  // a + 13
  logic [383:0] masks;
  logic asked_q;

  tilefly_route_tables u_route_tables (
      .clk_i,
      .cfg_i     (cfg9),
      .ask_i     ({req1.ask, req0.ask}),
      .question_i({req1.questions, req0.questions}),
      .masks_o   (masks)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) asked_q <= 1'b0;
    else asked_q <= req0.ask != '0 || req1.ask != '0;
  end

  // The answers: of a + 12, and the masks of a + 14
  generate
    for (genvar l = 0; l < 2; l++) begin : gen_answer
      assign lk_rsp_o[l*RspW+:RspW] = {
        tc_q[l*3+:3], vls[l*16+:16], hit_q[l], ports_q[l*64+:64], own_address, size, lengths, biases,
        64'(enabled), 128'(out_class), masks[l*192+:192]
      };
    end
  endgenerate

  assign quiescent_o = !line_busy && !cfg7_q.valid && !cfg8_q.valid && !cfg9_q.valid && ask_q == '0 &&
      answer_q == '0 && !asked_q;

endmodule
