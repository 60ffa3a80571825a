// SPDX-License-Identifier: Apache-2.0
// Hashes of a flow: hf, and h of it and the switch. Manual: docs/blocks/routing.md, "Draws".
// Latency: fields that are shown in their packet's cycle a + 7 have hf (flop) in a + 12, h in a + 14. Throughput: one packet a
// cycle. Handshake: valid only. Each multiplication has a cycle of its own:
//
//   a + 7   a + 8  a + 9  a + 10  a + 11  a + 12  a + 13  a + 14
//   fields  first half..                  hf, h   h       h

module tilefly_route_hash (
    /// clock
    input  logic        clk_i,
    /// synchronous reset, active low
    input  logic        rst_ni,
    /// a packet of which this is cycle a + 7
    input  logic        valid_i,
    /// flow of the packet
    input  logic [ 9:0] flow_i,
    /// fabric address of the packet's source
    input  logic [19:0] src_i,
    /// fabric address of the packet's destination
    input  logic [19:0] dst_i,
    /// own address of the packet of which this is cycle a + 12
    input  logic [13:0] own_address_i,
    /// hf of that packet
    output logic [31:0] hf_o,
    /// a packet of which this is cycle a + 14 was hashed
    output logic        valid_o,
    /// h of that packet, lowest byte
    output logic [ 7:0] h_o
);

  logic [6:0] valid_q;  // bit i: a packet of which this is cycle a + 8 + i
  logic [29:0] flow_q;  // {flow, src}
  logic [19:0] dst_q, dst2_q;
  logic [31:0] hash1_q, hash2_q, hash3_q, hf_q, h_half_q;
  logic [7:0] h_q;
  /* verilator lint_off UNUSEDSIGNAL */  // a byte of it chooses
  logic [31:0] h;
  /* verilator lint_on UNUSEDSIGNAL */
  assign h = tilefly_routing_pkg::second_half(h_half_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[5:0], valid_i};
    if (valid_i) begin
      flow_q <= {flow_i, src_i};
      dst_q  <= dst_i;
    end
    if (valid_q[0]) begin
      hash1_q <= tilefly_routing_pkg::first_half({2'b00, flow_q});
      dst2_q  <= dst_q;
    end
    if (valid_q[1]) hash2_q <= tilefly_routing_pkg::second_half(hash1_q) ^ {12'd0, dst2_q};
    if (valid_q[2]) hash3_q <= tilefly_routing_pkg::first_half(hash2_q);
    if (valid_q[3]) hf_q <= tilefly_routing_pkg::second_half(hash3_q);
    if (valid_q[4]) h_half_q <= tilefly_routing_pkg::first_half(hf_q ^ {12'd0, own_address_i, 6'd0});
    if (valid_q[5]) h_q <= h[7:0];
  end

  assign hf_o    = hf_q;
  assign valid_o = valid_q[6];
  assign h_o     = h_q;

endmodule
