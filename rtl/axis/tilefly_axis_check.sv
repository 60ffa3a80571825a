// SPDX-License-Identifier: Apache-2.0
// Checker of one AXI-Stream that carries Ethernet frames: handshake, stability, byte qualifiers, frame lengths, reset. It
// may be instantiated or bound on either side, drives nothing, and has immediate assertions only.
// Manual: docs/blocks/axis.md, "Rules of a stream".
// Latency: a breach of cycle t is told by the clock edge that ends t. Throughput: a beat a cycle. Handshake: it looks at
// `tvalid_i` and `tready_i`.

module tilefly_axis_check #(
    /// bits of tdata: a multiple of 8
    parameter int DataW = 64,
    /// bits of tuser
    parameter int UserW = 1,
    /// bits of tdest
    parameter int DestW = 1,
    /// bits of tid
    parameter int IdW = 1,
    /// bytes of the shortest frame
    parameter int MinBytes = 1,
    /// bytes of the longest frame, 0: no limit
    parameter int MaxBytes = 0
) (
    /// clock
    input logic               clk_i,
    /// synchronous reset, active low
    input logic               rst_ni,
    /// the transmitter shows a beat
    input logic               tvalid_i,
    /// the receiver takes the beat
    input logic               tready_i,
    /// bytes of the beat, byte i in bits 8i+7..8i
    input logic [  DataW-1:0] tdata_i,
    /// byte i of the beat is of the frame
    input logic [DataW/8-1:0] tkeep_i,
    /// last beat of a frame
    input logic               tlast_i,
    /// sideband of the beat; zero where there is none
    input logic [  UserW-1:0] tuser_i,
    /// destination; zero where there is none
    input logic [  DestW-1:0] tdest_i,
    /// stream; zero where there is none
    input logic [    IdW-1:0] tid_i
);

  localparam int Bytes = DataW / 8;

  // The beat of the cycle before, when it was not taken; the frame under way; reset in the cycle before.
  logic stalled_q, open_q, reset_q;
  logic [DataW-1:0] tdata_q;
  logic [Bytes-1:0] tkeep_q;
  logic tlast_q;
  logic [UserW-1:0] tuser_q;
  logic [DestW-1:0] tdest_q;
  logic [IdW-1:0] tid_q;
  logic [31:0] before_q, length;  // bytes of the frame before this beat, and with it
  logic shown;

  assign shown = rst_ni && tvalid_i;

  always_comb begin
    length = open_q ? before_q : '0;
    for (int i = 0; i < Bytes; i++) length = length + 32'(tkeep_i[i]);
  end

  // Before the first edge nothing is known of the stream, so nothing is said.
  initial begin
    stalled_q = 1'b0;
    open_q    = 1'b0;
    reset_q   = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    reset_q   <= !rst_ni;
    stalled_q <= shown && !tready_i;
    tdata_q   <= tdata_i;
    tkeep_q   <= tkeep_i;
    tlast_q   <= tlast_i;
    tuser_q   <= tuser_i;
    if (shown) begin
      tdest_q <= tdest_i;
      tid_q   <= tid_i;
    end
    if (!rst_ni) open_q <= 1'b0;
    else if (tvalid_i && tready_i) begin
      open_q   <= !tlast_i;
      before_q <= length;
    end
  end

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (reset_q) AXIS_6 : assert (!tvalid_i);
    if (rst_ni && !reset_q) begin
      if (stalled_q) begin
        AXIS_1 : assert (tvalid_i);
        if (tvalid_i) begin
          AXIS_2_data : assert (tdata_i == tdata_q);
          AXIS_2_keep : assert (tkeep_i == tkeep_q);
          AXIS_2_last : assert (tlast_i == tlast_q);
          AXIS_2_user : assert (tuser_i == tuser_q);
          AXIS_2_dest : assert (tdest_i == tdest_q);
          AXIS_2_id : assert (tid_i == tid_q);
        end
      end
      if (tvalid_i) begin
        AXIS_3_contiguous : assert ((tkeep_i & (tkeep_i + 1'b1)) == '0);
        AXIS_3_full : assert (tlast_i || tkeep_i == '1);
        AXIS_3_some : assert (!tlast_i || tkeep_i != '0);
        if (open_q && !stalled_q) begin
          AXIS_4_dest : assert (tdest_i == tdest_q);
          AXIS_4_id : assert (tid_i == tid_q);
        end
        AXIS_5_least : assert (!tlast_i || length >= 32'(MinBytes));
        AXIS_5_most : assert (MaxBytes == 0 || length <= 32'(MaxBytes));
      end
    end
    // A simulator of two states has no x.
    if (rst_ni) begin
      AXIS_7 : assert ((^{tvalid_i, tready_i}) !== 1'bx);
      if (tvalid_i) AXIS_7_beat : assert ((^{tkeep_i, tlast_i, tuser_i, tdest_i, tid_i}) !== 1'bx);
    end
  end

endmodule
