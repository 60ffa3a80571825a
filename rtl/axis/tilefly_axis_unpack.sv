// SPDX-License-Identifier: Apache-2.0
// Words of stored frames to beats of an AXI-Stream. Manual: docs/blocks/axis.md, "Link to stream".
// Latency: the first beat of a frame is shown in the cycle in which the frame can be read; of 64 bytes a cycle later when it
// has more than 32. Throughput: a word or a beat a cycle. Handshake: outputs are functions of flops and of the store.

module tilefly_axis_unpack #(
    /// bits of tdata: 8, 16, 32, 64, 128, 256 or 512
    parameter int DataW = 64,
    /// bits of tdest
    parameter int DestW = 1,
    /// bits of tid
    parameter int IdW = 1
) (
    /// clock
    input  logic               clk_i,
    /// synchronous reset, active low
    input  logic               rst_ni,
    /// tdest of the frames, as it is in the cycle before the frame's first beat is shown
    input  logic [  DestW-1:0] tdest_i,
    /// tid of the frames, as it is in the cycle before the frame's first beat is shown
    input  logic [    IdW-1:0] tid_i,
    /// a frame can be read
    input  logic               ready_i,
    /// bytes of the frame
    input  logic [       12:0] bytes_i,
    /// the frame is bad
    input  logic               bad_i,
    /// the frame is begun
    output logic               begin_o,
    /// oldest word of the store
    input  logic [      255:0] data_i,
    /// remove the oldest word
    output logic               pop_o,
    /// a beat is shown
    output logic               tvalid_o,
    /// the beat is taken
    input  logic               tready_i,
    /// bytes of the beat, byte i in bits 8i+7..8i; zero where tkeep is 0
    output logic [  DataW-1:0] tdata_o,
    /// bytes in use, from byte 0 on
    output logic [DataW/8-1:0] tkeep_o,
    /// last beat of a frame
    output logic               tlast_o,
    /// with the last beat: the frame is bad
    output logic               tuser_o,
    /// destination, the same in all beats of a frame
    output logic [  DestW-1:0] tdest_o,
    /// stream, the same in all beats of a frame
    output logic [    IdW-1:0] tid_o,
    /// no frame is begun
    output logic               quiescent_o
);

  localparam int Bytes = DataW / 8;

  logic open_q;  // a frame is begun
  logic bad_q, bad;
  logic [12:0] left_q, left;  // bytes of the frame from this beat on
  logic [DestW-1:0] tdest_q;
  logic [IdW-1:0] tid_q;
  logic shown, last, taken;  // a frame is there; this is its last beat
  logic [DataW-1:0] beat;

  assign shown = open_q || ready_i;
  assign left  = open_q ? left_q : bytes_i;
  assign bad   = open_q ? bad_q : bad_i;
  assign last  = left <= 13'(Bytes);
  assign taken = tvalid_o && tready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (taken) open_q <= !last;
    else if (begin_o) open_q <= 1'b1;
    if (taken) left_q <= left - 13'(Bytes);
    else if (begin_o) left_q <= left;
    if (begin_o) bad_q <= bad_i;
    if (!shown || (taken && last)) begin
      tdest_q <= tdest_i;
      tid_q   <= tid_i;
    end
  end

  always_comb begin
    for (int i = 0; i < Bytes; i++) begin
      tkeep_o[i] = 13'(i) < left;
      tdata_o[8*i+:8] = 13'(i) < left ? beat[8*i+:8] : 8'd0;
    end
  end
  assign tlast_o     = last;
  assign tuser_o     = bad && last;
  assign tdest_o     = tdest_q;
  assign tid_o       = tid_q;
  assign quiescent_o = !open_q;

  generate
    if (DataW == 512) begin : gen_halves
      logic lower_q;  // the beat's lower half was read
      logic [255:0] data_q;
      logic fetch;

      assign fetch = shown && left > 13'd32 && !lower_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) lower_q <= 1'b0;
        else if (fetch) lower_q <= 1'b1;
        else if (taken) lower_q <= 1'b0;
        if (fetch) data_q <= data_i;
      end

      assign tvalid_o = shown && !fetch;
      assign beat     = lower_q ? {data_i, data_q} : {256'd0, data_i};
      assign begin_o  = (fetch || taken) && !open_q;
      assign pop_o    = fetch || taken;
    end else begin : gen_beats
      localparam int Last = 256 / DataW - 1;
      logic [4:0] index_q;  // beats of the word that were taken

      always_ff @(posedge clk_i) begin
        if (!rst_ni) index_q <= '0;
        else if (pop_o) index_q <= '0;
        else if (taken) index_q <= index_q + 5'd1;
      end

      assign tvalid_o = shown;
      assign beat     = data_i[index_q*DataW+:DataW];
      assign begin_o  = taken && !open_q;
      assign pop_o    = taken && (last || index_q == 5'(Last));
    end
  endgenerate

`ifndef FORMAL  // yosys knows no $fatal
  initial begin
    if (DataW < 8 || DataW > 512 || 2 ** $clog2(DataW) != DataW)
      $fatal(1, "tilefly_axis_unpack: DataW %0d; wanted: 8, 16, 32, 64, 128, 256 or 512", DataW);
  end
`endif

endmodule
