// SPDX-License-Identifier: Apache-2.0
// Frame check of the packets that leave: works it out over the frame, writes it where it is new, stomps it where the packet is
// damaged, and compares it everywhere else. Manual: docs/blocks/link.md, "Out".
// Latency: a word that is on `word_i` in cycle t is on `word_o` (flops) in t + 2. Throughput: one word a cycle.
// Handshake: valid only; the words of a packet come in order, packets do not overlap.
//
// `fcs_at_i` places the FCS: it starts at byte fcs_at_i - 4 of the word (1..3: its first bytes were in the word before; 36: the
// word has none of it).

module tilefly_fcs_out (
    /// clock
    input  logic               clk_i,
    /// synchronous reset, active low
    input  logic               rst_ni,
    /// word before the check; where the FCS is to be new, the last bytes of the word are ignored
    input  tilefly_pkg::word_t word_i,
    /// place of the FCS
    input  logic [        5:0] fcs_at_i,
    /// the frame keeps its FCS
    input  logic               keep_i,
    /// the packet is damaged (known at the latest with the word before the last)
    input  logic               bad_i,
    /// word with the check
    output tilefly_pkg::word_t word_o,
    /// no word inside
    output logic               quiescent_o
);

  localparam logic [5:0] NoFcs = 6'd36;

  // Stage 1: the CRC register after this word.
  logic [31:0] crc_q, crc_before, crc_after;
  logic [255:0] covered;
  logic [5:0] count;  // covered: bytes of the word up to the FCS

  always_comb begin
    crc_before = '0;
    crc_after  = '0;
    covered    = '0;
    count      = '0;
    if (word_i.valid) begin
      crc_before = word_i.sop ? '1 : crc_q;
      count      = fcs_at_i <= 6'd4 ? '0 : fcs_at_i - 6'd4;
      // The frame of a packet with header starts at byte 16 of the first word.
      if (word_i.sop && word_i.enh) covered = {word_i.data[255:128] ^ {96'b0, crc_before}, 128'b0};
      else covered = word_i.data ^ {224'b0, crc_before};
      // The covered bytes go to the word's end; zeros before them do not count. What of the register lies beyond a
      // cover of less than four bytes stays.
      if (fcs_at_i != NoFcs) covered = covered << {6'd32 - count, 3'b0};
      crc_after = tilefly_crc_pkg::crc32_word(covered);
      if (fcs_at_i < 6'd8) crc_after = crc_after ^ (crc_before >> {count, 3'b0});
    end
  end

  tilefly_pkg::word_t word_q;
  logic [5:0] fcs_at_q;
  logic keep_q, bad_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) word_q.valid <= 1'b0;
    else word_q.valid <= word_i.valid;
    if (word_i.valid) begin
      word_q.sop  <= word_i.sop;
      word_q.eop  <= word_i.eop;
      word_q.enh  <= word_i.enh;
      word_q.err  <= word_i.err;
      word_q.last <= word_i.last;
      word_q.data <= word_i.data;
      fcs_at_q    <= fcs_at_i;
      keep_q      <= keep_i;
      bad_q       <= bad_i;
      crc_q       <= crc_after;
    end
  end

  // Stage 2: the FCS in its place. The frame check is the inverse of the register; a stomped one is the register.
  logic [31:0] fcs;
  /* verilator lint_off UNUSEDSIGNAL */  // the lowest four bytes lie in the word before
  logic [287:0] placed, place;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [255:0] data;
  logic has_fcs, differs;

  always_comb begin
    data    = word_q.data;
    fcs     = '0;
    placed  = '0;
    place   = '0;
    differs = 1'b0;
    has_fcs = word_q.valid && fcs_at_q != NoFcs;
    if (has_fcs) begin
      fcs    = bad_q ? crc_q : ~crc_q;
      placed = {256'b0, fcs} << {fcs_at_q, 3'b0};
      place  = {256'b0, 32'hffff_ffff} << {fcs_at_q, 3'b0};
      differs = ((word_q.data ^ placed[287:32]) & place[287:32]) != '0;
      data   = (word_q.data & ~place[287:32]) | placed[287:32];
    end
  end

  tilefly_pkg::word_t out_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) out_q.valid <= 1'b0;
    else out_q.valid <= word_q.valid;
    if (word_q.valid) begin
      out_q.sop  <= word_q.sop;
      out_q.eop  <= word_q.eop;
      out_q.enh  <= word_q.enh;
      out_q.err  <= word_q.err;
      out_q.last <= word_q.last;
      out_q.data <= data;
    end
  end

  assign word_o = out_q;
  assign quiescent_o = !word_q.valid && !out_q.valid;

  // Assertions.
  always_ff @(posedge clk_i) begin
    if (rst_ni && has_fcs) LINK_3 : assert (!(differs && keep_q && !bad_q));
  end

endmodule
