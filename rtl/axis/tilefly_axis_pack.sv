// SPDX-License-Identifier: Apache-2.0
// Beats of an AXI-Stream to words of the link. Manual: docs/blocks/axis.md, "Stream to link".
// Latency: a word is there in the cycle of its last beat; the upper half of a beat of 64 bytes a cycle later.
// Throughput: a word or a beat a cycle. Handshake: `tready_o` depends on flops and on `room_i` alone.

module tilefly_axis_pack #(
    /// bits of tdata: 8, 16, 32, 64, 128, 256 or 512
    parameter int DataW = 64
) (
    /// clock
    input  logic               clk_i,
    /// synchronous reset, active low
    input  logic               rst_ni,
    /// a beat is shown
    input  logic               tvalid_i,
    /// the beat is taken
    output logic               tready_o,
    /// bytes of the beat, byte i in bits 8i+7..8i
    input  logic [  DataW-1:0] tdata_i,
    /// bytes in use, from byte 0 on; of a frame's last beat only, and byte 0 always is
    input  logic [DataW/8-1:0] tkeep_i,
    /// last beat of a frame
    input  logic               tlast_i,
    /// with the last beat: the frame is bad
    input  logic               tuser_i,
    /// a word can be taken
    input  logic               room_i,
    /// a word
    output logic               push_o,
    /// bytes of the word; zero beyond the frame's end
    output logic [      255:0] data_o,
    /// the word is the last of its frame
    output logic               end_o,
    /// bytes of the word, 1 to 32
    output logic [        5:0] bytes_o,
    /// with the last word of a frame: the frame is bad
    output logic               bad_o,
    /// no part of a word is inside
    output logic               quiescent_o
);

  localparam int Bytes = DataW / 8;

  // Bytes of the beat that count, and the beat with zeros in place of the others.
  logic [6:0] used;
  logic [DataW-1:0] beat;
  logic taken;

  always_comb begin
    used = 7'd1;
    for (int i = 1; i < Bytes; i++) if (used == 7'(i) && (tkeep_i[i] || !tlast_i)) used = 7'(i + 1);
    for (int i = 0; i < Bytes; i++) beat[8*i+:8] = 7'(i) < used ? tdata_i[8*i+:8] : 8'd0;
  end
  assign taken = tvalid_i && tready_o;

  generate
    if (DataW == 512) begin : gen_halves
      logic upper_q, end_q, bad_q;  // the upper half of a beat waits
      logic [5:0] bytes_q;
      logic [255:0] data_q;

      always_ff @(posedge clk_i) begin
        if (!rst_ni) upper_q <= 1'b0;
        else if (taken) upper_q <= used > 7'd32;
        else if (room_i) upper_q <= 1'b0;
        if (taken) begin
          end_q   <= tlast_i;
          bad_q   <= tuser_i;
          bytes_q <= 6'(used - 7'd32);
          data_q  <= beat[511:256];
        end
      end

      assign tready_o    = room_i && !upper_q;
      assign push_o      = taken || (upper_q && room_i);
      assign data_o      = upper_q ? data_q : beat[255:0];
      assign end_o       = upper_q ? end_q : tlast_i && used <= 7'd32;
      assign bytes_o     = upper_q ? bytes_q : used > 7'd32 ? 6'd32 : 6'(used);
      assign bad_o       = upper_q ? bad_q : tuser_i;
      assign quiescent_o = !upper_q;
    end else begin : gen_beats
      localparam int Last = 256 / DataW - 1;

      logic [4:0] index_q;  // beats of the word that are in
      logic [255:0] data_q, data;

      always_comb begin
        data = index_q == '0 ? '0 : data_q;
        data[index_q*DataW+:DataW] = beat;
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) index_q <= '0;
        else if (push_o) index_q <= '0;
        else if (taken) index_q <= index_q + 5'd1;
        if (taken) data_q <= data;
      end

      assign tready_o    = room_i;
      assign push_o      = taken && (tlast_i || index_q == 5'(Last));
      assign data_o      = data;
      assign end_o       = tlast_i;
      assign bytes_o     = 6'(index_q * 6'(Bytes)) + 6'(used);
      assign bad_o       = tuser_i;
      assign quiescent_o = index_q == '0;
    end
  endgenerate

`ifndef FORMAL  // yosys knows no $fatal
  initial begin
    if (DataW < 8 || DataW > 512 || 2 ** $clog2(DataW) != DataW)
      $fatal(1, "tilefly_axis_pack: DataW %0d; wanted: 8, 16, 32, 64, 128, 256 or 512", DataW);
  end
`endif

endmodule
