// SPDX-License-Identifier: Apache-2.0
// A small tilefly_flow_channels for proofs: 2 sets of 2 ways, one class in use, counts of 3 bits, sweeps of 4 cycles, 4 packets. Packets
// of one cell for one of eight destinations, acks of up to three cells, and releases in the cycles that the pipeline leaves free.

module flow_small (
    input  logic       clk_i,
    input  logic       rst_ni,
    /// a packet comes
    input  logic       valid_i,
    /// it is dropped, or not counted
    input  logic       passes_i,
    /// its destination
    input  logic [2:0] dst_i,
    /// an ack arrives
    input  logic       home_i,
    input  logic       mark_i,
    input  logic       by_class_i,
    input  logic       gen_i,
    input  logic [2:0] ack_dst_i,
    input  logic [1:0] ack_cells_i,
    input  logic [2:0] share_i,
    /// it may come: there is a packet's number left for it
    output logic       room_o,
    /// the counted packet is sent, is held
    output logic       sent_o,
    output logic       held_o,
    output logic       gen_o,
    output logic       by_class_o,
    /// a packet is released
    output logic       go_o,
    output logic [1:0] go_packet_o,
    output logic       go_gen_o,
    output logic       go_by_class_o,
    output logic [3:0] channel_o,
    output logic [3:0] go_channel_o,
    /// number of the packet that comes
    output logic [1:0] packet_o,
    /// packets held, by number
    output logic [3:0] inside_o,
    /// place of the sweep
    output logic [1:0] place_o,
    output logic       stray_o,
    output logic       throttled_o,
    output logic [1:0] lost_o
);

  logic [1:0] place_q;
  logic [3:0] inside_q;
  logic [10:0] channel, go_channel;
  logic [6:0] go_cells;
  tilefly_pkg::header_t header;
  tilefly_pkg::ack_t ack;
  tilefly_pkg::cfg_t cfg;
  assign cfg    = '0;
  assign room_o = inside_q != '1;
  assign packet_o = !inside_q[0] ? 2'd0 : !inside_q[1] ? 2'd1 : !inside_q[2] ? 2'd2 : 2'd3;

  always_comb begin
    header     = '0;
    header.dst = 20'(dst_i);
    header.hop = 4'(passes_i);
  end
  always_comb begin
    ack          = '0;
    ack.mark     = mark_i;
    ack.share    = 12'(share_i);
    ack.by_class = by_class_i;
    ack.gen      = gen_i;
    ack.dst      = 20'(ack_dst_i);
    ack.cells    = 7'(ack_cells_i);
  end

  tilefly_flow_channels #(
      .SetBits  (1),
      .Ways     (2),
      .SweepBits(2),
      .Classes  (2),
      .Packets  (4)
  ) u_channels (
      .clk_i,
      .rst_ni,
      .cycle_i         (48'(place_q)),
      .port_i          (6'd0),
      .cfg_i           (cfg),
      .on_i            (1'b1),
      .live_i          (1'b1),
      .valid_i,
      .enters_i        (valid_i),
      .header_i        (header),
      .packet_i        (packet_o),
      .cells_i         (7'd1),
      .decides_i       (1'b0),
      .port_to_i       (6'd0),
      .pair_port_i     (6'd0),
      .came_via_i      (14'd0),
      .out_port_i      (6'd0),
      .out_lane_i      (4'd0),
      .held_o,
      .gen_o,
      .by_class_o,
      .go_valid_o      (go_o),
      .go_packet_o,
      .go_cells_o      (go_cells),
      .go_gen_o,
      .go_by_class_o,
      .home_i,
      .ack_i           (ack),
      .throttled_o,
      .lost_o,
      .stray_o,
      .channel_o       (channel),
      .go_channel_o    (go_channel)
  );

  assign sent_o       = valid_i && !passes_i && !held_o;
  assign channel_o    = channel[3:0];
  assign go_channel_o = go_channel[3:0];
  assign inside_o     = inside_q;
  assign place_o      = place_q;

  always @(posedge clk_i) begin
    place_q <= rst_ni ? place_q + 2'd1 : '0;
    if (held_o) inside_q[packet_o] <= 1'b1;
    if (go_o) inside_q[go_packet_o] <= 1'b0;
    if (!rst_ni) inside_q <= '0;
  end

endmodule
