// SPDX-License-Identifier: Apache-2.0
// AXI-Stream Ethernet to the link words of a standard port: stores each frame whole, makes its frame check when the stream
// carries none, stomps what the stream calls bad, keeps the time of preamble and gap, and sends the PAUSE frames that the
// other direction asks for. Manual: docs/blocks/axis.md, "Stream to link".
// Latency: a frame whose last word is complete in cycle t is taken in x >= t + 1; word k is on `word_o` in x + 3 + k.
// Throughput: a word a cycle. Handshake: AXI-Stream in; valid only out.
//
//   cycle  t           x >= t+1  x+1          x+2            x+3
//          last beat   take      word 0 read  CRC of word 0  FCS placed, word 0 on word_o

module tilefly_axis_to_link #(
    /// bits of tdata: 8, 16, 32, 64, 128, 256 or 512
    parameter int DataW = 64,
    /// 1: the stream's frames end with their frame check; 0: the frame check is made here
    parameter int HasFcs = 0,
    /// 1: frames below 64 bytes are padded with zeros; only without HasFcs
    parameter int Pad = 0,
    /// words of 32 bytes that the store holds: at least a frame of the MTU and a word
    parameter int StoreWords = 2 * (tilefly_pkg::MTU_WORDS_STD + 1)
) (
    /// clock
    input  logic                       clk_i,
    /// synchronous reset, active low
    input  logic                       rst_ni,
    /// a beat is shown
    input  logic                       s_axis_tvalid_i,
    /// the beat is taken
    output logic                       s_axis_tready_o,
    /// bytes of the beat, byte i in bits 8i+7..8i
    input  logic [          DataW-1:0] s_axis_tdata_i,
    /// bytes in use, from byte 0 on
    input  logic [        DataW/8-1:0] s_axis_tkeep_i,
    /// last beat of a frame
    input  logic                       s_axis_tlast_i,
    /// with the last beat: the frame is bad
    input  logic                       s_axis_tuser_i,
    /// PAUSE by the switch: no frame begins
    input  logic                       hold_i,
    /// a PAUSE frame is to be sent
    input  logic                       pause_due_i,
    /// quanta of the PAUSE frame
    input  logic [               15:0] pause_quanta_i,
    /// the PAUSE frame is taken
    output logic                       pause_taken_o,
    /// word on the wire; all zero when there is none
    output tilefly_pkg::word_t         word_o,
    /// nothing inside
    output logic                       quiescent_o
);

  localparam int MaxWords = tilefly_pkg::MTU_WORDS_STD + 1;  // of a frame; what is longer is cut
  localparam logic [12:0] MaxBytes = 13'(32 * MaxWords);
  localparam logic [12:0] MinData = Pad != 0 ? 13'(tilefly_pkg::MIN_STD_BYTES - 4) : 13'd1;
  localparam logic [12:0] PauseBytes = 13'd64;
  localparam logic [5:0] NoFcs = 6'd36;

  // Words of the frame that arrives.
  logic room, push, ends, bad, pack_quiescent;
  logic [255:0] data;
  logic [5:0] bytes;
  logic [7:0] index_q;  // words that are stored, at most MaxWords
  logic fits;

  tilefly_axis_pack #(
      .DataW(DataW)
  ) u_pack (
      .clk_i,
      .rst_ni,
      .tvalid_i   (s_axis_tvalid_i),
      .tready_o   (s_axis_tready_o),
      .tdata_i    (s_axis_tdata_i),
      .tkeep_i    (s_axis_tkeep_i),
      .tlast_i    (s_axis_tlast_i),
      .tuser_i    (s_axis_tuser_i),
      .room_i     (room || !fits),  // what is cut needs none
      .push_o     (push),
      .data_o     (data),
      .end_o      (ends),
      .bytes_o    (bytes),
      .bad_o      (bad),
      .quiescent_o(pack_quiescent)
  );

  assign fits = index_q != 8'(MaxWords);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) index_q <= '0;
    else if (push) index_q <= ends ? '0 : index_q + 8'(fits);
  end

  // Stored frames.
  logic ready, take, frame_bad, pop;
  logic [12:0] frame_bytes;
  logic [255:0] word_data;
  logic [11:0] used;

  tilefly_axis_store #(
      .Words(StoreWords)
  ) u_store (
      .clk_i,
      .rst_ni,
      .push_i (push && fits),
      .data_i (data),
      .end_i  (push && ends),
      .bytes_i(fits ? {index_q, 5'd0} + 13'(bytes) : MaxBytes),
      .bad_i  (bad),
      .room_o (room),
      .used_o (used),
      .ready_o(ready),
      .bytes_o(frame_bytes),
      .bad_o  (frame_bad),
      .begin_i(take),
      .data_o (word_data),
      .pop_i  (pop)
  );

  // The next frame on the wire. A PAUSE frame goes first, and no PAUSE holds it.
  logic [7:0] wait_q;  // cycles until the next take
  logic [12:0] wire_bytes;
  logic take_pause;

  assign take_pause    = wait_q == '0 && pause_due_i;
  assign take          = wait_q == '0 && !pause_due_i && ready && !hold_i;
  assign pause_taken_o = take_pause;

  always_comb begin
    wire_bytes = frame_bytes;
    if (HasFcs == 0) begin
      wire_bytes = (frame_bytes < MinData ? MinData : frame_bytes) + 13'd4;
      if (wire_bytes > MaxBytes) wire_bytes = MaxBytes;
    end
    if (take_pause) wire_bytes = PauseBytes;
  end

  // Its words: read in x + 1 + k.
  logic [7:0] words_left_q;  // to be read
  logic [7:0] data_left_q;  // those of them that the store has; the others are zero
  logic [13:0] fcs_left_q;  // bytes before the FCS, from this word on; negative when it began in the word before
  logic [4:0] last_q;
  logic first_q, pause_q, bad_q, place_q;
  logic [15:0] quanta_q;
  logic [255:0] pause_data;

  assign pop = words_left_q != '0 && data_left_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_q       <= '0;
      words_left_q <= '0;
    end else if (take || take_pause) begin
      wait_q       <= 8'((14'(wire_bytes) + 14'd51) >> 5) - 8'd1;  // preamble and gap are 20 bytes
      words_left_q <= 8'((14'(wire_bytes) + 14'd31) >> 5);
    end else begin
      if (wait_q != '0) wait_q <= wait_q - 8'd1;
      if (words_left_q != '0) words_left_q <= words_left_q - 8'd1;
    end
    if (take || take_pause) begin
      data_left_q <= take_pause ? '0 : 8'((14'(frame_bytes) + 14'd31) >> 5);
      fcs_left_q  <= 14'(wire_bytes) - 14'd4;
      last_q      <= 5'(wire_bytes - 13'd1);
      first_q     <= 1'b1;
      pause_q     <= take_pause;
      bad_q       <= frame_bad && !take_pause;
      place_q     <= HasFcs == 0 || frame_bad || take_pause;
      quanta_q    <= pause_quanta_i;
    end else if (words_left_q != '0) begin
      if (pop) data_left_q <= data_left_q - 8'd1;
      fcs_left_q <= fcs_left_q - 14'd32;
      first_q    <= 1'b0;
    end
  end

  tilefly_word_former u_pause (
      .valid_i     (pause_q),
      .cells_i     ('0),
      .granule_i   ('0),
      .sop_i       (first_q),
      .std_format_i(1'b1),
      .add_eth_i   (1'b0),
      .eth_header_i('0),
      .pause_i     (1'b1),
      .quanta_i    (quanta_q),
      .address_i   ('0),
      .data_bytes_i(6'd32),
      .data_o      (pause_data)
  );

  tilefly_pkg::word_t formed, checked;
  logic [5:0] fcs_at;
  logic fcs_quiescent;

  always_comb begin
    formed       = '0;
    formed.valid = words_left_q != '0;
    formed.sop   = first_q;
    formed.eop   = words_left_q == 8'd1;
    formed.last  = formed.eop ? last_q : 5'd31;
    formed.data  = pause_q ? pause_data : data_left_q != '0 ? word_data : '0;
    fcs_at       = NoFcs;
    if (place_q && (fcs_left_q[13] || fcs_left_q < 14'd32)) fcs_at = fcs_left_q[5:0] + 6'd4;
  end

  tilefly_fcs_out u_fcs (
      .clk_i,
      .rst_ni,
      .word_i     (formed),
      .fcs_at_i   (fcs_at),
      .keep_i     (1'b0),
      .bad_i      (bad_q),
      .word_o     (checked),
      .quiescent_o(fcs_quiescent)
  );

  assign word_o = checked.valid ? checked : '0;
  assign quiescent_o = pack_quiescent && used == '0 && words_left_q == '0 && fcs_quiescent && !pause_due_i;

  tilefly_axis_check #(
      .DataW(DataW)
  ) u_check (
      .clk_i,
      .rst_ni,
      .tvalid_i(s_axis_tvalid_i),
      .tready_i(s_axis_tready_o),
      .tdata_i (s_axis_tdata_i),
      .tkeep_i (s_axis_tkeep_i),
      .tlast_i (s_axis_tlast_i),
      .tuser_i (s_axis_tuser_i),
      .tdest_i ('0),
      .tid_i   ('0)
  );

  // Assertions, on the wire: words of a frame are contiguous, frames leave room for preamble and gap, and PAUSE holds all
  // but PAUSE frames.
`ifndef SYNTHESIS
  localparam logic [47:0] ControlMac = 48'h0100_00c2_8001;  // 01:80:C2:00:00:01, first byte lowest
  /* verilator tracing_off */
  logic inside_q;  // a frame is on the wire
  logic [12:0] sent_q, sent;  // its bytes
  logic [12:0] since_q;  // cycles since its first word
  logic [2:0] held_q;  // hold_i in the last cycles
  /* verilator tracing_on */
  assign sent = (word_o.sop ? '0 : sent_q) + 13'(word_o.last) + 13'd1;
  always_ff @(posedge clk_i) begin
    held_q <= {held_q[1:0], hold_i};
    if (!rst_ni) begin
      inside_q <= 1'b0;
      sent_q   <= '0;
      since_q  <= '1;
    end else begin
      since_q <= word_o.sop ? 13'd1 : since_q + 13'(since_q != '1);
      if (word_o.valid) begin
        inside_q <= !word_o.eop;
        sent_q   <= sent;
      end
      AXIS_10 : assert (word_o.valid == inside_q || word_o.sop);
      AXIS_10_first : assert (!word_o.sop || !inside_q);
      AXIS_11 : assert (!word_o.sop || {since_q, 5'd0} >= 18'(sent_q) + 18'd20);
      AXIS_12 : assert (!(word_o.sop && held_q[2]) || word_o.data[47:0] == ControlMac);
    end
  end
`endif

`ifndef FORMAL  // yosys knows no $fatal
  initial begin
    if (HasFcs != 0 && Pad != 0) $fatal(1, "tilefly_axis_to_link: Pad; a frame that has its check is not padded");
    if (StoreWords < MaxWords) $fatal(1, "tilefly_axis_to_link: StoreWords %0d; wanted: %0d or more", StoreWords, MaxWords);
    if (32 * MaxWords > 8191) $fatal(1, "tilefly_axis_to_link: an MTU of %0d words; wanted: at most 254", MaxWords - 1);
  end
`endif

endmodule
