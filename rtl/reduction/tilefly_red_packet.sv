// SPDX-License-Identifier: Apache-2.0
// Packets of one return lane, made of a launch's collect words. Manual: docs/blocks/reduction.md, "Return lanes".
// Latency: a packet that begins in cycle c has word j on `word_o` in c + 3 + j; data word k comes in c + k. Throughput: a word a cycle.
// Handshake: valid only; the ring lanes are the launch's as long as it needs them.
//
//   c + j                 c + 1 + j    c + 2 + j   c + 3 + j
//   word j formed of data CRC over it  FCS placed  late fields
//
// What a lock answers is known only when its first word leaves. The check is linear: what is different in the header is so in the FCS.

module tilefly_red_packet (
    /// clock
    input  logic                              clk_i,
    /// synchronous reset, active low
    input  logic                              rst_ni,
    /// a packet begins
    input  logic                              begins_i,
    /// ports that the packet is for
    input  logic                       [63:0] mask_i,
    /// header of the packet; late fields as far as they are known
    input  tilefly_pkg::red_t                 header_i,
    /// published header of a small operation
    input  logic                       [95:0] published_i,
    /// the operands of the packet are 0: the parts disagree
    input  logic                              void_i,
    /// data of the packet come from ring lane DOWN
    input  logic                              down_i,
    /// collect words {DOWN, UP}
    input  logic                      [511:0] data_i,
    /// header of the packet, in the cycle in which its first word leaves
    input  tilefly_pkg::red_t                 late_i,
    /// the header on `late_i` counts
    input  logic                              is_late_i,
    /// word of the return lane; 0 when there is none
    output tilefly_pkg::red_return_t          word_o,
    /// nothing inside
    output logic                              quiescent_o
);

  localparam logic [5:0] NoFcs = 6'd36;

  // The packet: bytes of data, of all.
  logic open_q, down_q, small_q, down, is_small;
  logic [7:0] index_q, index;  // of the word that is formed
  logic [12:0] bytes_q, bytes, len;
  logic [12:0] size_q, size;  // bytes of the packet less one
  logic [95:0] published_q;
  logic [255:0] data, before_q;  // data word of this cycle, and of the one before
  logic forms, ends;

  assign is_small = begins_i ? header_i.what == 5'(tilefly_pkg::RED_WHAT_SMALL) || header_i.what == 5'(tilefly_pkg::RED_WHAT_SMALL_RESULT) :
      small_q;
  assign down  = begins_i ? down_i : down_q;
  assign bytes = begins_i ? (header_i.empty ? 13'd0 : header_i.bytes) : bytes_q;
  assign len   = tilefly_red_pkg::frame_bytes(header_i.empty, header_i.bytes);
  assign size  = begins_i ? len + 13'd15 : size_q;
  assign index = begins_i ? 8'd0 : index_q;
  assign forms = begins_i || open_q;
  assign ends  = index == size[12:5];
  assign data  = down ? data_i[511:256] : data_i[255:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (forms) open_q <= !ends;
    if (begins_i) begin
      down_q      <= down_i;
      small_q     <= is_small;
      bytes_q     <= bytes;
      size_q      <= size;
      published_q <= published_i;
    end
    if (forms) index_q <= index + 8'd1;
    if (begins_i && void_i) before_q <= '0;
    else if (begins_i || (open_q && !small_q)) before_q <= data;
  end

  // Word j holds data word j - 1, a small operation's first one behind its published header.
  logic [255:0] formed, swapped;
  logic [13:0] left;  // bytes of data from this word on
  logic [5:0] fcs_at;
  logic [13:0] fcs_byte;  // of the word, + 4

  always_comb begin
    formed  = '0;
    swapped = '0;
    left    = 14'(bytes) + 14'd32 - {1'b0, index, 5'd0};
    if (begins_i) formed = {header_i, 128'd0};
    else if (open_q && is_small && index == 8'd1) begin
      for (int i = 0; i < 12; i++) swapped[8*(5+i)+:8] = published_q[8*(11-i)+:8];
      formed = swapped | (before_q << 136);
    end else if (open_q && is_small) formed = before_q >> 120;
    else if (open_q && left < 14'd32) formed = before_q & ~({256{1'b1}} << {left[4:0], 3'd0});
    else if (open_q && !left[13]) formed = before_q;
  end

  // The FCS is the packet's last four bytes.
  always_comb begin
    fcs_byte = 14'(size) + 14'd1 - {1'b0, index, 5'd0};
    fcs_at   = fcs_byte >= 14'd1 && fcs_byte <= 14'd35 ? 6'(fcs_byte) : NoFcs;
  end

  tilefly_pkg::word_t formed_q;
  /* verilator lint_off UNUSEDSIGNAL */  // these packets have the internal header
  tilefly_pkg::word_t checked;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [5:0] fcs_at_q;
  logic fcs_quiescent;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) formed_q.valid <= 1'b0;
    else formed_q.valid <= forms;
    if (forms) begin
      formed_q.sop  <= begins_i;
      formed_q.eop  <= ends;
      formed_q.enh  <= 1'b1;
      formed_q.err  <= 1'b0;
      formed_q.last <= ends ? size[4:0] : 5'd31;
      formed_q.data <= formed;
      fcs_at_q      <= fcs_at;
    end
  end

  tilefly_fcs_out u_fcs (
      .clk_i,
      .rst_ni,
      .word_i     (formed_q),
      .fcs_at_i   (fcs_at_q),
      .keep_i     (1'b0),
      .bad_i      (1'b0),
      .word_o     (checked),
      .quiescent_o(fcs_quiescent)
  );

  // Mask and header wait for the first word; late fields change the FCS of the second, which has no data.
  localparam int Wait = 3;
  logic waits, waits_busy;
  logic [63:0] mask;
  tilefly_pkg::red_t header, differs, differs_q;
  logic differs_valid_q;
  logic [31:0] fcs_differs;

  tilefly_delay_line #(
      .Width(64 + tilefly_pkg::RED_W),
      .Depth(Wait)
  ) u_waits (
      .clk_i,
      .rst_ni,
      .valid_i(begins_i),
      .data_i ({mask_i, header_i}),
      .valid_o(waits),
      .data_o ({mask, header}),
      .busy_o (waits_busy)
  );

  assign differs = waits && is_late_i ? header ^ late_i : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) differs_valid_q <= 1'b0;
    else differs_valid_q <= differs != '0;
    if (differs != '0) differs_q <= differs;
  end

  always_comb begin
    fcs_differs = '0;
    if (differs_valid_q) fcs_differs = tilefly_crc_pkg::crc32_word({96'd0, differs_q, 32'd0});
  end

  always_comb begin
    word_o = '0;
    if (checked.valid) begin
      word_o.valid = 1'b1;
      word_o.first = checked.sop;
      word_o.eop   = checked.eop;
      word_o.last  = checked.last;
      word_o.data  = checked.data;
      if (checked.sop) begin
        word_o.mask = mask;
        word_o.data = checked.data ^ {differs, 128'd0};
      end else if (differs_valid_q) word_o.data = checked.data ^ {128'd0, fcs_differs, 96'd0};
    end
  end

  assign quiescent_o = !open_q && !formed_q.valid && fcs_quiescent && !waits_busy && !differs_valid_q;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni) RED_3_returns : assert (!(begins_i && open_q));
  end

endmodule
